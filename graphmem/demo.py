"""A conversation of two people over eight months, remembered and asked about on this machine."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from msgspec import Struct

from graphmem.types import Hit, NewTurn, Stats, Turn

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

    from graphmem.memory import Memory

SPACE = "demo"

SESSIONS: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = (
    ("catching-up", "2024-02-11T18:04:00", (
        ("Ben", "Ana! It's been ages. Are you still in Lyon?"),
        ("Ana", "Still in Lyon, yes, in the little flat above the bakery. I'm getting restless, though."),
        ("Ben", "Restless how? Work, or the city?"),
        ("Ana", "Both. I've applied for a job at a map company called Nordlicht. Data visualisation, finally."),
        ("Ben", "That sounds made for you. I'm still teaching chemistry at the secondary school and I still like it."),
        ("Ana", "How is your sister? Clara, right? She was about to have the baby."),
        ("Ben", "She had a boy in January, they named him Oskar. I'm an uncle and completely useless at it."),
    )),
    ("good-news", "2024-03-23T20:31:00", (
        ("Ana", "I got it! Nordlicht said yes. I start on the second of May, so I'm moving to Hamburg in April."),
        ("Ben", "Congratulations! Hamburg, wow. That is only two hours from me by train."),
        ("Ana", "Exactly, you'll have to show me where to eat. Somewhere without shellfish, please."),
        ("Ben", "Why no shellfish?"),
        ("Ana", "I'm allergic. One prawn and I'm in hospital, I found out the hard way in Lisbon."),
        ("Ben", "Noted, no prawns. I do have good news of my own: I adopted a dog from the shelter."),
        ("Ana", "You did not! What is it called?"),
        ("Ben", "Pepper. She's a grey whippet mix, three years old and scared of bicycles."),
    )),
    ("settled", "2024-05-19T11:12:00", (
        ("Ben", "So how are the first weeks at the new place?"),
        ("Ana", "Intense but good. My manager Ingrid put me on the tram network map straight away."),
        ("Ben", "And the flat?"),
        ("Ana", "Third floor in Altona, with a balcony. I can hear the ships when the wind comes from the harbour."),
        ("Ben", "I'm jealous. Pepper and I went to the Harz for a week, we hiked up the Brocken in fog."),
        ("Ana", "Was she all right with the bicycles?"),
        ("Ben", "She barked at every single one. The vet says to try a calmer route and a lot of cheese."),
    )),
    ("summer-plans", "2024-07-14T19:45:00", (
        ("Ana", "I want to see the northern lights this year. Are you free in the autumn holidays?"),
        ("Ben", "The second half of October, yes. Tromsø?"),
        ("Ana", "Tromsø! I'd book the night train to Stockholm and then fly. I don't want to fly the whole way."),
        ("Ben", "Fine with me. Clara can take Pepper for those ten days, Oskar adores her."),
        ("Ana", "I started learning Norwegian on the tram, by the way. I can order a waffle."),
        ("Ben", "That is the one sentence we need. I'll look for a cabin with a stove."),
        ("Ana", "Set a limit of nine hundred euros each, or I'll regret it when the rent is due."),
    )),
    ("change-of-plan", "2024-09-29T17:20:00", (
        ("Ana", "Small earthquake here: Nordlicht is closing the Hamburg office at the end of the year."),
        ("Ben", "Oh no. Do you lose the job?"),
        ("Ana", "No, they want me in Copenhagen. I said yes yesterday, so I'm moving there in December."),
        ("Ben", "Copenhagen suits you. And Tromsø, does it still happen?"),
        ("Ana", "Of course, we leave on the nineteenth of October. Your cabin is paid for."),
        ("Ben", "Good, because I've bought very serious boots. And I'm going to be head of science from next term."),
        ("Ana", "Head of science! We'll celebrate in the cabin. I'll bring the cinnamon buns, you bring Pepper's photos."),
    )),
)  # fmt: skip
"""Name, start and turns of each session. Everything in it is invented."""

QUESTIONS = (
    "Which company hired Ana?",
    "What food could make Ana ill?",
    "What kind of animal does Ben have?",
    "Who is Ana's manager?",
    "Is Ana moving to Copenhagen?",
    "Who takes care of Pepper during the trip?",
    "How many euros may the trip cost?",
)


MOST_KNOWN = 8


class Answer(Struct, frozen=True, kw_only=True):
    """A question and the best that was remembered for it."""

    question: str
    hits: tuple[Hit, ...]
    milliseconds: float


class Outcome(Struct, frozen=True, kw_only=True):
    """What the demo did."""

    turns: int
    seconds: float
    answers: tuple[Answer, ...]
    stats: Stats


def turns() -> Iterator[NewTurn]:
    """The conversation, a turn every 40 seconds."""
    for session, start, lines in SESSIONS:
        first = datetime.fromisoformat(start).replace(tzinfo=UTC)
        for place, (speaker, text) in enumerate(lines):
            at = first + timedelta(seconds=40 * place)
            yield NewTurn(text=text, session=session, speaker=speaker, at=at, ref=f"{session}-{place + 1}")


def run(console: Console, folder: Path | None = None) -> Outcome:
    """Remember the conversation in ``folder`` (or a temporary one), ask, and show what was found and why."""
    if folder is not None:
        return _run(console, folder, kept=True)
    with tempfile.TemporaryDirectory(prefix="graphmem-demo-") as temporary:
        return _run(console, Path(temporary) / "memory", kept=False)


def _run(console: Console, folder: Path, *, kept: bool) -> Outcome:
    from graphmem.memory import Memory
    from graphmem.settings import Settings

    with Memory(folder, settings=Settings.load()) as memory:
        console.print(_opening())
        seconds, count = _remember(console, memory)
        answers = tuple(_ask(console, memory, question) for question in QUESTIONS)
        console.print(_known(memory))
        outcome = Outcome(turns=count, seconds=seconds, answers=answers, stats=memory.stats(SPACE))
    console.print(_closing(outcome, folder if kept else None))
    return outcome


def _remember(console: Console, memory: Memory) -> tuple[float, int]:
    conversation = tuple(turns())
    first, *rest = conversation
    with console.status("Loading the embedding model; the first time it is exported, which takes some seconds …"):
        memory.add_many([first], space=SPACE)
        memory.flush(SPACE)
    started = perf_counter()
    with console.status(f"Remembering {len(conversation)} turns …"):
        memory.add_many(rest, space=SPACE)
        memory.flush(SPACE)
    seconds = perf_counter() - started
    console.print(
        f"[green]✓[/] Remembered [bold]{len(conversation)}[/] turns of {len(SESSIONS)} sessions "
        f"in [bold]{seconds:.2f} s[/], durable, embedded and distilled.\n"
    )
    return seconds, len(conversation)


def _ask(console: Console, memory: Memory, question: str) -> Answer:
    started = perf_counter()
    recall = memory.search(question, space=SPACE, limit=3, kinds=("turn",))
    answer = Answer(question=question, hits=recall.hits, milliseconds=1000 * (perf_counter() - started))
    console.print(_shown(answer))
    return answer


def _known(memory: Memory) -> RenderableType:
    """What the sessions came to: the surest of it, when it holds, and who said so."""
    from rich.panel import Panel
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for title in ("known", "holds", "said by"):
        table.add_column(title, style="bold" if title == "known" else "cyan", header_style="dim")
    surest = sorted(memory.entries(space=SPACE), key=lambda each: (-each.confidence, -each.importance, each.id))
    for entry in surest[:MOST_KNOWN]:
        turn = memory.get(entry.evidence[0], space=SPACE)
        said = f"{turn.speaker}, {turn.at:%-d %B %Y}" if isinstance(turn, Turn) else ""
        since = entry.validity.valid_from
        table.add_row(entry.text, f"since {since:%-d %B %Y}" if since else "", said)
    title = "[bold] What became known, read by rules on this machine [/]"
    return Panel(table, title=title, title_align="left", border_style="green")


def _opening() -> RenderableType:
    from rich.panel import Panel

    first, last = (datetime.fromisoformat(SESSIONS[place][1]) for place in (0, -1))
    return Panel(
        f"Ana and Ben talk {len(SESSIONS)} times between {first:%B} and {last:%B %Y}: a job, two moves, a dog, a trip.\n"
        "graphmem remembers every turn in one folder. Nothing leaves this machine, and no language model is asked.",
        title="[bold]graphmem demo[/]", border_style="cyan", padding=(1, 2),
    )  # fmt: skip


def _shown(answer: Answer) -> RenderableType:
    """The question, and what is remembered for it: who said it when, the words, and why they were found."""
    from rich.panel import Panel
    from rich.text import Text

    title = Text(f" {answer.question} ", style="bold")
    if not answer.hits:
        return Panel(Text("nothing found", style="dim"), title=title, title_align="left", border_style="red")
    body = Text("\n").join([_line(hit, best=place == 0) for place, hit in enumerate(answer.hits)])
    found = f"[dim]{answer.milliseconds:.1f} ms[/]"
    return Panel(body, title=title, subtitle=found, title_align="left", subtitle_align="right", border_style="blue")


def _line(hit: Hit, *, best: bool) -> Text:
    from rich.text import Text

    evidence = next(iter(hit.evidence), None)
    why = " + ".join(f"{channel} {score:.2f}" for channel, score in sorted(hit.channels.items()))
    quote = f"“{evidence.quote if evidence else hit.text}”"
    return Text.assemble(
        ("━" * round(20 * min(1.0, hit.score)) or "╸", "green"),
        (f" {hit.score:.2f}  ", "bold green" if best else "green"),
        (hit.speaker or "someone", "cyan"), (f", {hit.at:%-d %B %Y}", "cyan" if best else "dim cyan"),
        (f" ({hit.session}; {why})", "dim"), ("\n  " + quote, "bold italic" if best else "italic dim"),
    )  # fmt: skip


def _closing(outcome: Outcome, folder: Path | None) -> RenderableType:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    stats = outcome.stats
    table = Table(title="What the folder holds", title_justify="left", title_style="bold", box=None, show_header=False)
    table.add_column(style="dim")
    table.add_column(justify="right")
    for name, count in stats.counts.items():
        table.add_row(name, f"{count:,}")
    table.add_row("commits", f"{stats.commits:,}")
    table.add_row("on disk", f"{stats.bytes_on_disk / 1e6:.1f} MB")
    table.add_row("embeddings", stats.embedding or "none")
    where = f"-f {folder} " if folder else ""
    ask = f'  graphmem {where}search "Where does Ana live?"'
    first = () if folder else ('  graphmem add "I moved to Berlin last May." --speaker Ana',)
    known = f"  graphmem {where}entries" + (" --space demo" if folder else "")
    steps = (*first, ask, known, f"  graphmem {where}stats", "  graphmem --help")
    return Group(Text(), table, Text("\nTry next", style="bold"), Text("\n".join(steps)))

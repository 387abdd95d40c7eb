"""Figures of keeping: opening, building anew, disk and memory."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from benchmarks.figures import TIMES, Figure, Target, measured
from benchmarks.store.bare import Words
from benchmarks.store.case import Case, index_of, store_of, timed
from benchmarks.store.embedders import DIMENSION
from graphmem.memory import Memory
from graphmem.types import Kind
from graphmem.words import terms

RESIDENT = Target(text="≤ 2,560 B", most=2560)
DISK = Target(text=f"≤ 3{TIMES}", times=3)
VECTOR_BYTES = DIMENSION * 4
# Smaller memories are not weighed: a full one takes some 50 to 85 MB beside its vectors however few turns it has, which
# at this size still is most of the figure.
RESIDENT_FROM = 10_000
TURN: tuple[Kind, ...] = ("turn",)


def opening(case: Case) -> list[Figure]:
    """Open a closed folder, libraries already imported and its pages still in the system's cache."""
    text = case.chat.question(case.chat.turns(0, 1)[0], 0)
    space, vector = case.space(0), case.embedder.embed([text])[0]
    case.say("opening")
    bare = timed(lambda: _bare_open(case, space, terms(text)))
    memory: list[Memory] = []

    def by_words() -> None:
        memory.append(case.open())
        store_of(memory[0]).view(space).by_words(terms(text), limit=10, kinds=TURN)

    until_words = timed(by_words)
    until_vectors = until_words + timed(lambda: store_of(memory[0]).view(space).by_vector(vector, limit=10, kinds=TURN))
    closing = timed(memory[0].close)
    return [
        measured(case.name("open until words answer"), until_words * 1000, "ms", floor=bare * 1000),
        measured(case.name("open until vectors answer"), until_vectors * 1000, "ms"),
        measured(case.name("close with nothing new"), closing * 1000, "ms"),
    ]


def _bare_open(case: Case, space: str, found: list[str]) -> None:
    words = Words(case.folder, case.settings.read.posting_budget)
    words.search(words.match(space, found), 10)
    words.close()


def first_index(case: Case, memory: Memory) -> Figure:
    """Build the vector indexes of all spaces. They are made by the first search, so this is what a rebuild takes, too."""
    case.say("building vectors")
    seconds = timed(lambda: memory.rebuild("vectors"))
    seconds += timed(lambda: [index_of(memory, space) for space in case.space_names()])
    return measured(case.name("rebuild vectors"), case.turns / seconds, "rows/s")


def rebuilding(case: Case) -> list[Figure]:
    """Make graph and words anew."""
    figures = []
    with case.open() as memory:
        for part in ("graph", "words"):
            case.say(f"rebuilding {part}")
            seconds = timed(lambda part=part: memory.rebuild(part))  # type: ignore[misc]
            figures.append(measured(case.name(f"rebuild {part}"), (case.turns + case.adds) / seconds, "rows/s"))
    return figures


def disk(case: Case, text_bytes: int) -> Figure:
    """Count every file of the closed folder, beside the texts and vectors themselves."""
    used = sum(path.stat().st_size for path in case.folder.rglob("*") if path.is_file())
    turns = case.turns + case.adds
    bare = text_bytes + VECTOR_BYTES * turns
    return measured(case.name("disk a turn"), used / turns, "B", floor=bare / turns, target=DISK)


def resident(case: Case, text_bytes: int, embedding: str, seed: int) -> list[Figure]:
    """Say what each turn of an open memory costs, over its text."""
    if case.turns < RESIDENT_FROM:
        return []
    case.say("weighing memory")
    grown = weigh(case, embedding, seed)
    turns = case.turns + case.adds
    mean = text_bytes / turns
    name, private = "resident memory a turn, over its text", "resident memory a turn, without mapped files"
    return [
        measured(
            case.name(name), grown["resident"] / turns - mean, "B", floor=float(VECTOR_BYTES), target=RESIDENT
        ),
        measured(case.name(private), grown["private"] / turns - mean, "B", floor=float(VECTOR_BYTES)),
    ]  # fmt: skip


def weigh(case: Case, embedding: str, seed: int) -> dict[str, int]:
    """Let a child hold the memory with all its vectors loaded: the garbage of this process does not count."""
    order = {
        "folder": str(case.folder), "spaces": case.space_names(), "embedding": embedding, "seed": seed,
        "turns": case.turns, "per_space": case.per_space,
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.store.weigh"],
        input=json.dumps(order), capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"the child that weighs memory failed: {done.stderr[-2000:]}")
    found: dict[str, int] = json.loads(done.stdout)
    return found

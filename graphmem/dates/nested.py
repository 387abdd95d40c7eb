"""One date inside of a longer one: Friday last week, May of last year, next year's Christmas."""

from __future__ import annotations

from datetime import datetime

from graphmem.dates.counted import counted
from graphmem.dates.cycles import fits, within
from graphmem.dates.days import part_of
from graphmem.dates.hours import part
from graphmem.dates.lexicon import (
    LAST,
    NEXT,
    THIS,
    UNITS,
    VAGUE,
    word_set,
)
from graphmem.dates.month_days import year_number
from graphmem.dates.relative import alone, before_last, modified
from graphmem.dates.scene import Match, Scene, longest, sure
from graphmem.dates.spans import rank, shift, unit
from graphmem.dates.written import holiday, named

_OUTER = LAST | NEXT | THIS | VAGUE.keys() | word_set("the a an one two three four five")


def of_outer(scene: Scene, at: int) -> Match | None:
    """Read "Friday last week", "May of last year", "Christmas two years ago"."""
    start = scene.skip(at, ("the",))
    found = named(scene, start)
    if found is None:
        return None
    upto, cycle = found
    piece = part(scene, upto) if cycle.grain == "day" else None
    if piece is not None:
        upto = piece[0]
    after = scene.skip(upto, ("of", "in", ","))
    token = scene.at(after)
    if token.word not in _OUTER and token.shape != "number":
        return None
    outer = _this_unit(scene, after, after > upto) or longest(scene, after, (modified, counted, before_last))
    if outer is None or outer[1].kind != "point" or not fits(cycle, outer[1]):
        return None
    upto, day = sure(within(cycle, outer[1]), outer[0])
    return (upto, part_of(day, piece[1]) or day) if piece else (upto, day)


def holiday_weekend(scene: Scene, at: int) -> Match | None:
    """Read "Thanksgiving weekend", "Easter week": the weekend nearest to the day, the ISO week that it is in."""
    start = scene.skip(at, ("the",))
    if scene.word(start) in LAST | NEXT | THIS:
        start += 1
    found = holiday(scene, start)
    if found is None or scene.word(found[0]) not in ("weekend", "week"):
        return None
    upto = found[0] + 1
    year = year_number(scene, upto)
    if year is not None:
        upto, first = year[0], scene.now.replace(year=year[1], month=1, day=1)
        span = within(found[1], unit("year", first))
    else:
        inner = modified(scene, at) if start > at and scene.word(at) != "the" else alone(_assured(scene, at), start)
        span = inner[1] if inner else None
    return _week_around(scene.word(found[0]), upto, span.start) if span and span.start else None


def _week_around(word: str, upto: int, day: datetime) -> Match:
    if word == "week":
        return upto, unit("week", day)
    return upto, unit("weekend", shift(day, "day", -3) if day.isoweekday() < 3 else day)


def _assured(scene: Scene, at: int) -> Scene:
    other = scene.after(scene.now)
    other.spoken = scene.tense(at, at + 2)
    return other


def _this_unit(scene: Scene, at: int, linked: bool) -> Match | None:
    grain = UNITS.get(scene.word(at + 1))
    if linked and scene.word(at) == "the" and grain in ("week", "month", "year"):
        return at + 2, unit(grain, scene.now)
    return None


def outer_first(scene: Scene, at: int) -> Match | None:
    """Read "last week on Friday", "next year's Christmas", "two years ago in May"."""
    found = longest(scene, at, (modified, counted))
    if found is None or found[1].kind != "point" or rank(found[1].grain) < rank("weekend"):
        return None
    upto, outer = found
    after = scene.skip(upto, (",",))
    linked = scene.skip(after, ("on", "in", "at", "around"))
    owned = scene.at(upto - 1).full.endswith("'s")
    inside = named(scene.after(scene.now) if owned else scene, linked)
    if inside is None or not (fits(inside[1], outer) or (outer.grain == "weekend" and inside[1].period == "week")):
        return None
    span = within(inside[1], outer)
    return (inside[0], span) if span else None

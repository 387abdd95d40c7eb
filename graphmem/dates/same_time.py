"""The same point of another unit: this time next week, same time tomorrow, around this time last year."""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec.structs import replace

from graphmem.dates.counted import counted
from graphmem.dates.days import named_day
from graphmem.dates.found import Granularity
from graphmem.dates.relative import alone, modified
from graphmem.dates.scene import Match, Scene, longest
from graphmem.dates.spans import Span, midnight, shift, unit

# "This time last year" is about a month wide, not a day and not a year.
_FINER: dict[Granularity, Granularity] = {"year": "month", "month": "week", "week": "day", "day": "hour"}


def same_time(scene: Scene, at: int) -> Match | None:
    """Read "this time" or "the same time" with the unit in which it is meant."""
    start = scene.skip(at, ("the",))
    if scene.word(start) not in ("this", "same") or scene.word(start + 1) != "time":
        return None
    after = scene.skip(start + 2, ("on",))
    found = longest(scene, after, (modified, counted, named_day, alone))
    if found is None or found[1].kind != "point" or found[1].start is None:
        return None
    finer = _FINER.get(found[1].grain)
    return (found[0], replace(unit(finer, _there(scene.now, found[1])), approximate=True)) if finer else None


def _there(now: datetime, other: Span) -> datetime:
    start = other.start or now
    if other.grain in ("year", "month"):
        here = unit(other.grain, now).start or now
        return shift(now, "month", (start.year - here.year) * 12 + start.month - here.month)
    if other.grain == "week":
        return start + (now - midnight(now)) + timedelta(days=now.weekday())
    return start + (now - midnight(now))

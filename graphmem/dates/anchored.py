"""What counts from another date: two days after Christmas, the Sunday before 25 May, the week of May 8."""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec.structs import replace

from graphmem.dates.amounts import Amount, amount, moved, number
from graphmem.dates.cycles import Cycle, coming, last
from graphmem.dates.days import part_of
from graphmem.dates.found import Granularity
from graphmem.dates.lexicon import MANY_WEEKDAYS, PARTS, PARTS_LOOSE, TODAY, TOMORROW, UNITS, WEEKDAYS, YESTERDAY
from graphmem.dates.scene import Match, Scene, sure
from graphmem.dates.spans import Span, rank, shift, unit
from graphmem.dates.weekdays import weekday_cycle
from graphmem.dates.written import weekend_cycle

_WEEKS: dict[str, Granularity] = {"week": "week", "wk": "week", "weekend": "weekend"}
_BEFORE = frozenset(["before", "preceding"])
_AFTER = frozenset(["after", "following", "from", "since"])
_WEEK_OF = frozenset(["of", "beginning", "starting", "commencing", "containing", "ending"])


def anchored(scene: Scene, at: int) -> Match | None:
    """Read a length of time, or one that comes round, before or after a date."""
    return _shifted(scene, at) or _neighbour(scene, at) or _nth_neighbour(scene, at) or _week_of(scene, at)


def _side(scene: Scene, at: int) -> tuple[int, int]:
    """Return -1 or 1 for before or after, and where the date must begin."""
    word = scene.word(at)
    if word in _BEFORE:
        return -1, at + 1
    if scene.says(at, "prior", "to"):
        return -1, at + 2
    if word in _AFTER:
        return 1, at + 1
    return 0, at


def _anchor(scene: Scene, at: int) -> tuple[int, Span, datetime, datetime] | None:
    found = scene.inner(at)
    if found is None or found[1].recurring:
        return None
    span = found[1]
    if span.start is None or span.end is None:
        return None
    return found[0], span, span.start, span.end


def _shifted(scene: Scene, at: int) -> Match | None:
    read = amount(scene, at)
    sign, after = _side(scene, read[0]) if read else (0, at)
    anchor = _anchor(scene, after) if read and sign and scene.word(after - 1) != "since" else None
    if read is None or anchor is None:
        return None
    upto, span, start, end = anchor
    much = read[1]
    origin = start if sign < 0 or span.grain != "weekend" else end - timedelta(days=1)
    return upto, _moved(much, span, origin, sign, to_the_day=scene.word(after - 1) == "from")


def _moved(much: Amount, span: Span, origin: datetime, sign: int, *, to_the_day: bool) -> Span:
    there = moved(origin, much, sign)
    if rank(span.grain) < rank("day") and rank(much.grain) < rank("day"):
        return replace(unit(min(span.grain, much.grain, key=rank), there), approximate=much.approximate)
    exact = (much.grain in ("day", "week") or to_the_day) and rank(span.grain) <= rank("day")
    grain = (
        "day" if exact else max(much.grain, span.grain, key=rank) if rank(much.grain) < rank("month") else much.grain
    )
    return replace(unit(grain, there), approximate=much.approximate or span.approximate)


def _neighbour(scene: Scene, at: int) -> Match | None:
    start = scene.skip(at, ("the",))
    word = scene.word(start)
    if word in UNITS and word.endswith("s") and start == at:
        return None  # "how many days before Christmas"
    if word not in UNITS and word not in PARTS and word not in WEEKDAYS and word != "eve":
        return None
    if word == "eve" and scene.word(start + 1) == "of":
        sign, after = -1, start + 2
    else:
        sign, after = _side(scene, start + 1)
    if not sign or scene.word(after - 1) in ("from", "since"):
        return None
    anchor = _anchor(scene, after)
    if anchor is None:
        return None
    upto, span, first, end = anchor
    if UNITS.get(word) == "day" and rank(span.grain) < rank("day"):
        return upto, replace(span, start=first + timedelta(days=sign), end=end + timedelta(days=sign))
    cycle = _cycle(word)
    if cycle is not None:
        return sure(_beside(cycle, sign, first, end), upto)
    return upto, _unit_beside(word, sign, first, end)


def _unit_beside(word: str, sign: int, first: datetime, end: datetime) -> Span:
    grain = UNITS.get(word, "day")
    origin = first if sign < 0 else end - timedelta(microseconds=1)
    beside = unit(grain, shift(unit(grain, origin).start or origin, grain, sign))
    return part_of(beside, word) or beside if word in PARTS else beside


def _cycle(word: str) -> Cycle | None:
    if word in ("weekend", "weekends"):
        return weekend_cycle()
    weekday = MANY_WEEKDAYS.get(word) or WEEKDAYS.get(word)
    return weekday_cycle(weekday) if weekday else None


def _beside(cycle: Cycle, sign: int, first: datetime, end: datetime, count: int = 1) -> Span | None:
    if sign < 0:
        return last(cycle, first, count)
    return coming(cycle, end - timedelta(microseconds=1), count)


def _nth_neighbour(scene: Scene, at: int) -> Match | None:
    """Read "two Fridays before Christmas", "the second Sunday after Easter"."""
    read = number(scene, at)
    cycle = _cycle(scene.word(read[0])) if read else None
    if read is None or cycle is None or not 1 <= read[1] <= 500:
        return None
    sign, after = _side(scene, read[0] + 1)
    anchor = _anchor(scene, after) if sign else None
    if anchor is None:
        return None
    upto, _, first, end = anchor
    return sure(_beside(cycle, sign, first, end, read[1]), upto)


def _week_of(scene: Scene, at: int) -> Match | None:
    start = scene.skip(at, ("the",))
    word = scene.word(start)
    if word in PARTS_LOOSE or word == "day":
        return _part_of_day(scene, start)
    if scene.says(start, "w", "/", "c"):
        word, start = "week", start + 1
    elif word not in _WEEKS or scene.word(start + 1) not in _WEEK_OF:
        return None
    after = scene.skip(start + 2, ("on",))
    found = scene.inner(after)
    if found is None or found[1].start is None:
        return None
    if rank(found[1].grain) > rank("day") and not (word == "weekend" and found[1].grain == "week"):
        return None
    return found[0], unit(_WEEKS[word], found[1].start)


def _part_of_day(scene: Scene, start: int) -> Match | None:
    """Read "the morning of May 3"."""
    word = scene.word(start)
    near = scene.word(start + 1) in TODAY | TOMORROW | YESTERDAY
    if scene.word(start + 1) != "of" and not (near and word in PARTS_LOOSE):
        return None
    found = scene.inner(start + 1 if near else start + 2)
    if found is None or found[1].grain != "day":
        return None
    part = part_of(found[1], word) if word in PARTS_LOOSE else found[1]
    return (found[0], part) if part else None

"""Times of day: 5pm, 14:00, noon, half past six, 7 o'clock in the evening, and the parts of a day."""

from __future__ import annotations

import re
from datetime import timedelta, tzinfo

from msgspec import Struct
from msgspec.structs import replace

from graphmem.dates.found import Granularity
from graphmem.dates.lexicon import PARTS, PARTS_LOOSE, SMALL, word_set
from graphmem.dates.scene import Scene
from graphmem.dates.spans import Span, midnight, point
from graphmem.dates.zones import zone

_AT = word_set("at @ around about by till until from before after to since between and - approximately")
_CLOCK = re.compile(r"(\d{1,2})(?:[:.h]?(\d\d))?(?::(\d\d))?\s?([ap])?.*?(ish)?")
_LEAN = {"quarter": 15, "half": 30, "five": 5, "ten": 10, "twenty": 20}
_FIGURES = frozenset(["5", "10", "15", "20", "25"])
_SIDES = {True: frozenset(["past"]), False: frozenset(["past", "to", "after", "of", "til", "till"])}
_NOON = frozenset(["noon", "midday", "noontime"])


class Clock(Struct, frozen=True, kw_only=True):
    """A time of day; ``sure`` unless it could be morning or afternoon. One of another ``zone`` is turned into ``home``."""

    hour: int
    minute: int = 0
    second: int = 0
    grain: Granularity = "hour"
    sure: bool = True
    approximate: bool = False
    zone: tzinfo | None = None
    home: tzinfo | None = None


def clock(scene: Scene, at: int, *, bare: bool = False) -> tuple[int, Clock] | None:
    """Read a time of day; a mere number only where ``bare`` allows it."""
    found = _written(scene, at) or _spoken(scene, at, bare) or _leaning(scene, at, bare)
    return zoned(scene, *found) if found else None


def zoned(scene: Scene, at: int, time: Clock) -> tuple[int, Clock]:
    """Add the zone that stands behind a time, if one does."""
    named = zone(scene, at)
    if named is None or time.zone is not None:
        return at, time
    return named[0], replace(time, zone=named[1], home=scene.zone)


def _written(scene: Scene, at: int) -> tuple[int, Clock] | None:
    token = scene.at(at)
    if token.word in _NOON:
        return at + 1, Clock(hour=12)
    if token.word == "midnight":
        return at + 1, Clock(hour=24)
    if token.shape != "clock":
        return None
    parts = _CLOCK.fullmatch(token.word)
    if parts is None:
        return None
    hour, minute, second = int(parts[1]), int(parts[2] or 0), int(parts[3] or 0)
    half = parts[4]
    if minute > 59 or second > 59 or hour > 24 or (half and not 1 <= hour <= 12):
        return None
    grain: Granularity = "second" if parts[3] else "minute" if parts[2] else "hour"
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    certain = bool(half) or hour > 12 or hour == 0 or parts[1].startswith("0")
    vague = bool(parts[5])
    return at + 1, Clock(hour=hour, minute=minute, second=second, grain=grain, sure=certain, approximate=vague)


def _spoken(scene: Scene, at: int, bare: bool) -> tuple[int, Clock] | None:
    military = _military(scene.at(at).word) if bare and scene.word(at - 1) in ("at", "@") else None
    if military is not None:
        return at + 1, military
    hour = _dial(scene, at)
    if hour is None:
        return None
    if scene.word(at + 1) in ("o'clock", "oclock"):
        return at + 2, Clock(hour=hour, sure=False)
    phrased = scene.says(at + 1, "in", "the") and scene.word(at + 3) in PARTS
    phrased = phrased or (scene.word(at - 1) in _AT and scene.says(at + 1, "at", "night"))
    if phrased or bare:
        return at + 1, Clock(hour=hour, sure=False)
    return None


def _leaning(scene: Scene, at: int, bare: bool) -> tuple[int, Clock] | None:
    """Read "half past six", "quarter to nine", "20 past 7"; where a time must stand also the British "half six"."""
    start = scene.skip(at, ("a",))
    minutes = _minutes(scene, start)
    if minutes is None or (start > at and minutes != 15):
        return None
    upto = scene.skip(start + 1, ("minutes", "min", "mins"))
    side = scene.word(upto)
    if side not in _SIDES[minutes == 30]:
        hour = _dial(scene, upto) if minutes == 30 and bare else None
        return (upto + 1, Clock(hour=hour, minute=30, grain="minute", sure=False)) if hour else None
    if side in ("to", "of", "til", "till") and scene.at(start).shape == "number" and not (bare or scene.cued):
        return None  # "10 to 11" is a range
    hour = _dial(scene, upto + 1)
    if hour is None:
        return None
    if side not in ("past", "after"):
        hour, minutes = (hour - 1) or 12, 60 - minutes
    return upto + 2, Clock(hour=hour, minute=minutes, grain="minute", sure=False)


def _military(word: str) -> Clock | None:
    if len(word) != 4 or not word.isdecimal() or int(word[:2]) > 23 or int(word[2:]) > 59:
        return None
    return Clock(hour=int(word[:2]), minute=int(word[2:]), grain="minute")


def _minutes(scene: Scene, at: int) -> int | None:
    token = scene.at(at)
    if token.shape == "number":
        return int(token.word) if token.word in _FIGURES else None
    if token.word == "twenty" and scene.word(at + 1) == "five":
        return None
    return _LEAN.get(token.word)


def _dial(scene: Scene, at: int) -> int | None:
    token = scene.at(at)
    hour = int(token.word) if token.shape == "number" and len(token.word) < 3 else SMALL.get(token.word, 0)
    return hour if 1 <= hour <= 12 else None


def part(scene: Scene, at: int) -> tuple[int, str] | None:
    """Read "morning", "in the morning", "at night", after a day or a time."""
    if scene.says(at, "in", "the") and scene.word(at + 2) in PARTS:
        return at + 3, scene.word(at + 2)
    if scene.says(at, "at") and scene.word(at + 1) in ("night", "dawn", "dusk", "lunchtime"):
        return at + 2, scene.word(at + 1)
    for word in ("early", "late", "mid"):
        if scene.word(at) == word and scene.word(at + 1) in PARTS:
            return at + 2, scene.word(at + 1)
    if scene.word(at) in PARTS_LOOSE and scene.word(at) != "eve":
        return at + 1, scene.word(at)
    return None


def placed(clock: Clock, day: Span, part: str = "") -> Span | None:
    """Put a time of day on a day, or on a part of one."""
    if day.start is None:
        return None
    begin = midnight(day.start)
    hour = clock.hour
    if not clock.sure:
        hour = _likely(clock.hour, part or _part_of(day))
    grain = clock.grain
    start = begin + timedelta(hours=hour, minutes=clock.minute, seconds=clock.second)
    if clock.zone is not None:
        start = start.replace(tzinfo=clock.zone).astimezone(clock.home).replace(tzinfo=None)
    return replace(point(start, grain), approximate=clock.approximate or (day.approximate and day.grain == "day"))


def _part_of(day: Span) -> str:
    if day.grain != "part_of_day" or day.start is None:
        return ""
    return "morning" if day.start.hour < 12 else "afternoon" if day.start.hour < 18 else "night"


def _likely(hour: int, part: str) -> int:
    """Say which half of the day an hour is in; by itself, from 1 to 6 is in the afternoon."""
    if part in ("morning", "morn", "dawn"):
        return hour % 12
    if part == "night":
        return hour + 12 if hour > 5 else hour + 24
    if part in ("afternoon", "evening", "nite", "eve", "dusk"):
        return hour % 12 + 12
    return hour + 12 if hour < 7 else hour

"""Numeric dates: ISO 8601 days, times, weeks and months; 5/8/2023 month first unless it cannot be; 08.05.2023 day first."""

from __future__ import annotations

import re
from datetime import datetime
from functools import partial

from graphmem.dates.cycles import Cycle, bare
from graphmem.dates.found import Granularity
from graphmem.dates.lexicon import MONTHS, WEEKDAYS, word_set
from graphmem.dates.month_days import clear, year_number
from graphmem.dates.scene import Match, Scene
from graphmem.dates.spans import Impossible, Span, day_of, unit

_CUES = word_set("on by since until till before after from due to dated")
WEEK_WORDS = {f"{name}{week}": week for name in ("w", "cw", "kw", "wk") for week in range(1, 54)} | {
    "week": 0,
    "wk": 0,
    "calendar": 0,
}
_OCCASIONS = word_set("birthday bday anniversary deadline date due exam wedding appointment meeting party day")
_WEEK_CUES = word_set("in during by until till since from")
_WEEK = re.compile(r"(\d{4})-?w(\d\d)(?:-?([1-7]))?")
_DIGITS = re.compile(r"\d+")


def stamp(scene: Scene, at: int) -> Match | None:
    """Read a token that is a date all by itself."""
    token = scene.at(at)
    if token.shape != "stamp":
        return None
    digits = _DIGITS.findall(token.word)
    if len(digits) == 2 and "/" in token.word and len(digits[1]) < 3:
        return _short(scene, at)
    if (
        len(digits) == 3
        and len(digits[2]) < 3
        and token.word[-3] in ".-"
        and len(digits[0]) < 3
        and not _alone(scene, at)
    ):
        return None  # a version, a score
    try:
        span = _iso(scene, token.word) or _month(token.word, digits) or _numbers(token.word)
    except (ValueError, OverflowError):
        span = None
    if span is None:
        raise Impossible(at + 1)
    return at + 1, span


def _iso(scene: Scene, word: str) -> Span | None:
    week = _WEEK.fullmatch(word)
    if week:
        day = datetime.fromisocalendar(int(week[1]), int(week[2]), int(week[3] or 1))
        return unit("day" if week[3] else "week", day)
    if len(word) == 8 and word.isdigit():
        return unit("day", datetime.fromisoformat(word))
    if word[8:9] == "t":
        return _instant(scene, f"{word[:8]}T{word[9:].upper()}", "second")
    if len(word) == 7 and word[4] == "-":
        return unit("month", datetime(int(word[:4]), int(word[5:]), 1))  # noqa: DTZ001 - wall time
    if word[4:5] != "-" or len(word) < 10:
        return None
    if len(word) == 10:
        return unit("day", datetime.fromisoformat(word))
    time = word[11:].replace(" ", "").upper()
    seconds = re.match(r"\d\d:\d\d:", time)
    return _instant(scene, f"{word[:10]}T{time}", "second" if seconds else "minute")


def _instant(scene: Scene, text: str, grain: Granularity) -> Span:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is not None:
        moment = moment.astimezone(scene.zone).replace(tzinfo=None)
    return unit(grain, moment)


def _alone(scene: Scene, at: int) -> bool:
    """Tell whether nothing but a date can stand there."""
    return scene.cued or scene.word(at - 1) in _CUES or not (scene.word(at - 1) or scene.word(at + 1))


def _month(word: str, digits: list[str]) -> Span | None:
    """Read 01/2023, and 08May2023."""
    if len(digits) != 2 or not (2 < len(digits[1]) < 5):
        return None
    month = MONTHS.get(word.strip("0123456789/"))
    if month is not None:
        return day_of(int(digits[1]), month, int(digits[0]))
    return unit("month", datetime(int(digits[1]), int(digits[0]), 1)) if "/" in word else None  # noqa: DTZ001


def _numbers(word: str) -> Span | None:
    first, second, third = (int(digits) for digits in _DIGITS.findall(word))
    if first > 999:
        return day_of(first, second, third)
    year = third if third > 99 else third + (2000 if third < 70 else 1900)
    if not 1000 <= year <= 2999:
        return None
    day_first = ("." in word and second <= 12) or first > 12
    return day_of(year, second, first) if day_first else day_of(year, first, second)


def _is_day(scene: Scene, at: int) -> bool:
    """Tell whether a time, a colon or what the sentence is about makes a day of 12/24."""
    after, before = scene.at(at + 1), scene.word(at - 1)
    if after.shape == "clock" or after.word == "@":
        return True
    if before == "," and scene.word(at - 2) in WEEKDAYS:
        return True
    if before in ("is", "was", ":"):
        return not _OCCASIONS.isdisjoint(scene.words[max(0, at - 5) : at])
    return not before and after.word in (":", "-")


def numbered_week(scene: Scene, at: int) -> Match | None:
    """Read "week 12 of 2024", "calendar week 40", "W12 2024"; without a year only where a date must stand."""
    read = _week_number(scene, at)
    if read is None:
        return None
    upto, week = read
    year = year_number(scene, upto)
    if year is not None:
        return year[0], unit("week", datetime.fromisocalendar(year[1], week, 1))
    told = scene.cued or scene.word(at) == "calendar" or scene.word(at - 1) in _WEEK_CUES
    if not told or not clear(scene, upto) or scene.word(upto) in ("of", "in", "-"):
        return None
    cycle = Cycle(grain="week", period="year", make=partial(_iso_week, week))
    span = bare(cycle, scene.now, scene.tense(at, upto))
    return (upto, span) if span else None


def _week_number(scene: Scene, at: int) -> tuple[int, int] | None:
    start = at + 1 if scene.word(at) == "calendar" else at
    if scene.word(start) in ("week", "wk"):
        number = scene.skip(start + 1, ("#", "number", "no"))
        known = scene.at(number).shape == "number" and 1 <= int(scene.word(number)) <= 53
        return (number + 1, int(scene.word(number))) if known else None
    week = WEEK_WORDS.get(scene.word(start), 0)
    return (start + 1, week) if week else None


def _iso_week(week: int, year: datetime) -> Span | None:
    try:
        return unit("week", datetime.fromisocalendar(year.year, week, 1))
    except ValueError:
        return None


def _short(scene: Scene, at: int) -> Match | None:
    """Read "on 5/8"; without such a word it is a fraction or a score."""
    first, second = (int(digits) for digits in _DIGITS.findall(scene.word(at)))
    if not (scene.cued or scene.word(at - 1) in _CUES | WEEKDAYS.keys() or _is_day(scene, at)):
        return None
    if scene.word(at + 1) in ("of", "inch", "cup"):
        return None
    month, day = (second, first) if first > 12 else (first, second)
    cycle = Cycle(grain="day", period="year", make=lambda year: day_of(year.year, month, day))
    span = bare(cycle, scene.now, scene.tense(at, at + 1))
    return (at + 1, span) if span else None

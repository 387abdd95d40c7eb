"""Numeric dates: ISO 8601 days, times, weeks and months; 5/8/2023 month first unless it cannot be; 08.05.2023 day first."""

from __future__ import annotations

import re
from datetime import datetime

from graphmem.dates.cycles import Cycle, bare
from graphmem.dates.lexicon import word_set
from graphmem.dates.month_days import year_number
from graphmem.dates.scene import Match, Scene
from graphmem.dates.spans import Impossible, Span, day_of, unit

_CUES = word_set("on by since until till before after from due to dated")
_WEEK = re.compile(r"(\d{4})-?w(\d\d)(?:-?([1-7]))?")
_DIGITS = re.compile(r"\d+")


def stamp(scene: Scene, at: int) -> Match | None:
    """Read a token that is a date all by itself."""
    token = scene.at(at)
    if token.shape != "stamp":
        return None
    if len(_DIGITS.findall(token.word)) == 2 and "/" in token.word:
        return _short(scene, at)
    try:
        span = _iso(scene, token.word) or _numbers(token.word)
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
    if len(word) == 7 and word[4] == "-":
        return unit("month", datetime(int(word[:4]), int(word[5:]), 1))  # noqa: DTZ001 - wall time
    if word[4:5] != "-" or len(word) < 10:
        return None
    if len(word) == 10:
        return unit("day", datetime.fromisoformat(word))
    time = word[11:].replace(" ", "").upper()
    moment = datetime.fromisoformat(f"{word[:10]}T{time}")
    if moment.tzinfo is not None:
        moment = moment.astimezone(scene.zone).replace(tzinfo=None)
    seconds = re.match(r"\d\d:\d\d:", time)
    return unit("second" if seconds else "minute", moment)


def _numbers(word: str) -> Span | None:
    first, second, third = (int(digits) for digits in _DIGITS.findall(word))
    if first > 999:
        return day_of(first, second, third)
    year = third if third > 99 else third + (2000 if third < 70 else 1900)
    if not 1000 <= year <= 2999:
        return None
    day_first = "." in word or first > 12
    return day_of(year, second, first) if day_first else day_of(year, first, second)


def numbered_week(scene: Scene, at: int) -> Match | None:
    """Read "week 12 of 2024"."""
    number = scene.at(at + 1)
    if scene.word(at) != "week" or number.shape != "number" or not 1 <= int(number.word) <= 53:
        return None
    year = year_number(scene, at + 2)
    if year is None:
        return None
    return year[0], unit("week", datetime.fromisocalendar(year[1], int(number.word), 1))


def _short(scene: Scene, at: int) -> Match | None:
    """Read "on 5/8"; without such a word it is a fraction or a score."""
    first, second = (int(digits) for digits in _DIGITS.findall(scene.word(at)))
    if not (scene.cued or scene.word(at - 1) in _CUES) or scene.word(at + 1) in ("of", "inch", "cup"):
        return None
    month, day = (second, first) if first > 12 else (first, second)
    cycle = Cycle(grain="day", period="year", make=lambda year: day_of(year.year, month, day))
    span = bare(cycle, scene.now, scene.tense(at, at + 1))
    return (at + 1, span) if span else None

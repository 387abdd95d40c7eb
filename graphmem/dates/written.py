"""What has a name in the calendar: weekdays, months, days of a month, seasons, quarters, weekends."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial

from graphmem.dates.cycles import Cycle
from graphmem.dates.holidays import Holiday, first_day
from graphmem.dates.lexer import Token
from graphmem.dates.lexicon import (
    CUES,
    LAST,
    MONTHS,
    NEXT,
    ORDINALS,
    PARTS_LOOSE,
    SEASONS,
    SHY_MONTHS,
    TENS,
    THIS,
    UNITS,
    WEEKDAYS,
    word_set,
)
from graphmem.dates.month_days import clear, month_and_day, year_number
from graphmem.dates.scene import Scene, once
from graphmem.dates.spans import Span, day_of, point, shift
from graphmem.dates.weekdays import weekday

Named = tuple[int, Cycle]
_STRONG = word_set("in of last next early mid late since until till through")
OPENING = (
    MONTHS.keys()
    | WEEKDAYS.keys()
    | SEASONS.keys()
    | ORDINALS.keys()
    | TENS.keys()
    | frozenset(["the", "weekend", "wkend", "wknd", "weeknd"])
) | frozenset(["q1", "q2", "q3", "q4", "h1", "h2"])
_WHICH = LAST | NEXT | THIS | {"the"}
_BEFORE_ORDINAL = frozenset(["", ".", ",", "on", "the", "to"])
_GIVEN = frozenset(["april", "may", "june", "august"])
_TITLES = word_set("mr mrs ms miss dr prof sir lady aunt uncle auntie")


def named(scene: Scene, at: int) -> Named | None:
    """Read whatever comes round in the calendar, without its year."""
    return once(scene, _named, at)


def _named(scene: Scene, at: int) -> Named | None:
    token = scene.at(at)
    if token.capital and scene.word(at - 1 - (scene.word(at - 1) == ".")) in _TITLES:
        return None
    if token.shape == "sign" or (token.shape == "word" and token.word not in OPENING and not opens(scene, token)):
        return None
    for rule in (_month_day, holiday, weekday, _weekend, _month, _season, _quarter, _day_of_month):
        found = rule(scene, at)
        if found is not None:
            return found
    return None


def opens(scene: Scene, token: Token) -> bool:
    """Tell whether a holiday's name begins with that token."""
    return token.full in scene.openers


def month_cycle(month: int) -> Cycle:
    """Return the cycle of that month."""
    return Cycle(grain="month", period="year", make=lambda year: point(year.replace(month=month), "month"))


def _month_day(scene: Scene, at: int) -> Named | None:
    found = month_and_day(scene, at)
    if found is None:
        return None
    upto, month, day = found
    return upto, Cycle(grain="day", period="year", make=lambda year: day_of(year.year, month, day))


def holiday(scene: Scene, at: int) -> Named | None:
    """Read the longest name of a holiday."""
    if not opens(scene, scene.at(at)):
        return None
    for size in (5, 4, 3, 2, 1):
        words = [scene.at(at + step) for step in range(size)]
        name = " ".join(token.full for token in words if token.word != ".").replace(" '", "'")
        rule = scene.holidays.get(name)
        if rule is not None and words[-1].word:
            return at + size, Cycle(grain="day", period="year", make=partial(_celebrated, rule))
    return None


def _celebrated(rule: Holiday, year: datetime) -> Span | None:
    first = first_day(rule, year.year)
    if first is None:
        return None
    start = datetime(first.year, first.month, first.day)  # noqa: DTZ001 - wall time
    return Span(start=start, end=start + timedelta(days=rule.days), grain="day")


def weekend_cycle() -> Cycle:
    """Return the cycle of Saturday and Sunday."""
    return Cycle(grain="weekend", period="week", make=_saturday_and_sunday)


def _weekend(scene: Scene, at: int) -> Named | None:
    before = scene.word(at - 1)
    if (
        UNITS.get(scene.word(at)) != "weekend"
        or scene.word(at).endswith("s")
        or not (cued(scene, at) or before in ("all", "whole", "entire") or scene.says(at - 2, "at", "the"))
    ):
        return None
    return at + 1, weekend_cycle()


def _saturday_and_sunday(monday: datetime) -> Span:
    return Span(start=monday + timedelta(days=5), end=monday + timedelta(days=7), grain="weekend")


def _month(scene: Scene, at: int) -> Named | None:
    token, before = scene.at(at), scene.word(at - 1)
    month = MONTHS.get(token.word)
    if month is None or token.shape != "word":
        return None
    yearly = year_number(scene, at + 1) is not None or (
        scene.word(scene.skip(at + 1, ("of",))) in LAST | NEXT | THIS
        and scene.word(scene.skip(at + 1, ("of",)) + 1) == "year"
    )
    if token.word in SHY_MONTHS and not token.capital and before not in _STRONG and not yearly and not scene.cued:
        return None
    listed = _listed(scene, at, -1) or _listed(scene, at, 1)
    return (at + 1, month_cycle(month)) if yearly or listed or cued(scene, at) else None


def _listed(scene: Scene, at: int, side: int) -> bool:
    """Tell whether another month stands beside it: "June and July"."""
    return scene.word(at + side) in ("and", "or") and scene.word(at + 2 * side) in MONTHS and scene.at(at).capital


def cued(scene: Scene, at: int) -> bool:
    """Tell whether the word before makes this a date; an article is looked through."""
    before = scene.word(at - 1)
    if before == "the":
        return scene.cued or scene.word(at - 2) in CUES
    return scene.cued or (before in CUES and not made_by(scene, at - 1))


def made_by(scene: Scene, at: int) -> bool:
    """Tell whether "by" names an author or a cause: written by April, inspired by autumn."""
    if scene.word(at) != "by" or not (scene.word(at + 1) in SEASONS or scene.word(at + 1) in _GIVEN):
        return False
    return scene.word(at - 1).endswith(("ed", "en"))


def _season(scene: Scene, at: int) -> Named | None:
    month = SEASONS.get(scene.word(at))
    if month is None:
        return None
    if year_number(scene, at + 1) is None and not cued(scene, at) and scene.word(at + 2) not in LAST | NEXT:
        return None
    return at + 1, season_cycle(month)


def season_cycle(month: int) -> Cycle:
    """Return the cycle of the three months from that one."""
    return Cycle(grain="season", period="year", make=partial(_three_months, month))


def _three_months(month: int, year: datetime) -> Span:
    start = year.replace(month=month)
    return Span(start=start, end=shift(start, "month", 3), grain="season")


def _quarter(scene: Scene, at: int) -> Named | None:
    word = scene.word(at)
    if len(word) != 2 or word[0] not in "qh" or not word[1].isdigit():
        return None
    nth = int(word[1])
    if word[0] == "q":
        return at + 1, Cycle(
            grain="quarter", period="year", make=lambda year: point(year.replace(month=nth * 3 - 2), "quarter")
        )
    if nth > 2 or (year_number(scene, at + 1) is None and not cued(scene, at)):
        return None
    return at + 1, Cycle(grain="half", period="year", make=lambda year: point(year.replace(month=nth * 6 - 5), "half"))


def _day_of_month(scene: Scene, at: int) -> Named | None:
    """Read "the 15th" after on, by, since and the like; "the 3rd floor" is none."""
    article = scene.word(at) == "the"
    number = at + 1 if article else at
    token = scene.at(number)
    month_next = scene.word(number + 1) in ("of", "in")
    before = scene.word(at - 1)
    if token.word in ORDINALS and month_next and scene.word(number + 2) in _WHICH:
        first = ORDINALS[token.word]
        return (number + 1, _nth_day(first)) if scene.word(number + 3) in ("month", "year") else None
    if token.shape != "ordinal" or not (article or month_next or scene.cued or before in WEEKDAYS):
        return None
    if not (scene.cued or before in CUES or before in _BEFORE_ORDINAL or before in WEEKDAYS or month_next):
        return None
    day = int(token.word[:-2])
    if not 1 <= day <= 31 or not (clear(scene, number + 1) or scene.word(number + 1) in PARTS_LOOSE):
        return None
    return number + 1, _nth_day(day)


def _nth_day(day: int) -> Cycle:
    return Cycle(grain="day", period="month", make=lambda month: day_of(month.year, month.month, day))

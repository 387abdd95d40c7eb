"""Days with a name, by rule: fixed, the nth weekday of a month, or so many days from Easter.

Holidays of a lunar calendar are left out: their dates are announced, not computed.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from types import MappingProxyType

from msgspec import Struct


class Holiday(Struct, frozen=True, kw_only=True):
    """One rule: ``month`` and ``day``; ``month``, ``weekday`` (ISO: Monday is 1) and ``nth`` (-1 is the last); or ``easter``.

    ``easter`` counts days from Easter Sunday, ``offset`` days from what the rest of the rule says.
    """

    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    nth: int = 1
    easter: int | None = None
    offset: int = 0
    days: int = 1


_THANKSGIVING = Holiday(month=11, weekday=4, nth=4)
_CHRISTMAS_EVE = Holiday(month=12, day=24)
_CHRISTMAS = Holiday(month=12, day=25)
_NEW_YEARS_EVE = Holiday(month=12, day=31)
_NEW_YEAR = Holiday(month=1, day=1)
_INDEPENDENCE = Holiday(month=7, day=4)
_PATRICK = Holiday(month=3, day=17)
_MARTIN = Holiday(month=1, weekday=1, nth=3)

HOLIDAYS: Mapping[str, Holiday] = MappingProxyType(
    {
        "new years": _NEW_YEAR,
        "new year's": _NEW_YEAR,
        "new year's day": _NEW_YEAR,
        "new years day": _NEW_YEAR,
        "new year's eve": _NEW_YEARS_EVE,
        "new years eve": _NEW_YEARS_EVE,
        "new year eve": _NEW_YEARS_EVE,
        "nye": _NEW_YEARS_EVE,
        "epiphany": Holiday(month=1, day=6),
        "martin luther king day": _MARTIN,
        "mlk day": _MARTIN,
        "groundhog day": Holiday(month=2, day=2),
        "valentine's": Holiday(month=2, day=14),
        "valentines": Holiday(month=2, day=14),
        "valentine's day": Holiday(month=2, day=14),
        "valentines day": Holiday(month=2, day=14),
        "presidents' day": Holiday(month=2, weekday=1, nth=3),
        "presidents day": Holiday(month=2, weekday=1, nth=3),
        "president's day": Holiday(month=2, weekday=1, nth=3),
        "international women's day": Holiday(month=3, day=8),
        "st. patrick's day": _PATRICK,
        "st patrick's day": _PATRICK,
        "st patricks day": _PATRICK,
        "saint patrick's day": _PATRICK,
        "april fools": Holiday(month=4, day=1),
        "april fools'": Holiday(month=4, day=1),
        "april fools day": Holiday(month=4, day=1),
        "april fools' day": Holiday(month=4, day=1),
        "april fool's day": Holiday(month=4, day=1),
        "earth day": Holiday(month=4, day=22),
        "mardi gras": Holiday(easter=-47),
        "shrove tuesday": Holiday(easter=-47),
        "ash wednesday": Holiday(easter=-46),
        "palm sunday": Holiday(easter=-7),
        "maundy thursday": Holiday(easter=-3),
        "good friday": Holiday(easter=-2),
        "easter": Holiday(easter=0),
        "easter sunday": Holiday(easter=0),
        "easter day": Holiday(easter=0),
        "easter monday": Holiday(easter=1),
        "ascension day": Holiday(easter=39),
        "pentecost": Holiday(easter=49),
        "whit monday": Holiday(easter=50),
        "may day": Holiday(month=5, day=1),
        "star wars day": Holiday(month=5, day=4),
        "cinco de mayo": Holiday(month=5, day=5),
        "mother's day": Holiday(month=5, weekday=7, nth=2),
        "mothers day": Holiday(month=5, weekday=7, nth=2),
        "mothers' day": Holiday(month=5, weekday=7, nth=2),
        "memorial day": Holiday(month=5, weekday=1, nth=-1),
        "juneteenth": Holiday(month=6, day=19),
        "father's day": Holiday(month=6, weekday=7, nth=3),
        "fathers day": Holiday(month=6, weekday=7, nth=3),
        "fathers' day": Holiday(month=6, weekday=7, nth=3),
        "canada day": Holiday(month=7, day=1),
        "independence day": _INDEPENDENCE,
        "fourth of july": _INDEPENDENCE,
        "4th of july": _INDEPENDENCE,
        "july 4th": _INDEPENDENCE,
        "bastille day": Holiday(month=7, day=14),
        "labor day": Holiday(month=9, weekday=1, nth=1),
        "labour day": Holiday(month=9, weekday=1, nth=1),
        "columbus day": Holiday(month=10, weekday=1, nth=2),
        "indigenous peoples' day": Holiday(month=10, weekday=1, nth=2),
        "halloween": Holiday(month=10, day=31),
        "hallowe'en": Holiday(month=10, day=31),
        "all saints' day": Holiday(month=11, day=1),
        "all saints day": Holiday(month=11, day=1),
        "guy fawkes night": Holiday(month=11, day=5),
        "bonfire night": Holiday(month=11, day=5),
        "veterans day": Holiday(month=11, day=11),
        "veterans' day": Holiday(month=11, day=11),
        "remembrance day": Holiday(month=11, day=11),
        "thanksgiving": _THANKSGIVING,
        "thanksgiving day": _THANKSGIVING,
        "black friday": Holiday(month=11, weekday=4, nth=4, offset=1),
        "cyber monday": Holiday(month=11, weekday=4, nth=4, offset=4),
        "christmas eve": _CHRISTMAS_EVE,
        "xmas eve": _CHRISTMAS_EVE,
        "christmas": _CHRISTMAS,
        "christmas day": _CHRISTMAS,
        "xmas": _CHRISTMAS,
        "xmas day": _CHRISTMAS,
        "boxing day": Holiday(month=12, day=26),
    }
)


def first_words_of(holidays: Mapping[str, Holiday]) -> frozenset[str]:
    """Return the words with which a name of a holiday can begin, with and without their genitive."""
    first = [name.split()[0].rstrip("'") for name in holidays]
    return frozenset(first) | frozenset(word.split("'")[0] for word in first)


def first_day(holiday: Holiday, year: int) -> date | None:
    """Return the day on which ``holiday`` begins in ``year``, or None where the rule names no day."""
    try:
        if holiday.easter is not None:
            day = easter(year) + timedelta(days=holiday.easter)
        elif holiday.weekday is not None:
            day = _nth_weekday(year, holiday.month or 1, holiday.weekday, holiday.nth)
        else:
            day = date(year, holiday.month or 1, holiday.day or 1)
        return day + timedelta(days=holiday.offset)
    except (ValueError, OverflowError):
        return None


def easter(year: int) -> date:
    """Return Easter Sunday of the Gregorian calendar (the anonymous algorithm of 1876)."""
    golden = year % 19
    century, rest = divmod(year, 100)
    skipped, leap = divmod(century, 4)
    epact = (19 * golden + century - skipped - (century - (century + 8) // 25 + 1) // 3 + 15) % 30
    sunday = (32 + 2 * leap + 2 * (rest // 4) - epact - rest % 4) % 7
    late = (golden + 11 * epact + 22 * sunday) // 451
    month, day = divmod(epact + sunday - 7 * late + 114, 31)
    return date(year, month, day + 1)


def _nth_weekday(year: int, month: int, weekday: int, nth: int) -> date:
    if nth > 0:
        first = date(year, month, 1)
        day = first + timedelta(days=(weekday - first.isoweekday()) % 7 + 7 * (nth - 1))
    else:
        after = date(year + month // 12, month % 12 + 1, 1)
        last = after - timedelta(days=1)
        day = last - timedelta(days=(last.isoweekday() - weekday) % 7 + 7 * (-nth - 1))
    if day.month != month:
        raise ValueError(f"month {month} of {year} has no {nth}th such weekday")
    return day

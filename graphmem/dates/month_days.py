"""Numbers that a month or a comma makes a date: May 8th, the 8th of May, and the year beside them."""

from __future__ import annotations

from graphmem.dates.lexicon import (
    FUNCTION,
    MONTHS,
    ORDINALS,
    SHY_MONTHS,
    SMALL,
    TENS,
)
from graphmem.dates.scene import Scene
from graphmem.dates.spans import Impossible

SPOKEN = {"eighteen": 18, "nineteen": 19, "twenty": 20, "two": 0}
_LONGEST_MONTH = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def day_number(scene: Scene, at: int) -> tuple[int, int] | None:
    """Read a day of a month: 3, 3rd, third, twenty-third."""
    token = scene.at(at)
    if token.shape == "ordinal":
        return at + 1, int(token.word[:-2])
    if token.shape == "number" and len(token.word) < 3:
        return at + 1, int(token.word)
    if token.word in TENS and scene.word(at + 1) in ORDINALS:
        return at + 2, TENS[token.word] + ORDINALS[scene.word(at + 1)]
    if token.word in ORDINALS:
        return at + 1, ORDINALS[token.word]
    return None


def month_and_day(scene: Scene, at: int) -> tuple[int, int, int] | None:
    """Read "May 8th", "8 May", "the 8th of May": where it ends, the month, the day."""
    found = _month_first(scene, at) or _day_first(scene, at)
    if found is None or not 1 <= found[2] <= 31:
        return None
    if found[2] > _LONGEST_MONTH[found[1] - 1]:
        raise Impossible(found[0])
    return found


def _month_first(scene: Scene, at: int) -> tuple[int, int, int] | None:
    month = scene.at(at)
    if month.word not in MONTHS or month.shape != "word":
        return None
    read = day_number(scene, scene.skip(at + 1, ("the",)))
    if read is None or (scene.word(at + 1) in ORDINALS and scene.word(at + 2) in ("half", "week", "weekend")):
        return None
    if month.word in SHY_MONTHS and not month.capital and not clear(scene, read[0]):
        return None
    return read[0], MONTHS[month.word], read[1]


def _day_first(scene: Scene, at: int) -> tuple[int, int, int] | None:
    read = day_number(scene, scene.skip(at, ("the",)))
    if read is None:
        return None
    after = read[0] + 1 if scene.says(read[0], "day") and scene.says(read[0] + 1, "of") else read[0]
    after = scene.skip(after, ("of",))
    month = scene.at(after)
    if month.word not in MONTHS or month.shape != "word":
        return None
    if month.word in SHY_MONTHS and not month.capital and after == read[0] and not clear(scene, after + 1):
        return None
    return after + 1, MONTHS[month.word], read[1]


def clear(scene: Scene, at: int) -> bool:
    """Tell whether no noun follows: "may 5" is a day, "may 5 people" is not."""
    token = scene.at(at)
    return token.shape not in ("word", "junk", "fraction") or not token.word or token.word in FUNCTION


def year_number(scene: Scene, at: int) -> tuple[int, int] | None:
    """Read a year beside a month, after an optional comma or "of": where it ends and the year."""
    at = scene.skip(at, (",", "of", "in"))
    token = scene.at(at)
    if token.shape == "number" and len(token.word) == 4 and 1000 <= int(token.word) <= 2999:
        return at + 1, int(token.word)
    if token.shape == "short":
        return at + 1, _full_year(scene, int(token.word[1:]))
    return _spoken_year(scene, at) if token.word in SPOKEN else None


def short_year(scene: Scene, at: int) -> tuple[int, int] | None:
    """Read the year of "8 May 23", which only a day before its month can have."""
    token = scene.at(at)
    if token.shape != "number" or len(token.word) != 2 or not clear(scene, at + 1):
        return None
    if scene.word(at + 1) in ("to", "-", "or") or scene.at(at - 1).shape != "word":
        return None
    return at + 1, _full_year(scene, int(token.word))


def _full_year(scene: Scene, short: int) -> int:
    century = scene.now.year // 100 * 100
    return short + (century if short <= scene.now.year % 100 + 10 else century - 100)


def _spoken_year(scene: Scene, at: int) -> tuple[int, int] | None:
    """Read a year in words: nineteen ninety-nine, twenty nineteen, two thousand and five, nineteen oh four."""
    if scene.says(at, "two", "thousand"):
        rest = _two_digits(scene, scene.skip(at + 2, ("and",)), 1)
        return (rest[0], 2000 + rest[1]) if rest else (at + 2, 2000)
    century = SPOKEN.get(scene.word(at), 0)
    if not century:
        return None
    if scene.word(at + 1) == "hundred" and century < 20:
        return at + 2, century * 100
    if scene.word(at + 1) in ("oh", "o") and 0 < SMALL.get(scene.word(at + 2), 0) < 10:
        return at + 3, century * 100 + SMALL[scene.word(at + 2)]
    rest = _two_digits(scene, at + 1, 10)
    return (rest[0], century * 100 + rest[1]) if rest else None


def _two_digits(scene: Scene, at: int, least: int) -> tuple[int, int] | None:
    word, after = scene.word(at), SMALL.get(scene.word(at + 1), 0)
    if word in TENS:
        return (at + 2, TENS[word] + after) if 0 < after < 10 else (at + 1, TENS[word])
    value = SMALL.get(word, 0)
    return (at + 1, value) if value >= least else None

"""A date with its year, and a year by itself where the words around it make it one: in 2019, since 2019, '98."""

from __future__ import annotations

from graphmem.dates.cycles import FAR, Cycle, around, bare, within
from graphmem.dates.lexicon import (
    CUES,
    FUNCTION,
    LAST,
    MONTHS,
    SHY_MONTHS,
    UNITS,
    WEEKDAYS,
    word_set,
)
from graphmem.dates.month_days import SPOKEN, clear, month_and_day, short_year, year_number
from graphmem.dates.scene import Match, Scene, sure
from graphmem.dates.spans import Impossible, Span, day_of, unit
from graphmem.dates.stamps import stamp
from graphmem.dates.written import Named, named

_YEAR_CUES = CUES | frozenset(["year", "(", "spring", "summer", "autumn", "fall", "winter"])
_WHOSE = frozenset(["the", "our", "their"])
_NEAR_YEAR = word_set("of by from to around about as for or and over within back ago every each like")


def dated(scene: Scene, at: int) -> Match | None:
    """Read what has a name in the calendar together with its year."""
    start, weekday = _after_weekday(scene, at)
    if weekday and scene.at(start).shape == "stamp":
        return stamp(scene.after(scene.now) if "/" in scene.word(start) else scene, start)
    whole = month_and_day(scene, start)
    if whole is not None:
        upto, month, day = whole
        dashed = scene.word(upto) == "-" and not scene.at(upto).spaced and not scene.at(upto + 1).spaced
        year = year_number(scene, upto + dashed) or (None if scene.word(start) in MONTHS else short_year(scene, upto))
        if year is not None:
            return sure(day_of(year[1], month, day), year[0])
        inside = named(scene, start) if weekday else None
        return (upto, _on_weekday(scene, at, upto, inside[1])) if inside else None
    inside = named(scene, start) if weekday else None
    if inside is not None and inside[1].period == "month":
        return inside[0], _on_weekday(scene, at, inside[0], inside[1])
    article = scene.skip(at, ("the",))
    found = named(scene, article)
    if found is None or found[1].period != "year":
        return None
    year = year_number(scene, found[0])
    return sure(within(found[1], _year(year[1])), year[0]) if year else None


def _after_weekday(scene: Scene, at: int) -> tuple[int, bool]:
    if scene.word(at) not in WEEKDAYS:
        return at, False
    after = scene.skip(at + 1, (".",))
    after = scene.skip(after, (",",))
    return scene.skip(after, ("on",)), True


def _on_weekday(scene: Scene, at: int, upto: int, cycle: Cycle) -> Span:
    weekday = WEEKDAYS[scene.word(at)]
    usual = bare(cycle, scene.now, scene.tense(at, upto))
    near = [span for span in around(cycle, scene.now, FAR) if span.start and span.start.isoweekday() == weekday]
    near.sort(key=lambda span: abs((span.start or scene.now) - scene.now))
    chosen = usual if usual in near else near[0] if near else usual
    if chosen is None:
        raise Impossible(upto)
    return chosen


def _year(year: int) -> Span:
    first = day_of(year, 1, 1)
    if first is None or first.start is None:
        raise ValueError(f"there is no year {year}")
    return unit("year", first.start)


def year_alone(scene: Scene, at: int) -> Match | None:
    """Read a year with nothing beside it but a word that makes it one."""
    token = scene.at(at)
    before = scene.word(at - 1)
    if token.shape == "short":
        year = year_number(scene, at)
        return (at + 1, _year(year[1])) if year and before in ("in", "since", "of", "back") else None
    if token.word in SPOKEN:
        spoken = year_number(scene, at)
        known = spoken and (scene.cued or before in ("in", "since", "year", "of")) and clear(scene, spoken[0])
        return (spoken[0], _year(spoken[1])) if spoken and known else None
    if token.shape != "number" or len(token.word) != 4 or not 1000 <= int(token.word) <= 2999:
        return None
    inside = _after_year(scene, at + 1)
    if inside is not None:
        return sure(within(inside[1], _year(int(token.word))), inside[0])
    return (at + 1, _year(int(token.word))) if _is_year(scene, at) else None


def _after_year(scene: Scene, at: int) -> Named | None:
    """Read what stands behind its year: 2024 Q1, 2019 December, 2019, Dec 19."""
    start = scene.skip(at, (",",))
    token = scene.at(start)
    if token.word[:1] == "q" and start == at:
        return named(scene, start)
    if token.word not in MONTHS or not token.capital:
        return None
    found = named(scene.after(scene.now), start)
    long = found is not None and found[0] > start + 1
    return found if long or (start == at and token.word not in SHY_MONTHS and clear(scene, at + 1)) else None


def _is_year(scene: Scene, at: int) -> bool:
    before, after, value = scene.word(at - 1), scene.at(at + 1), int(scene.word(at))
    likely = 1800 <= value <= 2100
    if before in ("to", "-") and scene.at(at - 2).shape == "number":
        return False
    if before in _WHOSE and after.shape == "word" and after.word not in FUNCTION | UNITS.keys():
        return 1900 < value < 2100 and (not after.word.endswith("s") or value % 100 > 0)  # the 2008 crash
    if after.shape == "word" and after.word not in FUNCTION and not (likely and before in ("in", "since", "year")):
        return False
    if after.shape == "word" and after.word.endswith("s") and after.word not in FUNCTION | LAST:
        return False
    if after.word in UNITS or after.shape in ("number", "junk") or (after.word in ("-", "/") and not scene.cued):
        return False
    if scene.cued or before in _YEAR_CUES - _NEAR_YEAR:
        return likely or before in ("in", "since", "year") or scene.cued
    if before in _NEAR_YEAR:
        return likely
    return likely and (not before or before in ".!?(") and after.word in ("was", "is", "will", ")", "has", "had", ":")

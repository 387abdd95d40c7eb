"""From one moment to another."""

from __future__ import annotations

from datetime import timedelta

from msgspec.structs import replace

from graphmem.dates.cycles import Cycle, coming, last
from graphmem.dates.day import date
from graphmem.dates.hours import Clock, clock, placed
from graphmem.dates.lexicon import MONTHS
from graphmem.dates.month_days import clear, day_number, month_and_day, year_number
from graphmem.dates.scene import Match, Scene
from graphmem.dates.spans import Span, day_of, rank, shift, unit
from graphmem.dates.written import named

_TO = frozenset(["to", "until", "till", "til", "through", "thru", "-"])


def spread(scene: Scene, at: int) -> Match | None:
    """Read "from 3 to 7 May", "between March and June", "2019-2021", "9am-5pm tomorrow"."""
    opening = scene.word(at)
    start = at + 1 if opening in ("from", "between") else at
    joints = _TO | {"and"} if opening == "between" else _TO
    for rule in (_days_of_month, _years, _hours, _both):
        found = rule(scene, start, joints, start > at)
        if found is not None:
            return found
    return None


def _span(first: Span, second: Span) -> Span | None:
    """Join two moments; a day at the end is in, a time of day at the end is where it ends."""
    end = second.end if rank(second.grain) >= rank("part_of_day") else second.start
    if first.start is None or end is None or first.start >= end:
        return None
    grain = max(first.grain, second.grain, key=rank)
    return Span(
        start=first.start, end=end, grain=grain, kind="range", approximate=first.approximate or second.approximate
    )


def _days_of_month(scene: Scene, at: int, joints: frozenset[str], _opened: bool) -> Match | None:
    """Read "3 to 7 May 2024" and "May 3-7, 2024": one month for two days."""
    start = scene.skip(at, ("the",))
    if scene.word(start) in MONTHS and scene.at(start).shape == "word":
        return _month_first(scene, start, joints)
    first = day_number(scene, start)
    if first is None or scene.word(first[0]) not in joints:
        return None
    second = month_and_day(scene, first[0] + 1)
    if second is None or second[2] <= first[1]:
        return None
    return _same_month(scene, at, second[0], second[1], first[1], second[2])


def _month_first(scene: Scene, at: int, joints: frozenset[str]) -> Match | None:
    first = month_and_day(scene, at)
    if first is None or scene.word(first[0]) not in joints:
        return None
    second = day_number(scene, scene.skip(first[0] + 1, ("the",)))
    if second is None or not first[2] < second[1] <= 31 or scene.word(second[0]) in MONTHS:
        return None
    return _same_month(scene, at, second[0], first[1], first[2], second[1])


def _same_month(scene: Scene, at: int, upto: int, month: int, first: int, second: int) -> Match | None:
    given = year_number(scene, upto)
    if given is not None:
        upto = given[0]
        joined = _days(month, first, second, given[1])
    else:
        cycle = Cycle(grain="day", period="year", make=lambda year: _days(month, first, second, year.year))
        past = scene.tense(at, upto) == "past"
        joined = last(cycle, scene.now, today=True) if past else coming(cycle, scene.now, today=True)
    return (upto, joined) if joined else None


def _days(month: int, first: int, second: int, year: int) -> Span | None:
    begin, end = day_of(year, month, first), day_of(year, month, second)
    return _span(begin, end) if begin and end else None


def _years(scene: Scene, at: int, joints: frozenset[str], opened: bool) -> Match | None:
    first, second = scene.at(at), scene.at(at + 2)
    if opened and first.shape == "short" == second.shape and scene.word(at + 1) in joints:
        return _short_years(scene, at)
    if first.shape != "number" or len(first.word) != 4 or scene.word(at + 1) not in joints:
        return None
    if second.shape != "number" or len(second.word) not in (2, 4):
        return None
    begin = int(first.word)
    end = int(second.word) if len(second.word) == 4 else begin // 100 * 100 + int(second.word)
    dashed = scene.word(at + 1) == "-" and not scene.at(at + 1).spaced
    if not 1000 <= begin < end <= 2999 or not (opened or 1900 <= begin <= 2100) or end - begin > 500:
        return None
    if (len(second.word) == 2 and not (dashed and 1900 <= begin <= 2100)) or (not dashed and not opened and end > 2100):
        return None
    if scene.word(at + 3) == "-" and not scene.at(at + 3).spaced:
        return None
    one, other = day_of(begin, 1, 1), day_of(end, 12, 31)
    return (at + 3, Span(start=one.start, end=other.end, grain="year", kind="range")) if one and other else None


def _short_years(scene: Scene, at: int) -> Match | None:
    """Read "from '98 to '02"."""
    begin, end = year_number(scene, at), year_number(scene, at + 2)
    one, other = day_of(begin[1], 1, 1) if begin else None, day_of(end[1], 12, 31) if end else None
    joined = _span(one, other) if one and other else None
    return (at + 3, replace(joined, grain="year")) if joined else None


def _hours(scene: Scene, at: int, joints: frozenset[str], opened: bool) -> Match | None:
    """Read "9am-5pm", "from 5 to 7pm on Friday", "Friday from 9 to 5"."""
    day = _day_before(scene, at)
    start, on = day or (at, None)
    first = clock(scene, start, bare=True)
    if first is None or scene.word(first[0]) not in joints | ({"and"} if scene.word(start - 1) == "between" else set()):
        return None
    second = clock(scene, first[0] + 1, bare=True)
    if second is None:
        return None
    upto = second[0]
    certain = first[1].sure or second[1].sure
    if not on and not (opened or (first[1].sure and second[1].sure) or scene.at(upto - 1).shape == "clock"):
        return None
    if on is None:
        after = date(scene, scene.skip(scene.skip(upto, (",",)), ("on",)))
        if after is not None and after[1].grain in ("day", "part_of_day"):
            upto, on = after
    if on is None and not certain:
        return None
    joined = _between(first[1], second[1], on or unit("day", scene.now))
    return (upto, joined) if joined else None


def _day_before(scene: Scene, at: int) -> tuple[int, Span] | None:
    found = scene.moment(scene, at)
    if found is not None and rank(found[1].grain) < rank("part_of_day"):
        found = date(scene, at)
    if found is None or found[1].grain not in ("day", "part_of_day") or found[1].kind != "point":
        return None
    after = scene.skip(found[0], (",",))
    return scene.skip(after, ("from", "between", "at")), found[1]


def _between(first: Clock, second: Clock, day: Span) -> Span | None:
    """Put two times on a day; an unsure first one ("5-7pm") is in the same half of the day where that comes earlier."""
    if not first.sure and second.sure:
        half = second.hour - second.hour % 12
        hour = first.hour % 12 + half
        first = replace(first, hour=hour if hour < second.hour else hour - 12, sure=True)
    if first.zone is None and second.zone is not None:
        first = replace(first, zone=second.zone, home=second.home)
    begin, end = placed(first, day), placed(second, day)
    if begin is None or end is None or begin.start is None or end.start is None:
        return None
    if end.start <= begin.start:
        step = timedelta(hours=12) if not second.sure and second.hour < 12 else timedelta(days=1)
        end = replace(end, start=end.start + step)
    grain = max(begin.grain, end.grain, key=rank)
    return Span(start=begin.start, end=end.start, grain=grain, kind="range")


def _both(scene: Scene, at: int, joints: frozenset[str], opened: bool) -> Match | None:
    """Read any two moments; a second without a year or week is the first after the other."""
    first = scene.inner(at) if opened else scene.moment(scene, at) or _plain(scene, at)
    if first is None or not (scene.word(first[0]) in joints or _slashed(scene, first[0])):
        return None
    start = first[0] + 1
    second = scene.inner(start)
    if second is None or not _alike(first[1], second[1], opened or scene.word(first[0]) in ("-", "/")):
        return None
    opening, closing = named(_cued(scene), scene.skip(at, ("the",))), named(_cued(scene), scene.skip(start, ("the",)))
    begin: Span | None = first[1]
    end: Span | None = second[1]
    if closing is not None and closing[0] == second[0]:
        moment = (first[1].start or scene.now) - timedelta(microseconds=1)
        end = coming(closing[1], first[1].start or moment)
    elif opening is not None and opening[0] == first[0] and opening[1].period == "year" and second[1].start:
        begin = last(opening[1], second[1].start, today=True)
    elif first[1].approximate and second[1].approximate:
        begin = _in_year_of(first[1], second[1])
    joined = _span(begin, end) if begin and end else None
    if joined is not None and opening and closing and opening[0] == first[0] and closing[0] == second[0]:
        joined = _underway(scene, at, opening[1], closing[1]) or joined
    return (second[0], joined) if joined else None


def _in_year_of(begin: Span, end: Span) -> Span:
    """Move the first part of "from late May to early June 2022" to the year of the second."""
    if begin.start is None or begin.end is None or end.start is None or begin.start < end.start:
        return begin
    years = end.start.year - begin.start.year
    if shift(begin.start, "year", years) > end.start:
        years -= 1
    return replace(begin, start=shift(begin.start, "year", years), end=shift(begin.end, "year", years))


def _underway(scene: Scene, at: int, opening: Cycle, closing: Cycle) -> Span | None:
    """Return the range of two dates without a year that has begun and is not over."""
    if opening.period != "year" or closing.period != "year" or scene.tense(at, at + 1) == "past":
        return None
    end = coming(closing, scene.now, today=True)
    begin = last(opening, end.start, today=True) if end and end.start else None
    if begin is None or end is None or begin.start is None or begin.start > scene.now:
        return None
    return _span(begin, end)


def _slashed(scene: Scene, at: int) -> bool:
    """Tell whether an ISO 8601 interval is divided there: 2023-05-01/2023-05-07."""
    return scene.word(at) == "/" and scene.at(at - 1).shape == "stamp" == scene.at(at + 1).shape


def _plain(scene: Scene, at: int) -> Match | None:
    """Read a bare month before "to" or a dash: "March to June", "Jan-Mar 2022"."""
    if scene.word(at) in MONTHS and scene.at(at).capital:
        return scene.inner(at)
    if scene.word(at - 1) == "-" and not scene.at(at).spaced:
        return None
    paired = scene.at(at).shape == "stamp" == scene.at(at + 2).shape and scene.word(at + 1) in _TO
    return scene.inner(at) if paired and clear(scene, at + 3) else None


def _cued(scene: Scene) -> Scene:
    return scene.after(scene.now)


def _alike(first: Span, second: Span, opened: bool) -> bool:
    if first.kind != "point" or second.kind != "point" or first.recurring or second.recurring:
        return False
    return opened or first.grain == second.grain

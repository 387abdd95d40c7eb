"""From one moment to another, and the last so many days."""

from __future__ import annotations

from datetime import timedelta

from msgspec.structs import replace

from graphmem.dates.amounts import amount
from graphmem.dates.cycles import Cycle, coming, last
from graphmem.dates.day import date
from graphmem.dates.hours import Clock, clock, placed
from graphmem.dates.lexicon import COMING, LAST, MONTHS, NEXT
from graphmem.dates.month_days import day_number, month_and_day, year_number
from graphmem.dates.relative import rolling
from graphmem.dates.scene import Match, Scene
from graphmem.dates.spans import Span, day_of, rank, unit
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
        begin, end = day_of(given[1], month, first), day_of(given[1], month, second)
    else:
        cycle = Cycle(grain="day", period="year", make=lambda year: day_of(year.year, month, first))
        past = scene.tense(at, upto) == "past"
        begin = last(cycle, scene.now, today=True) if past else coming(cycle, scene.now, today=True)
        end = day_of(begin.start.year, month, second) if begin and begin.start else None
    joined = _span(begin, end) if begin and end else None
    return (upto, joined) if joined else None


def _years(scene: Scene, at: int, joints: frozenset[str], opened: bool) -> Match | None:
    first, second = scene.at(at), scene.at(at + 2)
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


def _hours(scene: Scene, at: int, joints: frozenset[str], opened: bool) -> Match | None:
    """Read "9am-5pm", "from 5 to 7pm on Friday", "Friday from 9 to 5"."""
    day = _day_before(scene, at)
    start, on = day or (at, None)
    first = clock(scene, start, bare=True)
    if first is None or scene.word(first[0]) not in joints | ({"and"} if scene.word(start - 1) == "between" else set()):
        return None
    second = clock(scene, first[0] + 1, bare=True)
    if second is None or not (on or first[1].sure or second[1].sure):
        return None
    upto = second[0]
    if not on and not (opened or (first[1].sure and second[1].sure) or scene.at(upto - 1).shape == "clock"):
        return None
    if on is None:
        after = date(scene, scene.skip(scene.skip(upto, (",",)), ("on",)))
        if after is not None and after[1].grain in ("day", "part_of_day"):
            upto, on = after
    joined = _between(first[1], second[1], on or unit("day", scene.now))
    return (upto, joined) if joined else None


def _day_before(scene: Scene, at: int) -> tuple[int, Span] | None:
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
    if first is None or scene.word(first[0]) not in joints:
        return None
    start = first[0] + 1
    second = scene.inner(start)
    if second is None or not _alike(first[1], second[1], opened or scene.word(first[0]) == "-"):
        return None
    opening, closing = named(_cued(scene), scene.skip(at, ("the",))), named(_cued(scene), scene.skip(start, ("the",)))
    begin: Span | None = first[1]
    end: Span | None = second[1]
    if closing is not None and closing[0] == second[0]:
        moment = (first[1].start or scene.now) - timedelta(microseconds=1)
        end = coming(closing[1], first[1].start or moment)
    elif opening is not None and opening[0] == first[0] and opening[1].period == "year" and second[1].start:
        begin = last(opening[1], second[1].start, today=True)
    joined = _span(begin, end) if begin and end else None
    return (second[0], joined) if joined else None


def _plain(scene: Scene, at: int) -> Match | None:
    """Read a bare month before "to" or a dash: "March to June", "Jan-Mar 2022"."""
    return scene.inner(at) if scene.word(at) in MONTHS and scene.at(at).capital else None


def _cued(scene: Scene) -> Scene:
    return scene.after(scene.now)


def _alike(first: Span, second: Span, opened: bool) -> bool:
    if first.kind != "point" or second.kind != "point" or first.recurring or second.recurring:
        return False
    return opened or first.grain == second.grain


def stretch(scene: Scene, at: int) -> Match | None:
    """Read "the last 10 days", "these past two weeks", "the next couple of months"."""
    start = at + 1 if scene.word(at) in ("the", "these", "this") else at
    word = scene.word(start)
    which = "last" if word in LAST else "next" if word in NEXT | COMING else ""
    if not which:
        return None
    start = start + 1 if scene.word(start + 1) not in LAST else start + 2
    read = amount(scene, start)
    if read is None or (scene.word(start) in ("a", "an") and scene.word(start + 1) not in ("few", "couple")):
        return None
    upto, much = read
    if len(much.steps) != 1 or scene.word(upto) in ("of", "before", "after"):
        return None
    count, grain = much.steps[0]
    if not 1 <= count <= 100_000:
        return None
    return upto, replace(rolling(scene, which, grain, count), approximate=much.approximate)

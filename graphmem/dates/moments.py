"""One moment: a date, a time of day, or both in either order."""

from __future__ import annotations

from datetime import timedelta

from msgspec.structs import replace

from graphmem.dates.cycles import within
from graphmem.dates.day import date
from graphmem.dates.days import part_of
from graphmem.dates.hours import Clock, clock, part, placed
from graphmem.dates.lexicon import AROUND, MONTHS, WEEKDAYS, word_set
from graphmem.dates.month_days import clear, month_and_day, year_number
from graphmem.dates.scene import Match, Scene, longest, once
from graphmem.dates.spans import Span, day_of, midnight, unit
from graphmem.dates.written import named

_CLOCK_CUES = word_set("at by around about from until till before after since between to @ on , and - approximately")
_NEARLY = frozenset(["about", "around", "circa", "roughly", "approximately", "approx", "~"])
_MEALS = {"breakfast": "morning", "dinner": "evening", "supper": "evening", "drinks": "evening"}
_AT = frozenset(["at", "@"])


def moment(scene: Scene, at: int) -> Match | None:
    """Read the longest moment that begins at that token."""
    return once(scene, _moment, at)


def _moment(scene: Scene, at: int) -> Match | None:
    found = longest(scene, at, (_date_with_time, _time_with_date, _logged))
    if found is None and not scene.cued and scene.word(at) in _NEARLY:
        inner = scene.inner(at + 1) if scene.word(at) != "about" else _time_with_date(scene, at + 1)
        if inner is not None and inner[1].kind == "point":
            return inner[0], replace(inner[1], approximate=True)
    return found


def _date_with_time(scene: Scene, at: int) -> Match | None:
    found = date(scene, at)
    if found is None:
        return None
    upto, day = found
    if day.kind != "point" or day.grain not in ("day", "part_of_day") or day.start is None:
        return found
    name = ""
    if day.grain == "day":
        named_part = part(scene, scene.skip(upto, (",",)))
        if named_part is not None and not (scene.word(upto) == "at" and scene.word(upto + 1) == "lunchtime"):
            narrowed = part_of(day, named_part[1])
            if narrowed is not None:
                upto, name = named_part
                found = _of_year(scene, at, upto, name) or (upto, narrowed)
    return _timed(scene, upto, found[1], name) or found


def _of_year(scene: Scene, at: int, upto: int, name: str) -> Match | None:
    """Read "Christmas morning 2020": the year stands behind the part of the day."""
    year = year_number(scene, upto)
    cycle = named(scene, scene.skip(at, ("the",))) if year else None
    if year is None or cycle is None or cycle[1].period != "year":
        return None
    day = within(cycle[1], unit("year", scene.now.replace(year=year[1], month=1, day=1)))
    narrowed = part_of(day, name) if day else None
    return (year[0], narrowed) if narrowed else None


def _logged(scene: Scene, at: int) -> Match | None:
    """Read a time between a day and its year, as logs have it: Thu Dec 19 14:05:33 2019."""
    month = scene.skip(at, WEEKDAYS)
    whole = month_and_day(scene, month) if scene.word(month) in MONTHS else None
    read = clock(scene, whole[0]) if whole else None
    year = year_number(scene, read[0]) if read else None
    if whole is None or read is None or year is None:
        return None
    day = day_of(year[1], whole[1], whole[2])
    return _checked(year[0], placed(read[1], day) if day else None)


def _timed(scene: Scene, upto: int, day: Span, name: str) -> Match | None:
    after = scene.skip(upto, (",",))
    vague = scene.word(after) in AROUND
    linked = after + 1 if scene.word(after) in _AT or vague else after
    if scene.word(linked) in AROUND and linked > after:
        vague, linked = True, linked + 1
    read = clock(scene, linked, bare=linked > after and clear(scene, linked + 1))
    if read is None or scene.word(linked + 1) == "%":
        return None
    end, time = read
    more = part(scene, end)
    if more is not None and not name:
        end, name = more
    span = placed(time, day, name or _meal(scene, upto))
    return (end, replace(span, approximate=span.approximate or vague)) if span else None


def _meal(scene: Scene, at: int) -> str:
    """Return the part of the day that a meal close before a time tells: "dinner at 7"."""
    return next((_MEALS[word] for word in scene.words[max(0, at - 3) : at] if word in _MEALS), "")


def _time_with_date(scene: Scene, at: int) -> Match | None:
    cue = scene.word(at - 1)
    bare = cue in ("at", "@") and (scene.cued or _followed(scene, at + 1))
    read = clock(scene, at, bare=bare)
    if read is None or not _is_time(scene, at):
        return None
    upto, time = read
    named_part = part(scene, upto)
    name = _meal(scene, at)
    if named_part is not None:
        upto, name = named_part
    joint = scene.skip(upto, (",",))
    joint = scene.skip(joint, ("on", "of", "-"))
    found = date(scene, joint) if scene.word(joint) != "the" or joint > upto else None
    if found is not None and found[1].grain in ("day", "part_of_day") and found[1].kind == "point":
        end = found[0]
        more = part(scene, end) if found[1].grain == "day" and not name else None
        if more is not None:
            end, name = more
        return _checked(end, placed(time, found[1], name))
    return _checked(upto, _today(scene, at, upto, time, name))


def _followed(scene: Scene, at: int) -> bool:
    word = scene.word(at)
    if word not in ("on", "tonight", "today", "tomorrow", "this", "yesterday", "last") or scene.word(at - 1) == "one":
        return False
    found = date(scene, at + 1 if word == "on" else at)
    return found is not None and found[1].grain in ("day", "part_of_day")


def _checked(upto: int, span: Span | None) -> Match | None:
    return (upto, span) if span else None


def _is_time(scene: Scene, at: int) -> bool:
    if scene.at(at).shape != "clock" or scene.word(at)[-1] in "m.":
        return True
    before = scene.word(at - 1)
    return scene.cued or before in _CLOCK_CUES or not before or before in ".!?("


def _today(scene: Scene, at: int, upto: int, time: Clock, name: str) -> Span | None:
    today = unit("day", scene.now)
    span = placed(time, today, name)
    if span is None or span.start is None or span.end is None:
        return span
    tense = scene.tense(at, upto)
    days = -1 if tense == "past" and span.start > scene.now else 1 if tense == "future" and span.end <= scene.now else 0
    if time.hour == 24 and time.sure and tense == "past":
        days = -1
    other = unit("day", midnight(scene.now) + timedelta(days=days))
    return placed(time, other, name)

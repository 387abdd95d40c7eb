"""One moment: a date, a time of day, or both in either order."""

from __future__ import annotations

from datetime import timedelta

from msgspec.structs import replace

from graphmem.dates.day import date
from graphmem.dates.days import part_of
from graphmem.dates.hours import Clock, clock, part, placed
from graphmem.dates.lexicon import (
    AROUND,
    word_set,
)
from graphmem.dates.month_days import clear
from graphmem.dates.scene import Match, Scene, longest, once
from graphmem.dates.spans import Span, midnight, unit

_CLOCK_CUES = word_set("at by around about from until till before after since between to @ on , and - approximately")
_NEARLY = frozenset(["about", "around", "circa", "roughly", "approximately", "approx", "~"])
_AT = frozenset(["at", "@"])


def moment(scene: Scene, at: int) -> Match | None:
    """Read the longest moment that begins at that token."""
    return once(scene, _moment, at)


def _moment(scene: Scene, at: int) -> Match | None:
    found = longest(scene, at, (_date_with_time, _time_with_date))
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
                found = (upto, narrowed)
    return _timed(scene, upto, found[1], name) or found


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
    span = placed(time, day, name)
    return (end, replace(span, approximate=span.approximate or vague)) if span else None


def _time_with_date(scene: Scene, at: int) -> Match | None:
    cue = scene.word(at - 1)
    bare = cue in ("at", "@") and (scene.cued or _followed(scene, at + 1))
    read = clock(scene, at, bare=bare)
    if read is None or not _is_time(scene, at):
        return None
    upto, time = read
    named_part = part(scene, upto)
    name = ""
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

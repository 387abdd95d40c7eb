"""What comes round: a weekday, a month, the 8th of May, Christmas, summer. Which one is meant is decided here.

A cycle is made once per week, month or year, and asked for the last, this, the next, or the one within a span.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from msgspec import Struct

from graphmem.dates.found import Granularity
from graphmem.dates.spans import Span, midnight, rank, shift, unit
from graphmem.dates.tense import Tense

_REACH = {"week": 3, "month": 3, "year": 2}
FAR = 9  # 29 February comes that seldom around 1900


class Cycle(Struct, frozen=True, kw_only=True):
    """``make`` gives the occurrence in the period (week, month or year) that begins at a moment, if there is one."""

    grain: Granularity
    period: Granularity
    make: Callable[[datetime], Span | None]


def around(cycle: Cycle, moment: datetime, reach: int | None = None) -> list[Span]:
    """Return the occurrences near ``moment``, in order; those outside of what a calendar holds are left out."""
    reach = reach or _REACH[cycle.period]
    begin = unit(cycle.period, moment).start or moment
    found = []
    for step in range(-reach, reach + 1):
        try:
            made = cycle.make(shift(begin, cycle.period, step))
        except (ValueError, OverflowError):
            continue
        if made is not None:
            found.append(made)
    return found


def last(cycle: Cycle, now: datetime, back: int = 1, *, today: bool = False) -> Span | None:
    """Return the latest that is over (or, with ``today``, has begun); ``back`` 2 is the one before it."""
    day = midnight(now)
    for near in _nearer_first(cycle, now, back):
        done = [span for span in near if (_start(span) <= now if today else _end(span) <= day)]
        if len(done) >= back:
            return done[-back]
    return None


def coming(cycle: Cycle, now: datetime, ahead: int = 1, *, today: bool = False) -> Span | None:
    """Return the earliest that has not begun (or, with ``today``, is not over)."""
    for near in _nearer_first(cycle, now, ahead):
        left = [span for span in near if (_end(span) if today else _start(span)) > now]
        if len(left) >= ahead:
            return left[ahead - 1]
    return None


def following(cycle: Cycle, now: datetime) -> Span | None:
    """Return "next Friday": that of the next ISO week; of what comes once a year, the next to begin."""
    if cycle.period != "week":
        return coming(cycle, now)
    return cycle.make(shift(unit("week", now).start or now, "week", 1))


def this(cycle: Cycle, now: datetime, tense: Tense) -> Span | None:
    """Return "this Friday", "this May": that of this week or year, unless the tense says that it cannot be."""
    near = around(cycle, now)
    for span in near:
        if _start(span) <= now < _end(span):
            return span
    period = unit(cycle.period, now)
    mine = cycle.make(period.start or now)
    if mine is None:
        return coming(cycle, now)
    if cycle.grain == "weekend" and tense == "past":
        return last(cycle, now)
    if cycle.period == "week" and tense != "past" and _end(mine) <= now:
        return coming(cycle, now)
    if tense == "past" and _start(mine) > now and cycle.period != "week":
        return last(cycle, now)
    return mine


def bare(cycle: Cycle, now: datetime, tense: Tense) -> Span | None:
    """Return what a weekday, a month or a day of the year means with nothing beside it."""
    weekly = cycle.period == "week"
    if tense == "past":
        return last(cycle, now, today=not weekly) or coming(cycle, now)
    return coming(cycle, now, today=not weekly or cycle.grain == "weekend") or last(cycle, now)


def within(cycle: Cycle, span: Span, nth: int = 1) -> Span | None:
    """Return the first (nth; -1 is the last) occurrence that begins in ``span``."""
    if span.start is None or span.end is None:
        return None
    found: list[Span] = []
    at, steps = span.start - timedelta(days=1), 0
    while at < span.end and steps < 600:
        found.extend(made for made in around(cycle, at, 1) if made not in found)
        at, steps = shift(at, cycle.period, 1), steps + 1
    inside = [made for made in found if span.start <= _start(made) < span.end]
    inside.sort(key=_start)
    if nth < 0:
        return inside[nth] if len(inside) >= -nth else None
    return inside[nth - 1] if len(inside) >= nth else None


def fits(cycle: Cycle, span: Span) -> bool:
    """Tell whether "the cycle of the span" can be said: Friday of last week, May of last year."""
    return rank(cycle.grain) < rank(span.grain) and rank(cycle.period) <= rank(span.grain)


def _nearer_first(cycle: Cycle, moment: datetime, steps: int) -> Iterator[list[Span]]:
    steps = min(steps, 500)
    yield around(cycle, moment, _REACH[cycle.period] + steps)
    yield around(cycle, moment, FAR + steps)


def _start(span: Span) -> datetime:
    return span.start or datetime.min  # noqa: DTZ901 - wall time


def _end(span: Span) -> datetime:
    return span.end or datetime.max  # noqa: DTZ901 - wall time

"""Spans of wall time, and the calendar arithmetic on them. Weeks are ISO weeks: Monday to Sunday."""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from graphmem.dates.found import Granularity, Kind

ORDER: tuple[Granularity, ...] = (
    "second",
    "minute",
    "hour",
    "part_of_day",
    "day",
    "weekend",
    "week",
    "month",
    "season",
    "quarter",
    "half",
    "year",
    "decade",
    "century",
)
_RANK = {grain: rank for rank, grain in enumerate(ORDER)}
_FIXED = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 7 * 86400}
_MONTHS = {"month": 1, "quarter": 3, "season": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}


class Impossible(ValueError):
    """Words that look like a date but name none (31 February); ``upto`` is the token after them."""

    def __init__(self, upto: int) -> None:
        super().__init__(upto)
        self.upto = upto


class Span(Struct, frozen=True, kw_only=True):
    """A half-open interval of naive wall time; ``None`` is unbounded."""

    start: datetime | None
    end: datetime | None
    grain: Granularity
    approximate: bool = False
    kind: Kind = "point"
    recurring: bool = False


def rank(grain: Granularity) -> int:
    """Return how coarse ``grain`` is."""
    return _RANK[grain]


def midnight(moment: datetime) -> datetime:
    """Return the beginning of the day of ``moment``."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def shift(moment: datetime, unit: Granularity, count: int) -> datetime:
    """Move ``moment`` by so many units; the day is cut to what the month has (31 January + 1 month)."""
    if unit == "weekend":
        unit = "week"
    if unit in _FIXED:
        return moment + timedelta(seconds=_FIXED[unit] * count)
    months = moment.year * 12 + moment.month - 1 + _MONTHS[unit] * count
    year, month = divmod(months, 12)
    if moment.day <= 28:
        return moment.replace(year=year, month=month + 1)
    first = moment.replace(year=year, month=month + 1, day=1)
    return first + timedelta(days=min(moment.day, _days_in(first)) - 1)


def unit(grain: Granularity, moment: datetime) -> Span:
    """Return the calendar unit that ``moment`` is in; for a weekend that of its ISO week."""
    start = _begin(grain, moment)
    end = start + timedelta(days=2) if grain == "weekend" else shift(start, grain, 1)
    return Span(start=start, end=end, grain=grain)


def point(start: datetime, grain: Granularity) -> Span:
    """Return the span of one unit that begins exactly at ``start``."""
    return Span(start=start, end=shift(start, grain, 1), grain=grain)


def day_of(year: int, month: int, day: int) -> Span | None:
    """Return that day, or None where the month has none such."""
    try:
        return point(datetime(year, month, day), "day")  # noqa: DTZ001 - wall time; the zone is put on at the end
    except (ValueError, OverflowError):
        return None


def cut(span: Span, part: str) -> Span:
    """Return the early, middle or late third of ``span``."""
    if span.start is None or span.end is None:
        return span
    first, second = _thirds(span.start, span.end, span.grain)
    bounds = {"early": (span.start, first), "mid": (first, second), "late": (second, span.end)}
    start, end = bounds[part]
    return replace(span, start=start, end=end, approximate=True)


def _thirds(start: datetime, end: datetime, grain: Granularity) -> tuple[datetime, datetime]:
    if grain == "century":
        return shift(start, "year", 33), shift(start, "year", 67)
    if grain == "decade":
        return shift(start, "year", 4), shift(start, "year", 7)
    if grain in ("year", "half", "season", "quarter"):
        step = max(1, _MONTHS[grain] // 3)
        return shift(start, "month", step), shift(start, "month", 2 * step)
    if grain == "month":
        return start + timedelta(days=10), start + timedelta(days=20)
    if grain == "week":
        return start + timedelta(days=2), start + timedelta(days=4)
    third = (end - start) / 3
    return start + third, start + 2 * third


def _begin(grain: Granularity, moment: datetime) -> datetime:
    if grain == "second":
        return moment.replace(microsecond=0)
    if grain == "minute":
        return moment.replace(second=0, microsecond=0)
    if grain == "hour":
        return moment.replace(minute=0, second=0, microsecond=0)
    day = midnight(moment)
    if grain in ("week", "weekend"):
        return day - timedelta(days=day.weekday() - (5 if grain == "weekend" else 0))
    if grain in ("day", "part_of_day"):
        return day
    return _begin_of_months(grain, day.replace(day=1))


def _begin_of_months(grain: Granularity, first: datetime) -> datetime:
    if grain == "season":
        return shift(first, "month", -(first.month % 3))
    months = _MONTHS[grain]
    if months <= 12:
        return first.replace(month=first.month - (first.month - 1) % months)
    years = months // 12
    return first.replace(month=1, year=max(1, first.year - first.year % years))


def _days_in(first: datetime) -> int:
    after = first.replace(day=28) + timedelta(days=4)
    return (after - timedelta(days=after.day)).day

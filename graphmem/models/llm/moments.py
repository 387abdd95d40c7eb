"""Times as a model writes them. What is not a date is no time, and a date is no finer than it was written."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

from graphmem.dates import Granularity

Moment = tuple[datetime, datetime, Granularity]
DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
TIME = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?")


def moment_of(text: str | None, offset: int) -> Moment | None:
    """Return the half-open interval in UTC that a text names; ``offset`` is how far east of it the speaker's clock was.

    Days and longer keep the date of the speaker's calendar, as everywhere in a Draft.
    """
    text = (text or "").strip()
    try:
        if day := DATE.fullmatch(text):
            return _of_date(*(int(part) if part else None for part in day.groups()))
        if time := TIME.fullmatch(text):
            return _of_time(text, offset, seconds=bool(time.group(1)))
    except (ValueError, OverflowError):  # the 31st of June, or a day before the first or after the last
        return None
    return None


def _of_date(year: int | None, month: int | None, day: int | None) -> Moment:
    start = datetime(year or 0, month or 1, day or 1, tzinfo=UTC)
    if day:
        return start, start + timedelta(days=1), "day"
    if month:
        return start, (start + timedelta(days=31)).replace(day=1), "month"
    return start, start.replace(year=start.year + 1), "year"


def _of_time(text: str, offset: int, *, seconds: bool) -> Moment:
    start = datetime.fromisoformat(text)
    if start.tzinfo is None:
        start = start.replace(tzinfo=timezone(timedelta(minutes=offset)))
    start = start.astimezone(UTC)
    if not seconds or (start.second == start.microsecond == 0):  # ":00" is how they write a minute
        return start, start + timedelta(minutes=1), "minute"
    return start, start + timedelta(seconds=1), "second"

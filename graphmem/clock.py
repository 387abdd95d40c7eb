"""Time comes in as an argument or from a clock; instants are aware, in UTC, to the microsecond."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from graphmem.errors import InvalidInput

Clock = Callable[[], datetime]


def system_clock() -> datetime:
    """Now, in UTC."""
    return datetime.now(UTC)


def instant(value: object, field: str) -> datetime:
    """Return ``value`` (an aware datetime, or ISO 8601 text with an offset) in UTC.

    A time without an offset is refused: guessing a zone would invent up to a day.
    """
    moment = value
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            raise InvalidInput(
                field, f"{value!r} is not a time; use ISO 8601 such as 2024-05-07T12:30:00+00:00"
            ) from None
    if not isinstance(moment, datetime):
        raise InvalidInput(field, f"expected a datetime or ISO 8601 text, got {type(value).__name__}")
    if moment.utcoffset() is None:
        raise InvalidInput(field, f"{value} has no time zone; pass an aware time, such as one ending in +00:00")
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(field, f"{value} is outside of what a calendar holds") from None

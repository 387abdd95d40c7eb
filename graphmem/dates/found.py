"""What a date expression turns into."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import Struct

Granularity = Literal[
    "second",
    "minute",
    "hour",
    "part_of_day",
    "day",
    "weekend",
    "week",
    "month",
    "quarter",
    "season",
    "half",
    "year",
    "decade",
    "century",
]
# "since" and "after" have no end, "until" and "before" no start; "after" and "before" leave out what they name.
Kind = Literal["point", "range", "since", "until", "before", "after"]


class Found(Struct, frozen=True, kw_only=True):
    """One date expression: where it stands, and the half-open interval ``[start, end)`` that it denotes.

    Times are aware, in the zone of the reference; ``None`` means unbounded, or that it recurs.
    """

    text: str
    begin: int
    finish: int
    start: datetime | None
    end: datetime | None
    granularity: Granularity
    approximate: bool = False
    kind: Kind = "point"
    recurring: bool = False

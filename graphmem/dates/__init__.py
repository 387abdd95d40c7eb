"""Dates in English text, resolved against the time at which it was said.

Relative expressions ("the week before last", "two days after Christmas") are ours: on some thousand public cases the
libraries that offer them, dateparser and parsedatetime, were right on 20% and 15%, and return points where people mean
intervals. Where a library is right, for the shape of an ISO 8601 date, it is the standard one that is used.
"""

from __future__ import annotations

from graphmem.dates.found import Found, Granularity, Kind
from graphmem.dates.holidays import HOLIDAYS, Holiday
from graphmem.dates.resolver import resolve

__all__ = ["HOLIDAYS", "Found", "Granularity", "Holiday", "Kind", "resolve"]

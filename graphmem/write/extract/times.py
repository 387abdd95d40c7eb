"""Dates in a turn, through the one door to the date resolver."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from msgspec import Struct

from graphmem.dates import HOLIDAYS, Found, Holiday, resolve
from graphmem.write.claims import When

DAYLIKE = frozenset({"second", "minute", "hour", "part_of_day", "day"})
PREPOSITIONS = frozenset({"in", "on", "since", "by", "until", "till", "from", "during", "before", "after", "at", "for",
                          "to", "of", "around", "about", "through", "between", "and", "as"})  # fmt: skip


# Past in form only: "I've got a resit on 3 June", "we've moved it to 15 April".
AHEAD = re.compile(
    r"(?:['\u2019]ve|\bhave) got(?= (?:a|an|my|the|our|another|to)\b)|"
    r"(?:(?:['\u2019]ve|['\u2019]s| have| has) )?(?:been )?\b(?:moved|pushed|postponed|rescheduled|delayed)(?= (?:\S+ ){0,3}(?:to|till|until) )|"
    r"\bgetting married\b",
    re.IGNORECASE,
)
PRESENT = frozenset(
    {
        "by now",
        "until now",
        "till now",
        "as of now",
        "up to now",
        "now",
        "right now",
        "nowadays",
        "these days",
        "currently",
        "at the moment",
        "at present",
    }
)


class Dated(Struct, frozen=True, kw_only=True):
    """What a clause says about time."""

    valid_from: When | None = None
    valid_to: When | None = None
    at: When | None = None
    found: tuple[Found, ...] = ()


def holidays_of(named: Mapping[str, str]) -> Mapping[str, Holiday]:
    """The resolver's own holidays and those of an ontology, which come as ``MM-DD``."""
    own = {name.lower(): Holiday(month=int(day[:2]), day=int(day[3:])) for name, day in named.items()}
    return {**HOLIDAYS, **own} if own else HOLIDAYS


def find(text: str, reference: datetime, holidays: Mapping[str, Holiday]) -> list[Found]:
    """All dates in ``text``, those that recur included."""
    return resolve(AHEAD.sub(_ahead, text), reference, holidays=holidays)


def _ahead(match: re.Match[str]) -> str:
    """Words of the same length in the future tense, so that every date keeps its place."""
    return " will".ljust(len(match.group()))


def read_dates(found: list[Found], text: str, start: int, end: int) -> Dated:
    """What the dates between two characters say: since when, until when, or at what time."""
    inside = [each for each in found if start <= each.begin and each.finish <= end]
    since = until = at = None
    for each in inside:
        if each.text.lower() in PRESENT or each.recurring or (each.start is None and each.end is None):
            continue
        before = text[max(0, each.begin - 12) : each.begin].lower().split()
        word = before[-1] if before else ""
        if each.kind == "since" or word in ("since", "from", "starting"):
            since = since or when(each)
        elif each.kind == "until" or word in ("until", "till"):
            until = until or when(each)
        elif each.kind == "range" and word not in ("in", "on") and _long(each):
            since, until = since or _edge(each, first=True), until or _edge(each, first=False)
        elif since and word == "to":
            until = until or when(each)
        else:
            at = at or when(each)
    spoken = tuple(each for each in inside if each.text.lower() not in PRESENT)
    return Dated(valid_from=since, valid_to=until, at=at, found=spoken)


def when(found: Found) -> When | None:
    """A resolved date as a Draft has it; none when it is open on both sides."""
    if found.start is None and found.end is None:
        return None
    return When(
        text=found.text,
        start=found.start.astimezone(UTC) if found.start else None,
        end=found.end.astimezone(UTC) if found.end else None,
        granularity=found.granularity,
    )


def say(found: Found) -> str:
    """A resolved date in words that need no reference: "in May 2023"; as it was said where it recurs."""
    if found.recurring or found.start is None or any(len(part) == 4 and part.isdigit() for part in found.text.split()):
        return found.text
    day = found.start
    spoken = f"{day.day} {day:%B} {day.year}"
    named = {"month": f"in {day:%B} {day.year}", "year": f"in {day.year}", "decade": f"in the {day.year}s",
             "week": f"in the week of {spoken}", "weekend": f"on the weekend of {spoken}",
             "quarter": f"in the quarter from {day:%B} {day.year}", "season": f"in the season from {day:%B} {day.year}",
             "half": f"in the half year from {day:%B} {day.year}"}.get(found.granularity)  # fmt: skip
    if named is None:
        named = f"on {spoken}" if found.granularity in DAYLIKE else found.text
    if found.kind in ("since", "until", "before", "after"):
        return f"{found.kind} {named.split(' ', 1)[1]}" if named != found.text else named
    return named


def _long(found: Found) -> bool:
    return bool(found.start and found.end and found.end - found.start > timedelta(days=2))


def _edge(found: Found, *, first: bool) -> When | None:
    """One end of a range as a date of its own."""
    if found.start is None or found.end is None:
        return None
    day = timedelta(days=1)
    start, end = (found.start, found.start + day) if first else (found.end - day, found.end)
    return When(text=found.text, start=start.astimezone(UTC), end=end.astimezone(UTC), granularity="day")

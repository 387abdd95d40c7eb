"""Zones that people put behind a time of day: 3pm EST, 15:00 UTC, 9:30 (CET), 18:00 GMT+2."""

from __future__ import annotations

import re
from datetime import timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from graphmem.dates.scene import Scene

# Hours from UTC. Of letters that several countries use, the one that mail and calendars mean most often.
_HOURS: dict[str, float] = {
    "utc": 0, "gmt": 0, "zulu": 0, "wet": 0, "west": 1, "bst": 1, "cet": 1, "cest": 2, "eet": 2, "eest": 3,
    "msk": 3, "ist": 5.5, "sgt": 8, "hkt": 8, "awst": 8, "jst": 9, "kst": 9, "acst": 9.5, "aest": 10, "aedt": 11,
    "nzst": 12, "nzdt": 13, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
    "akst": -9, "akdt": -8, "hst": -10,
}  # fmt: skip
# With daylight saving time or without it, as the day has it; in capitals only.
_PLACES = {
    "et": "America/New_York",
    "ct": "America/Chicago",
    "mt": "America/Denver",
    "pt": "America/Los_Angeles",
}
_REGIONS = {"eastern": "et", "central": "ct", "mountain": "mt", "pacific": "pt"}
# These are words too.
_CAPITALS = frozenset(["west", "wet", "ist", *_PLACES, *_REGIONS])
_OFFSET = re.compile(r"([+-])(\d{1,2}):?(\d\d)?")


def zone(scene: Scene, at: int) -> tuple[int, tzinfo] | None:
    """Read a zone behind a time of day, in brackets or not."""
    if scene.word(at) == "(":
        inner = zone(scene, at + 1)
        return (inner[0] + 1, inner[1]) if inner and scene.word(inner[0]) == ")" else None
    token = scene.at(at)
    if token.shape == "offset":
        read = _offset(token.word)
        return (at + 1, read) if read else None
    if token.word in ("utc", "gmt") and scene.at(at + 1).shape == "offset":
        return zone(scene, at + 1)
    if token.shape != "word" or (token.word in _CAPITALS and not token.capital):
        return None
    named = _named(_REGIONS.get(token.word, token.word))
    return (scene.skip(at + 1, ("time",)), named) if named else None


@lru_cache(maxsize=256)
def _named(word: str) -> tzinfo | None:
    if word in _HOURS:
        return timezone(timedelta(hours=_HOURS[word]))
    try:
        return ZoneInfo(_PLACES[word]) if word in _PLACES else None
    except ZoneInfoNotFoundError:  # a system without the data
        return None


def _offset(text: str) -> tzinfo | None:
    parts = _OFFSET.match(text)
    if parts is None or int(parts[2]) > 14 or int(parts[3] or 0) > 59:
        return None
    away = timedelta(hours=int(parts[2]), minutes=int(parts[3] or 0))
    return timezone(-away if parts[1] == "-" else away)

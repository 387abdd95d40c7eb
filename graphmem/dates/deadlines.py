"""When something is due: EOD Friday, end of day tomorrow, close of business, EOM, year-end."""

from __future__ import annotations

from datetime import timedelta

from graphmem.dates.days import named_day
from graphmem.dates.found import Granularity
from graphmem.dates.lexicon import UNITS
from graphmem.dates.relative import alone, modified
from graphmem.dates.scene import Match, Scene, longest
from graphmem.dates.spans import Span, cut, midnight, point, unit
from graphmem.dates.years import dated, year_alone

_SHORT: dict[str, Granularity] = {"eod": "day", "eow": "week", "eom": "month", "eoq": "quarter", "eoy": "year"}
_CLOSE = frozenset(["cob", "eob", "cop"])
_CLOSE_LONG = (("close", "of", "business"), ("close", "of", "play"), ("end", "of", "business"), ("end", "of", "play"))
_CLOSING = 17
DUE = _SHORT.keys() | _CLOSE | frozenset(["the", "close", "end", "week", "month", "quarter", "year"])
_ENDING: tuple[Granularity, ...] = ("week", "month", "quarter", "year")


def deadline(scene: Scene, at: int) -> Match | None:
    """Read the end of a day, week, month or year with the name of it behind, or of the one that it is."""
    start = scene.skip(at, ("the",))
    if scene.word(start) not in DUE:
        return None
    closing = _closing(scene, start)
    if closing:
        upto, day = _which(scene, closing, "day")
        return upto, point(midnight(day.start or scene.now) + timedelta(hours=_CLOSING), "hour")
    ending = _ending(scene, start)
    if ending is None:
        return None
    upto, span = _which(scene, *ending)
    return upto, cut(span, "late")


def _closing(scene: Scene, at: int) -> int:
    if scene.word(at) in _CLOSE:
        return at + 1
    if scene.word(at) not in ("close", "end"):
        return 0
    return at + 3 + (scene.word(at + 3) == "day") if any(scene.says(at, *words) for words in _CLOSE_LONG) else 0


def _ending(scene: Scene, at: int) -> tuple[int, Granularity] | None:
    """Read the words for the end: where they stop, and what ends."""
    word = scene.word(at)
    if word in _SHORT:
        return at + 1, _SHORT[word]
    grain = UNITS.get(word)
    if grain in _ENDING and scene.word(at + 1) == "end" and not scene.at(at + 1).full.endswith("'s"):
        return (at + 2, grain) if scene.word(at + 2) not in ("of", "to") else None
    if not scene.says(at, "end", "of"):
        return None
    after = scene.skip(at + 2, ("the",))
    if scene.word(after) != "day" or _named(scene, after + 1, "day") is None:
        return None  # without a day it is no more than "the end of the day", which is an idiom too
    return after + 1, "day"


def _which(scene: Scene, at: int, grain: Granularity) -> tuple[int, Span]:
    return _named(scene, at, grain) or (at, unit(grain, scene.now))


def _named(scene: Scene, at: int, grain: Granularity) -> Match | None:
    start = scene.skip(scene.skip(at, (",", "on", "of", "for")), ("on",))
    view = scene.after(scene.now)
    found = longest(view, start, (modified, named_day, dated, alone, year_alone))
    return found if found is not None and found[1].grain == grain and found[1].kind == "point" else None

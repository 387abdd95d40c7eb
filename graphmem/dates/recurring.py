"""What happens again and again: recognised, so that "every Monday" is not taken for one Monday."""

from __future__ import annotations

from graphmem.dates.amounts import number
from graphmem.dates.found import Granularity
from graphmem.dates.lexicon import LAST, MANY_WEEKDAYS, NEXT, ORDINALS, PARTS, UNITS, VAGUE, WEEKDAYS
from graphmem.dates.parts import nth
from graphmem.dates.scene import Match, Scene
from graphmem.dates.spans import Span
from graphmem.dates.written import named

_ADVERBS: dict[str, Granularity] = {
    "daily": "day",
    "nightly": "day",
    "weekly": "week",
    "biweekly": "week",
    "fortnightly": "week",
    "monthly": "month",
    "quarterly": "quarter",
    "yearly": "year",
    "annually": "year",
    "hourly": "hour",
}
_PARTS = {f"{part}s" for part in PARTS}


def recurring(scene: Scene, at: int) -> Match | None:
    """Read "every Monday", "on Sundays", "twice a week", "daily"."""
    word = scene.word(at)
    if word in _ADVERBS:
        return at + 1, _again(_ADVERBS[word])
    if word in ("every", "each"):
        return _every(scene, at)
    if word in ("once", "twice", "times") and scene.word(at + 1) in ("a", "an", "per", "every", "each"):
        grain = UNITS.get(scene.word(at + 2))
        return (at + 3, _again(grain)) if grain else None
    return _many(scene, at)


def _every(scene: Scene, at: int) -> Match | None:
    start = at + 1
    if scene.word(start) in ("other", "single", "last", "few", "second", "third") and scene.word(start + 1) != "of":
        start += 1
    counted = number(scene, start)
    if counted is not None and scene.word(counted[0]) in UNITS:
        start = counted[0]
    word = scene.word(start)
    if word in UNITS and (start == at + 1 or word not in ORDINALS):
        return start + 1, _again(UNITS[word])
    if word in PARTS:
        return start + 1, _again("part_of_day")
    view = scene.after(scene.now)
    if word == "weekday":
        return start + 1, _again("day")
    counted_off = nth(view, start)
    if counted_off is not None:
        return counted_off[0], _again(counted_off[1].grain)
    found = named(view, start)
    if found is None:
        return None
    upto = found[0]
    return (upto + 1 if scene.word(upto) in PARTS else upto), _again(found[1].grain)


def _many(scene: Scene, at: int) -> Match | None:
    start = scene.skip(scene.skip(at, ("on", "in")), ("the",))
    word = scene.word(start)
    if start == at and (scene.word(at - 1) in VAGUE or scene.word(at - 1) in LAST | NEXT or number(scene, at - 1)):
        return None
    if word in MANY_WEEKDAYS or word == "weekdays":
        upto = start + 1
        while scene.word(upto) in ("and", "or", ",", "&") and scene.word(upto + 1) in MANY_WEEKDAYS:
            upto += 2
        return upto, _again("day")
    if word in WEEKDAYS and scene.word(start + 1) in _PARTS:
        return start + 2, _again("part_of_day")
    if word == "weekends":
        return start + 1, _again("weekend")
    if word in _PARTS and start > at:
        return start + 1, _again("part_of_day")
    return None


def _again(grain: Granularity) -> Span:
    return Span(start=None, end=None, grain=grain, recurring=True)

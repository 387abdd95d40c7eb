"""Days that are named from the moment of speaking: today, yesterday evening, the day after tomorrow, last night."""

from __future__ import annotations

from datetime import timedelta

from msgspec.structs import replace

from graphmem.dates.lexicon import (
    NOW,
    PARTS_LOOSE,
    TODAY,
    TOMORROW,
    TONIGHT,
    UNITS,
    YESTERDAY,
    word_set,
)
from graphmem.dates.scene import Match, Scene
from graphmem.dates.spans import Span, midnight, shift, unit

_ENDS = frozenset([".", "!", "?", ";", ":"])
_IS = frozenset(["is", "was", "isn't"])
_AFTER_NOW = word_set("but because so since to with at in on for if or until till as is are while please")


def part_of(day: Span, part: str) -> Span | None:
    """Return the morning, afternoon, evening or night of a day."""
    if day.start is None or part not in PARTS_LOOSE:
        return None
    begin, end = PARTS_LOOSE[part]
    noon = midnight(day.start)
    return Span(
        start=noon + timedelta(hours=begin),
        end=noon + timedelta(hours=end),
        grain="part_of_day",
        approximate=day.approximate,
    )


def named_day(scene: Scene, at: int) -> Match | None:
    """Read now, today, yesterday, the day after tomorrow, tonight, this morning."""
    for rule in (_today, _beyond, _this_part, _other_day):
        found = rule(scene, at)
        if found is not None:
            return found
    return None


def _today(scene: Scene, at: int) -> Match | None:
    word = scene.word(at)
    today = unit("day", scene.now)
    if word in ("earlier", "later", "early", "late") and scene.word(at + 1) in TODAY:
        start, end = (today.start, scene.now) if word.startswith("earl") else (scene.now, today.end)
        return (at + 2, Span(start=start, end=end, grain="day", approximate=True)) if start != end else None
    if word in ("right", "just") and scene.word(at + 1) == "now":
        return at + 2, unit("second", scene.now)
    if word in NOW:
        return (at + 1, unit("second", scene.now)) if _is_instant(scene, at) else None
    for words, days in ((TODAY, 0), (YESTERDAY, -1), (TOMORROW, 1)):
        if word in words:
            return at + 1, unit("day", shift(scene.now, "day", days))
    if word in TONIGHT:
        tonight = part_of(today, "night")
        return (at + 1, tonight) if tonight else None
    return None


def _is_instant(scene: Scene, at: int) -> bool:
    """Tell whether "now" says when: not "now that", "now I see", "I now know", "for now"."""
    before, after = scene.word(at - 1), scene.at(at + 1)
    if scene.cued or scene.word(at) != "now":
        return True
    if before in ("for", "and", "just", "even", "only", "every") or after.word == "and":
        return False
    if before == "" or before in _ENDS:
        return not after.word or after.word in _IS or after.word in _ENDS
    return after.shape != "word" or not after.word or after.word in _AFTER_NOW


def _beyond(scene: Scene, at: int) -> Match | None:
    start = scene.skip(at, ("the",))
    word = scene.word(start)
    for side, anchors, days in (("before", YESTERDAY, -2), ("after", TOMORROW, 2)):
        if word in UNITS and UNITS[word] == "day" and scene.says(start + 1, side) and scene.word(start + 2) in anchors:
            return start + 3, unit("day", shift(scene.now, "day", days))
    if word == "night" and scene.says(start + 1, "before", "last"):
        part = part_of(unit("day", shift(scene.now, "day", -2)), "night")
        return (start + 3, part) if part else None
    return None


def _this_part(scene: Scene, at: int) -> Match | None:
    word, part = scene.word(at), scene.word(at + 1)
    days = {"this": 0, "last": -1, "yesterday": -1}.get(word)
    upto = at + 2
    if days is not None and part in ("early", "late") and scene.word(at + 2) in PARTS_LOOSE:
        part, upto = scene.word(at + 2), at + 3
    if days is None or part not in PARTS_LOOSE or part in ("eve", "dawn", "dusk"):
        return None
    if word == "last" and part not in ("night", "nite", "evening"):
        return None
    found = part_of(unit("day", shift(scene.now, "day", days)), part)
    return (upto, found) if found else None


def _other_day(scene: Scene, at: int) -> Match | None:
    if not scene.says(at, "the", "other"):
        return None
    word = scene.word(at + 2)
    if word in ("day", "night", "evening", "morning", "afternoon"):
        day = unit("day", shift(scene.now, "day", -3))
        found = day if word == "day" else part_of(day, word)
        return (at + 3, replace(found, approximate=True)) if found else None
    if word in ("week", "weekend", "month"):
        span = unit(UNITS[word], shift(scene.now, UNITS[word], -2))
        return at + 3, replace(span, approximate=True)
    return None

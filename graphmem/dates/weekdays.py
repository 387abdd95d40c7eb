"""Weekdays, and which of their spellings are words, names and stars instead."""

from __future__ import annotations

from datetime import timedelta

from graphmem.dates.cycles import Cycle
from graphmem.dates.lexicon import (
    CUES,
    FUNCTION,
    LAST,
    MANY_WEEKDAYS,
    MONTHS,
    NEXT,
    PARTS_LOOSE,
    SHY_WEEKDAYS,
    THIS,
    WEEKDAYS,
    word_set,
)
from graphmem.dates.month_days import clear
from graphmem.dates.scene import Scene
from graphmem.dates.spans import point

_SAYING = word_set("said says asked told thinks likes loves wants replied")
# What makes a name of the weekday before it: Sunday school.
_NAMESAKES = frozenset(["school", "schools", "roast", "roasts", "times"])
_KNOWN = (
    FUNCTION
    | CUES
    | MONTHS.keys()
    | WEEKDAYS.keys()
    | MANY_WEEKDAYS.keys()
    | word_set("eod cob eob cop business play morning afternoon evening night noon midnight")
)
_NAMING = frozenset(["named", "called", "name"])
_BEFORE_SHY_DAY = word_set("on last next every until til till by since from coming past before after")


def weekday_cycle(weekday: int) -> Cycle:
    """Return the cycle of that ISO weekday."""
    return Cycle(grain="day", period="week", make=lambda monday: point(monday + timedelta(days=weekday - 1), "day"))


def weekday(scene: Scene, at: int) -> tuple[int, Cycle] | None:
    """Read a weekday, where it is no star, verb or name."""
    token = scene.at(at)
    which = WEEKDAYS.get(token.word)
    if which is None or not _is_day(scene, at):
        return None
    return at + 1, weekday_cycle(which)


def _is_day(scene: Scene, at: int) -> bool:
    token, before, after = scene.at(at), scene.at(at - 1), scene.at(at + 1)
    if after.word in _NAMESAKES:
        return False
    if after.word in ("-", "to") and scene.word(at + 2) in WEEKDAYS and token.capital:
        return True
    if token.word not in SHY_WEEKDAYS:
        named = before.capital and scene.word(at - 2) not in ("", ".", "!", "?", '"') and token.capital
        known = before.word in _KNOWN
        timed = after.word in PARTS_LOOSE or after.shape == "clock"
        return (known or timed or not named) and after.word not in _SAYING and before.word not in _NAMING
    if scene.cued or before.word in _BEFORE_SHY_DAY or (token.capital and before.word in THIS | LAST | NEXT):
        return token.word != "sun" or token.capital or before.word in ("on", "last", "next")
    loose = token.word in ("fri", "thu", "tue") or (token.capital and before.shape == "word" and not before.capital)
    if loose and clear(scene, at + 1) and before.word not in ("the", "a"):
        return True
    timed = after.word in PARTS_LOOSE or after.shape == "clock" or after.word == "@"
    return (timed and before.word != "the") or (token.capital and after.word == "at")

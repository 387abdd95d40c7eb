"""What counts from now: two weeks ago, in three days, a week from now, two Fridays ago."""

from __future__ import annotations

from msgspec.structs import replace

from graphmem.dates.amounts import amount, moved, number
from graphmem.dates.cycles import Cycle, coming, last, within
from graphmem.dates.lexicon import (
    AROUND,
    MANY_WEEKDAYS,
    NOW,
    SEASONS,
    TODAY,
    VAGUE,
    WEEKDAYS,
    YESTERDAY,
)
from graphmem.dates.month_days import clear
from graphmem.dates.scene import Match, Scene, sure
from graphmem.dates.spans import Span, shift, unit
from graphmem.dates.written import season_cycle, weekday_cycle, weekend_cycle

_AGO = frozenset(["ago", "agao", "back", "earlier"])
_HENCE = frozenset(["hence", "later"])


def counted(scene: Scene, at: int) -> Match | None:
    """Read "two weeks ago", "in three days", "a week from now", "two Fridays ago"."""
    for rule in (_ago, _in, _cycles_ago):
        found = rule(scene, at)
        if found is not None:
            return found
    return None


def _ago(scene: Scene, at: int) -> Match | None:
    read = amount(scene, at)
    if read is None:
        return None
    upto, much = read
    sign, after = _direction(scene, at, upto)
    if not sign:
        return None
    there = moved(scene.now, much, sign)
    if sign < 0 and scene.word(after) in YESTERDAY:
        return after + 1, unit("day", shift(there, "day", -1))
    if scene.word(after - 1) in TODAY or (sign < 0 and scene.word(after) in TODAY):
        after = scene.skip(after, TODAY)
        return after, replace(unit("day", there), approximate=much.approximate)
    span = unit(much.grain, there)
    weekday = scene.skip(after, ("on", "this", "last"))
    if much.grain == "week" and scene.word(weekday) in WEEKDAYS:
        return weekday + 1, within(weekday_cycle(WEEKDAYS[scene.word(weekday)]), span) or span
    return after, replace(span, approximate=much.approximate)


def _direction(scene: Scene, at: int, upto: int) -> tuple[int, int]:
    """Return -1 for ago, 1 for from now, 0 for neither, and where that ends."""
    word, after = scene.word(upto), upto + 1
    if word in ("back", "earlier") and not clear(scene, after):
        return 0, at
    if word in _AGO:
        return -1, after
    if word == "from" and scene.word(after) in NOW | TODAY:
        return 1, after + 1
    if word in _HENCE and scene.tense(at, upto) != "past":
        return 1, after
    return 0, at


def _in(scene: Scene, at: int) -> Match | None:
    if scene.word(at) not in ("in", "within"):
        return None
    article = scene.word(at + 1) in ("the", "about")
    read = amount(scene, at + 1)
    if read is None or (article and scene.word(at + 1) == "the") or scene.tense(at, read[0], clause=True) == "past":
        return None
    upto, much = read
    upto = scene.skip(upto, ("'",))
    upto = scene.skip(upto, ("time",))
    if scene.word(at) == "within":
        return upto, Span(start=scene.now, end=moved(scene.now, much, 1), grain=much.grain, kind="range")
    if scene.word(upto) in _AGO or scene.word(at - 1) in ("once", "twice", "times"):
        return None
    return upto, replace(unit(much.grain, moved(scene.now, much, 1)), approximate=much.approximate)


def _cycles_ago(scene: Scene, at: int) -> Match | None:
    """Read "two Fridays ago", "a couple of weekends ago", "three Christmases from now"."""
    start = at + 1 if scene.word(at) in AROUND else at
    read = number(scene, start)
    count, upto, vague = (read[1], read[0], False) if read else (0, start, False)
    if read is None:
        upto = scene.skip(start, ("a",))
        word = scene.word(upto)
        if word in VAGUE:
            count, upto, vague = VAGUE[word], scene.skip(upto + 1, ("of",)), True
        elif upto > start:
            count = 1
    cycle = _many(scene, upto)
    if cycle is None or not 1 <= count <= 500:
        return None
    if scene.word(upto + 1) == "ago":
        return upto + 2, replace(sure(last(cycle, scene.now, count), upto + 2)[1], approximate=vague)
    if scene.word(upto + 1) == "later" and scene.tense(at, upto) != "past":
        return upto + 2, replace(sure(coming(cycle, scene.now, count), upto + 2)[1], approximate=vague)
    if scene.says(upto + 1, "from", "now"):
        return upto + 3, replace(sure(coming(cycle, scene.now, count), upto + 3)[1], approximate=vague)
    return None


def _many(scene: Scene, at: int) -> Cycle | None:
    word = scene.word(at)
    weekday = MANY_WEEKDAYS.get(word) or (WEEKDAYS.get(word) if word.endswith("day") else None)
    if weekday:
        return weekday_cycle(weekday)
    if word in ("weekend", "weekends"):
        return weekend_cycle()
    season = SEASONS.get(word) or SEASONS.get(word.removesuffix("s"))
    return season_cycle(season) if season and scene.word(at + 1) == "ago" else None

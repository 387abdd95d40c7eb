"""What counts from now: two weeks ago, in three days, a week from now, two Fridays ago."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from graphmem.dates.amounts import amount, moved, number
from graphmem.dates.cycles import Cycle, coming, last, within
from graphmem.dates.days import part_of
from graphmem.dates.lexicon import (
    AROUND,
    MANY_WEEKDAYS,
    NOW,
    PARTS,
    SEASONS,
    TODAY,
    TOMORROW,
    VAGUE,
    WEEKDAYS,
    YESTERDAY,
)
from graphmem.dates.month_days import clear
from graphmem.dates.scene import Match, Scene, sure
from graphmem.dates.spans import Span, shift, unit
from graphmem.dates.weekdays import weekday_cycle
from graphmem.dates.written import season_cycle, weekend_cycle

_AGO = frozenset(["ago", "agao", "back", "earlier"])
_HENCE = frozenset(["hence", "later"])


def counted(scene: Scene, at: int) -> Match | None:
    """Read "two weeks ago", "in three days", "a week from now", "two Fridays ago"."""
    for rule in (_ago, _in, _cycles_ago, _parts_ago, _weeks_on, _day_week):
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
    read = amount(scene, at + 1) if scene.word(at + 1) != "some" else None
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


def _how_many(scene: Scene, start: int) -> tuple[int, int, bool]:
    """Read a number, or a vague one: how many, where it ends, whether it is vague; none is 0."""
    read = number(scene, start)
    if read is not None:
        return read[1], read[0], False
    upto = scene.skip(start, ("a",))
    word = scene.word(upto)
    if word in VAGUE:
        return VAGUE[word], scene.skip(upto + 1, ("of",)), True
    return int(upto > start), upto, False


def _parts_ago(scene: Scene, at: int) -> Match | None:
    """Read "two nights ago", "a few mornings ago"."""
    count, upto, vague = _how_many(scene, at)
    name = scene.word(upto).removesuffix("s")
    if not count or name not in PARTS or scene.word(upto + 1) != "ago":
        return None
    part = part_of(unit("day", shift(scene.now, "day", -count)), name)
    return (upto + 2, replace(part, approximate=vague)) if part else None


def _cycles_ago(scene: Scene, at: int) -> Match | None:
    """Read "two Fridays ago", "a couple of weekends ago", "three Christmases from now"."""
    count, upto, vague = _how_many(scene, at + 1 if scene.word(at) in AROUND else at)
    cycle = many_cycle(scene, upto)
    if cycle is None or not 1 <= count <= 500:
        return None
    if scene.word(upto + 1) == "ago":
        return upto + 2, replace(sure(last(cycle, scene.now, count), upto + 2)[1], approximate=vague)
    if scene.word(upto + 1) == "later" and scene.tense(at, upto) != "past":
        return upto + 2, replace(sure(coming(cycle, scene.now, count), upto + 2)[1], approximate=vague)
    if scene.says(upto + 1, "from", "now"):
        return upto + 3, replace(sure(coming(cycle, scene.now, count), upto + 3)[1], approximate=vague)
    return None


def _weeks_on(scene: Scene, at: int) -> Match | None:
    """Read "a week on Friday", "two weeks tomorrow", "a fortnight today"."""
    read = amount(scene, at)
    if read is None or read[1].grain != "week" or scene.word(at - 1) in ("for", "took", "every", "per"):
        return None
    linked = scene.skip(read[0], ("on", "from"))
    day = _near_day(scene, linked)
    if day is None or (scene.word(read[0]) != "from" and scene.tense(at, linked + 1) == "past"):
        return None
    return linked + 1, unit("day", moved(day, read[1], 1))


def _day_week(scene: Scene, at: int) -> Match | None:
    """Read the British "Friday week", "tomorrow fortnight": that day, and a week more."""
    word = scene.word(at + 1)
    day = _near_day(scene, at) if word in ("week", "fortnight") and clear(scene, at + 2) else None
    return (at + 2, unit("day", shift(day, "week", 1 + (word == "fortnight")))) if day else None


def _near_day(scene: Scene, at: int) -> datetime | None:
    word = scene.word(at)
    if word in TODAY | TOMORROW:
        return shift(scene.now, "day", int(word in TOMORROW))
    found = coming(weekday_cycle(WEEKDAYS[word]), scene.now) if word in WEEKDAYS else None
    return found.start if found else None


def many_cycle(scene: Scene, at: int) -> Cycle | None:
    """Return the cycle of what can be counted off: Fridays, weekends, summers."""
    word = scene.word(at)
    weekday = MANY_WEEKDAYS.get(word) or (WEEKDAYS.get(word) if word.endswith("day") else None)
    if weekday:
        return weekday_cycle(weekday)
    if word in ("weekend", "weekends"):
        return weekend_cycle()
    season = SEASONS.get(word) or SEASONS.get(word.removesuffix("s"))
    return season_cycle(season) if season and (scene.word(at + 1) == "ago" or word not in SEASONS) else None

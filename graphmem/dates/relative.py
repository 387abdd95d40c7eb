"""Last, this, next and coming; what comes round with nothing beside it; the last so many."""

from __future__ import annotations

from graphmem.dates.cycles import Cycle, bare, coming, following, last, this
from graphmem.dates.lexicon import (
    COMING,
    LAST,
    NEXT,
    PARTS_LOOSE,
    THIS,
    UNITS,
)
from graphmem.dates.month_days import clear
from graphmem.dates.scene import Match, Scene, sure
from graphmem.dates.spans import Span, rank, shift, unit
from graphmem.dates.written import holiday, named, weekend_cycle

# Of these "the next one" is told of a story, not of the moment of speaking.
_STORIED = frozenset(["day", "second", "minute"])


def modified(scene: Scene, at: int) -> Match | None:
    """Read last, this, next and coming, before a unit or before what comes round."""
    start = scene.skip(at, ("the",))
    which, after = _which(scene, start)
    if not which:
        return None
    grain = UNITS.get(scene.word(after))
    if grain is not None and grain not in ("weekend", "half") and scene.at(after).shape == "word":
        return _unit_of(scene, at, after, which)
    if scene.word(after) == "fortnight" and which != "this":
        return _rolling(scene, after + 1, which, "week", 2)
    found = named(scene, after)
    if found is None:
        return None
    upto, cycle = found
    return sure(_chosen(scene, cycle, which, at, upto), upto)


def _which(scene: Scene, at: int) -> tuple[str, int]:
    word, after = scene.word(at), scene.word(at + 1)
    if word in THIS:
        if after in LAST:
            return "last", at + 2
        if after in COMING or after in NEXT:
            return "coming", at + 2
        return "this", at + 1
    for words, which in ((LAST, "last"), (NEXT, "next"), (COMING, "coming")):
        if word in words:
            return which, at + 1
    return "", at


def _chosen(scene: Scene, cycle: Cycle, which: str, at: int, upto: int) -> Span | None:
    if which == "last":
        return last(cycle, scene.now)
    if which == "next":
        return following(cycle, scene.now)
    if which == "coming":
        return coming(cycle, scene.now)
    return this(cycle, scene.now, scene.tense(at, upto))


def _unit_of(scene: Scene, at: int, after: int, which: str) -> Match | None:
    step = UNITS[scene.word(after)]
    if scene.word(after).endswith("s") and len(scene.word(after)) > 3 and scene.word(after) != "hrs":
        return None
    if step in _STORIED or (step == "season" and which != "this"):
        return None
    rolling = scene.word(at) == "the" or scene.word(at + 1) == "past" or scene.word(at) == "past" or step == "hour"
    if rolling and which in ("last", "next") and scene.word(after - 1) not in ("previous", "prior"):
        if scene.word(after + 1) == "of":
            return None
        return _rolling(scene, after + 1, which, step, 1)
    count = {"last": -1, "this": 0, "next": 1, "coming": 1}[which]
    return after + 1, unit(step, shift(scene.now, step, count))


def _rolling(scene: Scene, upto: int, which: str, step: str, count: int) -> Match:
    return upto, rolling(scene, which, UNITS[step], count)


def rolling(scene: Scene, which: str, step: str, count: int) -> Span:
    """Return "the last 10 days": whole days before today; "the next": from tomorrow. Hours count from now."""
    grain = UNITS[step]
    today = unit("day", scene.now)
    past, ahead = (today.start, today.end) if rank(grain) >= rank("day") else (scene.now, scene.now)
    origin = past if which == "last" else ahead
    other = shift(origin or scene.now, grain, -count if which == "last" else count)
    start, end = (other, origin) if which == "last" else (origin, other)
    return Span(start=start, end=end, grain=grain, kind="range")


def before_last(scene: Scene, at: int) -> Match | None:
    """Read "the week before last", "the Friday before last", "the year after next"."""
    start = scene.skip(at, ("the",))
    word = scene.word(start)
    for side, which, count in (("before", "last", -2), ("after", "next", 2)):
        if not scene.says(start + 1, side, which) or named(scene, start + 2) or scene.word(start + 3) in UNITS:
            continue
        if word in UNITS and UNITS[word] not in ("weekend", "half", "day"):
            return start + 3, unit(UNITS[word], shift(scene.now, UNITS[word], count))
        cycle = weekend_cycle() if word == "weekend" else _cycle_named(scene, start)
        if cycle is not None:
            found = last(cycle, scene.now, 2) if count < 0 else coming(cycle, scene.now, 2)
            return sure(found, start + 3)
    return None


def _cycle_named(scene: Scene, at: int) -> Cycle | None:
    found = named(scene, at)
    return found[1] if found and found[0] == at + 1 else None


def alone(scene: Scene, at: int) -> Match | None:
    """Read what comes round with nothing beside it: the tense decides."""
    start = scene.skip(at, ("the",)) if scene.at(at + 1).shape == "word" else at
    found = named(scene, start)
    if found is None:
        return None
    upto, cycle = found
    if start > at and cycle.grain == "month":
        return None
    tense = scene.tense(at, upto)
    if cycle.grain == "season" and tense == "present" and not scene.cued:
        return None
    if cycle.grain == "day" and cycle.period == "year" and not _free(scene, at, start, upto):
        return None
    if cycle.grain == "weekend" and tense == "":
        tense = "past" if scene.now.isoweekday() < 3 else "future"
    return sure(bare(cycle, scene.now, tense), upto)


def _free(scene: Scene, at: int, start: int, upto: int) -> bool:
    """Tell whether a holiday stands for its day and not for a tree or a party."""
    if holiday(scene, start) is None or scene.cued:
        return True
    before = scene.word(at - 1)
    if before in ("on", "at", "since", "until", "till", "before", "after", "by", "over", "around", "during", "for"):
        return clear(scene, upto) or before != "for"
    return (clear(scene, upto) or scene.word(upto) in PARTS_LOOSE) and before not in (
        "a",
        "my",
        "our",
        "his",
        "her",
        "their",
        "merry",
        "happy",
        "of",
    )

"""So much time up to now or from now on: the last 10 days, the next two Fridays, the coming weeks."""

from __future__ import annotations

from msgspec.structs import replace

from graphmem.dates.amounts import Amount, amount, bare_amount, moved, number
from graphmem.dates.counted import many_cycle
from graphmem.dates.cycles import coming, last
from graphmem.dates.lexicon import COMING, LAST, NEXT, UNITS, VAGUE
from graphmem.dates.relative import rolling
from graphmem.dates.scene import Match, Scene
from graphmem.dates.spans import Span, rank


def stretch(scene: Scene, at: int) -> Match | None:
    """Read "the last 10 days", "these past two weeks", "the next couple of months"."""
    start = at + 1 if scene.word(at) in ("the", "these", "this") else at
    word = scene.word(start)
    which = "last" if word in LAST or word == "recent" else "next" if word in NEXT | COMING else ""
    if not which:
        return None
    start = start + 1 if scene.word(start + 1) not in LAST else start + 2
    counted_off = _many(scene, start, which) or _uncounted(scene, at, start, which)
    if counted_off is not None:
        return counted_off
    read = amount(scene, start) or bare_amount(scene, start)
    if read is None or (scene.word(start) in ("a", "an") and scene.word(start + 1) not in ("few", "couple")):
        return None
    upto, much = read
    if scene.word(upto) in ("of", "before", "after"):
        return None
    if len(much.steps) > 1:
        return upto, _mixed(scene, which, much)
    count, grain = much.steps[0]
    if not 1 <= count <= 100_000:
        return None
    return upto, replace(rolling(scene, which, grain, count), approximate=much.approximate)


def _mixed(scene: Scene, which: str, much: Amount) -> Span:
    """Return "the last year and a half": counted like whole days where no hours are in it."""
    edge = rolling(scene, which, much.grain, 1)
    origin = (edge.end if which == "last" else edge.start) or scene.now
    there = moved(origin, much, -1 if which == "last" else 1)
    start, end = (there, origin) if which == "last" else (origin, there)
    return Span(start=start, end=end, grain=much.grain, kind="range", approximate=much.approximate)


def _many(scene: Scene, at: int, which: str) -> Match | None:
    """Read "the last two Fridays", "the next few weekends": from the first of them to the end of the last."""
    vague = scene.word(at) in VAGUE
    read = (scene.skip(at + 1, ("of",)), VAGUE[scene.word(at)]) if vague else number(scene, at)
    cycle = many_cycle(scene, read[0]) if read else None
    if read is None or cycle is None or not 2 <= read[1] <= 100:
        return None
    ends = [(last if which == "last" else coming)(cycle, scene.now, count) for count in (1, read[1])]
    if ends[0] is None or ends[1] is None:
        return None
    first, final = (ends[1], ends[0]) if which == "last" else (ends[0], ends[1])
    span = Span(start=first.start, end=final.end, grain=cycle.grain, kind="range", approximate=vague)
    return read[0] + 1, span


def _uncounted(scene: Scene, at: int, start: int, which: str) -> Match | None:
    """Read "in the coming weeks", "the last months", "recent years": as a few of them."""
    word = scene.word(start)
    grain = UNITS.get(word)
    if grain is None or rank(grain) < rank("day") or not word.endswith("s") or len(word) < 4 or grain == "weekend":
        return None
    if scene.word(start + 1) in ("of", "before", "after") or (at == start - 1 and scene.word(at) in LAST | NEXT):
        return None
    return start + 1, replace(rolling(scene, which, grain, VAGUE["few"]), approximate=True)

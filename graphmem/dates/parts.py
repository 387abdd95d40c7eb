"""Pieces of longer spans: mid-June, the end of the month, the last Friday of March, the second half of 2023, the 90s."""

from __future__ import annotations

from datetime import datetime, timedelta

from msgspec.structs import replace

from graphmem.dates.amounts import number
from graphmem.dates.cycles import within
from graphmem.dates.found import Granularity
from graphmem.dates.lexicon import DECADES, EARLY, LATE, MIDDLE, ORDINALS, TODAY, UNITS, VAGUE, word_set
from graphmem.dates.month_days import year_number
from graphmem.dates.scene import Match, Scene, sure
from graphmem.dates.spans import Span, cut, day_of, rank, shift, unit
from graphmem.dates.written import named, weekend_cycle

_WHOSE = word_set("his her my your our their whose")
_HEAT = word_set("temperature temperatures temps degrees weather highs lows high low hot warm cold fahrenheit humid")
_OF = frozenset(["of", "in"])
_PARTS = dict.fromkeys(EARLY, "early") | dict.fromkeys(MIDDLE, "mid") | dict.fromkeys(LATE, "late")


def outer(scene: Scene, at: int) -> Match | None:
    """Read what a piece is taken of: a moment, or "the month" for the one that it is."""
    for start in (at, at + 1):
        grain = UNITS.get(scene.word(start))
        if grain is None or rank(grain) < rank("day") or grain == "half" or scene.word(start).endswith("s"):
            continue
        if (start == at or scene.word(at) == "the") and scene.word(start + 1) not in ("of", "before", "after"):
            return start + 1, unit(grain, scene.now)
    return scene.inner(at)


def thirds(scene: Scene, at: int) -> Match | None:
    """Read early, mid, late; the beginning, middle, end of."""
    start = scene.skip(at, ("the",))
    word = scene.word(start)
    if word in ("earlier", "later"):
        return _so_far(scene, start)
    part = _PARTS.get(word, "")
    if not part or (start > at and word in ("early", "late") and scene.word(start + 1) not in ("of", "in")):
        return _era_part(scene, at) if part else None
    after = scene.skip(start + 1, _OF if word != "mid" else ())
    if word in ("beginning", "start", "end", "middle") and after == start + 1:
        return None
    through = _PARTS.get(scene.word(start + 2), "") if scene.word(start + 1) in ("to", "or") else ""
    if through:
        after = scene.skip(start + 3, _OF if scene.word(start + 2) != "mid" else ())
    if (
        word == "end"
        and scene.says(after, "the", "day")
        and scene.word(start - 1 - scene.says(start - 1, "the")) == "at"
    ):
        return None  # an idiom
    found = outer(scene, after)
    if found is None or found[1].kind != "point" or rank(found[1].grain) < rank("part_of_day"):
        return None
    if found[1].grain == "decade" and scene.word(at - 1) in _WHOSE:
        return None  # in his mid-30s
    whole = cut(found[1], part)
    return found[0], replace(whole, end=cut(found[1], through).end) if through else whole


def _era_part(scene: Scene, at: int) -> Match | None:
    """Read "the early 2000s", "the late nineties": the article stands before the part."""
    word = scene.word(at + 1)
    part = _PARTS.get(word, "")
    found = era(scene, at + 2, article=True) if part and scene.word(at) == "the" else None
    return (found[0], cut(found[1], part)) if found else None


def elapsed(scene: Scene, at: int) -> Match | None:
    """Read "the rest of the week", "so far this year", "year to date"."""
    start = scene.skip(at, ("the",))
    if scene.word(start) in ("rest", "remainder") and scene.word(start + 1) == "of":
        return _side(scene, outer(scene, start + 2), "rest")
    if scene.says(start, "so", "far") and scene.word(start + 2) == "this":
        return _side(scene, outer(scene, start + 2), "far")
    grain = UNITS.get(scene.word(start))
    if grain in ("month", "quarter", "year") and scene.says(start + 1, "to", "date"):
        return _side(scene, (start + 3, unit(grain, scene.now)), "far")
    return None


def _side(scene: Scene, found: Match | None, side: str) -> Match | None:
    """Return what is left of a span, or what of it is over."""
    if found is None or found[1].start is None or found[1].end is None:
        return None
    start, end = found[1].start, found[1].end
    if not start < scene.now < end:
        return None
    start, end = (scene.now, end) if side == "rest" else (start, scene.now)
    return found[0], replace(found[1], start=start, end=end, kind="range")


def _so_far(scene: Scene, at: int) -> Match | None:
    """Read "earlier this week", "later this year"."""
    after = scene.skip(at + 1, ("in",))
    found = outer(scene, after) if scene.word(after) in ("this", "the") or scene.word(after) in TODAY else None
    if found is None or found[1].start is None or found[1].end is None:
        return None
    start, end = found[1].start, found[1].end
    if scene.word(at) == "earlier":
        end = min(end, scene.now)
    else:
        start = max(start, scene.now)
    return (found[0], replace(found[1], start=start, end=end, approximate=True)) if start < end else None


def nth(scene: Scene, at: int) -> Match | None:
    """Read "the last Friday of March", "the first two weeks of June", "the third quarter of 2023"."""
    start = scene.skip(at, ("the",))
    which = _ordinal(scene, start)
    if not which:
        return None
    after, count = _how_many(scene, start + 1)
    upto = after + 1
    grain = UNITS.get(scene.word(after))
    if scene.word(upto) not in ("of", "in"):
        if grain not in ("quarter", "half") or year_number(scene, upto) is None:
            return None
        upto = after
    found = outer(scene, upto + 1) if grain or named(_cued(scene), after) else None
    if found is None or found[1].kind != "point" or found[1].start is None or found[1].end is None:
        return None
    end, whole = found
    if grain == "weekend":
        return sure(within(weekend_cycle(), whole, which), end)
    if grain is not None:
        piece = _block(whole, grain, which, count)
        return (end, piece) if piece else None
    cycle = named(_cued(scene), after)
    if cycle is None or cycle[0] != upto or rank(whole.grain) < rank("week"):
        return None
    return sure(within(cycle[1], whole, which), end)


def _ordinal(scene: Scene, at: int) -> int:
    token = scene.at(at)
    if token.word in ("last", "final"):
        return -1
    return ORDINALS.get(token.word) or (int(token.word[:-2]) if token.shape == "ordinal" else 0)


def _how_many(scene: Scene, at: int) -> tuple[int, int]:
    if scene.word(at) in VAGUE:
        return at + 1, VAGUE[scene.word(at)]
    return number(scene, at) or (at, 1)


def _cued(scene: Scene) -> Scene:
    other = scene.after(scene.now)
    other.spoken = None
    return other


def _block(whole: Span, grain: Granularity, which: int, count: int) -> Span | None:
    """Return the nth run of ``count`` units of ``whole``, counted from its beginning or back from its end."""
    if whole.start is None or whole.end is None:
        return None
    if grain == "half" and which in (-1, 1, 2) and count == 1:
        middle = (
            whole.start + (whole.end - whole.start) / 2 if whole.grain != "year" else shift(whole.start, "month", 6)
        )
        start, end = (whole.start, middle) if which == 1 else (middle, whole.end)
        return Span(start=start, end=end, grain=grain)
    if rank(grain) >= rank(whole.grain) or count > 100 or count < 1:
        return None
    if grain == "week" and count == 1:
        return _week(whole.start, whole.end, which)
    if which < 0:
        start, end = shift(whole.end, grain, -count), whole.end
    else:
        start = shift(whole.start, grain, (which - 1) * count)
        end = shift(start, grain, count)
    if start < whole.start or start >= whole.end:
        return None
    return Span(start=start, end=end, grain=grain, kind="range" if count > 1 else "point")


def _week(first: datetime, end: datetime, which: int) -> Span | None:
    """Return the nth ISO week: one belongs where its Thursday is, as in the weeks of a year."""
    if which > 0:
        thursday = first + timedelta(days=(3 - first.weekday()) % 7 + 7 * (which - 1))
    else:
        thursday = end - timedelta(days=(end.weekday() - 4) % 7 + 1)
    return unit("week", thursday) if first <= thursday < end else None


def era(scene: Scene, at: int, *, article: bool = False) -> Match | None:
    """Read "the 90s", "the 1980s", "the nineties", "the 19th century"."""
    start = scene.skip(at, ("the",))
    article = article or start > at or scene.cued
    token = scene.at(start)
    if token.word == "twenty" and scene.word(start + 2) == "century":
        return _century(scene, start + 1)
    if scene.word(start + 1) in ("century", "centuries"):
        return _century(scene, start)
    first = DECADES.get(token.word, -1)
    if token.shape == "decade":
        first = int("".join(digit for digit in token.word if digit.isdigit()))
    if first < 0:
        return None
    if first < 100:
        if not article or scene.word(at - 1) in _WHOSE or _HEAT & set(scene.words[max(0, at - 6) : at]):
            return None
        first += 2000 if first <= scene.now.year % 100 else 1900
    if not 1000 <= first <= 2999:
        return None
    years = 100 if first % 100 == 0 and first % 1000 else 10
    return start + 1, _years(first, years)


def _century(scene: Scene, at: int) -> Match | None:
    token = scene.at(at)
    which = ORDINALS.get(token.word) or (int(token.word[:-2]) if token.shape == "ordinal" else 0)
    if scene.word(at - 1) == "twenty":
        which += 20
    return (at + 2, _years(which * 100 - 100, 100)) if 10 < which < 31 else None


def _years(first: int, count: int) -> Span:
    start = day_of(first, 1, 1)
    begin = start.start if start else None
    end = shift(begin, "year", count) if begin else None
    return Span(start=begin, end=end, grain="century" if count == 100 else "decade")

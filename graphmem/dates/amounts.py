"""How much time: "two weeks", "a couple of days", "a year and a half", "2-3 months"."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from graphmem.dates.found import Granularity
from graphmem.dates.lexicon import AROUND, SMALL, STEPS, TENS, VAGUE
from graphmem.dates.scene import Scene, once
from graphmem.dates.spans import rank, shift

# A half of a unit, in a finer one.
_HALVES: dict[Granularity, tuple[int, Granularity]] = {
    "century": (50, "year"),
    "decade": (5, "year"),
    "year": (6, "month"),
    "quarter": (45, "day"),
    "month": (15, "day"),
    "week": (3, "day"),
    "day": (12, "hour"),
    "hour": (30, "minute"),
    "minute": (30, "second"),
}
_FILLING = frozenset(["whole", "full", "more", "short", "long", "good"])
_FORTNIGHTS = frozenset(["fortnight", "fortnights"])
_OR_SO = (["or", "two"], ["or", "so"], ["or", "three"])
Step = tuple[int, Granularity]


class Amount(Struct, frozen=True, kw_only=True):
    """So many of each unit; ``grain`` is the finest of them."""

    steps: tuple[Step, ...]
    grain: Granularity
    approximate: bool = False


def moved(moment: datetime, amount: Amount, sign: int) -> datetime:
    """Return ``moment`` moved by ``amount``; weekdays and weekends count as weeks."""
    for count, step in amount.steps:
        moment = shift(moment, step, sign * count)
    return moment


def amount(scene: Scene, at: int) -> tuple[int, Amount] | None:
    """Read a length of time: where it ends, and how much it is."""
    return once(scene, _amount, at)


def _amount(scene: Scene, at: int) -> tuple[int, Amount] | None:
    start = at
    vague = False
    if scene.word(start) == "just":
        return None
    while scene.word(start) in AROUND or scene.word(start) in ("more", "less", "than", "just", "at", "least"):
        vague, start = vague or scene.word(start) not in ("just", "exactly"), start + 1
    read = _single(scene, start)
    if read is None:
        return None
    upto, found = read
    joint = scene.skip(upto, ("and", ","))
    more = _single(scene, joint) if joint > upto or scene.at(upto).shape == "number" else None
    if more is not None and rank(more[1].grain) < rank(found.grain) and not found.approximate:
        upto = more[0]
        found = Amount(steps=found.steps + more[1].steps, grain=more[1].grain, approximate=more[1].approximate)
    return upto, replace(found, approximate=found.approximate or vague)


def _single(scene: Scene, at: int) -> tuple[int, Amount] | None:
    if scene.word(at) == "half" and scene.word(at + 1) in ("a", "an"):
        return _half(scene, at + 2)
    if scene.word(at) == "a" and scene.word(at + 1) == "half":
        return _half(scene, at + 2)
    return _dial(scene, at) or _quarters(scene, at) or _units(scene, at)


def bare_amount(scene: Scene, at: int) -> tuple[int, Amount] | None:
    """Read one unit and a half, or half of one, without its article: the last "half hour", the last "year and a half"."""
    if scene.word(at) == "half":
        return _half(scene, at + 1)
    step = STEPS.get(scene.word(at))
    if step is None or not (scene.says(at + 1, "and", "a", "half") and step in _HALVES):
        return None
    return at + 4, _with_half(1, step, True, False)


def _units(scene: Scene, at: int) -> tuple[int, Amount] | None:
    read = _count(scene, at)
    if read is None:
        return None
    upto, count, vague, half = read
    upto = scene.skip(upto, _FILLING)
    step = _step(scene, at, upto)
    if step is None:
        return None
    if scene.word(upto) in _FORTNIGHTS:
        count *= 2
    upto += 1
    if scene.says(upto, "and", "a", "half") or scene.says(upto, "and", "half"):
        half, upto = True, upto + (3 if scene.says(upto, "and", "a") else 2)
    if scene.words[upto : upto + 2] in _OR_SO:
        vague, upto = True, upto + 2
    return upto, _with_half(count, step, half, vague)


def _step(scene: Scene, at: int, upto: int) -> Granularity | None:
    """Return the unit that stands there; of one letter only where it touches its number."""
    word = scene.word(upto)
    if word in _FORTNIGHTS:
        return "week"
    if len(word) == 1 and scene.at(upto).spaced:
        return None
    if word == "m":  # metres, unless they are over or an hour stands before
        return "minute" if scene.word(upto + 1) == "ago" or scene.word(at - 1) == "h" else None
    return STEPS.get(word)


def _dial(scene: Scene, at: int) -> tuple[int, Amount] | None:
    """Read "1h30"."""
    hours, _, minutes = scene.word(at).partition("h")
    if scene.at(at).shape != "clock" or not (hours.isdecimal() and minutes.isdecimal()):
        return None
    steps: tuple[Step, ...] = ((int(hours), "hour"), (int(minutes), "minute"))
    return scene.skip(at + 1, ("m",)), Amount(steps=steps, grain="minute")


def _quarters(scene: Scene, at: int) -> tuple[int, Amount] | None:
    """Read "a quarter of an hour", "three quarters of an hour"."""
    count = {"a": 1, "quarter": 1, "three": 3}.get(scene.word(at), 0)
    after = at if scene.word(at) == "quarter" else at + 1
    if not count or scene.word(after) not in ("quarter", "quarters"):
        return None
    end = after + 4 if scene.says(after + 1, "of", "an", "hour") else after + 2 if scene.says(after + 1, "hour") else 0
    return (end, Amount(steps=((15 * count, "minute"),), grain="minute")) if end else None


def _with_half(count: int, step: Granularity, half: bool, vague: bool) -> Amount:
    if not half or step not in _HALVES:
        return Amount(steps=((count, step),), grain=step, approximate=vague)
    finer = _HALVES[step]
    steps = ((count, step), finer) if count else (finer,)
    return Amount(steps=steps, grain=finer[1], approximate=vague)


def _half(scene: Scene, at: int) -> tuple[int, Amount] | None:
    step = STEPS.get(scene.word(at))
    return (at + 1, _with_half(0, step, True, False)) if step in _HALVES else None


def _count(scene: Scene, at: int) -> tuple[int, int, bool, bool] | None:
    """Read how many: the end, the number, whether it is vague, whether a half is added."""
    token = scene.at(at)
    if token.shape == "fraction":
        whole, part = token.word.split(".")
        return (at + 1, int(whole), False, True) if part in ("5", "50") else None
    if token.word in ("a", "an") and scene.word(at + 1) in VAGUE:
        at, token = at + 1, scene.at(at + 1)
    if token.word in VAGUE:
        return scene.skip(at + 1, ("of",)), VAGUE[token.word], True, False
    read = number(scene, at)
    if read is None:
        return (at + 1, 1, False, False) if token.word in ("a", "an") else None
    upto, count = read
    vague = False
    if scene.word(upto) in ("or", "to", "-"):
        other = number(scene, upto + 1)
        if other is not None and other[1] > count:
            upto, vague = other[0], True
    if scene.says(upto, "and", "a", "half"):
        return upto + 3, count, vague, True
    return upto, count, vague, False


def number(scene: Scene, at: int) -> tuple[int, int] | None:
    """Read a whole number in digits or words."""
    token = scene.at(at)
    if token.shape == "number":
        return at + 1, int(token.word)
    if token.word == "a" and scene.word(at + 1) in ("hundred", "dozen", "thousand"):
        at, token = at + 1, scene.at(at + 1)
    if token.word in ("hundred", "dozen", "thousand"):
        return at + 1, {"hundred": 100, "dozen": 12, "thousand": 1000}[token.word]
    if token.word in TENS and scene.word(at + 1) in SMALL and SMALL[scene.word(at + 1)] < 10:
        return at + 2, TENS[token.word] + SMALL[scene.word(at + 1)]
    value = TENS.get(token.word) or SMALL.get(token.word)
    if value is None:
        return None
    if scene.word(at + 1) == "hundred":
        return at + 2, value * 100
    return at + 1, value

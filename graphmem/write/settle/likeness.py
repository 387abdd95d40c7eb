"""When two entries say the same: words in common, values in common, and what must never be taken for the same."""

from __future__ import annotations

import re

from graphmem.types import Entry
from graphmem.words import fold, terms

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_ARTICLE = re.compile(r"^(the|a|an|my|our|his|her|their|some) ")


def jaccard(one: str, other: str) -> float:
    """Return the share of terms that two texts have in common."""
    mine, theirs = set(terms(one)), set(terms(other))
    return len(mine & theirs) / len(mine | theirs) if mine | theirs else 0.0


def value(text: str | None) -> str:
    """Return a value in the form in which values are compared."""
    return _ARTICLE.sub("", " ".join(fold(text or "").split())).rstrip(".!")


def same_value(one: Entry, other: Entry) -> bool:
    """Say whether two objects are the same thing: equal words, or one a longer form of the other."""
    mine, theirs = value(one.object), value(other.object)
    if not mine or not theirs:
        return False
    if mine == theirs:
        return True
    left, right = set(terms(mine)) or {mine}, set(terms(theirs)) or {theirs}
    return numbers(mine) == numbers(theirs) and (
        left == right or (len(left & right) > 0 and (left < right or right < left))
    )


def numbers(text: str) -> list[str]:
    """Return the numbers of a text: where they differ, nothing else makes two texts alike."""
    return sorted(_NUMBER.findall(text))


def alike(one: Entry, other: Entry, least: float) -> bool:
    """Say whether two entries are near duplicates by their words. Other objects, numbers or polarity: never."""
    if one.negated != other.negated or numbers(one.text) != numbers(other.text):
        return False
    if one.object and other.object and not same_value(one, other):
        return False
    return jaccard(one.text, other.text) >= least


def apart_in_time(one: Entry, other: Entry) -> bool:
    """Say whether two entries speak of different times, as far as they say when."""
    a, b = one.validity, other.validity
    if a.valid_from and b.valid_from and a.valid_to and b.valid_to:
        return a.valid_to <= b.valid_from or b.valid_to <= a.valid_from
    if a.valid_to and b.valid_from:
        return a.valid_to <= b.valid_from
    if b.valid_to and a.valid_from:
        return b.valid_to <= a.valid_from
    return False


def richer(one: Entry, other: Entry) -> bool:
    """Say whether ``one`` says all that ``other`` says, and more."""
    mine, theirs = set(terms(one.text)), set(terms(other.text))
    more_time = _known(one) > _known(other)
    return (theirs < mine or (theirs == mine and more_time)) and _known(one) >= _known(other)


def _known(entry: Entry) -> int:
    return sum(time is not None for time in (entry.validity.valid_from, entry.validity.valid_to))


def names_value(entry: Entry, old: str) -> bool:
    """Say whether an entry holds the value that a speaker named as the old one."""
    words = set(terms(old)) or {value(old)}
    return bool(words) and words <= set(terms(f"{entry.object or ''} {entry.text}")) | {value(entry.object)}

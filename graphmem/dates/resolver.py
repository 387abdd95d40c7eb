"""The way through one text: left to right, at each token the longest expression that any rule reads there."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, tzinfo

from graphmem.dates.found import Found
from graphmem.dates.holidays import HOLIDAYS, Holiday, first_words_of
from graphmem.dates.lexer import speaks_of_time, tokens
from graphmem.dates.lexicon import STARTERS, word_set
from graphmem.dates.moments import moment
from graphmem.dates.open_ended import opened
from graphmem.dates.ranges import spread
from graphmem.dates.recurring import recurring
from graphmem.dates.scene import NOTHING, PADDING, Match, Scene, longest
from graphmem.dates.spans import Impossible
from graphmem.dates.stretches import stretch
from graphmem.errors import InvalidInput

_AFTER_NUMBER = word_set("- to or and & o'clock oclock of")
_FIRST_WORDS = first_words_of(HOLIDAYS)
# Frequent words that open a date only together with the next.
_THAN = frozenset(["later", "earlier", "sooner"])
_ONLY_BEFORE = {"so": frozenset(["far"]), "no": _THAN, "not": _THAN | {"before"}, "close": frozenset(["of"])}
_RULES = (moment, spread, stretch, opened, recurring)


def resolve(text: str, reference: datetime, *, holidays: Mapping[str, Holiday] = HOLIDAYS) -> list[Found]:
    """Return the dates that ``text`` speaks of when it is said at ``reference``, in order, never overlapping."""
    if reference.tzinfo is None or reference.utcoffset() is None:
        raise InvalidInput(
            "reference", f"{reference} has no time zone; pass an aware time, such as one ending in +00:00"
        )
    first_words = _FIRST_WORDS if holidays is HOLIDAYS else first_words_of(holidays)
    if not speaks_of_time(text, first_words):
        return []
    read = [*tokens(text), *[NOTHING] * PADDING]
    scene = Scene(
        tokens=read,
        words=[token.word for token in read],
        now=reference.replace(tzinfo=None),
        zone=reference.tzinfo,
        holidays=holidays,
        moment=moment,
        openers=first_words,
    )
    return list(_walk(scene, text, first_words))


def _walk(scene: Scene, text: str, first_words: frozenset[str]) -> list[Found]:
    found: list[Found] = []
    at = 0
    while at < len(scene.tokens) - PADDING:
        if not _may_begin(scene, at, first_words):
            at += 1
            continue
        match, after = _read(scene, at)
        if match is not None:
            found.append(_found(scene, text, at, match))
        at = after
    return found


def _may_begin(scene: Scene, at: int, first_words: frozenset[str]) -> bool:
    token, after = scene.at(at), scene.at(at + 1)
    if token.shape == "number":
        chained = scene.word(at - 1) == "-" == after.word and not token.spaced and not after.spaced
        return not chained and (len(token.word) == 4 or after.word in STARTERS or after.word in _AFTER_NUMBER)
    if token.shape == "word":
        if token.word in _ONLY_BEFORE:
            return after.word in _ONLY_BEFORE[token.word]
        return token.word in STARTERS or token.full in first_words or token.word[-1].isdigit()
    return token.shape not in ("sign", "junk")


def _read(scene: Scene, at: int) -> tuple[Match | None, int]:
    try:
        match = longest(scene, at, _RULES)
    except Impossible as none:
        return None, max(none.upto, at + 1)
    except (ValueError, OverflowError):  # before the year 1 or after 9999: a calendar has no such day
        return None, at + 1
    if match is None:
        return None, at + 1
    span = match[1]
    if span.start is not None and span.end is not None and span.start >= span.end:
        return None, at + 1
    return match, match[0]


def _found(scene: Scene, text: str, at: int, match: Match) -> Found:
    upto, span = match
    begin, last = scene.tokens[at].begin, scene.tokens[upto - 1]
    finish = (
        last.begin + len(last.full)
        if last.full.endswith("'s") and upto - at > 0 and _named(scene, upto)
        else last.finish
    )
    return Found(
        text=text[begin:finish],
        begin=begin,
        finish=finish,
        start=_aware(span.start, scene.zone),
        end=_aware(span.end, scene.zone),
        granularity=span.grain,
        approximate=span.approximate,
        kind=span.kind,
        recurring=span.recurring,
    )


def _named(scene: Scene, upto: int) -> bool:
    """Tell whether the genitive belongs to a holiday's name ("New Year's")."""
    names = scene.holidays
    words = [scene.at(upto - 1 - step).full for step in range(3)]
    return words[0] in names or f"{words[1]} {words[0]}" in names


def _aware(moment: datetime | None, zone: tzinfo | None) -> datetime | None:
    return None if moment is None else moment.replace(tzinfo=zone)

"""What every rule is given: the tokens, the moment, and how to read an expression inside of its own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import datetime, tzinfo
from typing import Any, TypeVar

from msgspec import Struct

from graphmem.dates.holidays import Holiday
from graphmem.dates.lexer import Token
from graphmem.dates.spans import Impossible, Span
from graphmem.dates.tense import Tense, tense

# Where the expression ends (the index of the token after it), and what it says.
Match = tuple[int, Span]
NOTHING = Token("sign", "", "", -1, -1)
# Rules look a few tokens back and ahead; this many empty ones at the end answer both.
PADDING = 16
DEEPEST = 5
T = TypeVar("T")


class Scene(Struct, kw_only=True):
    """One text at one moment. ``now`` is naive wall time in ``zone``; ``cued`` says that a date must stand here."""

    tokens: list[Token]
    words: list[str]
    now: datetime
    zone: tzinfo | None
    holidays: Mapping[str, Holiday]
    moment: Callable[[Scene, int], Match | None]
    cued: bool = False
    spoken: Tense | None = None
    depth: int = 0
    memo: dict[int, Match | None] = {}
    openers: frozenset[str] = frozenset()
    read: dict[tuple[str, int, bool], Any] = {}

    def at(self, index: int) -> Token:
        """Return that token, or an empty one beyond the ends (the padding, which -1 reaches too)."""
        return self.tokens[index]

    def word(self, index: int) -> str:
        """Return that token's folded text."""
        return self.words[index]

    def says(self, index: int, *words: str) -> bool:
        """Tell whether exactly these words stand there."""
        return self.words[index : index + len(words)] == list(words)

    def skip(self, index: int, words: Collection[str]) -> int:
        """Return the index after one optional word."""
        return index + 1 if self.words[index] in words else index

    def tense(self, begin: int, finish: int, *, clause: bool = False) -> Tense:
        """Return the tense of the clause around these tokens, or failing that of the sentence."""
        return self.spoken if self.spoken is not None else tense(self.tokens, begin, finish, clause=clause)

    def inner(self, index: int) -> Match | None:
        """Read a moment that stands inside of another expression."""
        if index in self.memo:
            return self.memo[index]
        if self.depth >= DEEPEST or index >= len(self.tokens) - PADDING:
            return None
        self.depth += 1
        cued, self.cued = self.cued, True
        try:
            found = self.moment(self, index)
        finally:
            self.depth -= 1
            self.cued = cued
        self.memo[index] = found
        return found

    def after(self, now: datetime) -> Scene:
        """Return the same text seen from ``now``, looking ahead: for the second half of a range."""
        return Scene(
            tokens=self.tokens,
            words=self.words,
            now=now,
            zone=self.zone,
            holidays=self.holidays,
            moment=self.moment,
            cued=True,
            spoken="future",
            depth=self.depth,
            openers=self.openers,
            memo={},
            read={},
        )


def once(scene: Scene, rule: Callable[[Scene, int], T], index: int) -> T:
    """Return what ``rule`` reads there, and read it only once: many rules begin with the same words."""
    key = (rule.__name__, index, scene.cued)
    if key in scene.read:
        kept: T = scene.read[key]
        return kept
    found = rule(scene, index)
    scene.read[key] = found
    return found


def sure(span: Span | None, upto: int) -> Match:
    """Return the match, or stop: these words look like a date and name none."""
    if span is None:
        raise Impossible(upto)
    return upto, span


def longest(scene: Scene, index: int, rules: Collection[Callable[[Scene, int], Match | None]]) -> Match | None:
    """Return the match of the rule that reads furthest; of equals the first."""
    best: Match | None = None
    for rule in rules:
        found = rule(scene, index)
        if found is not None and (best is None or found[0] > best[0]):
            best = found
    return best

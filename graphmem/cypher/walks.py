"""Paths of variable length have a bound: without one a query walks for ever."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.cypher.brackets import Place
from graphmem.cypher.lexer import Token, refuse
from graphmem.cypher.words import WALKS

MOST_STEPS = 6
_SHOULD = f"a path needs a bound from 1 to {MOST_STEPS}, as in [*1..3]"


def check_walks(tokens: Sequence[Token], where: Sequence[Place]) -> None:
    """Refuse a star in a relationship that is not followed by how far to go at most."""
    for number, token in enumerate(tokens):
        if token.is_("*") and where[number].inside == "edge":
            _check_bound(tokens, number + 1, token.start)


def _check_bound(tokens: Sequence[Token], number: int, at: int) -> None:
    number = _after_walk(tokens, number)
    low = _steps(tokens[number])
    number += low is not None
    high = low
    if tokens[number].is_(".."):
        high = _steps(tokens[number + 1])
        number += 2
    if high is None or high > MOST_STEPS or high < (low or 0) or not tokens[number].is_("]", "(", "{"):
        refuse(_SHOULD, at)


def _after_walk(tokens: Sequence[Token], number: int) -> int:
    """Skip SHORTEST, ALL SHORTEST, WSHORTEST(property), TRAIL and ACYCLIC."""
    while tokens[number].upper in WALKS | {"ALL"}:
        number += 1
    if tokens[number - 1].upper == "WSHORTEST" and tokens[number].is_("("):
        while not tokens[number].is_(")"):
            number += 1
        number += 1
    return number


def _steps(token: Token) -> int | None:
    return int(token.value) if token.kind == "number" and token.value.isdigit() else None

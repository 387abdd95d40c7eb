"""Where each token stands: inside of which bracket, how deep, and that every bracket is closed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from graphmem.cypher.lexer import Token, refuse
from graphmem.cypher.words import KEYWORDS

Inside = Literal["", "call", "cast", "group", "edge", "list", "map", "query"]
CLOSING = {"(": ")", "[": "]", "{": "}"}
MOST_DEPTH = 20


class Place(Struct, frozen=True):
    """The bracket that a token is in, and how many are open around it; a bracket itself is inside of what it opens."""

    inside: Inside
    depth: int


def places(tokens: Sequence[Token]) -> tuple[Place, ...]:
    """Return the place of each token."""
    found: list[Place] = []
    open_: list[tuple[Token, Inside]] = []
    for number, token in enumerate(tokens):
        if token.is_(*CLOSING):
            open_.append((token, _kind(tokens, number)))
            if len(open_) > MOST_DEPTH:
                refuse(f"more than {MOST_DEPTH} brackets are open at once", token.start)
        found.append(Place(open_[-1][1] if open_ else "", len(open_)))
        if token.is_(*CLOSING.values()):
            if not open_ or CLOSING[open_[-1][0].value] != token.value:
                refuse(f"{token.value!r} closes nothing", token.start)
            open_.pop()
    if open_:
        refuse(f"{open_[-1][0].value!r} is not closed", open_[-1][0].start)
    return tuple(found)


def _kind(tokens: Sequence[Token], number: int) -> Inside:
    before = tokens[number - 1] if number else None
    word = before.upper if before else ""
    match tokens[number].value:
        case "[":
            return "edge" if before and before.is_("-") else "list"
        case "{":
            return "query" if word in ("COUNT", "EXISTS") else "map"
        case _ if word and word not in KEYWORDS:
            return "cast" if word == "CAST" else "call"
    return "group"

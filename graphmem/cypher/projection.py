"""The last RETURN of a statement: what its columns are called, and how many rows it yields at most."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from graphmem.cypher.brackets import Place
from graphmem.cypher.lexer import Token

_AFTER = ("ORDER", "SKIP", "LIMIT")


def columns(text: str, tokens: Sequence[Token], where: Sequence[Place]) -> tuple[str, ...] | None:
    """Return the columns as the person wrote them, or ``None`` where Kùzu has to say (``*`` and UNION)."""
    begin = _returned(tokens, where)
    if begin is None or _union(tokens, where):
        return None
    top = [number for number in range(begin, len(tokens)) if where[number].depth == 0]
    end = next((number for number in top if tokens[number].upper in _AFTER and not _named(tokens, number)), len(tokens))
    begin += tokens[begin].upper == "DISTINCT" if begin < end else 0
    cuts = [begin - 1, *(number for number in top if begin <= number < end and tokens[number].is_(",")), end]
    items = [tokens[before + 1 : after] for before, after in pairwise(cuts)]
    if any(not item or item[0].is_("*") for item in items):
        return None
    return tuple(_name(text, item) for item in items)


def _name(text: str, item: Sequence[Token]) -> str:
    if len(item) > 2 and item[-2].upper == "AS":
        return item[-1].value
    if len(item) == 1 and item[0].kind == "quoted":
        return item[0].value
    return " ".join(text[item[0].start : item[-1].end].split())


def capped(tokens: Sequence[Token], where: Sequence[Place], pieces: list[str], rows: int) -> list[str]:
    """Return the pieces with a LIMIT of at most ``rows``, so that Kùzu does not make what nobody will see."""
    begin = _returned(tokens, where)
    if begin is None or _union(tokens, where):
        return pieces
    for number in range(begin, len(tokens)):
        if where[number].depth == 0 and tokens[number].upper == "LIMIT" and not _named(tokens, number):
            return _lowered(tokens, pieces, number + 1, rows)
    return [*pieces, f"LIMIT {rows}"]


def _lowered(tokens: Sequence[Token], pieces: list[str], number: int, rows: int) -> list[str]:
    if len(tokens) == number + 1 and tokens[number].kind == "number" and tokens[number].value.isdigit():
        return [*pieces[:number], str(min(rows, int(tokens[number].value)))]
    return pieces


def _returned(tokens: Sequence[Token], where: Sequence[Place]) -> int | None:
    """Return what comes after the last RETURN."""
    found = [
        number + 1
        for number, token in enumerate(tokens)
        if token.upper == "RETURN" and where[number].depth == 0 and not _named(tokens, number)
    ]
    return found[-1] if found else None


def _union(tokens: Sequence[Token], where: Sequence[Place]) -> bool:
    return any(
        token.upper == "UNION" and where[number].depth == 0 and not _named(tokens, number)
        for number, token in enumerate(tokens)
    )


def _named(tokens: Sequence[Token], number: int) -> bool:
    return number > 0 and (tokens[number - 1].is_(".") or tokens[number - 1].upper == "AS")

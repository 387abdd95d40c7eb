"""The guard: lets statements through that only read, and writes them anew for Kùzu.

Kùzu never sees what a person wrote. It sees the tokens that this module understood: keywords from a list, functions from a
list, and every other word in backticks, where it cannot be a keyword, known to us or not. So a difference between our lexer
and Kùzu's makes a statement fail and never lets one through.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from graphmem.cypher import words
from graphmem.cypher.brackets import Place, places
from graphmem.cypher.lexer import Token, lex, refuse
from graphmem.cypher.projection import capped, columns
from graphmem.cypher.walks import check_walks

# Parameters are arguments by name on the other side, where a name of ours must not be theirs.
PREFIX = "$p_"
_CALLABLE = ", ".join(f"{name.lower()}()" for name in sorted(words.CALLABLE))


class Statement(Struct, frozen=True, kw_only=True):
    """What is sent to Kùzu, the parameters that it asks for, and the columns as the person called them.

    ``marks`` are pairs of where a token begins here and where it began in the person's text.
    """

    text: str
    parameters: frozenset[str]
    columns: tuple[str, ...] | None
    marks: tuple[tuple[int, int], ...]


def guard(text: str, *, rows: int, empty: frozenset[str] = frozenset()) -> Statement:
    """Return the statement to run, which yields at most one row more than ``rows``; refuse what does more than read.

    Parameters that are ``empty`` lists are written out, because Kùzu cannot tell the type of such a value.
    """
    tokens = _only_one(lex(text))
    where = places(tokens)
    _check_opening(tokens[0])
    check_walks(tokens, where)
    pieces = [_piece(tokens, where, number) for number in range(len(tokens))]
    for number, token in enumerate(tokens):
        if token.kind == "parameter" and token.value in empty:
            pieces[number] = "[]"
    rendered, marks = _joined(tokens, capped(tokens, where, pieces, rows + 1))
    return Statement(
        text=rendered,
        parameters=frozenset(token.value for token in tokens if token.kind == "parameter"),
        columns=columns(text, tokens, where),
        marks=marks,
    )


def _only_one(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    while tokens and tokens[-1].is_(";"):
        tokens = tokens[:-1]
    if not tokens:
        refuse("is empty; begin with MATCH")
    for token in tokens:
        if token.is_(";"):
            refuse("one statement at a time; after ';' nothing may follow", token.start)
    return tokens


def _check_opening(token: Token) -> None:
    if token.upper not in words.OPENING:
        advice = words.ADVICE.get(token.upper)
        because = f": {advice}" if advice else ""
        refuse(
            f"{token.value!r} is not allowed{because}; a statement begins with {', '.join(words.OPENING)}", token.start
        )


def _piece(tokens: Sequence[Token], where: Sequence[Place], number: int) -> str:
    token = tokens[number]
    match token.kind:
        case "string":
            return "'" + token.value.replace("\\", "\\\\").replace("'", "\\'") + "'"
        case "parameter":
            return PREFIX + token.value
        case "quoted":
            if _at(tokens, number + 1, "("):
                refuse(f"the function `{token.value}` stands without backticks", token.start)
            return f"`{token.value}`"
        case "word":
            return _word(tokens, where, number)
    return token.value


def _word(tokens: Sequence[Token], where: Sequence[Place], number: int) -> str:
    """Return a word as Kùzu is to see it: a keyword or function as it is, anything else in backticks."""
    token = tokens[number]
    after_call = number > 0 and _is_clause(tokens, where, number - 1, "CALL")
    if after_call or (_at(tokens, number + 1, "(") and not _is_keyword(tokens, where, number)):
        _check_function(tokens, number, called=after_call, named=_is_name(tokens, where, number))
        return token.value
    if _is_keyword(tokens, where, number) or _is_type(tokens, where, number):
        if token.upper == "CALL" and (number + 1 == len(tokens) or tokens[number + 1].kind != "word"):
            refuse(f"CALL takes one of {_CALLABLE}", token.start)
        return token.value.upper()
    if not _is_name(tokens, where, number):
        _check_variable(tokens, where, number)
    return f"`{token.value}`"


def _check_function(tokens: Sequence[Token], number: int, *, called: bool, named: bool) -> None:
    token = tokens[number]
    if called and (token.upper not in words.CALLABLE or not _at(tokens, number + 1, "(")):
        refuse(f"CALL {token.value} is not allowed; CALL takes one of {_CALLABLE}", token.start)
    if called:
        return
    if named or token.upper not in words.FUNCTIONS:
        instead = words.INSTEAD.get(token.upper) or words.ADVICE.get(token.upper) or "docs/cypher.md lists them"
        refuse(f"{token.value!r} is not one of the functions; {instead}", token.start)


def _is_keyword(tokens: Sequence[Token], where: Sequence[Place], number: int) -> bool:
    word = tokens[number].upper
    if _is_name(tokens, where, number):
        return False
    if word in words.BEFORE_BRACKET:
        return _at(tokens, number + 1, "{")
    if word in words.WALKS:
        return where[number].inside == "edge"
    return word in words.KEYWORDS


def _is_name(tokens: Sequence[Token], where: Sequence[Place], number: int) -> bool:
    """Say whether a word can only be a name here: of a property, a map's key, a label or an alias."""
    if _at(tokens, number - 1, "."):
        return True
    inside = where[number].inside
    if inside == "map" and _at(tokens, number - 1, "{", ",") and _at(tokens, number + 1, ":"):
        return True
    if inside in ("group", "edge") and _at(tokens, number - 1, ":"):
        return True
    if inside in ("group", "edge") and _at(tokens, number - 1, "|"):
        return tokens[number].upper != "WHERE"
    return number > 0 and inside != "cast" and _is_clause(tokens, where, number - 1, "AS")


def _is_type(tokens: Sequence[Token], where: Sequence[Place], number: int) -> bool:
    return where[number].inside == "cast" and tokens[number - 1].upper == "AS" and tokens[number].upper in words.TYPES


def _is_clause(tokens: Sequence[Token], where: Sequence[Place], number: int, word: str) -> bool:
    return tokens[number].upper == word and not _is_name(tokens, where, number)


def _check_variable(tokens: Sequence[Token], where: Sequence[Place], number: int) -> None:
    token = tokens[number]
    because = words.ADVICE.get(token.upper)
    if token.upper in words.WRITES:
        refuse(f"{token.value!r} is not allowed: {because}; a name is written `{token.value}`", token.start)
    if number and _ends_value(tokens, where, number - 1):
        allowed = ", ".join(sorted(words.CLAUSES))
        refuse(
            f"{token.value!r} is not allowed here{f': {because}' if because else ''}; clauses are {allowed}",
            token.start,
        )


def _ends_value(tokens: Sequence[Token], where: Sequence[Place], number: int) -> bool:
    token = tokens[number]
    if token.kind == "operator":
        return token.is_(")", "]", "}")
    if token.kind == "word" and _is_keyword(tokens, where, number):
        return token.upper in words.ENDS_VALUE
    return True


def _at(tokens: Sequence[Token], number: int, *operators: str) -> bool:
    return 0 <= number < len(tokens) and tokens[number].is_(*operators)


def _joined(tokens: Sequence[Token], pieces: Sequence[str]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Put the pieces together, a space between those that had one; what was added stands at the end."""
    text, marks = "", []
    for number, piece in enumerate(pieces):
        token = tokens[min(number, len(tokens) - 1)]
        apart = number >= len(tokens) or (number > 0 and token.start > tokens[number - 1].end)
        text += " " if apart else ""
        marks.append((len(text), token.start))
        text += piece
    return text, tuple(marks)

"""Cypher text as tokens. What cannot be told with certainty is refused here, with its place."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal, NoReturn

from msgspec import Struct

from graphmem.errors import InvalidInput

TokenKind = Literal["word", "quoted", "string", "number", "parameter", "operator"]
MOST_CHARACTERS, MOST_TOKENS = 20_000, 4_000
_SKIPPED = re.compile(r"[ \t\r\n]+|//[^\n]*|/\*.*?\*/", re.DOTALL)
_WORD = re.compile(r"[^\W\d]\w*")
# 1..3 is a range of two numbers, and 1.x is a property of nothing.
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_PARAMETER = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")
_OPERATOR = re.compile(r"<>|<=|>=|=~|\.\.|[-+*/%^=<>()\[\]{},.:|;]")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_CODE = re.compile(r"u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})")


class Token(Struct, frozen=True):
    """A piece of the statement; ``value`` is what it means: a string without quotes and escapes, a name without backticks."""

    kind: TokenKind
    value: str
    start: int
    end: int

    @property
    def upper(self) -> str:
        """The word in capitals, if it may be a keyword; names in other letters never are."""
        return self.value.upper() if self.kind == "word" and self.value.isascii() else ""

    def is_(self, *operators: str) -> bool:
        """Say whether it is one of these operators."""
        return self.kind == "operator" and self.value in operators


def refuse(message: str, at: int | None = None) -> NoReturn:
    """Refuse the statement; ``at`` counts from 0, people count from 1."""
    raise InvalidInput("cypher", message if at is None else f"{message} (at character {at + 1})")


def lex(text: object) -> tuple[Token, ...]:
    """Return the tokens of a statement without comments."""
    if not isinstance(text, str):
        refuse(f"expected text, got {type(text).__name__}")
    if len(text) > MOST_CHARACTERS:
        refuse(f"has {len(text):,} characters, more than {MOST_CHARACTERS:,}; pass long values as parameters")
    tokens: list[Token] = []
    at = 0
    while at < len(text):
        if skipped := _SKIPPED.match(text, at):
            at = skipped.end()
            continue
        token = _next(text, at)
        tokens.append(token)
        at = token.end
        if len(tokens) > MOST_TOKENS:
            refuse(f"has more than {MOST_TOKENS:,} words and signs; pass long lists as parameters", at)
    return tuple(tokens)


def _next(text: str, at: int) -> Token:
    first = text[at]
    if first in "'\"":
        return _string(text, at)
    if first == "`":
        return _quoted(text, at)
    if text.startswith("/*", at):
        refuse("a comment that begins with /* does not end", at)
    if found := _WORD.match(text, at):
        return Token("word", _plain_word(found[0], at), at, found.end())
    if found := _NUMBER.match(text, at):
        return Token("number", _whole_number(found, text), at, found.end())
    if found := _PARAMETER.match(text, at):
        return Token("parameter", found[1], at, found.end())
    if found := _OPERATOR.match(text, at):
        return Token("operator", found[0], at, found.end())
    refuse(f"{_shown(first)} means nothing in Cypher outside of quotes", at)


def _whole_number(found: re.Match[str], text: str) -> str:
    if not found[0].isascii() or _WORD.match(text, found.end()):
        refuse(f"{text[found.start() : found.end() + 1]!r} is not a number", found.start())
    return found[0]


def _plain_word(word: str, at: int) -> str:
    """Refuse names that look like others: full-width letters, or letters of two scripts in one word."""
    if word.isascii():
        return word
    for offset, char in enumerate(word):
        if unicodedata.normalize("NFKC", char) != char or unicodedata.category(char) in ("Cf", "Co", "Cn"):
            refuse(f"{_shown(char)} looks like another sign; write it plainly, or the name in backticks", at + offset)
    scripts = {unicodedata.name(char, "?").split()[0] for char in word if char.isalpha()}
    if len(scripts & {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE"}) > 1:
        refuse(f"{word!r} mixes letters of {' and '.join(sorted(scripts))}; write the name in backticks", at)
    return word


def _quoted(text: str, at: int) -> Token:
    end = text.find("`", at + 1)
    if end < 0:
        refuse("a name that begins with ` does not end", at)
    name = text[at + 1 : end]
    if not name or text.startswith("`", end + 1):
        refuse("a name in backticks is neither empty nor holds a backtick", at)
    for offset, char in enumerate(name):
        if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            refuse(f"a name cannot hold {_shown(char)}", at + 1 + offset)
    return Token("quoted", name, at, end + 1)


def _string(text: str, at: int) -> Token:
    value: list[str] = []
    quote, here = text[at], at + 1
    while here < len(text):
        char = text[here]
        if char == quote:
            return Token("string", "".join(value), at, here + 1)
        if char == "\0" or unicodedata.category(char) == "Cs":
            refuse(f"text cannot hold {_shown(char)}", here)
        if char == "\\":
            char, here = _escape(text, here)
        else:
            here += 1
        value.append(char)
    refuse(f"text that begins with {quote} does not end", at)


def _escape(text: str, at: int) -> tuple[str, int]:
    """Return what a backslash and what follows mean, and where it goes on."""
    if code := _CODE.match(text, at + 1):
        number = int(code[1] or code[2], 16)
        if number == 0 or 0xD800 <= number < 0xE000 or number > 0x10FFFF:
            refuse(f"\\{code[0]} is not a character", at)
        return chr(number), code.end()
    char = text[at + 1 : at + 2]
    if char in _ESCAPES:
        return _ESCAPES[char], at + 2
    if char and char in "\\'\"`":
        return char, at + 2
    refuse(f"\\{char} is not an escape; a backslash itself is written \\\\", at)


def _shown(char: str) -> str:
    return (
        repr(char)
        if char.isprintable() and char.isascii()
        else f"U+{ord(char):04X} {unicodedata.name(char, '')}".strip()
    )

"""Text to tokens: words, whole numbers, and the numeric shapes that only a date or a time has.

Prices, versions, phone numbers, fractions and percentages become ``junk`` here, so that no rule ever sees their digits.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from graphmem.dates.lexicon import MONTHS, SMALL, TENS, TRIGGERS, WEEKDAYS

Shape = Literal["word", "number", "ordinal", "fraction", "stamp", "clock", "decade", "short", "offset", "sign", "junk"]

_SIGNS = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u02bc\u00b4`", "'"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u00a0\u2007\u2009\u202f", " "),
    }
)
_WORDS = re.compile(r"[a-z]+|\d")
_FIGURES = frozenset("0123456789")
_NUMERIC: frozenset[Shape] = frozenset(["number", "ordinal", "stamp", "clock", "decade", "short"])
_BEFORE = r"(?<![\w$\u00a3\u20ac#%+])(?<!\d[.:/])"
_AFTER = r"(?![\w%/])(?![.:]\d)"
_UNIT = r"(?:s|secs?|seconds?|m|mins?|minutes?|hrs?|hours?|h|days?|d|wks?|weeks?|w|mos?|months?|yrs?|years?|y)"
_MERIDIEM = r"\s?[ap](?:\.\s?m\.?|m\b)"
_OFFSET = r"(?:\s?Z\b|\s?[+-]\d\d:?\d\d\b)"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
_CHAT = {"b4": "before", "w/b": "w/c"}


class Token(NamedTuple):
    """``word`` is folded and without a genitive; ``full`` keeps it (for "new year's")."""

    shape: Shape
    word: str
    full: str
    begin: int
    finish: int
    capital: bool = False
    spaced: bool = True


def speaks_of_time(text: str, more: Collection[str] = ()) -> bool:
    """Tell whether any word or digit of ``text`` could begin a date at all; most sentences end here."""
    words = set(_WORDS.findall(text.lower()))
    return not (TRIGGERS.isdisjoint(words) and words.isdisjoint(_FIGURES) and words.isdisjoint(more))


def tokens(text: str) -> list[Token]:
    """Cut ``text`` into tokens; hyphens that only join words are left out."""
    plain = text.translate(_SIGNS)
    return list(_joined(_cut(plain)))


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    wordy = [
        ("word", r"[^\W\d_]++(?:'[^\W\d_]++)*+(?!\d)"),
        ("quarter", r"(?<!\w)(?:[QH][1-4]|(?:W|CW|KW|WK)\d{1,2})(?!\w)"),
        ("chat", r"(?<!\w)b4\b"),
    ]
    signs = [
        ("offset", r"(?<=:\d\d )[+-]\d\d:?\d\d(?!\w)|(?<=:\d\d:\d\d)[+-]\d\d:?\d\d(?!\w)"),
        ("offset", r"(?<=UTC|GMT)[+-]\d{1,2}(?::?\d\d)?(?![\w:])"),
        ("decade", r"(?<!\w)'\d0'?s\b"),
        ("short", r"(?:(?<![\d'])|(?<=[QH]\d))'\d\d(?![\w'])"),
    ]
    rest = [("junk", r"[\w$\u00a3\u20ac#%]++(?:[.,:/]\d++)*+"), ("sign", r"[^\w\s]")]
    parts = [_named(wordy, "w"), rf"(?=\d)(?:{_named(_digits(), 'd')})", rf"(?=['+-])(?:{_named(signs, 's')})"]
    return re.compile("|".join([*parts, _named(rest, "r")]), re.IGNORECASE)


def _named(shapes: list[tuple[str, str]], prefix: str) -> str:
    return "|".join(f"(?P<{name}_{prefix}{at}>{shape})" for at, (name, shape) in enumerate(shapes))


def _digits() -> list[tuple[str, str]]:
    """Return what begins with a digit, the longest reading first."""
    date = r"\d{4}-\d\d-\d\d"
    return [
        ("chat", r"(?<!\w)2(?:moro|morrow|mrw|day|nite|night)\b"),
        ("quarter", r"(?<!\w)(?:[1-4]Q|[12]H(?= (?:19|20)\d\d))(?!\w)"),
        ("short", rf"(?<={_MONTH}-)\d\d(?![\w-]|[.:/]\d)"),
        (
            "stamp",
            rf"(?:{_BEFORE}|(?<=\d\d\d\d-\d\d-\d\d/)){date}(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{{1,9}})?)?{_OFFSET}?)?(?![\w-])",
        ),
        ("stamp", rf"{_BEFORE}(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\w){_AFTER}"),
        ("stamp", rf"{_BEFORE}\d{{8}}T\d{{6}}Z?(?![\w])"),
        ("stamp", rf"{_BEFORE}\d{{4}}-?W\d\d(?:-?[1-7])?(?![\w-])"),
        ("stamp", rf"{_BEFORE}\d{{4}}-(?:0[1-9]|1[0-2])(?![\w-])"),
        ("stamp", rf"{_BEFORE}\d{{4}}(?P<one>[/.])\d{{1,2}}(?P=one)\d{{1,2}}{_AFTER}"),
        ("stamp", rf"{_BEFORE}\d{{1,2}}(?P<two>[/.-])\d{{1,2}}(?P=two)\d{{4}}{_AFTER}"),
        ("stamp", rf"{_BEFORE}\d{{1,2}}/\d{{1,2}}/\d\d{_AFTER}"),
        ("stamp", rf"{_BEFORE}\d{{1,2}}(?P<three>[.-])\d{{1,2}}(?P=three)\d\d{_AFTER}(?!-)"),
        ("stamp", rf"{_BEFORE}(?:0?[1-9]|1[0-2])/(?:19|20)\d\d{_AFTER}"),
        ("stamp", rf"{_BEFORE}\d{{1,2}}/?{_MONTH}/?\d{{4}}(?!\w)"),
        ("stamp", rf"{_BEFORE}\d{{1,2}}/\d{{1,2}}{_AFTER}"),
        ("clock", rf"{_BEFORE}\d{{1,2}}(?::\d\d)?(?:{_MERIDIEM})?-?\s?ish\b"),
        ("clock", rf"{_BEFORE}\d{{1,2}}h[0-5]\d(?!\w)"),
        ("clock", rf"{_BEFORE}(?:[01]\d|2[0-3])[0-5]\d\s?(?:hours|hrs|h)\b(?!\s(?:of|ago|later|from))"),
        ("clock", rf"{_BEFORE}\d{{1,2}}:\d\d(?::\d\d)?(?!\d)(?:{_MERIDIEM})?(?!\w)"),
        ("clock", rf"{_BEFORE}\d{{1,2}}(?:\.\d\d)?{_MERIDIEM}(?!\w)"),
        ("decade", r"(?<!\w)(?:\d{4}s|\d{3}0's|\d0'?s)\b"),
        ("ordinal", rf"{_BEFORE}\d{{1,2}}(?:st|nd|rd|th)\b"),
        ("number", rf"{_BEFORE}\d{{1,4}}(?={_UNIT}\b)"),
        ("fraction", rf"{_BEFORE}\d{{1,3}}\.\d{{1,2}}(?![\w%.]|[,/]\d)"),
        ("number", rf"{_BEFORE}\d{{1,4}}(?!\d)(?!,\d{{3}}(?!\d)){_AFTER}(?!'(?!s\b)\w)"),
    ]


def _cut(text: str) -> Iterator[Token]:
    finish = -1
    for match in _pattern().finditer(text):
        kind = (match.lastgroup or "junk").partition("_")[0]
        begin, before, finish = match.start(), finish, match.end()
        yield _token(kind, match.group(), begin, finish, begin != before)


def _token(kind: str, full: str, begin: int, finish: int, spaced: bool) -> Token:
    word = full.lower()
    if kind == "word":
        if word.endswith("'s"):
            return Token("word", word[:-2], word, begin, finish - 2, full[0].isupper(), spaced)
        return Token("word", word, word, begin, finish, full[0].isupper(), spaced)
    if kind in ("quarter", "chat"):
        if len(word) == 2 and word[1] in "qh":
            word = word[::-1]
        return Token("word", _CHAT.get(word, word), word, begin, finish, full[0].isupper(), spaced)
    if kind == "short" and word[0] != "'":
        word = f"'{word}"
    shape: Shape = kind if kind in _NUMERIC or kind in ("fraction", "offset", "sign") else "junk"  # type: ignore[assignment]
    return Token(shape, word, word, begin, finish, False, spaced)


def _joined(found: Iterator[Token]) -> Iterator[Token]:
    """Leave out hyphens between words ("mid-June") and the stop of an abbreviation ("Jan. 3")."""
    before: Token | None = None
    held: Token | None = None
    for token in found:
        if held is not None:
            if not _drops(before, held, token):
                yield held
                before = held
            held = None
        if token.shape == "sign" and token.word in "-.":
            held = token
            continue
        yield token
        before = token
    if held is not None:
        yield held


def _drops(before: Token | None, sign: Token, after: Token) -> bool:
    if before is None or sign.spaced:
        return False
    if sign.word == ".":
        return before.word in MONTHS | WEEKDAYS and len(before.word) < 5 and after.shape in ("number", "ordinal")
    if after.spaced or after.shape == "sign":
        return False
    if before.shape in _NUMERIC and after.shape in _NUMERIC:
        return False
    if before.word[-1].isdigit() and after.word[-1].isdigit():
        return False  # Q1-Q3
    named = MONTHS if before.word in MONTHS else WEEKDAYS if before.word in WEEKDAYS else SMALL | TENS
    if before.word in TENS and after.word in SMALL:
        return True
    return not (before.word in named and after.word in named)

"""Whether a clause speaks of what was or of what will be: "on Friday" is last Friday in one and the coming one in the other.

No parser: the verb nearest to the expression in its clause, then in its sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal

from graphmem.dates.lexer import Token
from graphmem.dates.lexicon import word_set

Tense = Literal["past", "future", "present", ""]

PAST = word_set(
    "was were wasn't weren't did didn't had hadn't been went came got gave took made said told saw met "
    "knew thought felt found left kept began started bought brought built caught chose drank drove ate "
    "fell flew forgot grew heard held hurt lost paid ran rode sang sat sold sent slept spoke spent stood "
    "swam taught threw understood woke wore won wrote broke became done gone seen taken given written "
    "died lied tied used owed fled crept dealt dreamt forgave learnt overslept overcame rose rang ridden risen shown "
    "slid spilt spun spat sprang stung struck swept swung torn undertook upheld wept withdrew broken chosen driven "
    "drunk eaten fallen flown forgotten frozen grown hidden shaken sung spoken stolen sworn swum thrown woken worn "
    "fought hid led lent lit meant sank shook shot sought stole stuck swore tore wound ago drew froze "
    "hung fed dug bled bred beat happend bougt recieved haven't hasn't ended stayed"
)
FUTURE = word_set(
    "will shall won't shan't gonna wanna should must plan plans planning hope hopes hoping want wants "
    "need needs let let's may might would could can can't scheduled planned due supposed expected booked "
    "upcoming expecting tomorrow i'll we'll you'll he'll she'll they'll it'll that'll there'll going "
    "remind reminder deadline heading starts leaves arrives begins opens finna imma ill"
)
PRESENT = word_set(
    "is are am i'm we're you're they're he's she's it's isn't aren't do does don't doesn't love loves "
    "like likes have has enjoy enjoys work works"
)
# The past of these looks like the present: it is told by what stands before it.
_SAME = word_set("quit put hit read let cost cut set hurt shut split spread burst cast shed bid rid upset broadcast")
# Before a verb these say that it is no past: an infinitive, a command, a noun, a habit.
_NO_PAST = word_set(
    "to will shall would should can could must might may don't doesn't didn't do does did not cannot can't won't "
    "let's lets please gonna wanna gotta always usually often sometimes i'll we'll you'll he'll she'll they'll it'll "
    "i'd we'd you'd they'd"
)
_BEFORE_NOUN = word_set("the a an my your his her our their its this these those new old next last final in for at of")
# A participle after these tells of no past either: it is closed on Monday, it must be done by Friday.
_PASSIVE = word_set("be being am is are isn't aren't ain't it's that's what's i'm we're you're they're get gets")
_AHEAD = word_set("will shall i'll we'll you'll he'll she'll they'll it'll")
_NOT_PAST = word_set(
    "need feed speed seed indeed hundred sacred naked wicked exceed proceed succeed weed bleed breed "
    "greed agreed red excited interested tired bored worried scared pleased thrilled delighted embed shed "
    "sled kindred rugged"
)
_BREAKS = word_set(", ; : ( ) - but and because so when while although though")
_STOPS = frozenset(".!?")
_DID = frozenset(["did", "didn't"])
_CONJUNCTIONS = word_set("and or but then so if when because")
_REACH = 24


def tense(tokens: Sequence[Token], begin: int, finish: int, *, clause: bool = False) -> Tense:
    """Return the tense of the clause (or failing that of the sentence) around ``tokens[begin:finish]``."""
    left = range(begin - 1, max(-1, begin - _REACH), -1)
    right = range(finish, min(len(tokens), finish + _REACH))
    near = _nearest(tokens, left, _BREAKS) or _nearest(tokens, right, _BREAKS)
    return near if near or clause else _nearest(tokens, left, ()) or _nearest(tokens, right, ())


def _nearest(tokens: Sequence[Token], places: Iterable[int], breaks: frozenset[str] | tuple[()]) -> Tense:
    for count, at in enumerate(places):
        token = tokens[at]
        if token.shape == "sign" and token.word in _STOPS:
            break
        if token.word in breaks and count:
            break
        found = _said(tokens, at)
        if found:
            return found
    return ""


def _said(tokens: Sequence[Token], at: int) -> Tense:
    """Return what that word says of the tense, seen with the words before it."""
    full = tokens[at].full
    if full in _SAME:
        return "past" if _has_subject(tokens, at) else ""
    found = _of(full)
    if found in ("present", "future") and any(token.full in _DID for token in tokens[max(0, at - 3) : at]):
        return "past"
    if found == "past" and at and _unfinished(tokens, at):
        return ""
    return found


def _has_subject(tokens: Sequence[Token], at: int) -> bool:
    before = tokens[at - 1] if at else None
    if before is None or before.shape != "word" or before.word in _CONJUNCTIONS | _BEFORE_NOUN:
        return False
    return not any(token.full in _NO_PAST | _PASSIVE for token in tokens[max(0, at - 2) : at])


def _unfinished(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a participle speaks of what is or will be: be done, is closed, will have left."""
    before = tokens[at - 1].full
    if before in _PASSIVE:
        return tokens[at].full not in ("was", "were", "born", "been")
    return before == "have" and tokens[max(0, at - 2)].full in _AHEAD


@lru_cache(maxsize=4096)
def _of(word: str) -> Tense:
    if word in PAST:
        return "past"
    if word in FUTURE:
        return "future"
    if word in PRESENT:
        return "present"
    if len(word) > 4 and word.endswith("ed") and word not in _NOT_PAST:
        return "past"
    return ""

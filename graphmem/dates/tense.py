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
_NOT_PAST = word_set(
    "need feed speed seed indeed hundred sacred naked wicked exceed proceed succeed weed bleed breed "
    "greed agreed red excited interested tired bored worried scared pleased thrilled delighted embed shed "
    "sled kindred rugged"
)
_BREAKS = word_set(", ; : ( ) - but and because so when while although though")
_STOPS = frozenset(".!?")
_REACH = 24


def tense(tokens: Sequence[Token], begin: int, finish: int, *, clause: bool = False) -> Tense:
    """Return the tense of the clause (or failing that of the sentence) around ``tokens[begin:finish]``."""
    left = [tokens[at] for at in range(begin - 1, max(-1, begin - _REACH), -1)]
    right = tokens[finish : finish + _REACH]
    near = _nearest(left, _BREAKS) or _nearest(right, _BREAKS)
    return near if near or clause else _nearest(left, ()) or _nearest(right, ())


def _nearest(words: Iterable[Token], breaks: frozenset[str] | tuple[()]) -> Tense:
    for at, token in enumerate(words):
        if token.shape == "sign" and token.word in _STOPS:
            break
        if token.word in breaks and at:
            break
        found = _of(token.full)
        if found:
            return found
    return ""


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

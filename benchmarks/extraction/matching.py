"""When something predicted is what the label says: words by their stems, names, polarity and stretches of time."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, date, datetime, timedelta, timezone
from functools import lru_cache
from typing import Any

from msgspec import Struct

from benchmarks.extraction.cases import About, Expression, Forbidden, GoldEntity, GoldEntry, GoldRelation, Span, several

WORD = re.compile(r"[^\W_]+")
ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)$")
POSSESSIVE = re.compile(r"['\u2019]s?(?=\s|$)")
DENIES = re.compile(r"n['\u2019]t\b|\b(?:not|never|cannot|no longer|neither|nor)\b", re.IGNORECASE)
DISLIKES = re.compile(
    r"\b(?:hat(?:e|es|ed)|dislik\w+|detest\w*|loath\w+|avoid\w*|can(?:no|'?)t stand)\b", re.IGNORECASE
)
# Words that a name or an object may have or lack and still be the same.
LOOSE = frozenset(
    [
        "a",
        "an",
        "the",
        "my",
        "our",
        "your",
        "his",
        "her",
        "their",
        "its",
        "dr",
        "mr",
        "mrs",
        "ms",
        "miss",
        "professor",
        "of",
    ]
)


class Guess(Struct, frozen=True, kw_only=True):
    """A predicted entry."""

    type: str
    subject: str
    text: str
    object: str = ""
    predicate: str | None = None
    negated: bool = False
    ends: bool = False
    since: GuessedDate | None = None


class GuessedName(Struct, frozen=True, kw_only=True):
    """A predicted entity."""

    names: tuple[str, ...]
    type: str


class GuessedDate(Struct, frozen=True, kw_only=True):
    """A predicted time: the words and the half-open stretch in UTC, ``None`` where it is open."""

    text: str
    start: datetime | None
    end: datetime | None


class Guessed(Struct, frozen=True, kw_only=True):
    """All that was predicted for a case."""

    entries: tuple[Guess, ...] = ()
    entities: tuple[GuessedName, ...] = ()
    relations: tuple[tuple[str, str, str], ...] = ()
    dates: tuple[GuessedDate, ...] = ()
    digest: str | None = None


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")


@lru_cache(maxsize=100_000)
def stems(text: str) -> frozenset[str]:
    """Return the stemmed words of a text, without case and accents."""
    plain = "".join(char for char in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(char))
    return frozenset(_stemmer().stemWords([ORDINAL.sub("", word) for word in WORD.findall(plain)]))


def about_met(about: About, words: frozenset[str]) -> bool:
    """Whether each group has an alternative of which all words are there."""
    return all(any(stems(each) <= words for each in group) for group in about)


@lru_cache(maxsize=100_000)
def _name(text: str) -> frozenset[str]:
    words = stems(POSSESSIVE.sub("", text))
    return (words - LOOSE) or words


def same_name(predicted: str, gold: str | tuple[str, ...]) -> bool:
    """Whether two names are the same, or one is the shorter form of the other."""
    mine = _name(predicted)
    return bool(mine) and any(mine <= other or other <= mine for other in map(_name, several(gold)))


def same_subject(predicted: str, gold: str | tuple[str, ...]) -> bool:
    """Whether the subject is the labelled one; "user's sister" is met by whatever sister is described."""
    return any(_same_subject(predicted, each) for each in several(gold))


def _same_subject(predicted: str, gold: str) -> bool:
    if predicted.casefold() == gold.casefold():
        return True
    if "user" in (predicted.casefold(), gold.casefold()):
        return False
    if POSSESSIVE.search(gold) and gold.rsplit(maxsplit=1)[-1].islower():
        return stems(gold.rsplit(maxsplit=1)[-1]) <= stems(predicted)
    # A description of somebody ("Ana's sister") is not that person.
    described = POSSESSIVE.search(predicted) and predicted.rsplit(maxsplit=1)[-1].islower()
    return not described and same_name(predicted, gold)


def negative(guess: Guess) -> bool:
    """Whether it says that something does not hold, or is not liked."""
    if guess.predicate == "dislikes":
        return not guess.negated
    return bool(guess.negated or DENIES.search(guess.text) or DISLIKES.search(guess.text))


def same_polarity(guess: Guess, gold: GoldEntry) -> bool:
    """Whether both say that it holds, or both that it does not; what ended may be put in either way."""
    if gold.negated is None or gold.ends:
        return True
    if gold.predicate == "dislikes" and guess.predicate is None:
        return not guess.negated or negative(guess)
    return negative(guess) == (gold.negated != (gold.predicate == "dislikes"))


def words_of(guess: Guess) -> frozenset[str]:
    """Return the words in which a label is looked for."""
    return stems(f"{guess.subject} {guess.text} {guess.object}")


def means(guess: Guess, gold: GoldEntry) -> bool:
    """Whether it says what the label says, whatever its type."""
    return (
        same_subject(guess.subject, gold.subject)
        and same_polarity(guess, gold)
        and about_met(gold.about, words_of(guess))
    )


def breaks(guess: Guess, forbidden: Forbidden) -> bool:
    """Whether it claims what nobody claimed."""
    if forbidden.why == "negation" and not forbidden.negated and (negative(guess) or guess.ends):
        return False
    return about_met(forbidden.about, words_of(guess))


def overlap(guess: Guess, gold: GoldEntry) -> float:
    """How near the two are: of several that match, the nearest are paired."""
    label = frozenset().union(*(stems(each) for group in gold.about for each in group), stems(gold.object or ""))
    words = words_of(guess)
    right = {True: 0.5, False: 0.0}[guess.type == several(gold.type)[0]]
    return len(label & words) / max(1, len(label | words)) + right + 0.25 * (guess.predicate == gold.predicate)


def same_entity(guess: GuessedName, gold: GoldEntity, *, typed: bool = True) -> bool:
    """Whether it has one of the names and one of the types; what is optional may be of any type."""
    named = any(same_name(each, gold.name) for each in guess.names)
    return named and (not typed or gold.optional or guess.type in several(gold.type))


def same_relation(guess: tuple[str, str, str], gold: GoldRelation, symmetric: frozenset[str]) -> bool:
    """Whether both relate the same things in the same way; some predicates hold both ways."""
    subject, predicate, object = guess
    if predicate not in several(gold.predicate):
        return False
    if same_subject(subject, gold.subject) and same_name(object, gold.object):
        return True
    return predicate in symmetric and same_subject(object, gold.subject) and same_name(subject, gold.object)


def same_words(guess: GuessedDate, gold: Expression) -> bool:
    """Whether both come from the same words: "since March" and "March" do."""
    mine, other = stems(guess.text), stems(gold.text)
    return bool(mine) and (mine <= other or other <= mine)


def same_time(guess: GuessedDate, gold: Expression, offset: timedelta) -> bool:
    """Whether the stretch is the labelled one, read in UTC or in the offset of the turn.

    Of "since March" only the start counts, of "by Friday" only the end; of a clock time only the start.
    """
    return any(_same_time(guess, gold, zone) for zone in (UTC, timezone(offset)))


def same_start(guess: Guess, span: Span, offset: timedelta) -> bool:
    """Whether it holds, or happened, from the labelled start on."""
    if guess.since is None or guess.since.start is None or span.start is None:
        return False
    return any(_is(guess.since.start.astimezone(zone), span.start) for zone in (UTC, timezone(offset)))


def _same_time(guess: GuessedDate, gold: Expression, zone: timezone) -> bool:
    start = guess.start and guess.start.astimezone(zone)
    end = guess.end and guess.end.astimezone(zone)
    if gold.granularity in ("hour", "minute"):
        wanted = gold.start and datetime.fromisoformat(gold.start)
        return start is not None and start.replace(tzinfo=None) == wanted
    return _is(start, gold.start) and _is(end, gold.end)


def _is(moment: datetime | None, gold: str | None) -> bool:
    if gold is None or moment is None:
        return gold is None
    return moment.date() == date.fromisoformat(gold) and moment.time() == moment.time().min

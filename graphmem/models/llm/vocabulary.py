"""Words that models use for the types and predicates that they were given, and what is meant by them."""

from __future__ import annotations

import re
from typing import get_args

from graphmem.ontology import Ontology, Predicate
from graphmem.types import EntryType
from graphmem.words import fold

ENTRY_TYPES: dict[str, EntryType] = {
    **{each: each for each in get_args(EntryType)},
    "event": "fact", "identity": "fact", "information": "fact", "experience": "fact", "state": "fact", "status": "fact",
    "opinion": "preference", "like": "preference", "dislike": "preference", "interest": "preference", "taste": "preference",
    "choice": "decision", "goal": "commitment", "plan": "commitment", "promise": "commitment", "intention": "commitment",
    "task": "commitment", "relation": "relationship", "family": "relationship", "ability": "skill", "rule": "instruction",
    "request": "instruction", "update": "correction",
}  # fmt: skip
ENTITY_TYPES = {
    "human": "person", "people": "person", "individual": "person", "user": "person", "speaker": "person",
    "organization": "company", "organisation": "company", "org": "company", "institution": "company", "school": "company",
    "team": "company", "location": "place", "city": "place", "country": "place", "gpe": "place", "region": "place",
    "product": "tool", "software": "tool", "technology": "tool", "device": "tool", "object": "tool", "thing": "concept",
    "topic": "concept", "activity": "concept", "hobby": "concept", "food": "concept", "animal": "concept", "pet": "concept",
    "book": "concept", "skill": "concept", "occupation": "concept", "profession": "concept", "meeting": "event",
}  # fmt: skip
# These are values and not things of the world.
VALUES = frozenset({"date", "time", "number", "quantity", "duration", "money", "percent", "email", "url", "phone"})


def entry_type_of(word: str, predicate: Predicate | None) -> EntryType | None:
    """Return the type of entry that a word means: its own, a synonym's, or that of the predicate."""
    return ENTRY_TYPES.get(fold(word.strip())) or (predicate.entry_type if predicate else None)


def entity_type_of(word: str, ontology: Ontology) -> str | None:
    """Return the type of the ontology that a word means; what is unheard of is a concept, and what is a value nothing."""
    name = _name(word)
    for each in (name, ENTITY_TYPES.get(name, ""), "concept"):
        if ontology.type(each) and name not in VALUES:
            return each
    return None


def predicate_of(word: str | None, ontology: Ontology) -> Predicate | None:
    """Return the predicate of the ontology that a word means."""
    return ontology.predicate(_name(re.sub(r"\(.*", "", word))) if word else None


def _name(word: str) -> str:
    return re.sub(r"[\s-]+", "_", fold(word.strip()))

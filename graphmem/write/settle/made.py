"""Make of a claim the entry, the relation and the case that it would be."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from graphmem.ontology import Ontology
from graphmem.types import Entity, Entry, Relation, Turn, Validity
from graphmem.write.claims import USER, Claim, When
from graphmem.write.settle.board import Board
from graphmem.write.settle.likeness import value
from graphmem.write.settle.verdicts import Case

FINE = ("second", "minute", "hour", "part_of_day")


def instant_of(moment: datetime | None, when: When) -> datetime | None:
    """Return a resolved time as it is kept: days and longer by the calendar of the speaker, as if it were UTC's.

    Otherwise "7 May", said east of Greenwich, would be kept as an instant of the 6th.
    """
    if moment is None:
        return None
    return moment.astimezone(UTC) if when.granularity in FINE else moment.replace(tzinfo=UTC)


def validity_of(claim: Claim, now: datetime) -> Validity:
    """Return when a claim holds, as far as it was said; an unknown end is no end.

    That something is over holds from its end on.
    """
    if claim.ends:
        when = claim.valid_to or claim.happened or claim.valid_from
        return Validity(recorded_at=now, valid_from=instant_of(when.start or when.end, when) if when else None)
    start = instant_of(claim.valid_from.start, claim.valid_from) if claim.valid_from else None
    end = instant_of(claim.valid_to.end, claim.valid_to) if claim.valid_to else None
    if claim.happened:
        start = start or instant_of(claim.happened.start, claim.happened)
        if not claim.valid_from and not claim.valid_to:
            end = instant_of(claim.happened.end, claim.happened)
    if start and end and end <= start:
        end = None
    return Validity(recorded_at=now, valid_from=start, valid_to=end)


def entry_of(claim: Claim, subject: Entity, said: Sequence[Turn], board: Board, relation: Relation | None) -> Entry:
    """Return the entry that a claim would be."""
    validity = validity_of(claim, board.now)
    return Entry(
        id=board.new_id("entry"),
        space=board.view.space,
        type=claim.type,
        text=claim.text,
        validity=validity,
        confidence=claim.confidence,
        importance=claim.importance,
        original_importance=claim.importance,
        tags=claim.tags,
        evidence=tuple(dict.fromkeys(turn.id for turn in said)),
        subject=subject.id,
        predicate=claim.predicate,
        object=claim.object,
        # what is over is known to hold no longer
        negated=claim.negated or claim.ends,
        relation=relation.id if relation else None,
        user=said[-1].user if said else None,
        said_at=said[-1].at if said else None,
        identity=claim.identity,
    )


def relation_of(claim: Claim, subject: Entity, object: Entity, said: Sequence[Turn], board: Board) -> Relation:
    """Return the relation that says the same in the graph: the one that is there, or a new one."""
    user = said[-1].user if said else None
    for known in board.relations_of(subject.id):
        same = (known.subject, known.predicate, known.object) == (subject.id, claim.predicate, object.id)
        same = same and known.user == user
        if same and known.validity.valid_to is None and known.validity.retracted_at is None:
            return known
    return Relation(
        id=board.new_id("relation"),
        space=board.view.space,
        subject=subject.id,
        predicate=str(claim.predicate),
        object=object.id,
        text=claim.text,
        validity=validity_of(claim, board.now),
        confidence=claim.confidence,
        evidence=tuple(dict.fromkeys(turn.id for turn in said)),
        user=user,
    )


def case_of(
    claim: Claim, entry: Entry, relation: Relation | None, said: Sequence[Turn], subject: Entity, ontology: Ontology
) -> Case:
    """Return the case that a claim is."""
    predicate = ontology.predicate(claim.predicate) if claim.predicate else None
    return Case(
        entry=entry,
        relation=relation,
        said_at=said[-1].at if said else entry.validity.recorded_at,
        single_valued=bool(predicate and predicate.single_valued),
        fixed=bool(predicate and predicate.fixed),
        ends=claim.ends,
        correction=claim.type == "correction",
        replaces=claim.replaces if value(claim.replaces) else None,
        personal=subject.type == "person" or subject.name == USER,
    )


def families(predicate: str | None, ontology: Ontology) -> list[str | None]:
    """Return the predicates within which a claim may contradict what is known."""
    known = ontology.predicate(predicate) if predicate else None
    if known is None:
        return [predicate]
    family = known.family or known.name
    return [each.name for each in ontology.predicates if (each.family or each.name) == family]

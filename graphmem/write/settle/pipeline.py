"""draft -> gate -> entities -> verdict -> Delta. Start reading here.

One Draft becomes one Delta: what is new, what is closed, superseded or weakened by it, a line of history for each of
these, and the refusals. A step never deletes: what no longer holds gets an end.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from msgspec import Struct

from graphmem.ids import Mint
from graphmem.ontology import Ontology
from graphmem.settings import DistilSettings
from graphmem.store import View
from graphmem.types import Delta, Distilled, Entity, Entry, Episode, Turn
from graphmem.words import terms
from graphmem.write.claims import Claim, Draft
from graphmem.write.settle.before import Before
from graphmem.write.settle.board import Board
from graphmem.write.settle.entities import Embed, Entities
from graphmem.write.settle.gate import Gate
from graphmem.write.settle.likeness import alike, names_value, numbers, same_value
from graphmem.write.settle.made import case_of, entry_of, families, relation_of
from graphmem.write.settle.paths import take
from graphmem.write.settle.verdicts import Case, is_live, judge

NEAR = 10


class Settled(Struct, frozen=True, kw_only=True):
    """A Delta, and how many claims took which path."""

    delta: Delta
    paths: dict[str, int]


class Sitting(Struct, frozen=True, kw_only=True):
    """The turns that a Draft was made of: all of the episode, of which those from ``fresh_from`` on are new.

    ``before`` is what an earlier one made of the same turns: what is
    found again keeps its id, the rest is retracted.
    """

    turns: tuple[Turn, ...]
    fresh_from: int = 0
    episode: Episode | None = None
    before: tuple[Entry, ...] = ()


def settle(
    draft: Draft, sitting: Sitting, *, view: View, mint: Mint, now: datetime, ontology: Ontology,
    settings: DistilSettings, embed: Embed | None = None, again: bool = False,
) -> Settled:  # fmt: skip
    """Return what a Draft changes in a space; ``again`` marks its session for a better extractor."""
    board = Board(view, mint, now)
    turns = {turn.id: turn for turn in sitting.turns}
    entities = Entities(board, embed, sitting.turns[-1].user)
    for mention in draft.mentions:
        entities.take(mention)
    gate, paths, before = Gate(board, settings), Counter[str](), Before(sitting.before)
    for claim in draft.claims:
        if not gate.lets(claim):
            paths["refuse"] += 1
            continue
        case = _case(claim, turns, entities, board, ontology)
        if before.takes(case, board, settings):
            paths["again"] += 1
            continue
        paths[_settle_one(case, board, ontology, settings, embed)] += 1
    paths["retracted"] += before.retract_the_rest(board)
    _digest(draft, sitting, board)
    last = sitting.turns[-1]
    board.mark(Distilled(session=last.session_id, until=last.id, extractor=draft.extractor, at=now, again=again))
    return Settled(delta=board.delta(), paths={path: count for path, count in paths.items() if count})


def _case(claim: Claim, turns: dict[str, Turn], entities: Entities, board: Board, ontology: Ontology) -> Case:
    subject = entities.of(claim.subject)
    object = entities.known(claim.object)
    said = [turns[source.turn] for source in claim.sources if source.turn in turns]
    relation = (
        relation_of(claim, subject, object, said, board) if object and _related(claim, object, ontology) else None
    )
    entry = entry_of(claim, subject, said, board, relation)
    return case_of(claim, entry, relation, said, subject, ontology)


def _related(claim: Claim, object: Entity, ontology: Ontology) -> bool:
    """Say whether a claim is an edge of the graph: of a known predicate, and to a thing."""
    return (
        bool(claim.predicate and ontology.predicate(claim.predicate))
        and not claim.negated
        and object.name != claim.subject
    )


def _settle_one(case: Case, board: Board, ontology: Ontology, settings: DistilSettings, embed: Embed | None) -> str:
    entry = case.entry
    family = board.family(str(entry.subject), families(entry.predicate, ontology)) if entry.predicate else []
    family += [each for each in _named_as_over(case, board) if each.id not in {known.id for known in family}]
    near = _near(case, board, settings, embed)
    verdict = judge(case, family, near, settings)
    take(verdict, case, board)
    return verdict.path


def _named_as_over(case: Case, board: Board) -> list[Entry]:
    """Return entries of the same subject and type that hold what the speaker named as over or replaced.

    Whoever says "NATS instead of RabbitMQ" has named the contradiction, whatever predicate either was filed under.
    """
    old = case.replaces or (case.entry.object if case.ends else None)
    if not old:
        return []
    ids = [id for id, _ in board.view.by_words(terms(old), limit=NEAR, kinds=("entry",))]
    found = [*board.entries_of(ids), *board.entries()]
    same = [
        each for each in found if each.subject == case.entry.subject and (case.ends or _comparable(each, case.entry))
    ]
    return [each for each in same if names_value(each, old) and each.id != case.entry.id]


def _comparable(one: Entry, other: Entry) -> bool:
    return "correction" in (one.type, other.type) or one.type == other.type


def _near(case: Case, board: Board, settings: DistilSettings, embed: Embed | None) -> list[Entry]:
    """Return live entries about the same subject that say the same by their words or, where a model is at hand, meaning."""
    entry = case.entry
    found = board.view.by_words(terms(entry.text), limit=NEAR, kinds=("entry",))
    ids = dict.fromkeys(id for id, _ in found)
    by_words = board.entries_of(list(ids))
    mine = [each for each in board.entries() if each.subject == entry.subject][-50:]
    near = [each for each in (*by_words, *mine) if alike(entry, each, settings.jaccard_duplicate)]
    if embed is not None and not near:
        vector = embed([entry.text])[0]
        scored = board.view.by_vector(vector, limit=3, kinds=("entry",))
        meant = [each for id, score in scored if score >= settings.cosine_duplicate and (each := board.entry(id))]
        near = [each for each in meant if _may_be_same(entry, each)]
    # What was written by hand may be about nobody in particular.
    return [each for each in near if each.subject in (entry.subject, None) and is_live(each, case.said_at)]


def _may_be_same(one: Entry, other: Entry) -> bool:
    """Vectors take "likes tea" and "likes coffee" for nearly the same: values, numbers and polarity decide first."""
    if one.negated != other.negated or numbers(one.text) != numbers(other.text) or one.type != other.type:
        return False
    return same_value(one, other) if one.object or other.object else True


def _digest(draft: Draft, sitting: Sitting, board: Board) -> None:
    if draft.digest is None or not draft.digest.summary.strip():
        return  # nothing was said that is worth a digest
    first, digest = sitting.turns[0], draft.digest
    known = sitting.episode
    episode = Episode(
        id=known.id if known else board.new_id("episode"),
        space=first.space,
        session=first.session,
        session_id=first.session_id,
        summary=digest.summary,
        at=first.at,
        recorded_at=known.recorded_at if known else board.now,
        topics=digest.topics,
        entities=digest.entities,
        decisions=digest.decisions,
        key_dates=digest.key_dates,
        action_items=digest.action_items,
        salience=digest.salience,
        evidence=tuple(turn.id for turn in sitting.turns),
        user=first.user,
    )
    if known != episode:
        board.put(episode, "updated" if known else "created", "the session went on" if known else "distilled")

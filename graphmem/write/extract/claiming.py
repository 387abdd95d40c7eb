"""Clauses to claims: first what the patterns of the ontology find in them, then what else they plainly say."""

from __future__ import annotations

from collections.abc import Container

from msgspec import structs

from graphmem.models.parser import Sentence
from graphmem.write.claims import Claim
from graphmem.write.extract import lexicon as words
from graphmem.write.extract.clauses import Clause, clauses
from graphmem.write.extract.matching import Match
from graphmem.write.extract.passages import Passage
from graphmem.write.extract.plain import plain_objects, plain_type
from graphmem.write.extract.scene import About, Scene
from graphmem.write.extract.sense import beside, finite
from graphmem.write.extract.stance import Stance, is_question, read_stance
from graphmem.write.extract.telling import PLAIN, claim_of, dates_of, matched_claim

BLOCKED = frozenset({"asked", "hypothetical", "quoted"})
EMBEDDED = frozenset({"how", "why", "what", "which", "where"})
LASTING_TYPES = frozenset({"preference", "skill", "instruction"})


def sentence_claims(sentence: Sentence, passage: Passage, scene: Scene) -> list[Claim]:
    """What one sentence of a person claims."""
    asked = is_question(sentence)
    found: list[Claim] = []
    for clause in clauses(sentence):
        stance = read_stance(clause, asked=asked)
        if stance.modality in BLOCKED or not (finite(clause) or beside(clause)):
            continue
        about = scene.about(clause.subject, sentence, passage, elided=clause.elided and _tells(clause))
        if about is not None:
            found.extend(clause_claims(clause, stance, about, passage, scene))
    return found


def clause_claims(clause: Clause, stance: Stance, about: About, passage: Passage, scene: Scene) -> list[Claim]:
    """What one clause claims: a claim for each object of each pattern, or one in plain words."""
    matches = [each for each in scene.grammar.matches(clause, scene.things) if _allowed(each, about, scene)]
    if _bare(clause):
        return []
    if stance.can and not stance.negated:
        matches = [each for each in matches if _ability(each, scene)]
    matches = _distinct([each for each in matches if not (stance.past and "age" in each.pattern.tags)])
    if matches:
        made = [matched_claim(each, clause, stance, about, passage, scene) for each in matches]
        return [claim for each, claim in zip(matches, made, strict=True) if _holds(each, claim)]
    if clause.verbless:
        return _appointment(clause, stance, about, passage, scene)
    if (
        (about.second_hand and about.thing and not about.owned)
        or _only_names(clause, about, scene.people.roles)
        or beside(clause)
    ):
        return []
    return [
        claim_of(clause, stance, about, passage, scene, type=kind, object=None, focus=focus, confidence=PLAIN)
        for kind in [plain_type(clause, stance, about, dated=dates_of(clause, passage, scene).found)]
        if kind is not None
        for focus in plain_objects(clause)
    ]


def _holds(match: Match, claim: Claim) -> bool:
    """Whether a claim has an object of its own, and an activity is told to its end."""
    if claim.object in (claim.subject, ""):
        return False
    if claim.object and not words.POINTING.isdisjoint(claim.object.lower().split()):
        return False
    doing = match.object is not None and match.object.pos in ("VERB", "AUX") and claim.object is not None
    return not doing or (claim.object or "").lower().split()[-1] in claim.text.lower()


def _bare(clause: Clause) -> bool:
    """Whether a verb is finite in no way: what "to combine A and share B" shares is not said to happen."""
    top, parent = clause.top, clause.parent
    if top.dep != "ROOT" and any(
        word.lower in EMBEDDED and word.i < top.i for word in clause.children("advmod", "dobj", "attr", of=top)
    ):
        return True  # "how we keep hope alive" asks, in the midst of what is said
    if clause.sharing and top.tag == "VBG" and not clause.shared():
        return True
    if top.tag != "VB" or clause.auxiliaries() or clause.shared() or clause.lent():
        return False
    if parent is None:
        return clause.subject is None or clause.subject.lower not in words.FIRST
    beside = top.dep == "conj" and top.head == parent.top.i and parent.top.tag in ("VBP", "VBZ", "VBD")
    return not beside and parent.verb.lemma != "let"


def _only_names(clause: Clause, about: About, roles: Container[str]) -> bool:
    """ "My manager is called Ingrid" and "Tess is my aunt" are told by the introduction of Ingrid and Tess."""
    if not about.second_hand or clause.subject is None or clause.subject.pos == "PRON":
        return False
    said = clause.child("attr")
    role = (
        said is not None
        and clause.verb.lemma == "be"
        and said.lower in roles
        and bool(clause.children("poss", of=said))
    )
    return clause.verb.lemma in ("call", "name") or role


def _ability(match: Match, scene: Scene) -> bool:
    """Whether a pattern still holds of what somebody only can do."""
    predicate = scene.ontology.predicate(match.pattern.predicate or "")
    kind = match.pattern.entry_type or (predicate.entry_type if predicate else None)
    return kind in LASTING_TYPES or match.denies


def _appointment(clause: Clause, stance: Stance, about: About, passage: Passage, scene: Scene) -> list[Claim]:
    """ "Dentist tomorrow at 9:30": a noun and a day to come."""
    dated = dates_of(clause, passage, scene)
    noun = clause.child("attr")
    begins = dated.at.start if dated.at else None
    if begins is None or begins <= passage.turn.at:
        return []
    if noun is None or noun.lower in words.LIGHT_NOUNS | words.TIMES:
        return []
    planned = structs.replace(stance, modality="planned")
    return [
        claim_of(clause, planned, about, passage, scene, type="commitment", object=None, focus=None, confidence=PLAIN)
    ]


def _tells(clause: Clause) -> bool:
    """Whether a verb without a subject is told of oneself ("Moved to Rome!") and not asked of another ("Move!")."""
    if clause.verbless:
        return True
    if clause.top.dep == "conj" and clause.parent is not None:
        return clause.parent.elided and _tells(clause.parent)
    if clause.top.tag == "VBZ":
        return False
    start = [word for word in clause.sentence.words if word.pos not in ("PUNCT", "SPACE", "INTJ")]
    if start and start[0].lower in ("ca", "can", "could", "have", "was", "did") and start[0].dep in ("aux", "auxpass"):
        return len(start) > 1 and start[1].dep == "neg"
    early = clause.top.i <= (start[0].i if start else 0) + 3
    return (early and clause.top.tag in ("VBD", "VBN", "VBG")) or (
        clause.top.lower in ("got", "gonna", "gotta") and early
    )


def _allowed(match: Match, about: About, scene: Scene) -> bool:
    """A pattern with an owner is about whom the subject belongs to; the others are not about somebody's things."""
    owned = match.pattern.parts[0].slot == "owner"
    if about.thing and not about.owned:
        predicate = scene.ontology.predicate(match.pattern.predicate or "")
        return predicate is not None and not {"company", "project"}.isdisjoint(predicate.domain)
    return about.thing == owned or (owned and match.owner is not None)


def _distinct(matches: list[Match]) -> list[Match]:
    """One match for each object and predicate; the first pattern wins over those of the same predicate."""
    old = {match.old.i for match in matches if match.old}
    found: dict[tuple[str | None, int], Match] = {}
    taken: set[int] = set()
    for match in matches:
        at = match.object.i if match.object else -1
        key = (match.pattern.predicate, at)
        if key not in found and at not in old and not (at in taken and at >= 0):
            found[key] = match
            taken.add(at)
    return list(found.values())

"""Clauses to claims: first what the patterns of the ontology find in them, then what else they plainly say."""

from __future__ import annotations

import re

from msgspec import structs

from graphmem.models.parser import Sentence, Word
from graphmem.ontology import Predicate
from graphmem.types import EntryType
from graphmem.write.claims import Claim
from graphmem.write.extract import lexicon as words
from graphmem.write.extract.clauses import Clause, clauses
from graphmem.write.extract.matching import Match
from graphmem.write.extract.passages import Passage
from graphmem.write.extract.plain import plain_objects, plain_type
from graphmem.write.extract.scene import About, Scene
from graphmem.write.extract.stance import Stance, is_question, read_stance
from graphmem.write.extract.things import conjuncts, given_name, phrase
from graphmem.write.extract.times import Dated, read_dates
from graphmem.write.extract.wording import say_clause

MATCHED, PLAIN = 0.85, 0.65
HEDGED, SECOND_HAND, ELIDED = 0.15, 0.1, 0.1
BLOCKED = frozenset({"asked", "hypothetical", "quoted"})
OWN = {"my": "their", "our": "their", "me": "them", "us": "them", "myself": "themselves"}
EMBEDDED = frozenset({"how", "why", "what", "which", "where"})
LASTING_TYPES = frozenset({"preference", "skill", "instruction"})


def sentence_claims(sentence: Sentence, passage: Passage, scene: Scene) -> list[Claim]:
    """What one sentence of a person claims."""
    asked = is_question(sentence)
    found: list[Claim] = []
    for clause in clauses(sentence):
        stance = read_stance(clause, asked=asked)
        if stance.modality in BLOCKED:
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
    matches = _distinct(matches)
    if matches:
        made = [_from_match(each, clause, stance, about, passage, scene) for each in matches]
        return [claim for claim in made if claim.object != claim.subject and claim.object != ""]
    if clause.verbless:
        return _appointment(clause, stance, about, passage, scene)
    if (about.second_hand and about.thing and not about.owned) or _only_names(clause, about):
        return []
    return [
        _claim(clause, stance, about, passage, scene, type=kind, object=None, focus=focus, confidence=PLAIN)
        for kind in [plain_type(clause, stance, about, dated=_dated(clause, passage, scene).found)]
        if kind is not None
        for focus in plain_objects(clause)
    ]


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
        return True
    beside = top.dep == "conj" and top.head == parent.top.i and parent.top.tag in ("VBP", "VBZ", "VBD")
    return not beside and parent.verb.lemma != "let"


def _only_names(clause: Clause, about: About) -> bool:
    """ "My manager is called Ingrid" is told by the introduction of Ingrid."""
    return about.second_hand and clause.verb.lemma in ("call", "name")


def _ability(match: Match, scene: Scene) -> bool:
    """Whether a pattern still holds of what somebody only can do."""
    predicate = scene.ontology.predicate(match.pattern.predicate or "")
    kind = match.pattern.entry_type or (predicate.entry_type if predicate else None)
    return kind in LASTING_TYPES or match.denies


def _appointment(clause: Clause, stance: Stance, about: About, passage: Passage, scene: Scene) -> list[Claim]:
    """ "Dentist tomorrow at 9:30": a noun and a day to come."""
    dated = _dated(clause, passage, scene)
    noun = clause.child("attr")
    begins = dated.at.start if dated.at else None
    if begins is None or begins <= passage.turn.at:
        return []
    if noun is None or noun.lower in words.LIGHT_NOUNS | words.TIMES:
        return []
    planned = structs.replace(stance, modality="planned")
    return [
        _claim(clause, planned, about, passage, scene, type="commitment", object=None, focus=None, confidence=PLAIN)
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


def _from_match(
    match: Match, clause: Clause, stance: Stance, about: About, passage: Passage, scene: Scene
) -> Claim:  # fmt: skip
    pattern = match.pattern
    predicate = scene.ontology.predicate(pattern.predicate) if pattern.predicate else None
    kind: EntryType = pattern.entry_type or (predicate.entry_type if predicate else "fact")
    return _claim(
        clause, stance, about, passage, scene, type=_planned(kind, stance), confidence=MATCHED, focus=match.object,
        object=_object(match, clause, passage, scene), match=match, predicate=predicate,
    )  # fmt: skip


def _planned(kind: EntryType, stance: Stance) -> EntryType:
    if stance.decided:
        return "decision"
    if stance.can and kind == "fact" and not stance.negated:
        return "skill"
    return "commitment" if stance.modality == "planned" and kind in ("fact", "relationship") else kind


def _object(match: Match, clause: Clause, passage: Passage, scene: Scene) -> str | None:
    word = match.object
    if word is None:
        return None
    if given := given_name(word, clause.sentence):
        return phrase(given, clause.sentence)
    if someone := scene.someone(word, clause.sentence, passage):
        return someone
    if word.pos in ("VERB", "AUX"):
        return _doing(word, clause)
    return phrase(word, clause.sentence)


def _doing(word: Word, clause: Clause) -> str:
    """An activity as it was said, "my" apart: it is told of somebody else."""
    below = [clause.sentence.words[i] for i in clause.sentence.below(word.i)]
    others = {i for each in conjuncts(word, clause.sentence)[1:] for i in clause.sentence.below(each.i)}
    kept = [each for each in below if each.i not in others and each.dep not in ("aux", "npadvmod")]
    texts = [OWN.get(each.lower, each.text) for each in kept if each.dep != "punct" or each.text == "-"]
    return re.sub(r" (?:and|or)$", "", " ".join(texts).replace(" - ", "-"))


def _dated(clause: Clause, passage: Passage, scene: Scene) -> Dated:
    every = clause.sentence.words
    places = [every[i] for i in clause.members]
    return read_dates(scene.dates(passage), passage.text, min(w.start for w in places), max(w.end for w in places))


def _claim(
    clause: Clause, stance: Stance, about: About, passage: Passage, scene: Scene, *, type: EntryType,
    object: str | None, focus: Word | None, confidence: float, match: Match | None = None,
    predicate: Predicate | None = None,
) -> Claim:  # fmt: skip
    every = clause.sentence.words
    dated = _dated(clause, passage, scene)
    pattern = match.pattern if match else None
    negated, ends = _polarity(stance, match, predicate)
    begins = bool(pattern and pattern.begins) or stance.began
    places = [every[i] for i in clause.members if every[i].pos != "SPACE"]
    speaker = scene.speaker(passage)
    together = (
        bool(match and match.object) and all(part.slot != "object" for part in match.pattern.parts) if match else False
    )
    members = [i for i in _members(clause, focus) if i != focus.i] if together and focus else _members(clause, focus)
    text = say_clause(
        clause, members, subject=f"{about.shown} and {object}" if together else about.shown, listener=scene.listener(passage), speaker=speaker,
        name_of=scene.name_of, dates=dated.found,
    )  # fmt: skip
    lowered = HEDGED * stance.hedged + SECOND_HAND * about.second_hand + ELIDED * clause.elided
    identity = about.own and bool(_first(pattern.identity if pattern else None, predicate and predicate.identity))
    importance = _first(pattern.importance if pattern else None, predicate.importance if predicate else None, 0.5)
    return Claim(
        type=type, text=text, subject=about.subject, object=object, predicate=predicate.name if predicate else None,
        sources=(passage.source(places[0].start, places[-1].end),), negated=negated, ends=ends,
        modality="planned" if stance.modality == "planned" else "asserted", speaker=passage.turn.speaker,
        replaces=phrase(match.old, clause.sentence) if match and match.old else None,
        valid_from=dated.valid_from or (dated.at if begins and not ends else None),
        valid_to=dated.valid_to or (dated.at if ends else None),
        happened=None if begins or ends else dated.at,
        confidence=round(max(0.3, confidence - lowered), 2), importance=importance or 0.5,
        identity=identity and stance.modality == "asserted", tags=pattern.tags if pattern else (),
    )  # fmt: skip


def _first(*values: object) -> float:
    return next((float(value) for value in values if isinstance(value, int | float)), 0.0)


def _polarity(stance: Stance, match: Match | None, predicate: Predicate | None) -> tuple[bool, bool]:
    """Whether a claim is denied, and whether it says that something has ended."""
    pattern = match.pattern if match else None
    negated = stance.negated and not (match and match.denies)
    if pattern and pattern.negated:
        negated = not negated
    ends = stance.ended or bool(pattern and pattern.ends and not stance.negated)
    if predicate and predicate.lasts and stance.past and pattern and not pattern.begins and not stance.negated:
        ends = True
    return negated, ends


def _members(clause: Clause, focus: Word | None) -> list[int]:
    """The words of a clause with one object of those that it lists."""
    if focus is None:
        return clause.members
    first = focus
    while first.dep == "conj" and clause.sentence.words[first.head].pos not in ("VERB", "AUX"):
        first = clause.sentence.words[first.head]
    whole = conjuncts(first, clause.sentence)
    if len(whole) == 1:
        return clause.members
    around = set(clause.sentence.below(first.i))
    mine = set(clause.sentence.below(focus.i)) - {i for each in whole if each is not focus and each.head == focus.i
                                                    for i in clause.sentence.below(each.i)}  # fmt: skip
    mine -= {i for i in focus.children if clause.sentence.words[i].dep in ("cc", "punct")}
    return sorted({i for i in clause.members if i not in around} | mine)

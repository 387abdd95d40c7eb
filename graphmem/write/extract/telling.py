"""One claim from a clause: its type, object, text, dates, and how sure it is."""

from __future__ import annotations

import re

from graphmem.models.parser import Word
from graphmem.ontology import Predicate
from graphmem.types import EntryType
from graphmem.write.claims import Claim
from graphmem.write.extract.clauses import Clause
from graphmem.write.extract.matching import Match
from graphmem.write.extract.passages import Passage
from graphmem.write.extract.scene import About, Scene
from graphmem.write.extract.stance import Stance
from graphmem.write.extract.things import conjuncts, given_name, phrase
from graphmem.write.extract.times import Dated, read_dates
from graphmem.write.extract.wording import say_clause

MATCHED, PLAIN = 0.85, 0.65
HEDGED, SECOND_HAND, ELIDED = 0.15, 0.1, 0.1
OWN = {"my": "their", "our": "their", "me": "them", "us": "them", "myself": "themselves"}


def matched_claim(
    match: Match, clause: Clause, stance: Stance, about: About, passage: Passage, scene: Scene
) -> Claim:  # fmt: skip
    """The claim that a pattern makes of a clause."""
    pattern = match.pattern
    predicate = scene.ontology.predicate(pattern.predicate) if pattern.predicate else None
    kind: EntryType = pattern.entry_type or (predicate.entry_type if predicate else "fact")
    return claim_of(
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
    texts = ""
    for before, each in zip([None, *kept], kept, strict=False):
        if each.dep != "punct" or (each.text == "-" and before is not None and before.end == each.start):
            texts += ("" if before is not None and before.end == each.start else " ") + OWN.get(each.lower, each.text)
    return re.sub(r" (?:and|or)$", "", " ".join(texts.split()))


def dates_of(clause: Clause, passage: Passage, scene: Scene) -> Dated:
    """What the words of a clause say about time."""
    every = clause.sentence.words
    places = [every[i] for i in clause.members]
    return read_dates(scene.dates(passage), passage.text, min(w.start for w in places), max(w.end for w in places))


def claim_of(
    clause: Clause, stance: Stance, about: About, passage: Passage, scene: Scene, *, type: EntryType,
    object: str | None, focus: Word | None, confidence: float, match: Match | None = None,
    predicate: Predicate | None = None,
) -> Claim:  # fmt: skip
    """The claim of a clause, with what is common to all: its words, dates and sources."""
    every = clause.sentence.words
    dated = dates_of(clause, passage, scene)
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

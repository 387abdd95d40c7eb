"""What a clause plainly says when no pattern has it: whether it says enough to be kept, and as what."""

from __future__ import annotations

from collections.abc import Collection

from graphmem.dates import Found
from graphmem.models.parser import Word
from graphmem.types import EntryType
from graphmem.write.extract import lexicon as words
from graphmem.write.extract.clauses import Clause
from graphmem.write.extract.scene import About
from graphmem.write.extract.sense import hollow
from graphmem.write.extract.stance import GOVERNING, PROMISING, Stance
from graphmem.write.extract.things import conjuncts

CONTENT = frozenset({"NOUN", "PROPN", "NUM"})
WHEN = frozenset({"when", "while", "as", "before", "after", "until", "once", "whenever", "till", "since"})
WITH_OBJECT = frozenset({"have", "get", "make", "take", "do", "put", "keep", "give", "bring", "want", "need", "hold", "use", "show",
                         "handle", "manage", "send"})  # fmt: skip
IDLE_PLANS = frozenset({"see", "be", "say", "admit", "think", "let", "know", "remember", "keep", "try", "miss", "love", "pass",
                        "hear", "look", "wait", "stop", "head", "run", "sleep", "forget", "agree", "get"})  # fmt: skip


def plain_type(clause: Clause, stance: Stance, about: About, *, dated: Collection[Found]) -> EntryType | None:
    """The type of claim that a clause makes, or none when it says too little to be remembered."""
    content = _content(clause, about)
    if clause.verbless or _aside(clause) or hollow(clause, content, dated):
        return None
    if stance.modality == "planned":
        return _plan(clause, content, about, dated)
    if clause.verb.lemma == "be" and clause.verb is clause.top:
        return _being(clause, content, about, dated)
    if _tells_a_life(clause, stance, about):
        return "fact"
    if about.thing and not _concerns(clause, content, about, dated):
        return None
    if stance.decided:
        return "decision" if content else None
    if stance.can or stance.wished:
        return _able(clause, stance, content, dated)
    return "fact" if _enough(clause, content, dated) else None


def _tells_a_life(clause: Clause, stance: Stance, about: About) -> bool:
    """ "My parents split", "she retired", "I don't smoke anymore": news without a thing in it."""
    if stance.ended:
        return clause.verb.lemma not in words.LIGHT and not clause.children("dobj") and not about.thing
    others = about.second_hand or about.owned
    return clause.verb.lemma in words.LIFE and stance.modality == "asserted" and others and not stance.negated


def _aside(clause: Clause) -> bool:
    """Whether a clause only says which thing is meant ("the cake I made") or when ("when I was twelve")."""
    if clause.top.dep == "relcl":
        return clause.subject is not None and clause.subject.pos != "PROPN" and clause.subject.i != clause.top.head
    gap = any(word.dep == "prep" and not word.children for word in clause.children("prep"))
    return gap or (clause.top.dep == "advcl" and _timing(clause))


def _plan(clause: Clause, content: list[Word], about: About, dated: Collection[Found]) -> EntryType | None:
    if about.thing:
        return "fact" if dated else None
    least = 2 if clause.verb.lemma in IDLE_PLANS else 1
    return "commitment" if len(content) + bool(dated) >= least or (dated and clause.verb.lemma == "be") else None


def _concerns(clause: Clause, content: list[Word], about: About, dated: Collection[Found]) -> bool:
    """Whether what a thing does is worth keeping: it is one's own, does it to oneself, or on a day or by a number."""
    mine = any(word.lower in ("me", "us") for word in clause.children("dobj", "dative"))
    return (about.own and len(content) > 1) or mine or bool(dated) or any(word.pos == "NUM" for word in content)


def _able(clause: Clause, stance: Stance, content: list[Word], dated: Collection[Found]) -> EntryType | None:
    if stance.can and clause.verb.lemma in words.SKILLED:
        thing = clause.child("dobj")
        return None if thing is not None and thing.pos == "PRON" else "skill"
    if stance.wished:
        return "preference" if any(word.lower == "rather" for word in clause.children("advmod")) else None
    return "fact" if stance.negated and _enough(clause, content, dated) else None


def _timing(clause: Clause) -> bool:
    """Whether a clause only says when: "when I was twelve"."""
    return any(word.lower in WHEN for word in clause.children("advmod", "mark", of=clause.top))


def plain_objects(clause: Clause) -> list[Word | None]:
    """The things that a clause lists, each of which makes a claim of its own."""
    thing = clause.child("dobj")
    if thing is None:
        return [None]
    listed = conjuncts(thing, clause.sentence)
    if len(listed) == 1 or any(word.pos not in ("NOUN", "PROPN") for word in listed):
        return [None]
    return [*listed]


def _content(clause: Clause, about: About) -> list[Word]:
    """The words of a clause that carry something, its subject apart; "my knee" is one of them."""
    subject = set(clause.sentence.below(clause.subject.i)) if clause.subject and clause.top.dep != "relcl" else set()
    if about.thing and about.own and clause.subject is not None:
        subject.discard(clause.subject.i)
    every = [clause.sentence.words[i] for i in clause.members if i not in subject]
    return [
        word for word in every
        if word.pos in CONTENT and not {word.lower, word.lemma} & words.LIGHT_NOUNS
        and not (word.pos == "NOUN" and {word.lower, word.lemma} & words.ABSTRACT and not clause.children("compound", of=word))
        and word.lower not in words.TIMES
        and word.lower not in words.GREETING and len(word.text) > 1
    ]  # fmt: skip


def _being(clause: Clause, content: list[Word], about: About, dated: Collection[Found]) -> EntryType | None:
    """ "I am" says something with a noun that is not a mood, "my rent is" with a value."""
    said = clause.child("acomp", "attr", "prep", "oprd", "advmod")
    if said is None or clause.subject is None or clause.elided or clause.subject.i > clause.verb.i:
        return None
    if about.thing and not about.own:
        return "fact" if dated or any(word.pos == "NUM" for word in content) else None
    content = [word for word in content if word.i != clause.subject.i]
    moody = said.dep != "prep" and said.lower in words.TRANSIENT and not clause.children("npadvmod", of=said)
    if said.dep == "acomp" and not moody:
        return "fact"
    return "fact" if (content or dated) and not moody else None


def _enough(clause: Clause, content: list[Word], dated: Collection[Found]) -> bool:
    """Whether there is a thing, a place or a date beside a verb that says something."""
    if _empty(clause, content, dated):
        return False
    if clause.verb.lemma in words.LIGHT or (clause.verb.lemma in WITH_OBJECT and clause.child("dobj")):
        return bool(content) and (bool(dated) or clause.verb.lemma not in words.LIGHT)
    return bool(content) or bool(dated and clause.verb.pos == "VERB")


def _empty(clause: Clause, content: list[Word], dated: Collection[Found]) -> bool:
    """Whether a verb lacks what it needs: a thing that is named, not "it"; or whether it only leads to another clause."""
    thing = clause.child("dobj") or next((word for word in clause.children("nsubj") if word.i > clause.verb.i), None)
    if thing is None:
        alone = clause.verb.lemma in WITH_OBJECT and not any(word.pos == "PROPN" for word in content)
        return alone or (clause.child("ccomp") is not None and clause.verb.lemma in GOVERNING | PROMISING)
    if thing.pos in ("PRON", "DET") and thing.lower not in words.FIRST:
        return len(content) < 2 and not dated
    return clause.child("ccomp") is not None and clause.verb.lemma in GOVERNING | PROMISING

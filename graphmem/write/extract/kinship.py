"""People and pets who are introduced: "my sister Clara", "our CTO, Viktor Lindqvist", "two kids, Nora and Felix"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphmem.models.parser import Sentence, Word
from graphmem.types import EntryType
from graphmem.write.claims import Claim
from graphmem.write.extract import lexicon as words
from graphmem.write.extract.passages import Passage
from graphmem.write.extract.people import owner_of, role_noun
from graphmem.write.extract.scene import Scene, shown
from graphmem.write.extract.things import conjuncts, given_name, name_span, phrase, proper

# What the model takes the name of somebody's boss for, when it does not know it.
HUMAN = frozenset({"PERSON", "ORG", "GPE", ""})
HAVING = frozenset({"have", "get", "adopt"})


FORMER = re.compile(r"\b(?:formerly|previously|used to be|was)(?: (?:known as|called|named))? (?P<old>[A-Z][\w.-]+)")


def introductions(sentence: Sentence, passage: Passage, scene: Scene, *, asserted: bool) -> Iterator[Claim]:
    """Tell the scene of everybody in a sentence, and claim how those who are named belong to whom."""
    for word in sentence.words:
        if word.pos not in ("NOUN", "PROPN"):
            continue
        role = role_noun(word, scene.people.roles)
        owner = _owner(word, sentence, passage, scene) if role else None
        if role is None or owner is None:
            if asserted:
                yield from _christen(word, sentence, passage, scene)
            if _is_person(word, sentence, scene):
                scene.people.person(phrase(word, sentence, of=False), word.i)
            continue
        for name in _names(word, sentence):
            person = scene.people.role(owner, role, word.i, phrase(name, sentence, of=False))
            scene.things.session[person.name.lower()] = person.type
            if asserted:
                yield _belongs(word, name, role, owner, person.name, sentence, passage, scene)


def _christen(word: Word, sentence: Sentence, passage: Passage, scene: Scene) -> Iterator[Claim]:
    """ "A guy called Tobin", "the project is called Kestrel": a name is of the type of its noun."""
    kind = scene.things.nouns.get(word.lemma)
    if kind is None or word.text[:1].isupper():
        return
    for each in _names(word, sentence):
        if not proper(each, sentence):
            continue
        name = phrase(each, sentence, of=False)
        scene.things.session[name.lower()] = kind
        if word.dep in ("nsubj", "nsubjpass") and any(sentence.words[i].lower == "the" for i in word.children):
            yield Claim(
                type="fact", text=f"The {phrase(word, sentence, of=False)} is called {name}", speaker=passage.turn.speaker,
                subject=name, object=name, confidence=0.7, replaces=_former(passage.text[sentence.start : sentence.end]),
                sources=(passage.source(word.start, max(word.end, each.end)),),
            )  # fmt: skip


def _former(text: str) -> str | None:
    """The name that something had before: "formerly known as Bluebird"."""
    match = FORMER.search(text)
    return match.group("old") if match else None


def _is_person(word: Word, sentence: Sentence, scene: Scene) -> bool:
    if word.dep == "compound" or not proper(word, sentence) or owner_of(word, sentence) is not None:
        return False
    return scene.things.type_of(word, sentence) == "person"


def _owner(word: Word, sentence: Sentence, passage: Passage, scene: Scene) -> str | None:
    """Whose sister she is; one's own after "I have"."""
    owner = owner_of(word, sentence)
    if owner is not None:
        return scene.owner(owner, sentence, passage)
    verb = sentence.words[word.head]
    if word.dep == "dobj" and verb.lemma in HAVING:
        subject = [sentence.words[i] for i in verb.children if sentence.words[i].dep == "nsubj"]
        if subject and subject[0].lower in words.FIRST:
            return scene.speaker(passage)
    return None


def _names(word: Word, sentence: Sentence) -> list[Word]:
    """The names given to a noun; the other way round for "Bram, my cousin" and "Clara is my sister"."""
    given = given_name(word, sentence)
    if given is not None:
        return [each for each in conjuncts(given, sentence) if each.text[:1].isupper() or each is given]
    head = sentence.words[word.head]
    if word.dep in ("appos", "conj") and proper(head, sentence) and word.dep == "appos":
        return [head]
    if word.dep == "attr" and head.lemma == "be":
        above = sentence.words[head.head] if head.dep == "xcomp" else head
        subject = [sentence.words[i] for i in above.children if sentence.words[i].dep == "nsubj"]
        return [each for each in subject if proper(each, sentence) and each.ent in HUMAN and each.pos == "PROPN"]
    called = [sentence.words[i] for i in head.children if sentence.words[i].dep in ("oprd", "attr")]
    if word.dep in ("nsubj", "nsubjpass") and (
        head.lemma in ("call", "name") or (head.lemma == "be" and _calls(head, sentence))
    ):
        inner = called or [sentence.words[k] for i in head.children for k in sentence.words[i].children
                           if sentence.words[i].lower in ("called", "named") and sentence.words[k].dep == "oprd"]  # fmt: skip
        return [each for each in inner if each.text[:1].isupper()]
    return []


def _calls(verb: Word, sentence: Sentence) -> bool:
    """Whether "is" gives a name: "my wife is Ana"."""
    said = [sentence.words[i] for i in verb.children if sentence.words[i].dep == "attr"]
    return bool(said) and said[0].ent == "PERSON"


def _belongs(
    noun: Word, name: Word, role: str, owner: str, person: str, sentence: Sentence, passage: Passage, scene: Scene
) -> Claim:  # fmt: skip
    known = scene.people.roles[role]
    subject, other = (person, owner) if known.reverse else (owner, person)
    predicate = scene.ontology.predicate(known.predicate) if known.predicate else None
    kind: EntryType = "relationship" if known.type == "person" else "fact"
    start = min(name_span(name, sentence)[0], noun.start)
    return Claim(
        type=kind, text=f"{person} is {shown(owner)}'s {_called(noun, sentence)}", subject=subject, object=other,
        predicate=predicate.name if predicate else None, ends=bool(predicate and predicate.lasts) and _is_over(noun, sentence), sources=(passage.source(start, max(name.end, noun.end)),),
        speaker=passage.turn.speaker, confidence=0.85 if owner == scene.speaker(passage) else 0.75,
        identity=bool(predicate and predicate.identity and owner == scene.speaker(passage)),
        importance=predicate.importance if predicate else 0.5, tags=(),
    )  # fmt: skip


def _is_over(noun: Word, sentence: Sentence) -> bool:
    """Whether "my boss" is said of the past: "she was my boss", "she used to be"."""
    verb = sentence.words[noun.head]
    if noun.dep != "attr" or verb.lemma != "be":
        return False
    above = sentence.words[verb.head]
    was = verb.tag == "VBD" and not any(
        sentence.words[i].lower in words.POINTING for i in verb.children if sentence.words[i].dep == "nsubj"
    )
    return was or (verb.dep == "xcomp" and above.lemma == "use")


def _called(noun: Word, sentence: Sentence) -> str:
    """The noun in the singular: each of "two kids" is a kid."""
    text = phrase(noun, sentence, of=False) if noun.dep != "dobj" else noun.text
    return noun.lemma if noun.tag in ("NNS", "NNPS") else text

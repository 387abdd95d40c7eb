"""The scene of a session while it is read: who speaks, who was spoken of, and what a noun or pronoun stands for."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from graphmem.dates import Found, Holiday
from graphmem.models.parser import Sentence, Word
from graphmem.ontology import Ontology
from graphmem.write.claims import USER, Claim
from graphmem.write.extract import lexicon as words
from graphmem.write.extract.matching import Grammar
from graphmem.write.extract.passages import Passage
from graphmem.write.extract.people import People, owner_of, role_noun
from graphmem.write.extract.things import Things, deictic, given_name, phrase, proper
from graphmem.write.extract.times import find

CALLED_BARE = frozenset({"mum", "mom", "dad", "mama", "papa", "grandma", "grandpa", "gran", "nana", "granny", "mommy",
                         "daddy", "hubby", "wifey"})  # fmt: skip


class About(Struct, frozen=True, kw_only=True):
    """Whom or what a clause is about: ``subject`` as a claim has it, ``shown`` as a sentence begins."""

    subject: str
    shown: str
    own: bool = False
    second_hand: bool = False
    thing: bool = False
    owned: bool = False


class Scene:
    """What has been read of a session so far."""

    def __init__(self, ontology: Ontology, things: Things, grammar: Grammar, people: People,
                 holidays: Mapping[str, Holiday], *, assisted: bool) -> None:  # fmt: skip
        self.ontology = ontology
        self.things = things
        self.grammar = grammar
        self.people = people
        self.holidays = holidays
        self.assisted = assisted
        self.claims: list[Claim] = []
        self._dates: dict[int, list[Found]] = {}

    def dates(self, passage: Passage) -> list[Found]:
        """The dates of a passage, resolved once."""
        key = id(passage)
        if key not in self._dates:
            self._dates[key] = find(passage.text, passage.turn.at, self.holidays)
        return self._dates[key]

    def speaker(self, passage: Passage) -> str:
        """Who says a passage."""
        return passage.turn.speaker or USER

    def listener(self, passage: Passage) -> str:
        """Who is addressed in it."""
        return passage.listener or ("the assistant" if self.assisted else "someone")

    def about(self, subject: Word | None, sentence: Sentence, passage: Passage, *, elided: bool) -> About | None:
        """Whom a subject means; none for "people", "it" and whoever cannot be told."""
        me = self.speaker(passage)
        if subject is None:
            return About(subject=me, shown=shown(me), own=True) if elided else None
        if subject.lower in words.FIRST:
            return About(subject=me, shown=shown(me), own=True)
        if subject.lower in words.THIRD:
            person = self.people.pronoun(subject.lower, subject.i)
            return About(subject=person.name, shown=shown(person.name), second_hand=True) if person else None
        if subject.lower in words.SECOND or subject.lower in words.GENERIC or subject.pos in ("PRON", "DET"):
            return None
        if any(sentence.words[i].dep == "conj" and sentence.words[i].lower in words.FIRST for i in subject.children):
            return About(subject=me, shown=shown(me), own=True)
        return self._noun(subject, sentence, passage)

    def _noun(self, noun: Word, sentence: Sentence, passage: Passage) -> About | None:
        me = self.speaker(passage)
        if (name := self.someone(noun, sentence, passage)) is not None:
            return About(subject=name, shown=shown(name), second_hand=True)
        owner = owner_of(noun, sentence)
        named = phrase(noun, sentence)
        if owner is not None and owner.lower in words.SECOND:
            return None  # "your passion is awesome" is praise
        if owner is not None and (who := self.owner(owner, sentence, passage)):
            return About(
                subject=who,
                shown=f"{shown(who)}'s {named}",
                own=who == me,
                second_hand=who != me,
                thing=True,
                owned=True,
            )
        if proper(noun, sentence) and noun.pos == "PROPN" and self.things.type_of(noun, sentence) != "time":
            return About(subject=named, shown=named, second_hand=True, thing=True)
        if noun.pos == "NOUN" and noun.lower not in words.LIGHT_NOUNS and not deictic(noun, sentence):
            return About(
                subject=me, shown=f"The {named}" if _definite(noun, sentence) else named.capitalize(), thing=True
            )
        return None

    def someone(self, noun: Word, sentence: Sentence, passage: Passage) -> str | None:
        """The person (or pet) that a noun means: "my sister", "Mum", "Clara", "her boss"."""
        role = role_noun(noun, self.people.roles)
        owner = owner_of(noun, sentence)
        if role and (owner is not None or noun.lower in CALLED_BARE):
            who = self.owner(owner, sentence, passage) if owner else self.speaker(passage)
            if who is None:
                return None
            given = given_name(noun, sentence)
            plural = noun.tag in ("NNS", "NNPS")
            if plural and given is None:
                return None
            return self.people.role(
                who, role, noun.i, phrase(given, sentence) if given is not None and not plural else None
            ).name
        if owner is None and proper(noun, sentence) and self.things.type_of(noun, sentence) == "person":
            return self.people.person(phrase(noun, sentence), noun.i).name
        return None

    def owner(self, owner: Word, sentence: Sentence, passage: Passage) -> str | None:
        """Who "my", "her" or "Clara's" is."""
        if owner.lower in words.FIRST:
            return self.speaker(passage)
        if owner.lower in words.THIRD:
            person = self.people.pronoun(owner.lower, owner.i)
            return person.name if person else None
        if owner.lower in words.SECOND:
            return passage.listener or (USER if passage.turn.role == "assistant" else None)
        return self.someone(owner, sentence, passage)

    def name_of(self, word: Word) -> str | None:
        """How a pronoun or a "my" inside a clause reads when it is told by somebody else; none to leave it."""
        if word.lower in ("he", "she", "him"):
            person = self.people.pronoun(word.lower, word.i)
            return person.name if person else None
        return None


def shown(name: str) -> str:
    """A subject as the first word of a sentence."""
    if name == USER or name.startswith(f"{USER}'s "):
        return f"U{name[1:]}"
    return name


def _definite(noun: Word, sentence: Sentence) -> bool:
    return any(sentence.words[i].lower in ("the", "this", "that") for i in noun.children)

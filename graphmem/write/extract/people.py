"""Who is meant: the speaker, the other one, "my sister", and the nearest "she"."""

from __future__ import annotations

from msgspec import Struct

from graphmem.models.parser import Sentence, Word
from graphmem.ontology import Ontology
from graphmem.write.extract import lexicon as words

TITLES = {"mrs": "female", "ms": "female", "miss": "female", "mr": "male"}


class Role(Struct, frozen=True, kw_only=True):
    """What a noun like "sister" says: its owner (or, with ``reverse``, the one so called) is the predicate's subject."""

    noun: str
    predicate: str | None
    reverse: bool = False
    type: str = "person"


class Person(Struct, kw_only=True):
    """Somebody of whom the session speaks: ``name`` is the fullest name so far, ``role`` how he was called."""

    name: str
    role: str = ""
    gender: str = "any"
    type: str = "person"
    place: int = 0


def roles_of(ontology: Ontology) -> dict[str, Role]:
    """The nouns of an ontology by which people and pets are called after somebody."""
    found: dict[str, Role] = {}
    for predicate in ontology.predicates:
        for noun in predicate.object_roles:
            kind = next((each for each in ("person", "concept") if each in predicate.range), predicate.range[0])
            found.setdefault(noun, Role(noun=noun, predicate=predicate.name, type=kind))
        for noun in predicate.subject_roles:
            kind = "person" if "person" in predicate.domain else predicate.domain[0]
            found.setdefault(noun, Role(noun=noun, predicate=predicate.name, reverse=True, type=kind))
    people = ontology.type("person")
    for noun in people.nouns if people else ():
        found.setdefault(noun, Role(noun=noun, predicate=None))
    return found


class People:
    """Who was spoken of so far. It is told of people in the order of the text, and asked for the last that fits."""

    def __init__(self, roles: dict[str, Role]) -> None:
        self.roles = roles
        self.by_role: dict[tuple[str, str], Person] = {}
        self.recent: list[Person] = []
        self.before: list[Person] = []

    def next_sentence(self) -> None:
        """Remember who had been spoken of before this sentence."""
        self.before = [*self.recent]

    def person(self, name: str, place: int, gender: str = "any") -> Person:
        """Somebody who was named."""
        title = name.split(" ", 1)[0].rstrip(".").lower()
        gender = TITLES.get(title, gender)
        known = next((each for each in self.recent if each.name == name), None)
        person = known or Person(name=name, gender=gender)
        self._seen(person, place)
        return person

    def role(self, owner: str, noun: str, place: int, name: str | None = None) -> Person:
        """ "My sister", or "my sister Clara": the same person each time, once named under that name."""
        role = self.roles[noun]
        person = self.by_role.get((owner, noun))
        if person is None or (name and person.name not in (f"{owner}'s {noun}", name)):
            person = Person(
                name=name or f"{owner}'s {noun}",
                role=f"{owner}'s {noun}",
                gender=TITLES.get((name or "").split(" ", 1)[0].rstrip(".").lower(), _gender(noun)),
                type=role.type,
            )
            self.by_role[owner, noun] = person
        elif name:
            person.name = name
        self._seen(person, place)
        return person

    def pronoun(self, lower: str, place: int) -> Person | None:
        """The last person whom a pronoun may mean; none when it could be more than one of those just named."""
        gender = words.THIRD.get(lower)
        if gender not in ("male", "female"):
            return None
        return _one(self.before[-4:], gender) or _one(
            [each for each in self.recent if each not in self.before and each.place < place], gender
        )

    def _seen(self, person: Person, place: int) -> None:
        person.place = place
        if person in self.recent:
            self.recent.remove(person)
        self.recent.append(person)


def _one(people: list[Person], gender: str) -> Person | None:
    """The last of these who is surely of a gender, or the only one who may be."""
    fitting = [each for each in people if each.gender in (gender, "any") and each.type != "place"]
    sure = [each for each in fitting if each.gender == gender]
    chosen = sure or fitting
    return chosen[-1] if sure or len(chosen) == 1 else None


def _gender(noun: str) -> str:
    return "male" if noun in words.MALE else "female" if noun in words.FEMALE else "any"


def role_noun(word: Word, roles: dict[str, Role]) -> str | None:
    """The role that a noun names, "twin sister" and "ex-wife" included."""
    for candidate in (word.lower, word.lemma):
        if candidate in roles:
            return candidate
    return None


def owner_of(word: Word, sentence: Sentence) -> Word | None:
    """The possessive that stands before a noun ("my", "Ana's")."""
    return next((sentence.words[i] for i in word.children if sentence.words[i].dep == "poss"), None)

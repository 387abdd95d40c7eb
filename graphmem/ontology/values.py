"""What an ontology is once it is loaded: types, predicates and patterns, as values."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from graphmem.types import EntryType

SlotName = Literal["subject", "owner", "object", "old", "any"]


class EntityType(Struct, frozen=True, kw_only=True):
    """A type that an entity can have. ``names`` are things of that type, ``nouns`` words for such a thing."""

    name: str
    description: str
    names: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()


class Predicate(Struct, frozen=True, kw_only=True):
    """A way in which a subject (of a type in ``domain``) relates to an object (of a type in ``range``).

    Predicates of one ``family`` contradict each other. What ``lasts`` is over when it is told in the past tense. ``object_roles`` are words for the object as somebody's
    ("my sister"), ``subject_roles`` words for the subject ("my boss" manages me).
    """

    name: str
    description: str
    domain: tuple[str, ...]
    range: tuple[str, ...]
    single_valued: bool = False
    fixed: bool = False
    inverse: str | None = None
    family: str = ""
    entry_type: EntryType = "fact"
    identity: bool = False
    importance: float = 0.5
    lasts: bool = False
    object_roles: tuple[str, ...] = ()
    subject_roles: tuple[str, ...] = ()

    @property
    def symmetric(self) -> bool:
        """Whether the relation holds both ways."""
        return self.inverse == self.name


class Part(Struct, frozen=True, kw_only=True):
    """One step of a pattern: any of ``words`` (as lemmas), or a slot to fill with something of the given ``form``.

    A ``close`` part stands right behind the one before.
    """

    words: tuple[str, ...] = ()
    close: bool = False
    slot: SlotName | None = None
    form: str = ""


class Pattern(Struct, frozen=True, kw_only=True):
    """A way of saying something, as data. ``text`` is how it was written, ``parts`` how it is matched.

    It ``begins`` or ``ends`` what its predicate says when it tells of a change: "moved to", "quit".
    """

    text: str
    parts: tuple[Part, ...]
    predicate: str | None = None
    entry_type: EntryType | None = None
    begins: bool = False
    ends: bool = False
    negated: bool = False
    identity: bool | None = None
    importance: float | None = None
    tags: tuple[str, ...] = ()


class Ontology(Struct, frozen=True, kw_only=True):
    """Types, predicates and patterns, in the order of their files. ``name`` joins those of merged files with ``+``.

    ``groups`` are lists of nouns that a pattern may ask for, such as pets or occupations.
    """

    name: str
    version: int
    types: tuple[EntityType, ...]
    predicates: tuple[Predicate, ...]
    patterns: tuple[Pattern, ...] = ()
    groups: dict[str, tuple[str, ...]] = {}
    holidays: dict[str, str] = {}

    def type(self, name: str) -> EntityType | None:
        """Return the type called ``name``."""
        return next((each for each in self.types if each.name == name), None)

    def predicate(self, name: str) -> Predicate | None:
        """Return the predicate called ``name``."""
        return next((each for each in self.predicates if each.name == name), None)

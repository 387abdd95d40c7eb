"""What text claims, before resolution: the Draft that every extractor makes of the turns of a session.

A Draft names things as they were mentioned and points at characters of turns; it knows no ids but those of turns, needs
no store, and can be made again by a better extractor.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from msgspec import Struct

from graphmem.dates import Granularity
from graphmem.types import EntryType

Modality = Literal["asserted", "planned", "asked", "hypothetical", "quoted"]
# The subject of what a turn without a speaker's name says in the first person.
USER = "user"


class Source(Struct, frozen=True, kw_only=True):
    """Where something was said: characters ``start`` to ``end`` of a turn's text."""

    turn: str
    start: int
    end: int


class When(Struct, frozen=True, kw_only=True):
    """A time as it was said and as it was resolved: half-open, in UTC, as fine as its granularity and no finer."""

    text: str
    start: datetime | None
    end: datetime | None
    granularity: Granularity


class Mention(Struct, frozen=True, kw_only=True):
    """A thing in the world under the fullest name that the session uses; ``aliases`` are its other names there."""

    name: str
    type: str
    aliases: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()


class Claim(Struct, frozen=True, kw_only=True):
    """One thing that somebody said to hold.

    ``text`` is a self-contained sentence in the third person ("Ana lives in Berlin"), ``subject`` the name of a Mention
    (or ``USER``), ``object`` the name of a Mention or a value as said. ``predicate`` is the ontology's, or ``None`` when
    none fits. ``ends`` says that it stopped to hold ("I left Acme"); ``replaces`` is the old value that the speaker
    named while giving a new one. ``valid_from`` and ``valid_to`` are what was said about when it holds, ``happened``
    when an event took place or is to take place.
    """

    type: EntryType
    text: str
    subject: str
    sources: tuple[Source, ...]
    predicate: str | None = None
    object: str | None = None
    negated: bool = False
    modality: Modality = "asserted"
    speaker: str | None = None
    ends: bool = False
    replaces: str | None = None
    valid_from: When | None = None
    valid_to: When | None = None
    happened: When | None = None
    confidence: float = 0.7
    importance: float = 0.5
    identity: bool = False
    tags: tuple[str, ...] = ()


class Digest(Struct, frozen=True, kw_only=True):
    """What a session was about."""

    summary: str
    topics: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    key_dates: tuple[str, ...] = ()
    action_items: tuple[str, ...] = ()
    salience: float = 0.5


class Draft(Struct, frozen=True, kw_only=True):
    """All that the turns of one session claim. ``extractor`` says who made it, such as ``local/1``."""

    extractor: str
    digest: Digest | None = None
    mentions: tuple[Mention, ...] = ()
    claims: tuple[Claim, ...] = ()

"""The nouns of graphmem. Values only: frozen, typed, compared by content."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct

Role = Literal["user", "assistant", "system", "tool"]
Kind = Literal["turn", "session", "episode", "entity", "relation", "entry", "profile", "dispute"]
EntryType = Literal[
    "fact", "preference", "decision", "correction", "commitment", "relationship", "skill", "instruction"
]
SourceType = Literal["extracted", "model", "user"]
Action = Literal[
    "created", "updated", "merged", "repeated", "superseded", "closed", "weakened", "kept", "disputed", "resolved",
    "retracted", "restored", "deleted",
]  # fmt: skip
Level = Literal["rate", "quality", "duplicate", "budget"]
JobState = Literal["waiting", "running", "done", "parked"]
Share = Annotated[float, Meta(ge=0, le=1)]


class Validity(Struct, frozen=True, kw_only=True):
    """When something held in the world, and when we came to believe so.

    Intervals are half-open: the start is in, the end is out; ``None`` means unbounded or unknown.
    """

    recorded_at: datetime
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    retracted_at: datetime | None = None

    def __post_init__(self) -> None:
        if self.valid_from and self.valid_to and self.valid_to <= self.valid_from:
            raise ValueError(f"validity ends ({self.valid_to}) before it starts ({self.valid_from})")


class Turn(Struct, frozen=True, kw_only=True):
    """One message, verbatim, immutable. ``at`` is when it was said, ``recorded_at`` when we heard of it.

    ``session`` is the caller's name for the sitting it belongs to, ``session_id`` ours. ``offset`` is how many minutes
    east of UTC the speaker's clock was, so that "yesterday" is the speaker's; ``user`` is whose account it came from.
    """

    id: str
    space: str
    session: str
    session_id: str
    text: str
    at: datetime
    recorded_at: datetime
    role: Role = "user"
    speaker: str | None = None
    ref: str | None = None
    title: str | None = None
    caption: str | None = None
    metadata: str | None = None
    tokens: int = 0
    offset: int = 0
    user: str | None = None


class Session(Struct, frozen=True, kw_only=True):
    """The turns of one conversation sitting; ``name`` is the caller's word for it."""

    id: str
    space: str
    name: str
    started_at: datetime
    recorded_at: datetime


class Episode(Struct, frozen=True, kw_only=True):
    """The digest of a session."""

    id: str
    space: str
    session: str
    session_id: str
    summary: str
    at: datetime
    recorded_at: datetime
    topics: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    key_dates: tuple[str, ...] = ()
    action_items: tuple[str, ...] = ()
    salience: Share = 0.5
    evidence: tuple[str, ...] = ()
    user: str | None = None


class Entity(Struct, frozen=True, kw_only=True):
    """A thing in the world. One that turned out to be another carries that one's id in ``merged_into``."""

    id: str
    space: str
    type: str
    name: str
    recorded_at: datetime
    aliases: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    merged_into: str | None = None


class Relation(Struct, frozen=True, kw_only=True):
    """``subject -predicate-> object``, true for as long as its validity says."""

    id: str
    space: str
    subject: str
    predicate: str
    object: str
    text: str
    validity: Validity
    confidence: Share = 1.0
    evidence: tuple[str, ...] = ()
    user: str | None = None


class Entry(Struct, frozen=True, kw_only=True):
    """One typed item of working memory.

    ``subject`` is the entity that it is about, ``predicate`` the family within which a newer value may contradict it, and
    ``relation`` the relation that says the same in the graph. ``identity`` marks what belongs into every context, ``pinned``
    what a person wrote by hand and nothing may rewrite. ``said_at`` is when it was last said.
    """

    id: str
    space: str
    type: EntryType
    text: str
    validity: Validity
    confidence: Share = 1.0
    importance: Share = 0.5
    original_importance: Share = 0.5
    tags: tuple[str, ...] = ()
    source_type: SourceType = "extracted"
    source_count: int = 1
    supersedes: str | None = None
    superseded_by: str | None = None
    expires_at: datetime | None = None
    evidence: tuple[str, ...] = ()
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    negated: bool = False
    relation: str | None = None
    user: str | None = None
    said_at: datetime | None = None
    identity: bool = False
    pinned: bool = False


class Profile(Struct, frozen=True, kw_only=True):
    """One version of what is known about whose memory a space is; ``contributions`` is how many entries there were then."""

    id: str
    space: str
    version: int
    text: str
    recorded_at: datetime
    evidence: tuple[str, ...] = ()
    contributions: int = 0


class Dispute(Struct, frozen=True, kw_only=True):
    """A contradiction that graphmem may not settle: ``clarify`` asks the user, ``review`` whoever looks after the space.

    ``entries`` are the claims that contradict each other, the known one first.
    """

    id: str
    space: str
    kind: Literal["clarify", "review"]
    question: str
    entries: tuple[str, ...]
    recorded_at: datetime
    resolution: str | None = None
    resolved_at: datetime | None = None


Item = Turn | Session | Episode | Entity | Relation | Entry | Profile | Dispute


class Deletion(Struct, frozen=True, kw_only=True):
    """A soft delete: the item is kept in the journal and excluded from everything that is read."""

    id: str
    at: datetime
    reason: str = ""


class Change(Struct, frozen=True, kw_only=True):
    """A line in the history of an item: what happened to it, when, why, and which item or turn brought it about."""

    item: str
    at: datetime
    action: Action
    reason: str
    by: str | None = None


class Refusal(Struct, frozen=True, kw_only=True):
    """A claim that was not stored, and why."""

    text: str
    level: Level
    reason: str
    at: datetime
    evidence: tuple[str, ...] = ()


class Distilled(Struct, frozen=True, kw_only=True):
    """Up to which turn a session has been distilled, by which extractor; ``again`` says that a better one should."""

    session: str
    until: str
    extractor: str
    at: datetime
    again: bool = False


class Delta(Struct, frozen=True, kw_only=True):
    """Everything one write changes: the only thing that a store knows how to commit.

    An item with a new id is added; one with a known id replaces that item (turns and sessions never change).
    ``chosen`` is what the space settles for itself, such as its ontologies.
    """

    space: str
    at: datetime
    sessions: tuple[Session, ...] = ()
    turns: tuple[Turn, ...] = ()
    episodes: tuple[Episode, ...] = ()
    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()
    entries: tuple[Entry, ...] = ()
    profiles: tuple[Profile, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    deletions: tuple[Deletion, ...] = ()
    changes: tuple[Change, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    distilled: tuple[Distilled, ...] = ()
    chosen: dict[str, str] = {}

    def items(self) -> tuple[Item, ...]:
        """All items in an order in which each one's neighbours come before it."""
        return (
            *self.sessions, *self.turns, *self.episodes, *self.entities,
            *self.relations, *self.entries, *self.profiles, *self.disputes,
        )  # fmt: skip


class Evidence(Struct, frozen=True, kw_only=True):
    """A turn that supports a hit, with the words to show."""

    turn: str
    quote: str
    at: datetime
    speaker: str | None = None
    ref: str | None = None


class Hit(Struct, frozen=True, kw_only=True):
    """One remembered thing that answers a question, and why it was found. ``validity`` says when it holds or held."""

    id: str
    kind: Kind
    text: str
    score: float
    channels: dict[str, float]
    evidence: tuple[Evidence, ...]
    at: datetime
    session: str | None = None
    speaker: str | None = None
    ref: str | None = None
    validity: Validity | None = None


class Recall(Struct, frozen=True, kw_only=True):
    """The answer of the read path: hits, best first. ``answerable`` is ``None`` while nothing has calibrated it."""

    question: str
    space: str
    hits: tuple[Hit, ...]
    answerable: float | None = None
    channels: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    clarifications: tuple[Dispute, ...] = ()


class NewTurn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A turn as a caller hands it in, before it has an id."""

    text: str
    session: str | None = None
    speaker: str | None = None
    role: Role = "user"
    at: datetime | str | None = None
    ref: str | None = None
    title: str | None = None
    caption: str | None = None
    metadata: dict[str, object] | None = None
    user: str | None = None


class Refused(Struct, frozen=True, kw_only=True):
    """A turn of a batch that was not stored: its place in the batch and the error."""

    index: int
    error: str


class Added(Struct, frozen=True, kw_only=True):
    """What became of a batch."""

    stored: tuple[Turn, ...]
    refused: tuple[Refused, ...] = ()


class Version(Struct, frozen=True, kw_only=True):
    """One step in the history of an item: what was written about it, and the item as it was from then on."""

    change: Change
    item: Item | None


class Access(Struct, frozen=True, kw_only=True):
    """How often an item was of use to somebody who asked, and when last."""

    count: int
    last: datetime | None = None


class Job(Struct, frozen=True, kw_only=True):
    """Work that is done behind the caller's back. ``due`` is ``None`` for one that waits to be asked for."""

    id: str
    space: str
    kind: str
    session: str
    state: JobState
    attempts: int
    due: datetime | None
    created_at: datetime
    updated_at: datetime
    error: str = ""
    result: dict[str, object] = {}


class Redistilled(Struct, frozen=True, kw_only=True):
    """What distilling again changed, or would change."""

    sessions: int
    added: tuple[str, ...] = ()
    changed: tuple[tuple[str, str], ...] = ()
    retracted: tuple[str, ...] = ()
    unchanged: int = 0
    dry_run: bool = False


class Stats(Struct, frozen=True, kw_only=True):
    """Counts of one space, or of the whole folder."""

    space: str | None
    counts: dict[str, int]
    spaces: int
    pending_vectors: int
    pending_jobs: int
    commits: int
    bytes_on_disk: int
    embedding: str | None


class Report(Struct, frozen=True, kw_only=True):
    """What ``verify`` compared and what did not agree."""

    compared: dict[str, int]
    problems: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every part says the same."""
        return not self.problems

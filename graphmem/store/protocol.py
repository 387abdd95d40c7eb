"""The seam: what every store can do. One contract suite runs over each implementation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from graphmem.types import (
    Access,
    Delta,
    Distilled,
    Entity,
    Entry,
    Item,
    Job,
    JobState,
    Kind,
    Refusal,
    Relation,
    Report,
    Session,
    Stats,
    Turn,
    Version,
)

Progress = Callable[[int, int], None]
Scored = tuple[str, float]


class NewJobs(NamedTuple):
    """How jobs of a commit come to be: where their ids come from, and after how many seconds they are due.

    Without a delay they wait until they are asked for.
    """

    id: Callable[[], str]
    delay: float | None


class View(Protocol):
    """What can be read of one space; it sees everything acknowledged before it was made."""

    space: str

    def get(self, id: str) -> Item | None:
        """Return the live item with this id, if it is in this space."""

    def get_many(self, ids: Sequence[str]) -> dict[str, Item]:
        """Return the live items among ``ids``."""

    def sessions(self) -> list[Session]:
        """Return the sessions of this space, oldest first."""

    def turns(self, session: str) -> list[Turn]:
        """Return the live turns of a session (by id) in the order in which they came."""

    def all(self, kind: Kind) -> list[Any]:
        """Return the live items of a kind, oldest first; turns are read by session."""

    def named(self, keys: Sequence[str]) -> list[Entity]:
        """Return the entities that have one of these keys among their names."""

    def family(self, subject: str, predicates: Sequence[str | None]) -> list[Entry]:
        """Return the entries about a subject under these predicates, oldest first, closed ones among them."""

    def about(self, subject: str) -> list[Entry]:
        """Return all entries about a subject, oldest first."""

    def relations_of(self, entity: str) -> list[Relation]:
        """Return the relations that an entity is in, oldest first."""

    def supported_by(self, turn: str) -> list[Item]:
        """Return what names a turn as its evidence."""

    def history(self, id: str) -> list[Version]:
        """Return what happened to an item, oldest first; a deleted one has its history still."""

    def refusals(self) -> list[Refusal]:
        """Return the claims that were not stored, and why, oldest first."""

    def distilled(self, session: str) -> Distilled | None:
        """Return how far a session has been distilled."""

    def chosen(self, key: str) -> str | None:
        """Return what the space has settled for itself, such as its ontologies."""

    def neighbours(self, entity: str) -> list[str]:
        """Return the ids of the entities that one relation away are linked to ``entity``."""

    def by_words(self, terms: Sequence[str], *, limit: int, kinds: Sequence[Kind]) -> list[Scored]:
        """Return ids with BM25 scores, best first."""

    def by_vector(self, vector: Any, *, limit: int, kinds: Sequence[Kind]) -> list[Scored]:
        """Return ids with cosine similarities, best first."""


class Queue(Protocol):
    """Durable work that waits behind the writes: a session that was written to has one job until it is distilled."""

    def next(self, space: int | None = None) -> Job | None:
        """Return the job that is due first, or will be."""

    def begin(self, id: str) -> None:
        """Say that a job is being worked on."""

    def finish(self, id: str, result: Mapping[str, object]) -> None:
        """Say that a job is done, and what came of it."""

    def fail(self, id: str, error: str, retry_after: float | None) -> None:
        """Keep the error; try again after so many seconds, or park the job until somebody asks for it."""

    def hasten(self, space: int | None) -> int:
        """Make what waits due at once; return how many jobs that are."""

    def retry(self, space: int | None) -> int:
        """Put parked jobs back in line; return how many that are."""

    def recover(self, *, at_once: bool) -> None:
        """Put back in line what was being worked on when the process died, and make all that waits due, or nothing."""

    def ask(self, space: int, session: str, new_id: Callable[[], str], kind: str = "distil") -> None:
        """Make a job for a session that is due at once."""

    def get(self, id: str) -> Job | None:
        """Return one job."""

    def of(self, space: int | None, states: Sequence[JobState], limit: int) -> list[Job]:
        """Return jobs, newest first."""

    def open(self, space: int | None) -> int:
        """Count what waits for its time or is being worked on."""


class Counting(Protocol):
    """How often items are of use."""

    def note(self, ids: Sequence[str], at: datetime) -> None:
        """Count that these items were shown to somebody who asked."""

    def of(self, id: str) -> Access:
        """Return how often an item was of use, and when last."""


class Store(Protocol):
    """Durable memory of many spaces."""

    @property
    def usage(self) -> Counting:
        """What was of use; the last seconds before a crash may be missing."""

    @property
    def jobs(self) -> Queue:
        """The work that waits."""

    def commit(self, delta: Delta, new_jobs: NewJobs | None = None) -> int:
        """Make ``delta`` durable, its words searchable and jobs for its turns; return its commit number."""

    def space_number(self, name: str) -> int | None:
        """Return the store's own number of a space, by which jobs are asked for."""

    def view(self, space: str) -> View:
        """Return a view of one space; an unknown space is empty."""

    def spaces(self) -> list[str]:
        """Return the names of all spaces."""

    def has_space(self, name: str) -> bool:
        """Say whether anything was ever written to a space."""

    def session_id(self, space: str, name: str) -> str | None:
        """Return the id of a session by the caller's name for it."""

    def turn_by_ref(self, space: str, ref: str) -> str | None:
        """Return the id of the live turn behind a caller's ref."""

    def pending(self, limit: int, space: str | None = None, kind: Kind | None = None) -> list[tuple[int, str]]:
        """Return (label, text) of items that still lack a vector, in a space perhaps only those of one kind."""

    def embedded(self, rows: Sequence[tuple[int, Any]], signature: str) -> None:
        """Keep the vectors of these labels."""

    def model(self) -> str | None:
        """Return the signature of the model whose vectors are kept."""

    def last_id(self) -> str | None:
        """Return the newest id, after which new ones are minted."""

    def expect_model(self, signature: str) -> None:
        """Forget vectors that another model made, so that they are made anew."""

    def take_over(self, delta: Delta, new_jobs: NewJobs | None = None) -> bool:
        """Commit an exported Delta unless it is here already; say whether it was new."""

    def stats(self, space: str | None) -> Stats:
        """Count one space, or everything."""

    def verify(self, progress: Progress | None = None) -> Report:
        """Compare every part with the journal, row by row."""

    def rebuild(self, part: str, progress: Progress | None = None) -> None:
        """Make a derived part anew from the journal."""

    def deltas(self, space: str | None = None) -> Iterable[Delta]:
        """Return every commit in order."""

    def close(self) -> None:
        """Finish background work, save and release the folder."""

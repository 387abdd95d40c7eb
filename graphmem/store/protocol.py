"""The seam: what every store can do. One contract suite runs over each implementation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from graphmem.types import Delta, Item, Kind, Report, Session, Stats, Turn

Progress = Callable[[int, int], None]
Scored = tuple[str, float]


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

    def neighbours(self, entity: str) -> list[str]:
        """Return the ids of the entities that one relation away are linked to ``entity``."""

    def by_words(self, terms: Sequence[str], *, limit: int, kinds: Sequence[Kind]) -> list[Scored]:
        """Return ids with BM25 scores, best first."""

    def by_vector(self, vector: Any, *, limit: int, kinds: Sequence[Kind]) -> list[Scored]:
        """Return ids with cosine similarities, best first."""


class Store(Protocol):
    """Durable memory of many spaces."""

    def commit(self, delta: Delta) -> int:
        """Make ``delta`` durable and its words searchable; return its commit number."""

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

    def pending(self, limit: int, space: str | None = None) -> list[tuple[int, str]]:
        """Return (label, text) of items that still lack a vector."""

    def embedded(self, rows: Sequence[tuple[int, Any]], signature: str) -> None:
        """Keep the vectors of these labels."""

    def model(self) -> str | None:
        """Return the signature of the model whose vectors are kept."""

    def last_id(self) -> str | None:
        """Return the newest id, after which new ones are minted."""

    def expect_model(self, signature: str) -> None:
        """Forget vectors that another model made, so that they are made anew."""

    def take_over(self, delta: Delta) -> bool:
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

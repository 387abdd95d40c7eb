"""What can be read of one space of a folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphmem.store import queries as q
from graphmem.store.graph import Graph
from graphmem.store.indexed import part_of
from graphmem.store.journal import Journal
from graphmem.store.protocol import Scored
from graphmem.store.rows import from_row
from graphmem.store.vectors import Vectors
from graphmem.store.word_index import WordIndex
from graphmem.types import Item, Kind, Session, Turn


class FolderView:
    """Every statement enters by primary key or through the space, and checks the space of what comes back."""

    def __init__(self, space: str, journal: Journal, graph: Graph, words: WordIndex, vectors: Vectors) -> None:
        self.space = space
        self._number = journal.space_number(space)
        self._journal, self._graph, self._words, self._vectors = journal, graph, words, vectors

    def get(self, id: str) -> Item | None:
        """Return the live item with this id, if it is in this space."""
        return self.get_many((id,)).get(id)

    def get_many(self, ids: Sequence[str]) -> dict[str, Item]:
        """Return the live items among ``ids``."""
        return {id: item for id, item in self._graph.get(ids).items() if item.space == self.space}

    def sessions(self) -> list[Session]:
        """Return the sessions of this space, oldest first."""
        return [from_row(Session, row) for row in self._graph.rows(q.SESSIONS_OF_SPACE, space=self.space)]

    def turns(self, session: str) -> list[Turn]:
        """Return the live turns of a session in the order in which they came."""
        return [from_row(Turn, row) for row in self._graph.rows(q.TURNS_OF_SESSION, session=session, space=self.space)]

    def neighbours(self, entity: str) -> list[str]:
        """Return the ids of the entities that one relation away are linked to ``entity``."""
        if self.get(entity) is None:
            return []
        return [row[0] for row in self._graph.rows(q.NEIGHBOURS_OF_ENTITY, id=entity, space=self.space)]

    def by_words(self, terms: Sequence[str], *, limit: int, kinds: Sequence[Kind]) -> list[Scored]:
        """Return ids with BM25 scores, best first."""
        return self._named(self._words.search(self._parts(kinds), terms, limit))

    def by_vector(self, vector: Any, *, limit: int, kinds: Sequence[Kind]) -> list[Scored]:
        """Return ids with cosine similarities, best first."""
        found = [hit for part in self._parts(kinds) for hit in self._vectors.search(part, vector, limit)]
        return self._named(sorted(found, key=lambda hit: (-hit[1], hit[0]))[:limit])

    def _parts(self, kinds: Sequence[Kind]) -> list[int]:
        return [part_of(self._number, kind) for kind in kinds] if self._number else []

    def _named(self, found: list[tuple[int, float]]) -> list[Scored]:
        marks = ", ".join("?" * len(found))
        rows = self._journal.database.rows(
            f"SELECT label, id FROM item WHERE label IN ({marks})",  # noqa: S608 - question marks
            [label for label, _ in found],
        )
        ids: dict[int, str] = dict(rows)
        return [(ids[label], score) for label, score in found if label in ids]

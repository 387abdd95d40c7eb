"""What can be read of one space of a folder."""

from __future__ import annotations

from collections.abc import Sequence
from types import UnionType
from typing import Any, TypeVar

from graphmem.store import queries as q
from graphmem.store.graph import Graph
from graphmem.store.indexed import part_of
from graphmem.store.journal import Journal
from graphmem.store.protocol import Scored
from graphmem.store.rows import KIND_TABLES, TABLES, from_row
from graphmem.store.vectors import Vectors
from graphmem.store.word_index import WordIndex
from graphmem.types import Distilled, Entity, Entry, Item, Kind, Refusal, Relation, Session, Turn, Version

T = TypeVar("T")


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

    def all(self, kind: Kind) -> list[Any]:
        """Return the live items of a kind, oldest first."""
        if not self._number or not self._journal.live[part_of(self._number, kind)]:
            return []
        cls = TABLES[KIND_TABLES[kind]]
        return [from_row(cls, row) for row in self._graph.rows(q.OF_SPACE[KIND_TABLES[kind]], space=self.space)]

    def named(self, keys: Sequence[str]) -> list[Entity]:
        """Return the entities that have one of these keys among their names (:func:`words.keys_of`)."""
        ids = self._journal.register.named(self._number, keys) if self._number else []
        return self._in_order(ids, Entity)

    def family(self, subject: str, predicates: Sequence[str | None]) -> list[Entry]:
        """Return the entries about a subject under these predicates, oldest first, closed ones among them."""
        return self._in_order(self._journal.register.family(subject, predicates), Entry)

    def about(self, subject: str) -> list[Entry]:
        """Return all entries about a subject, oldest first."""
        return self._in_order(self._journal.register.about(subject), Entry)

    def relations_of(self, entity: str) -> list[Relation]:
        """Return the relations that an entity is in, oldest first."""
        return self._in_order(self._journal.register.links(entity), Relation)

    def supported_by(self, turn: str) -> list[Item]:
        """Return what names a turn as its evidence."""
        return self._in_order(self._journal.register.supported(turn), Item)

    def history(self, id: str) -> list[Version]:
        """Return what happened to an item, oldest first; a deleted one has its history still."""
        steps: list[Version] = []
        item: Item | None = None
        for seq in self._journal.register.past(id):
            delta = self._journal.delta(seq)
            if delta is None or delta.space != self.space:
                continue
            item = next((each for each in delta.items() if each.id == id), item)
            steps += [Version(change=change, item=item) for change in delta.changes if change.item == id]
        return steps

    def refusals(self) -> list[Refusal]:
        """Return the claims that were not stored, and why, oldest first."""
        seqs = self._journal.register.refused(self._number) if self._number else []
        deltas = (self._journal.delta(seq) for seq in seqs)
        return [refusal for delta in deltas if delta for refusal in delta.refusals]

    def distilled(self, session: str) -> Distilled | None:
        """Return how far a session has been distilled."""
        return self._journal.register.distilled(session)

    def chosen(self, key: str) -> str | None:
        """Return what the space has settled for itself, such as its ontologies."""
        return self._journal.register.chosen(self._number, key) if self._number else None

    def _in_order(self, ids: Sequence[str], cls: type[T] | UnionType) -> list[T]:
        found = self.get_many(ids)
        return [item for id in ids if isinstance(item := found.get(id), cls)]

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

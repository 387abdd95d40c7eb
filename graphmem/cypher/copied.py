"""A copy of one space in memory: what lives in it as nodes, and how they hang together. It follows the Deltas of the space."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from graphmem.cypher.bulk import Edge, Ends, edges_of, load
from graphmem.cypher.tables import SCHEMA, row_of
from graphmem.ids import kind_of
from graphmem.store import queries as q
from graphmem.store.graph import Statements, in_memory
from graphmem.store.rows import KIND_TABLES, TABLE_OF, TABLES
from graphmem.types import Deletion, Delta, Entity, Item, Relation, Session, Turn

REMOVE = {table: f"MATCH (n:{table} {{id: $id}}) DETACH DELETE n" for table in TABLES}


class Copy:
    """The copy; ``database`` is what queries connect to."""

    def __init__(self, space: str, memory_mb: int) -> None:
        self.space = space
        self.database = in_memory(memory_mb)
        self._writer = Statements(self.database)
        # What may still change, by id; turns and sessions never do.
        self._known: dict[str, Item] = {}
        for statement in SCHEMA:
            self._writer.run(statement)
        self._writer.run(q.ADD_SPACE, id=space)

    def fill(self, deltas: Iterable[Delta]) -> None:
        """Take up all that the Deltas leave alive, table by table; for an empty copy."""
        items: dict[str, Item] = {}
        for delta in deltas:
            self._check(delta)
            items.update((item.id, item) for item in delta.items())
            for deletion in delta.deletions:
                items.pop(deletion.id, None)
        load(self._writer, items)
        self._known = {id: item for id, item in items.items() if not isinstance(item, Turn | Session)}

    def follow(self, deltas: Iterable[Delta]) -> None:
        """Take up what came since, in one transaction. After an error the copy is not to be used any more."""
        self._writer.run("BEGIN TRANSACTION")
        for delta in deltas:
            self._check(delta)
            for item in delta.items():
                self._put(item)
            for deletion in delta.deletions:
                self._remove(deletion)
        self._writer.run("COMMIT")

    def _check(self, delta: Delta) -> None:
        if delta.space != self.space:
            raise ValueError(f"a commit of space {delta.space!r} has no place in the copy of {self.space!r}")

    def _put(self, item: Item) -> None:
        old = self._known.get(item.id)
        table = TABLE_OF[type(item)]
        if old is None:
            self._writer.run(q.CREATE[table], **row_of(item))
        else:
            before = row_of(old)
            for name, value in row_of(item).items():
                if value != before[name]:
                    self._writer.run(q.SET[table][name], id=item.id, value=value)
        if not isinstance(item, Turn | Session):
            self._known[item.id] = item
        self._connect(old, item)

    def _connect(self, old: Item | None, item: Item) -> None:
        """Make the edges what the item says."""
        before, after = (dict.fromkeys(edges_of(each)) if each else {} for each in (old, item))
        for kind, edge in before.keys() - after.keys():
            self._disconnect(kind, edge)
        for kind, edge in after:
            if (kind, edge) not in before:
                self._add_edge(kind, edge)
        if old is None and isinstance(item, Entity):
            self._reconnect(item)

    def _reconnect(self, entity: Entity) -> None:
        """Bring back the edges of relations that outlived the removal of an entity that is here again."""
        for other in self._known.values():
            if isinstance(other, Relation) and entity.id in (other.subject, other.object):
                for kind, edge in edges_of(other):
                    if kind[0] == "RELATES":
                        self._add_edge(kind, edge)

    def _add_edge(self, kind: Ends, edge: Edge) -> None:
        table, begin, end = kind
        named: dict[str, Any] = {"a": edge[0], "b": edge[1]}
        match table:
            case "PART_OF":
                self._writer.run(q.ADD_PART_OF, **named)
            case "HOLDS":
                self._writer.run(q.ADD_HOLDS[end], **named)
            case "EVIDENCE":
                self._writer.run(q.ADD_EVIDENCE[begin], **named)
            case _:
                self._writer.run(q.ADD_RELATES, **named, relation=edge[2], predicate=edge[3])

    def _disconnect(self, kind: Ends, edge: Edge) -> None:
        if kind[0] == "EVIDENCE":
            self._writer.run(q.DROP_EVIDENCE[kind[1]], id=edge[0], turn=edge[1])
        elif kind[0] == "RELATES":
            self._writer.run(q.DROP_RELATES, id=edge[0], relation=edge[2])

    def _remove(self, deletion: Deletion) -> None:
        item = self._known.pop(deletion.id, None)
        for kind, edge in edges_of(item) if item else ():
            if kind[0] == "RELATES":
                self._disconnect(kind, edge)
        if table := KIND_TABLES.get(kind_of(deletion.id) or ""):
            self._writer.run(REMOVE[table], id=deletion.id)

"""Filling an empty copy: a COPY for each table, some thousand times quicker than one statement for each item."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from graphmem.cypher.tables import NODES, row_of
from graphmem.store.graph import Statements
from graphmem.store.rows import TABLE_OF, TABLES
from graphmem.types import Item, Relation, Turn

# (table, from, to) of a kind of edge; the two ends of an edge, and what else it carries.
Ends = tuple[str, str, str]
Edge = tuple[str, ...]


def load(statements: Statements, items: Mapping[str, Item]) -> None:
    """Write all items and the edges between them."""
    for table, cls in TABLES.items():
        _load_nodes(statements, table, [item for item in items.values() if type(item) is cls])
    edges: dict[Ends, list[Edge]] = {}
    for item in items.values():
        for ends, edge in edges_of(item):
            if edge[1] in items and (edge[0] in items or ends[1] == "Space"):
                edges.setdefault(ends, []).append(edge)
    for ends, rows in edges.items():
        _load_edges(statements, ends, rows)


def _load_nodes(statements: Statements, table: str, items: Sequence[Item]) -> None:
    import pyarrow as pa

    kinds = {
        "STRING": pa.string(), "INT64": pa.int64(), "DOUBLE": pa.float64(), "BOOL": pa.bool_(),
        "TIMESTAMP": pa.timestamp("us"), "STRING[]": pa.list_(pa.string()),
    }  # fmt: skip
    if items:
        rows = [row_of(item) for item in items]
        found = {name: pa.array([row[name] for row in rows], kinds[kind]) for name, kind in NODES[table].items()}
        statements.run(f"COPY {table} FROM $rows", rows=pa.table(found))


def _load_edges(statements: Statements, ends: Ends, rows: Sequence[Edge]) -> None:
    import pyarrow as pa

    table, begin, end = ends
    names = ("from", "to", "relation", "predicate")
    found: dict[str, Any] = dict(zip(names, map(list, zip(*rows, strict=True)), strict=False))
    which = "" if table in ("PART_OF", "RELATES") else f" (from='{begin}', to='{end}')"
    statements.run(f"COPY {table} FROM $rows{which}", rows=pa.table(found))


def edges_of(item: Item) -> Iterator[tuple[Ends, Edge]]:
    """Yield (table, from, to) and the ends of every edge that an item brings along."""
    table = TABLE_OF[type(item)]
    if isinstance(item, Turn):
        yield ("PART_OF", "Turn", "Session"), (item.id, item.session_id)
    else:
        yield ("HOLDS", "Space", table), (item.space, item.id)
    for turn in dict.fromkeys(getattr(item, "evidence", ())):
        yield ("EVIDENCE", table, "Turn"), (item.id, turn)
    if isinstance(item, Relation):
        yield ("RELATES", "Entity", "Entity"), (item.subject, item.object, item.id, item.predicate)

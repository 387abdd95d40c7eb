"""The tables of a copy: those of the graph, but with lists as lists, and without what only the store has a use for."""

from __future__ import annotations

from typing import Any, get_origin, get_type_hints

from graphmem.store import queries as q
from graphmem.store.rows import TABLE_OF, TABLES, columns, to_row
from graphmem.types import Item

LISTS = {
    table: tuple(name for name, hint in get_type_hints(cls).items() if get_origin(hint) is tuple)
    for table, cls in TABLES.items()
}
NODES = {
    "Space": {"id": "STRING"},
    **{
        table: {name: "STRING[]" if name in LISTS[table] else type_ for name, type_ in columns(cls).items()}
        for table, cls in TABLES.items()
    },
}
RELATIONSHIPS: dict[str, tuple[str, ...]] = {
    "PART_OF": (), "HOLDS": (), "EVIDENCE": (), "RELATES": ("relation", "predicate"),
}  # fmt: skip
SCHEMA = (
    *(
        f"CREATE NODE TABLE {table}({', '.join(f'`{name}` {type_}' for name, type_ in found.items())}, PRIMARY KEY(id))"
        for table, found in NODES.items()
    ),
    *(statement for statement in q.SCHEMA if statement.startswith("CREATE REL TABLE")),
)


def row_of(item: Item) -> dict[str, Any]:
    """Return an item as column values."""
    return {**to_row(item), **{name: list(getattr(item, name)) for name in LISTS[TABLE_OF[type(item)]]}}

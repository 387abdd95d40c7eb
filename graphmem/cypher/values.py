"""What Kùzu returns as plain values: nodes, relationships and paths as dicts without its internal ids, times in UTC."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from graphmem.cypher.tables import NODES, RELATIONSHIPS
from graphmem.cypher.wire import sendable

# (table, offset): where Kùzu keeps a node.
Spot = tuple[int, int]
_OWN = {**{table: tuple(found) for table, found in NODES.items()}, **RELATIONSHIPS}


class Shaper:
    """Makes rows plain within a budget; ``truncated`` says that not all of them fitted."""

    def __init__(self, *, cell: int, total: int) -> None:
        self.truncated = False
        self._cell, self._left = cell, total
        self._in_cell = 0
        self._ids: dict[Spot, str] = {}
        self._open: list[tuple[dict[str, Any], str, Spot]] = []

    def row(self, values: Sequence[Any]) -> tuple[Any, ...] | None:
        """Return a row, or ``None`` once the result is as large as it may be."""
        found = []
        for value in values:
            self._in_cell = 0
            found.append(self._plain(value))
            self._left -= self._in_cell
        if self._left < 0:
            self.truncated = True
            return None
        return tuple(found)

    def finish(self, ids_of: Callable[[Iterable[Spot]], dict[Spot, str]]) -> None:
        """Put the ids of their ends into the relationships; those not seen yet are asked for."""
        unseen = {spot for _, _, spot in self._open} - self._ids.keys()
        known = {**self._ids, **(ids_of(unseen) if unseen else {})}
        for relationship, end, spot in self._open:
            relationship[end] = known.get(spot)

    def _plain(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(value)
        self._in_cell += 8
        if isinstance(value, list | tuple):
            return [self._plain(each) for each in value if self._room()]
        if isinstance(value, dict):
            return self._dict(value)
        return _scalar(value)

    def _room(self) -> bool:
        self.truncated |= self._in_cell > self._cell
        return self._in_cell <= self._cell

    def _text(self, value: str) -> str:
        room = max(0, self._cell - self._in_cell)
        self._in_cell += min(len(value), room) + 1
        if len(value) <= room:
            return value
        self.truncated = True
        return value[:room] + "…"

    def _dict(self, value: dict[Any, Any]) -> dict[Any, Any]:
        if "_nodes" in value and "_rels" in value:
            return {
                "nodes": self._plain(value["_nodes"]),
                "relationships": self._plain(value["_rels"]),
            }
        if _is_spot(value.get("_id")) and isinstance(value.get("_label"), str):
            return self._relationship(value) if _is_spot(value.get("_src")) else self._node(value)
        return {_key(key): self._plain(each) for key, each in value.items() if self._room()}

    def _node(self, value: dict[str, Any]) -> dict[str, Any]:
        label = value["_label"]
        self._ids[_spot(value["_id"])] = str(value.get("id"))
        return {"node": label, **{name: self._plain(value.get(name)) for name in _OWN.get(label, ())}}

    def _relationship(self, value: dict[str, Any]) -> dict[str, Any]:
        label = value["_label"]
        found = {"relationship": label, "from": None, "to": None}
        found.update({name: self._plain(value.get(name)) for name in _OWN.get(label, ())})
        self._open.append((found, "from", _spot(value["_src"])))
        self._open.append((found, "to", _spot(value["_dst"])))
        return found


def _scalar(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    if isinstance(value, date | timedelta):
        return sendable(value)
    if value is None or isinstance(value, bool | float):
        return value
    if isinstance(value, int) and -(1 << 63) <= value < 1 << 63:
        return value
    return value.hex() if isinstance(value, bytes) else str(value)


def _key(key: Any) -> str | int:
    return key if isinstance(key, str) or (isinstance(key, int) and abs(key) < 1 << 63) else str(key)


def _is_spot(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("table"), int) and isinstance(value.get("offset"), int)


def _spot(value: dict[str, int]) -> Spot:
    return value["table"], value["offset"]

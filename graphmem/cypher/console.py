"""The console: people's own Cypher on one space of a memory."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from graphmem.cypher.guard import PREFIX, Statement, guard
from graphmem.cypher.lexer import refuse
from graphmem.cypher.limits import Limits, over_limit
from graphmem.cypher.parameters import checked
from graphmem.cypher.process import Holder
from graphmem.cypher.source import Source
from graphmem.cypher.wire import Answer, Ask
from graphmem.errors import GraphmemError, InvalidInput, NotFound, StoreClosed
from graphmem.store import FolderStore


class Table(Struct, frozen=True, kw_only=True):
    """What a query returned. ``truncated`` says that there was more, or that a cell was cut."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    truncated: bool
    seconds: float


class Console:
    """Runs queries in processes that hold one space each. Safe to use from many threads."""

    def __init__(self, store: FolderStore, limits: Limits | None = None) -> None:
        self._store, self._limits = store, limits or Limits()
        self._holders: OrderedDict[str, Holder] = OrderedDict()
        self._choosing = threading.Lock()
        # As many at once as there may be processes, so that there is always an idle one to give up for another space.
        self._free = threading.BoundedSemaphore(self._limits.processes)
        self._closed = False

    def run(self, text: str, *, parameters: Mapping[str, Any] | None = None, space: str) -> Table:
        """Run a statement that only reads, on what one space holds by now."""
        statement = guard(text, rows=self._limits.rows, empty=_empty(parameters))
        values = checked(parameters, statement.parameters)
        if not self._store.has_space(space):
            raise NotFound("space", space, space)
        began = time.perf_counter()
        with self._holder(space) as holder:
            answer = holder.ask(self._question(statement, values))
        _check(answer, statement)
        columns = statement.columns
        if columns is None or len(columns) != len(answer.columns):
            columns = answer.columns
        seconds = time.perf_counter() - began
        return Table(columns=columns, rows=answer.rows, truncated=answer.truncated, seconds=seconds)

    def _question(self, statement: Statement, values: dict[str, Any]) -> Ask:
        limits = self._limits
        given = {name: value for name, value in values.items() if value != []}
        return Ask(
            text=statement.text, parameters=given, seconds=limits.seconds, rows=limits.rows, bytes=limits.bytes,
            cell=limits.cell,
        )  # fmt: skip

    @contextmanager
    def _holder(self, space: str) -> Iterator[Holder]:
        """Lend the process of a space; the one that was not asked for longest makes room for a new one."""
        with self._free:
            with self._choosing:
                holder = self._chosen(space)
                holder.users += 1
            try:
                with holder.busy:
                    yield holder
            finally:
                with self._choosing:
                    holder.users -= 1

    def _chosen(self, space: str) -> Holder:
        if self._closed:
            raise StoreClosed("the memory was closed before this query")
        holder = self._holders.pop(space, None)
        if holder is None:
            self._make_room()
            holder = Holder(space, Source(self._store, space), self._limits)
        self._holders[space] = holder
        return holder

    def _make_room(self) -> None:
        for name, holder in list(self._holders.items()):
            if len(self._holders) < self._limits.processes:
                return
            if not holder.users:
                del self._holders[name]
                holder.close()

    def pids(self) -> dict[str, int]:
        """Return the processes that are there, by space."""
        return {space: pid for space, holder in list(self._holders.items()) if (pid := holder.pid)}

    def close(self) -> None:
        """End all processes, also in the middle of a query."""
        with self._choosing:
            self._closed = True
            holders = list(self._holders.values())
            self._holders.clear()
        for holder in holders:
            holder.close()


def _line(text: str) -> str:
    return " ".join(text.split())[:500]


def _empty(parameters: object) -> frozenset[str]:
    if not isinstance(parameters, Mapping):
        return frozenset()
    return frozenset(name for name, value in parameters.items() if isinstance(value, list | tuple) and not value)


def _check(answer: Answer, statement: Statement) -> None:
    """Raise what went wrong, at the place in the person's own text."""
    if answer.outcome == "done":
        return
    error = answer.error.replace(PREFIX, "$")
    if answer.outcome == "limit":
        raise over_limit(error)
    if answer.outcome == "broken":
        raise GraphmemError(f"the query failed inside of Kùzu: {_line(error)}")
    if answer.at is None:
        raise InvalidInput("cypher", _line(error))
    places = [theirs for ours, theirs in statement.marks if ours <= answer.at]
    refuse("cannot be read: something is missing or too much", places[-1] if places else 0)

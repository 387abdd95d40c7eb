"""The graph: the only file that imports kuzu. Applies Deltas, reads items by id and along edges.

Three traps shaped it: rolling a COPY back crashes the process later, so a failed batch closes the database and opens it
again (what was not committed is gone); a checkpoint fails while a reader is open, so it waits for a gap between reads; and
a process that is killed while Kùzu folds its log into its file may leave a file that opens and is wrong (rows that their
keys do not find, lists of other rows, in some of a hundred kills), so a mark stands beside it for as long as that takes.
"""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from graphmem.errors import StoreError
from graphmem.ids import kind_of
from graphmem.store import queries as q
from graphmem.store.disk import room
from graphmem.store.gate import Gate
from graphmem.store.rows import KIND_TABLES, TABLE_OF, TABLES, columns, from_row, naive_utc, to_row
from graphmem.store.sqlite import Hook
from graphmem.types import Delta, Item, Relation, Session, Turn

# From this many turns on, COPY (some 0.1 s a call) beats one prepared statement each (some 0.25 ms).
BULK = 500
MOST_MEMORY_MB = 65536
# Bytes that must be free before anything is written, and what a turn or another item takes in the log beside its text.
LEAST_ROOM, PER_ITEM = 2 << 20, 2000
# Warnings are silenced for the whole process while this is held.
_PREPARING = threading.Lock()


class GraphUnusable(Exception):
    """The files cannot be opened or are of another schema: set them aside and rebuild."""


class Graph:
    """One Kùzu database; one thread applies at a time, any number read."""

    def __init__(self, path: Path, *, memory_mb: int, checkpoint_every: int, hook: Hook) -> None:
        self.path, self._memory_mb, self._every, self._hook = path, memory_mb, checkpoint_every, hook
        self._gate = Gate(f"{str(path)!r}")
        self._mark = path.with_name(f"{path.name}.folding")
        self._since_checkpoint = 0
        self._open()

    def _open(self) -> None:
        import importlib.util  # noqa: F401 - kuzu needs it for COPY from Arrow, and does not import it

        import kuzu

        if self._mark.exists():
            raise GraphUnusable("the process ended while its log was being folded in")
        fresh = not self.path.exists()
        try:
            with marked(self._mark):  # opening plays the log back, and folds it in
                self._database = kuzu.Database(
                    str(self.path), buffer_pool_size=self._memory_mb << 20, auto_checkpoint=False
                )
            self._pool: list[Statements] = []
            self._writer = Statements(self._database)
            if fresh:
                for statement in q.SCHEMA:
                    self._writer.run(statement)
            [[schema, applied]] = self._writer.rows(q.META)
        except (RuntimeError, IndexError, ValueError) as error:
            raise GraphUnusable(str(error)) from error
        if schema != q.GRAPH_SCHEMA:
            raise GraphUnusable(f"schema {schema}, expected {q.GRAPH_SCHEMA}")
        self.applied: int = applied

    def apply(self, batch: Sequence[tuple[int, Delta]]) -> None:
        """Apply commits in one transaction and stamp the graph with the last."""
        self._check_room(sum(_weight(delta) for _, delta in batch))
        while True:
            try:
                self._transact(batch)
                break
            except (
                Exception
            ) as error:  # whatever it is, the transaction is still open and only closing the file ends it
                short = "buffer pool is full" in str(error) and self._memory_mb < MOST_MEMORY_MB
                self._memory_mb *= 2 if short else 1
                self._reopen()
                if not short:
                    raise StoreError(f"the graph could not take commit {batch[-1][0]}: {error}") from error
        self.applied = batch[-1][0]
        self._since_checkpoint += sum(1 + len(delta.turns) for _, delta in batch)
        if self._since_checkpoint >= self._every:
            self.checkpoint()

    def _check_room(self, needed: int) -> None:
        if (free := room(self.path.parent)) < LEAST_ROOM + needed:
            raise StoreError(f"the graph waits for room on the disk: {free >> 20} MB are left; make room")

    def _transact(self, batch: Sequence[tuple[int, Delta]]) -> None:
        bulk = sum(len(delta.turns) for _, delta in batch) >= BULK and all(_only_turns(delta) for _, delta in batch)
        self._writer.run("BEGIN TRANSACTION")
        if bulk:
            self._copy([delta for _, delta in batch])
        else:
            for _, delta in batch:
                self._apply_one(delta)
        self._writer.run(q.STAMP, applied=batch[-1][0])
        self._hook("before_graph_commit")
        self._writer.run("COMMIT")

    def _apply_one(self, delta: Delta) -> None:
        self._writer.run(q.ADD_SPACE, id=delta.space)
        for session in delta.sessions:
            self._create(session)
        for turn in delta.turns:
            self._writer.run(q.CREATE["Turn"], **to_row(turn))
            self._writer.run(q.ADD_PART_OF, a=turn.id, b=turn.session_id)
        for item in delta.items()[len(delta.sessions) + len(delta.turns) :]:
            self._put(item)
        for deletion in delta.deletions:
            table = _table(deletion.id)
            self._drop_relates(table, deletion.id)
            self._writer.run(q.DELETE[table], id=deletion.id, at=naive_utc(deletion.at))

    def _create(self, item: Item) -> None:
        table = TABLE_OF[type(item)]
        self._writer.run(q.CREATE[table], **to_row(item))
        self._writer.run(q.ADD_HOLDS[table], a=item.space, b=item.id)
        if isinstance(item, Relation):
            self._add_relates(item)

    def _put(self, item: Item) -> None:
        """Add an item, or bring the one with its id to what it is now, together with its edges.

        Only what differs is written: rewriting a long text or the many edges of a hub makes the file grow each time.
        """
        table, run = TABLE_OF[type(item)], self._writer.run
        rows = self._writer.rows(q.GET[table], id=item.id)
        old: Item | None = from_row(TABLES[table], rows[0][1:]) if rows else None
        if old is None:
            self._create(item)
        else:
            self._change(table, old, item, deleted=rows[0][0] is not None)
        before, after = (dict.fromkeys(getattr(each, "evidence", ())) for each in (old, item))
        for turn in before.keys() - after.keys():
            run(q.DROP_EVIDENCE[table], id=item.id, turn=turn)
        for turn in (each for each in after if each not in before):
            run(q.ADD_EVIDENCE[table], a=item.id, b=turn)

    def _change(self, table: str, old: Item, item: Item, *, deleted: bool) -> None:
        run = self._writer.run
        if isinstance(old, Relation) and isinstance(item, Relation):
            same = (old.subject, old.object, old.predicate) == (item.subject, item.object, item.predicate)
            if deleted or not same:
                run(q.DROP_RELATES, id=old.subject, relation=old.id)
                self._add_relates(item)
        before = to_row(old)
        for name, value in to_row(item).items():
            if value != before[name]:
                run(q.SET[table][name], id=item.id, value=value)
        if deleted:
            run(q.RESTORE[table], id=item.id)

    def _add_relates(self, relation: Relation) -> None:
        self._writer.run(
            q.ADD_RELATES, a=relation.subject, b=relation.object, relation=relation.id, predicate=relation.predicate
        )

    def _drop_relates(self, table: str, id: str) -> None:
        """Take the edge of a relation away, which is found by its subject."""
        if table == "Relation":
            for row in self._writer.rows(q.GET[table], id=id):
                self._writer.run(q.DROP_RELATES, id=from_row(Relation, row[1:]).subject, relation=id)

    def _copy(self, deltas: list[Delta]) -> None:
        import pyarrow as pa

        turns = [turn for delta in deltas for turn in delta.turns]
        sessions = [session for delta in deltas for session in delta.sessions]
        spaces = [s for s in dict.fromkeys(delta.space for delta in deltas) if not self._writer.rows(q.HAS_SPACE, id=s)]

        def copy(statement: str, table: dict[str, Any]) -> None:
            if next(iter(table.values())):
                self._writer.run(statement, rows=pa.table(table))

        copy(q.COPY_SPACES, {"id": spaces})
        copy(q.COPY_SESSIONS, _arrow(Session, sessions))
        copy(q.COPY_TURNS, _arrow(Turn, turns))
        copy(q.COPY_PART_OF, {"from": [turn.id for turn in turns], "to": [turn.session_id for turn in turns]})
        copy(q.COPY_HOLDS, {"from": [s.space for s in sessions], "to": [s.id for s in sessions]})

    def checkpoint(self) -> None:
        """Fold the log into the file, in a gap between reads."""
        log = self.path.with_name(f"{self.path.name}.wal")
        self._check_room(log.stat().st_size if log.exists() else 0)
        with self._gate.closed():
            self._hook("before_checkpoint")
            try:
                with marked(self._mark):
                    self._writer.run("CHECKPOINT")
            except RuntimeError as error:  # a full disk: the log stays and is folded in later
                raise StoreError(f"the graph cannot write its checkpoint: {error}") from error
            self._hook("after_checkpoint")
        self._since_checkpoint = 0

    @contextmanager
    def reading(self) -> Iterator[Statements]:
        """Lend a connection for a short read."""
        with self._gate.open():
            statements = self._pool.pop() if self._pool else Statements(self._database)
            try:
                yield statements
            except RuntimeError as error:
                raise StoreError(f"the graph cannot be read: {error}") from error
            finally:
                self._pool.append(statements)

    def get(self, ids: Sequence[str], *, deleted: bool = False) -> dict[str, Item]:
        """Return the items among ``ids``; the deleted ones only when asked for."""
        found: dict[str, Item] = {}
        with self.reading() as graph:
            for id in ids:
                kind = kind_of(id)
                table = KIND_TABLES.get(kind) if kind else None
                rows = graph.rows(q.GET[table], id=id) if table else []
                if rows and (deleted or rows[0][0] is None):
                    found[id] = from_row(TABLES[str(table)], rows[0][1:])
        return found

    def rows(self, statement: str, **parameters: Any) -> list[list[Any]]:
        """Run one read statement."""
        with self.reading() as graph:
            return graph.rows(statement, **parameters)

    def scan(self, statement: str) -> Iterator[list[Any]]:
        """Yield the rows of a long read; checkpoints wait until it ends."""
        with self.reading() as graph:
            result = graph.run(statement)
            try:
                while result.has_next():
                    yield result.get_next()
            finally:
                result.close()

    def _reopen(self) -> None:
        with self._gate.closed():
            self._shut()
            self._open()

    def alone(self) -> AbstractContextManager[None]:
        """Keep readers out for longer than one call."""
        return self._gate.closed()

    def reset(self) -> None:
        """Start again with an empty graph."""
        with self._gate.closed():
            self._shut()
            for path in self.path.parent.glob(f"{self.path.name}*"):
                path.unlink()
            self._open()

    def _shut(self) -> None:
        for statements in [*self._pool, self._writer]:
            statements.close()
        with marked(self._mark):  # closing folds the log in, too
            self._database.close()

    def close(self) -> None:
        """Checkpoint and release the files, once the reads under way are done."""
        try:
            self.checkpoint()
        finally:
            with self._gate.closed(shut=True):
                self._shut()


def in_memory(memory_mb: int) -> Any:
    """Return an empty database without a file."""
    import importlib.util  # noqa: F401 - as above

    import kuzu

    # The largest size is address space, of which the default takes 8 TB; a power of two is asked for.
    most = 1 << (memory_mb << 21).bit_length()
    return kuzu.Database(":memory:", buffer_pool_size=memory_mb << 20, max_db_size=most)


@contextmanager
def marked(path: Path) -> Iterator[None]:
    """Let a file stand for as long as the block takes; who dies inside leaves it behind."""
    descriptor = os.open(path, os.O_CREAT | os.O_WRONLY, 0o600)
    try:
        os.fsync(descriptor)
        yield
    finally:
        os.close(descriptor)
        path.unlink(missing_ok=True)


class Statements:
    """A connection that prepares each statement once."""

    def __init__(self, database: Any, *, seconds: float | None = None) -> None:
        import kuzu

        self._connection = kuzu.Connection(database, num_threads=1)
        if seconds is not None:
            self._connection.set_query_timeout(max(1, int(seconds * 1000)))
        self._prepared: dict[str, Any] = {}

    def run(self, statement: str, **parameters: Any) -> Any:
        """Execute a statement with parameters."""
        if statement.startswith(("COPY", "CREATE NODE", "CREATE REL", "BEGIN", "COMMIT", "CHECKPOINT")):
            return self._connection.execute(statement, parameters)
        prepared = self._prepared.get(statement) or self.prepare(statement)
        return self._connection.execute(prepared, parameters)

    def prepare(self, statement: str) -> Any:
        """Prepare a statement once."""
        if statement not in self._prepared:
            with _PREPARING, warnings.catch_warnings():
                # Text executes leak some 5 KB each in 0.11.3; its warning against prepared ones has nothing to offer instead.
                warnings.simplefilter("ignore", DeprecationWarning)
                self._prepared[statement] = self._connection.prepare(statement)
        return self._prepared[statement]

    def rows(self, statement: str, **parameters: Any) -> list[list[Any]]:
        """Execute a statement and return all its rows."""
        result = self.run(statement, **parameters)
        try:
            return list(result.get_all())
        finally:
            result.close()

    def close(self) -> None:
        """Release the connection."""
        self._prepared.clear()
        self._connection.close()


def _weight(delta: Delta) -> int:
    return sum(PER_ITEM + 3 * len(getattr(item, "text", "")) for item in delta.items())


def _only_turns(delta: Delta) -> bool:
    return not (
        delta.episodes
        or delta.entities
        or delta.relations
        or delta.entries
        or delta.profiles
        or delta.disputes
        or delta.deletions
    )


def _table(id: str) -> str:
    kind = kind_of(id)
    if kind is None:
        raise StoreError(f"{id!r} is not an id of graphmem")
    return KIND_TABLES[kind]


def _arrow(cls: type[Any], items: Sequence[Item]) -> dict[str, Any]:
    import pyarrow as pa

    kinds = {
        "STRING": pa.string(), "INT64": pa.int64(), "DOUBLE": pa.float64(),
        "TIMESTAMP": pa.timestamp("us"),
    }  # fmt: skip
    rows = [to_row(item) for item in items]
    table = {name: pa.array([row[name] for row in rows], kinds[kind]) for name, kind in columns(cls).items()}
    return {**table, "deleted_at": pa.nulls(len(rows), pa.timestamp("us"))} if rows else {"id": []}

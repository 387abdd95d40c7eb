"""SQLite: connections, transactions, errors and numbered migrations. The only home of sqlite3."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Protocol

from graphmem.errors import Conflict, GraphmemError, SchemaTooNew, StoreClosed, StoreCorrupt, StoreError, StoreFull
from graphmem.store.gate import Gate

Hook = Callable[[str], None]
Row = tuple[Any, ...]


class Run(Protocol):
    """Executes one statement of a transaction."""

    def __call__(self, sql: str, arguments: Sequence[object] = (), /) -> sqlite3.Cursor: ...  # noqa: D102 - said above


class Database:
    """One file: one writer at a time (callers hold the store's lock), any number of reading threads."""

    def __init__(self, path: Path, hook: Hook) -> None:
        self._path = path
        self._local = threading.local()
        self._readers: list[sqlite3.Connection] = []
        self._gate = Gate(f"{str(path)!r}")
        with _errors():
            self._writer = _connect(path)
            try:
                _migrate(self._writer, path, hook)
            except BaseException:
                self._writer.close()
                raise

    def rows(self, sql: str, arguments: Sequence[object] = ()) -> list[Row]:
        """Return all rows of a short query, as of the last commit."""
        with self._gate.open(), _errors():
            return self._reader().execute(sql, arguments).fetchall()

    def row(self, sql: str, arguments: Sequence[object] = ()) -> Row | None:
        """Return the first row of a short query."""
        with self._gate.open(), _errors():
            found: Row | None = self._reader().execute(sql, arguments).fetchone()
            return found

    def scan(self, sql: str, arguments: Sequence[object] = ()) -> Iterator[Row]:
        """Yield the rows of a long query from a connection of its own."""
        with _errors(), closing(_connect(self._path, writer=False)) as connection:
            yield from connection.execute(sql, arguments)

    @contextmanager
    def transaction(self) -> Iterator[Run]:
        """Lend the writer for one transaction, which is durable when the block ends and undone when it raises."""
        with _errors():
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer.execute
                self._writer.execute("COMMIT")
            except BaseException:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")
                raise

    def _reader(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = _connect(self._path, writer=False)
            self._readers.append(connection)
        return connection

    def close(self) -> None:
        """Close every connection once the reads under way are done; the last one folds the log into the file."""
        with self._gate.closed(shut=True):
            for connection in (*self._readers, self._writer):
                connection.close()


def _connect(path: Path, *, writer: bool = True) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
    try:
        # Only a new file takes it: five vectors of 1.5 KB fit such a page, two the usual one.
        connection.execute("PRAGMA page_size=8192")
        # Each commit is on disk before it returns.
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute(f"PRAGMA cache_size={-16000 if writer else -4000}")
        connection.execute(f"PRAGMA query_only={'OFF' if writer else 'ON'}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _migrate(connection: sqlite3.Connection, path: Path, hook: Hook) -> None:
    """Bring the file to the newest schema, one transaction a step."""
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(MIGRATIONS):
        raise SchemaTooNew(
            f"{str(path)!r} has schema {version}, this graphmem knows {len(MIGRATIONS)}; upgrade graphmem"
        )
    for number, statements in enumerate(MIGRATIONS[version:], start=version + 1):
        connection.execute("BEGIN IMMEDIATE")
        for statement in statements:
            connection.execute(statement)
            hook("in_migration")
        connection.execute(f"PRAGMA user_version={number}")
        connection.execute("COMMIT")


def memory_copy() -> sqlite3.Connection:
    """Return an empty file of the newest schema, in memory, to write what should be there and compare."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for statements in MIGRATIONS:
        for statement in statements:
            connection.execute(statement)
    return connection


@contextmanager
def _errors() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise _translated(error) from error


def _translated(error: sqlite3.Error) -> GraphmemError:
    text = str(error)
    if isinstance(error, sqlite3.IntegrityError):
        return Conflict(f"an id, ref or session of this write is already here ({text}); nothing of it was kept")
    if isinstance(error, sqlite3.ProgrammingError) and "closed" in text:
        return StoreClosed("the memory was closed; open it again")
    if "full" in text or getattr(error, "sqlite_errorname", "") == "SQLITE_IOERR_WRITE":
        return StoreFull(f"the disk is full, nothing of this write was kept ({text}); make room and try again")
    if "malformed" in text or "not a database" in text:
        return StoreCorrupt(f"the journal is damaged ({text}); restore it from a backup or an export")
    if "readonly" in text or "unable to open" in text:
        return StoreError(f"the journal cannot be written ({text}); graphmem needs to write its folder")
    return StoreError(f"the journal cannot be used: {text}")


M001_JOURNAL = (
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE space(number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
    "CREATE TABLE delta(seq INTEGER PRIMARY KEY, space INTEGER NOT NULL, body BLOB NOT NULL)",
    # a part is a space's items of one kind; see indexed.py
    "CREATE TABLE part(number INTEGER PRIMARY KEY, live INTEGER NOT NULL)",
    """CREATE TABLE item(label INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, part INTEGER NOT NULL,
       seq INTEGER NOT NULL, state INTEGER NOT NULL)""",
    """CREATE TABLE session(space INTEGER NOT NULL, name TEXT NOT NULL, id TEXT NOT NULL,
       PRIMARY KEY(space, name)) WITHOUT ROWID""",
    """CREATE TABLE ref(space INTEGER NOT NULL, ref TEXT NOT NULL, id TEXT NOT NULL,
       PRIMARY KEY(space, ref)) WITHOUT ROWID""",
)
M002_WORDS = (
    # "ascii" takes every character beyond ASCII as part of a word: the words were found before they came here
    """CREATE VIRTUAL TABLE words USING fts5(text, aside, content='', tokenize="ascii tokenchars '_'")""",
    "CREATE VIRTUAL TABLE word USING fts5vocab(words, 'row')",
    "CREATE VIRTUAL TABLE word_instance USING fts5vocab(words, 'instance')",
)
M003_VECTORS = (
    """CREATE TABLE embedding(n INTEGER PRIMARY KEY, label INTEGER NOT NULL UNIQUE, part INTEGER NOT NULL,
       vector BLOB NOT NULL)""",
    "CREATE INDEX embedding_part ON embedding(part, n)",
    "CREATE INDEX item_pending ON item(part, label) WHERE state = 0",
)
M004_JOBS = (
    """CREATE TABLE job(id TEXT PRIMARY KEY, space INTEGER NOT NULL, kind TEXT NOT NULL, session TEXT NOT NULL,
       state TEXT NOT NULL, attempts INTEGER NOT NULL, due REAL, created REAL NOT NULL, updated REAL NOT NULL,
       error TEXT NOT NULL DEFAULT '', result BLOB) WITHOUT ROWID""",
    "CREATE UNIQUE INDEX job_waiting ON job(session, kind) WHERE state = 'waiting'",
    "CREATE INDEX job_due ON job(due) WHERE state = 'waiting'",
    # what was said before there were jobs is still to be distilled
    """INSERT INTO job(id, space, kind, session, state, attempts, due, created, updated)
       SELECT 'jb_' || substr(id, 4), space, 'distil', id, 'waiting', 0, 0, 0, 0 FROM session""",
)
M005_REGISTERS = (
    "CREATE TABLE past(id TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY(id, seq)) WITHOUT ROWID",
    """CREATE TABLE name(space INTEGER NOT NULL, norm TEXT NOT NULL, id TEXT NOT NULL,
       PRIMARY KEY(space, norm, id)) WITHOUT ROWID""",
    "CREATE INDEX name_id ON name(id)",
    """CREATE TABLE family(subject TEXT NOT NULL, predicate TEXT NOT NULL, id TEXT NOT NULL,
       PRIMARY KEY(subject, predicate, id)) WITHOUT ROWID""",
    "CREATE INDEX family_id ON family(id)",
    "CREATE TABLE link(entity TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY(entity, id)) WITHOUT ROWID",
    "CREATE INDEX link_id ON link(id)",
    "CREATE TABLE support(turn TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY(turn, id)) WITHOUT ROWID",
    "CREATE INDEX support_id ON support(id)",
    """CREATE TABLE distilled(session TEXT PRIMARY KEY, until TEXT NOT NULL, extractor TEXT NOT NULL, at TEXT NOT NULL,
       again INTEGER NOT NULL) WITHOUT ROWID""",
    "CREATE TABLE refused(space INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY(space, seq)) WITHOUT ROWID",
    """CREATE TABLE chosen(space INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
       PRIMARY KEY(space, key)) WITHOUT ROWID""",
    # how often an item was of use, and when last; the only table that reading writes
    "CREATE TABLE usage(id TEXT PRIMARY KEY, count INTEGER NOT NULL, last REAL NOT NULL) WITHOUT ROWID",
)
MIGRATIONS = (M001_JOURNAL, M002_WORDS, M003_VECTORS, M004_JOBS, M005_REGISTERS)

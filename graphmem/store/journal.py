"""The journal: every Delta, and in the same transaction its labels, words, refs and sessions; later its vectors."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

import msgspec

from graphmem.errors import Conflict, InvalidInput
from graphmem.store import register
from graphmem.store.indexed import CODES, SEARCHABLE, kind_of_item, kind_of_part, part_of, text_of, word_row
from graphmem.store.sqlite import Database, Hook, Run
from graphmem.types import Delta, Item, Turn

# The state of an item: searchable and waiting for its vector, searchable with vector, never searched, deleted.
WAITING, READY, SILENT, DELETED = 0, 1, 2, 3
PAGE = 500
MOST_SESSIONS = 10000
_FIXED = ("turn", "session")

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Delta).decode


class Journal:
    """One writer (callers hold the store's lock), any number of reading threads."""

    def __init__(self, path: Path, hook: Hook) -> None:
        self.path, self._hook = path, hook
        self.database = Database(path, hook)
        self._spaces: dict[str, int] = {
            name: number for number, name in self.database.rows("SELECT number, name FROM space")
        }
        self.live: Counter[int] = Counter(dict(self.database.rows("SELECT number, live FROM part")))
        self.last_seq = self._one("SELECT coalesce(max(seq), 0) FROM delta")
        self._last_label = self._one("SELECT coalesce(max(label), 0) FROM item")
        self._sessions: dict[tuple[int, str], str] = {}
        self.register = register.Register(self.database)
        # Deltas never change, so what was decoded may be kept; neighbours are asked for one after the other.
        self.items_of = lru_cache(maxsize=4)(self._items_of)

    def append(self, delta: Delta, also: Callable[[int, Run], None] | None = None) -> int:
        """Make ``delta`` durable, with what ``also`` writes for its space; when this returns its words can be found."""
        body = _readable(delta)
        with self._naming(delta), self.database.transaction() as run:
            space = self._space_number(delta.space, run)
            seq = self.last_seq + 1
            run("INSERT INTO delta VALUES (?, ?, ?)", (seq, space, body))
            change: Counter[int] = Counter()
            label = self._index(delta, space, seq, change, run)
            for part, number in change.items():
                run(
                    "INSERT INTO part VALUES (?, ?) ON CONFLICT DO UPDATE SET live = live + excluded.live",
                    (part, number),
                )
            register.note(delta, seq, space, run)
            if also:
                also(space, run)
            self._hook("before_journal_commit")
        self.last_seq, self._last_label = seq, label
        self._spaces.setdefault(delta.space, space)
        self.live.update(change)
        for session in delta.sessions:
            self._remember_session((space, session.name), session.id)
        return seq

    @contextmanager
    def _naming(self, delta: Delta) -> Iterator[None]:
        """Say which id, ref or session it was that SQLite refused to have twice."""
        try:
            yield
        except Conflict as error:
            ids = [*(turn.id for turn in delta.turns), *(session.id for session in delta.sessions)]
            twice = [f"{id} is" for id in ids if self._known(id)]
            names = [f"session {s.name!r} is" for s in delta.sessions if self.session_id(delta.space, s.name)]
            refs = [f"ref {t.ref!r} is" for t in delta.turns if t.ref and self.turn_by_ref(delta.space, t.ref)]
            what = next(iter((*twice, *names, *refs)), "an id, session or ref stands twice in the commit or is")
            raise Conflict(f"{what} already in space {delta.space!r}; nothing of this commit was kept") from error

    def _space_number(self, name: str, run: Run) -> int:
        number = self._spaces.get(name)
        if number is None:
            number = len(self._spaces) + 1
            run("INSERT INTO space VALUES (?, ?)", (number, name))
        return number

    def _index(self, delta: Delta, space: int, seq: int, change: Counter[int], run: Run) -> int:
        """Write what is derived from ``delta`` and count the change of each part. Return the last label."""
        last = self._last_label
        for item in delta.items():
            kind = kind_of_item(item)
            part = part_of(space, kind)
            known = None if kind in _FIXED else self._known(item.id)
            if known is None:
                label = last = last + 1
                change[part] += 1
                run("INSERT INTO item VALUES (?, ?, ?, ?, ?)", (label, item.id, part, seq, _state(kind)))
            else:
                label, state = self._replace(known, item, part, run)
                change[part] += state == DELETED
                run("UPDATE item SET seq = ?, state = ? WHERE label = ?", (seq, _state(kind), label))
            if kind in SEARCHABLE:
                run("INSERT INTO words(rowid, text, aside) VALUES (?, ?, ?)", (label, *word_row(part, item)))
            if isinstance(item, Turn) and item.ref is not None:
                run("INSERT INTO ref VALUES (?, ?, ?)", (space, item.ref, item.id))
        for session in delta.sessions:
            run("INSERT INTO session VALUES (?, ?, ?)", (space, session.name, session.id))
        for deletion in delta.deletions:
            change.subtract(self._delete(deletion.id, space, run))
        return last

    def _known(self, id: str) -> tuple[int, int, int, int] | None:
        row = self.database.row("SELECT label, part, seq, state FROM item WHERE id = ?", (id,))
        return (row[0], row[1], row[2], row[3]) if row else None

    def _replace(self, known: tuple[int, int, int, int], item: Item, part: int, run: Run) -> tuple[int, int]:
        label, _, seq, state = known
        if state in (WAITING, READY):
            self._unindex(label, self.items_of(seq)[item.id], part, run)
        return label, state

    def _delete(self, id: str, space: int, run: Run) -> Mapping[int, int]:
        known = self._known(id)
        if known is None or known[3] == DELETED:
            return {}
        label, part, seq, state = known
        item = self.items_of(seq)[id]
        if state != SILENT:
            self._unindex(label, item, part, run)
        run("UPDATE item SET state = ? WHERE label = ?", (DELETED, label))
        if isinstance(item, Turn) and item.ref is not None:
            run("DELETE FROM ref WHERE space = ? AND ref = ?", (space, item.ref))
        return {part: 1}

    def _unindex(self, label: int, item: Item, part: int, run: Run) -> None:
        run("INSERT INTO words(words, rowid, text, aside) VALUES ('delete', ?, ?, ?)", (label, *word_row(part, item)))
        run("DELETE FROM embedding WHERE label = ?", (label,))

    def _items_of(self, seq: int) -> dict[str, Item]:
        """Return what one commit wrote, by id."""
        row = self.database.row("SELECT body FROM delta WHERE seq = ?", (seq,))
        return {item.id: item for item in _decode(row[0]).items()} if row else {}

    def add_vectors(self, rows: Sequence[tuple[int, bytes]], signature: str) -> list[tuple[int, int, int, bytes]]:
        """Keep vectors of items that still wait for one; return (n, label, part, vector) of those kept."""
        kept = []
        with self.database.transaction() as run:
            run("INSERT OR REPLACE INTO meta VALUES ('embedding', ?)", (signature,))
            n = int(self.meta("embedding_n") or 0)
            for label, vector in rows:
                found = run("SELECT part FROM item WHERE label = ? AND state = ?", (label, WAITING)).fetchone()
                if not found:
                    continue
                n += 1
                run("INSERT INTO embedding VALUES (?, ?, ?, ?)", (n, label, found[0], vector))
                run("UPDATE item SET state = ? WHERE label = ?", (READY, label))
                kept.append((n, label, found[0], vector))
            # Never used twice, even after the newest vector was deleted: snapshots are stamped with these numbers.
            run("INSERT OR REPLACE INTO meta VALUES ('embedding_n', ?)", (str(n),))
            self._hook("before_vector_commit")
        return kept

    def forget_vectors(self) -> None:
        """Drop all vectors and mark their items as waiting, because they came from another model."""
        with self.database.transaction() as run:
            run("DELETE FROM embedding")
            run("UPDATE item SET state = ? WHERE state = ?", (WAITING, READY))
            run("DELETE FROM meta WHERE key = 'embedding'")

    def reindex_words(self) -> None:
        """Write the words and the registers anew from the Deltas."""
        with self.database.transaction() as run:
            for table in register.TABLES:
                run(f"DELETE FROM {table}")  # noqa: S608 - constants
            for seq, delta in self.deltas():
                register.note(delta, seq, self._spaces[delta.space], run)
            run("INSERT INTO words(words) VALUES ('delete-all')")
            for label, id, part, seq in self.searchable():
                row = word_row(part, self.items_of(seq)[id])
                run("INSERT INTO words(rowid, text, aside) VALUES (?, ?, ?)", (label, *row))

    def searchable(self) -> Iterator[tuple[int, str, int, int]]:
        """Yield (label, id, part, seq) of every item that can be found."""
        yield from self.database.scan(
            "SELECT label, id, part, seq FROM item WHERE state IN (?, ?) ORDER BY label", (WAITING, READY)
        )

    def deltas(self, after: int = 0, until: int | None = None) -> Iterator[tuple[int, Delta]]:
        """Yield commits in order, read in pages so that none holds the journal for long."""
        last = self.last_seq if until is None else until
        while after < last:
            rows = self.database.rows(
                "SELECT seq, body FROM delta WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?", (after, last, PAGE)
            )
            for seq, body in rows:
                yield seq, _decode(body)
            if not rows:
                return
            after = rows[-1][0]

    def pending(self, limit: int, space: str | None, kind: str | None = None) -> list[tuple[int, str]]:
        """Return (label, text) of items that wait for a vector, in a space perhaps only those of one kind."""
        rows = self.database.rows(
            "SELECT label, id, seq FROM item WHERE state = 0 AND part BETWEEN ? AND ? ORDER BY part, label LIMIT ?",
            (*self._parts(space, kind), limit),
        )
        return [(label, text_of(self.items_of(seq)[id])) for label, id, seq in rows]

    def count_pending(self, space: str | None) -> int:
        """Count items that wait for a vector."""
        return self._one("SELECT count(*) FROM item WHERE state = 0 AND part BETWEEN ? AND ?", self._parts(space))

    def counts(self, space: str | None) -> dict[str, int]:
        """Count live items by kind."""
        low, high = self._parts(space)
        found: Counter[str] = Counter()
        for part, live in list(self.live.items()):
            if low <= part <= high and live:
                found[kind_of_part(part)] += live
        return {kind: found[kind] for kind in CODES if found[kind]}

    def _parts(self, space: str | None, kind: str | None = None) -> tuple[int, int]:
        if space is None:
            return 0, 1 << 62
        number = self._spaces.get(space, -1)
        if kind is not None:
            return part_of(number, kind), part_of(number, kind)
        return number * 8, number * 8 + 7

    def space_number(self, name: str) -> int | None:
        """Return the number of a space, or ``None`` for one that nothing was written to."""
        return self._spaces.get(name)

    def spaces(self) -> list[str]:
        """Return the names of all spaces in the order in which they came."""
        return list(self._spaces)

    def session_id(self, space: str, name: str) -> str | None:
        """Return the id of a session by its name."""
        key = (self._spaces.get(space, 0), name)
        found = self._sessions.get(key)
        if found is None and (found := self._text("SELECT id FROM session WHERE space = ? AND name = ?", key)):
            self._remember_session(key, found)
        return found

    def _remember_session(self, key: tuple[int, str], id: str) -> None:
        # Sessions never change, and every turn asks for its own: a read after each commit costs as much as a fifth of it.
        if len(self._sessions) >= MOST_SESSIONS:
            self._sessions.clear()
        self._sessions[key] = id

    def turn_by_ref(self, space: str, ref: str) -> str | None:
        """Return the id of the live turn behind a ref."""
        return self._text("SELECT id FROM ref WHERE space = ? AND ref = ?", (self._spaces.get(space), ref))

    def place(self, id: str) -> tuple[int, int, int] | None:
        """Return label, part and state of an item, or ``None`` for an unknown one."""
        known = self._known(id)
        return (known[0], known[1], known[3]) if known else None

    def kinds(self) -> dict[str, int]:
        """Count all items that were ever written, by kind."""
        rows = self.database.rows("SELECT part % 8, count(*) FROM item GROUP BY 1")
        return {kind_of_part(code): count for code, count in rows}

    def latest(self, limit: int) -> list[tuple[str, int, int]]:
        """Return (id, commit, state) of the items that were written last, turns and all."""
        floor = self._one("SELECT coalesce(max(seq), 0) FROM delta") - limit
        rows = self.database.rows(
            "SELECT id, seq, state FROM item WHERE seq > ? ORDER BY seq DESC, label DESC LIMIT ?", (floor, limit)
        )
        return [(row[0], row[1], row[2]) for row in rows]

    def last_id(self) -> str | None:
        """Return the newest id, after which new ones are minted."""
        return self._text("SELECT id FROM item ORDER BY label DESC LIMIT 1")

    def delta(self, seq: int) -> Delta | None:
        """Return one commit."""
        row = self.database.row("SELECT body FROM delta WHERE seq = ?", (seq,))
        return _decode(row[0]) if row else None

    def meta(self, key: str) -> str | None:
        """Return a note about the folder."""
        return self._text("SELECT value FROM meta WHERE key = ?", (key,))

    def _text(self, sql: str, arguments: Sequence[object] = ()) -> str | None:
        row = self.database.row(sql, arguments)
        return str(row[0]) if row else None

    def _one(self, sql: str, arguments: Sequence[object] = ()) -> int:
        row = self.database.row(sql, arguments)
        return int(row[0]) if row else 0

    def close(self) -> None:
        """Close every connection."""
        self.database.close()


def _readable(delta: Delta) -> bytes:
    """Encode a Delta and make sure that it can be read back: a field of the wrong type would end the journal there."""
    try:
        body = _encode(delta)
        _decode(body)
    except (msgspec.MsgspecError, TypeError, ValueError) as error:
        raise InvalidInput("delta", f"cannot be kept: {error}") from None
    return body


def digest(delta: Delta) -> bytes:
    """Return what tells one Delta from any other."""
    return hashlib.blake2b(_encode(delta), digest_size=16).digest()


def _state(kind: str) -> int:
    return WAITING if kind in SEARCHABLE else SILENT

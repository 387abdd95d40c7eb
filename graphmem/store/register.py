"""The registers: look-up tables that each commit keeps up beside the words, so that no question scans a space.

Names lead to entities, a subject and a predicate to entries, an entity to the relations that it is in, an item to the
commits that touched it, a session to how far it has been distilled. All of them are derived from the Deltas.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from graphmem.store.sqlite import Database, Run
from graphmem.types import Delta, Distilled, Entity, Entry, Item, Relation
from graphmem.words import keys_of

TABLES = ("past", "name", "family", "link", "support", "distilled", "refused", "chosen")


def note(delta: Delta, seq: int, space: int, run: Run) -> None:
    """Enter one commit into every register."""
    for item in _registered(delta):
        _forget(item.id, run)
        _enter(item, space, run)
    for deletion in delta.deletions:
        _forget(deletion.id, run)
    for id in _touched(delta):
        run("INSERT OR IGNORE INTO past VALUES (?, ?)", (id, seq))
    for each in delta.distilled:
        run(
            "INSERT OR REPLACE INTO distilled VALUES (?, ?, ?, ?, ?)",
            (each.session, each.until, each.extractor, each.at.isoformat(), each.again),
        )
    for key, value in delta.chosen.items():
        run("INSERT OR REPLACE INTO chosen VALUES (?, ?, ?)", (space, key, value))
    if delta.refusals:
        run("INSERT INTO refused VALUES (?, ?)", (space, seq))


def _touched(delta: Delta) -> Iterator[str]:
    versioned: tuple[Item, ...] = (*_registered(delta), *delta.profiles, *delta.disputes)
    ids = [*(item.id for item in versioned), *(d.id for d in delta.deletions), *(c.item for c in delta.changes)]
    yield from dict.fromkeys(ids)


def _registered(delta: Delta) -> tuple[Item, ...]:
    return (*delta.episodes, *delta.entities, *delta.relations, *delta.entries)


def _enter(item: Item, space: int, run: Run) -> None:
    if isinstance(item, Entity):
        for norm in dict.fromkeys(key for name in (item.name, *item.aliases) for key in keys_of(name)):
            run("INSERT OR IGNORE INTO name VALUES (?, ?, ?)", (space, norm, item.id))
    if isinstance(item, Entry) and item.subject:
        run("INSERT INTO family VALUES (?, ?, ?)", (item.subject, item.predicate or "", item.id))
    if isinstance(item, Relation):
        for entity in {item.subject, item.object}:
            run("INSERT INTO link VALUES (?, ?)", (entity, item.id))
    for turn in getattr(item, "evidence", ()):
        run("INSERT OR IGNORE INTO support VALUES (?, ?)", (turn, item.id))


def _forget(id: str, run: Run) -> None:
    for table in ("name", "family", "link", "support"):
        run(f"DELETE FROM {table} WHERE id = ?", (id,))  # noqa: S608 - one of four constants


class Register:
    """Reads the registers."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def count(self, table: str) -> int:
        """Count the rows of a register."""
        row = self._database.row(f"SELECT count(*) FROM {table}")  # noqa: S608 - the caller's constant
        return int(row[0]) if row else 0

    def named(self, space: int, keys: Iterable[str], limit: int = 50) -> list[str]:
        """Return the entities of a space under any of these keys."""
        found: dict[str, None] = {}
        for key in keys:
            rows = self._database.rows("SELECT id FROM name WHERE space = ? AND norm = ? LIMIT ?", (space, key, limit))
            found.update((row[0], None) for row in rows)
        return list(found)

    def family(self, subject: str, predicates: Sequence[str | None]) -> list[str]:
        """Return the entries about a subject under these predicates, oldest first."""
        marks = ", ".join("?" * len(predicates))
        rows = self._database.rows(
            f"SELECT id FROM family WHERE subject = ? AND predicate IN ({marks}) ORDER BY id",  # noqa: S608 - question marks
            (subject, *(predicate or "" for predicate in predicates)),
        )
        return [row[0] for row in rows]

    def about(self, subject: str) -> list[str]:
        """Return all entries about a subject."""
        return self._ids("SELECT id FROM family WHERE subject = ? ORDER BY id", subject)

    def links(self, entity: str) -> list[str]:
        """Return the relations that an entity is in."""
        return self._ids("SELECT id FROM link WHERE entity = ? ORDER BY id", entity)

    def supported(self, turn: str) -> list[str]:
        """Return the items that name a turn as their evidence."""
        return self._ids("SELECT id FROM support WHERE turn = ? ORDER BY id", turn)

    def past(self, id: str) -> list[int]:
        """Return the commits that touched an item."""
        return [row[0] for row in self._database.rows("SELECT seq FROM past WHERE id = ? ORDER BY seq", (id,))]

    def refused(self, space: int) -> list[int]:
        """Return the commits in which claims were refused."""
        return [row[0] for row in self._database.rows("SELECT seq FROM refused WHERE space = ? ORDER BY seq", (space,))]

    def distilled(self, session: str) -> Distilled | None:
        """Return how far a session has been distilled."""
        from graphmem.clock import instant

        row = self._database.row("SELECT until, extractor, at, again FROM distilled WHERE session = ?", (session,))
        if row is None:
            return None
        return Distilled(session=session, until=row[0], extractor=row[1], at=instant(row[2], "at"), again=bool(row[3]))

    def chosen(self, space: int, key: str) -> str | None:
        """Return what a space has settled for itself."""
        row = self._database.row("SELECT value FROM chosen WHERE space = ? AND key = ?", (space, key))
        return str(row[0]) if row else None

    def _ids(self, sql: str, argument: str) -> list[str]:
        return [row[0] for row in self._database.rows(sql, (argument,))]

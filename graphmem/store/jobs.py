"""Jobs: durable work that waits behind the writes. A session that was written to has one job until it is distilled.

Jobs are no part of the truth: they say what is still to be done, are kept in the journal's file so that they are made in
the same transaction as the turns they are for, and may be lost without losing anything that was said.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

import msgspec

from graphmem.store.protocol import NewJobs
from graphmem.store.sqlite import Database, Row, Run
from graphmem.types import Delta, Job, JobState

DISTIL = "distil"
# Finished jobs that are kept to be looked at.
KEPT = 1000
_COLUMNS = "id, space.name, kind, session, state, attempts, due, created, updated, error, result"
_SELECT = f"SELECT {_COLUMNS} FROM job JOIN space ON space.number = job.space"  # noqa: S608 - constants
WAKE = """INSERT INTO job(id, space, kind, session, state, attempts, due, created, updated)
    VALUES (?, ?, ?, ?, 'waiting', 0, ?, ?, ?)
    ON CONFLICT(session, kind) WHERE state = 'waiting' DO UPDATE SET
    due = CASE WHEN due IS NULL OR attempts > 0 THEN due ELSE max(due, excluded.due) END, updated = excluded.updated"""


class Jobs:
    """Reads and moves jobs; writes go through the store's one writer, whose lock callers of ``_change`` take here."""

    def __init__(self, database: Database, writing: threading.RLock) -> None:
        self._database, self._writing = database, writing
        self._last: dict[int, str] = {}

    def wake(self, delta: Delta, new: NewJobs, space: int, run: Run) -> None:
        """See to it that each session of ``delta`` has a waiting job.

        A session that another one follows in its space is over: its job is due at once.
        """
        now = time.time()
        due = None if new.delay is None else now + new.delay
        for session in dict.fromkeys(turn.session_id for turn in delta.turns):
            before = self._last.get(space)
            if before not in (None, session) and due is not None:
                run("UPDATE job SET due = 0 WHERE session = ? AND state = 'waiting' AND attempts = 0", (before,))
            run(WAKE, (new.id(), space, DISTIL, session, due, now, now))
            self._last[space] = session

    def next(self, space: int | None = None) -> Job | None:
        """Return the job that is due first, or will be."""
        sql = f"{_SELECT} WHERE state = 'waiting' AND due IS NOT NULL AND {_in(space)} ORDER BY due, id LIMIT 1"
        return self._one(sql, () if space is None else (space,))

    def begin(self, id: str) -> None:
        """Say that a job is being worked on."""
        self._change("UPDATE job SET state = 'running', attempts = attempts + 1, updated = ? WHERE id = ?", id)

    def finish(self, id: str, result: Mapping[str, object]) -> None:
        """Say that a job is done, and what came of it; the oldest finished ones are forgotten."""
        sql = "UPDATE job SET state = 'done', error = '', due = 0, result = ?2, updated = ?1 WHERE id = ?3"
        with self._writing, self._database.transaction() as run:
            run(sql, (time.time(), msgspec.json.encode(result), id))
            run(
                "DELETE FROM job WHERE state = 'done' AND id IN "
                "(SELECT id FROM job WHERE state = 'done' ORDER BY updated DESC LIMIT -1 OFFSET ?)",
                (KEPT,),
            )

    def fail(self, id: str, error: str, retry_after: float | None) -> None:
        """Keep the error; try again after so many seconds, or park the job until somebody asks for it."""
        if retry_after is None:
            self._change(
                "UPDATE job SET state = 'parked', due = NULL, updated = ?, error = ?2 WHERE id = ?3", id, error
            )
            return
        with self._writing, self._database.transaction() as run:
            row = run("SELECT session, kind FROM job WHERE id = ?", (id,)).fetchone()
            # New turns may have made another waiting job for the session meanwhile: that one takes this one's place.
            if row and run("SELECT 1 FROM job WHERE session = ? AND kind = ? AND state = 'waiting'", row).fetchone():
                run("DELETE FROM job WHERE id = ?", (id,))
                return
            now = time.time()
            run(
                "UPDATE job SET state = 'waiting', due = ?, updated = ?, error = ? WHERE id = ?",
                (now + retry_after, now, error, id),
            )

    def hasten(self, space: int | None) -> int:
        """Make what waits due at once, in one space or everywhere; return how many jobs that are."""
        sql = f"UPDATE job SET due = 0 WHERE state = 'waiting' AND {_in(space)}"  # noqa: S608 - a constant
        with self._writing, self._database.transaction() as run:
            return int(run(sql, () if space is None else (space,)).rowcount)

    def retry(self, space: int | None) -> int:
        """Put parked jobs back in line, of one space or everywhere; return how many that are."""
        sql = (
            f"UPDATE OR IGNORE job SET state = 'waiting', due = 0, attempts = 0 WHERE state = 'parked' AND {_in(space)}"  # noqa: S608 - a constant
        )
        with self._writing, self._database.transaction() as run:
            return int(run(sql, () if space is None else (space,)).rowcount)

    def recover(self, *, at_once: bool) -> None:
        """Put back in line what was being worked on when the process died, and make all that waits due, or nothing.

        To be interrupted is no failed attempt. Where new turns have made another job meanwhile, that one is enough.
        """
        due = 0.0 if at_once else None
        with self._writing, self._database.transaction() as run:
            run("UPDATE OR IGNORE job SET state = 'waiting', attempts = max(0, attempts - 1) WHERE state = 'running'")
            run("DELETE FROM job WHERE state = 'running'")
            run("UPDATE job SET due = ? WHERE state = 'waiting'", (due,))

    def ask(self, space: int, session: str, new_id: Callable[[], str], kind: str = DISTIL) -> None:
        """Make a job for a session that is due at once."""
        now = time.time()
        with self._writing, self._database.transaction() as run:
            run(WAKE, (new_id(), space, kind, session, 0.0, now, now))
            run("UPDATE job SET due = 0 WHERE session = ? AND kind = ? AND state = 'waiting'", (session, kind))

    def get(self, id: str) -> Job | None:
        """Return one job."""
        return self._one(f"{_SELECT} WHERE id = ?", (id,))

    def of(self, space: int | None, states: Sequence[JobState], limit: int) -> list[Job]:
        """Return jobs, newest first."""
        marks = ", ".join("?" * len(states))
        sql = f"{_SELECT} WHERE state IN ({marks}) AND {_in(space)} ORDER BY created DESC, id DESC LIMIT ?"
        arguments: tuple[object, ...] = () if space is None else (space,)
        return [_job(row) for row in self._database.rows(sql, (*states, *arguments, limit))]

    def open(self, space: int | None) -> int:
        """Count what waits for its time or is being worked on."""
        sql = f"SELECT count(*) FROM job WHERE state IN ('waiting', 'running') AND due IS NOT NULL AND {_in(space)}"  # noqa: S608 - a constant
        row = self._database.row(sql, () if space is None else (space,))
        return int(row[0]) if row else 0

    def _one(self, sql: str, arguments: Sequence[object] = ()) -> Job | None:
        row = self._database.row(sql, arguments)
        return _job(row) if row else None

    def _change(self, sql: str, id: str, *more: object) -> None:
        with self._writing, self._database.transaction() as run:
            run(sql, (time.time(), *more, id))


def _in(space: int | None) -> str:
    return "1" if space is None else "space = ?"


def _job(row: Row) -> Job:
    id, space, kind, session, state, attempts, due, created, updated, error, result = row
    return Job(
        id=id, space=space, kind=kind, session=session, state=state, attempts=attempts,
        due=None if due is None else _instant(due), created_at=_instant(created), updated_at=_instant(updated),
        error=error or "", result=msgspec.json.decode(result) if result else {},
    )  # fmt: skip


def _instant(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)

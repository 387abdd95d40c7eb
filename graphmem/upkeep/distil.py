"""Distil sessions behind the caller's back: what waits is taken up when it is due, one session at a time.

A job that fails is tried again a little later, then parked with its error; the others go on, and its turns are where
they were. What a crash cut off is done again from the turns: a Delta is either committed, and says so, or was not made.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from graphmem.errors import GraphmemError, ModelError
from graphmem.settings import DistilSettings
from graphmem.store import Store
from graphmem.store.protocol import Progress
from graphmem.types import Job
from graphmem.upkeep.manners import give_way

log = logging.getLogger(__name__)
# Seconds before a job is tried again, doubled each time.
FIRST_RETRY = 1.0
# How long the thread sleeps at most: a clock that was set back must not stop it.
LONGEST_SLEEP = 30.0

Work = Callable[[Job], dict[str, object]]


class Distiller:
    """Owns the thread that works; ``work`` distils the session of one job and says what came of it."""

    def __init__(self, store: Store, work: Work, settings: DistilSettings, stop_work: Callable[[], None]) -> None:
        self._store, self._work, self._settings, self._stop_work = store, work, settings, stop_work
        self._wake, self._stop = threading.Event(), threading.Event()
        self._one_at_a_time = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="graphmem-distil", daemon=True)
        if settings.extractor != "none":
            store.jobs.recover(at_once=settings.mode == "auto")
            self._thread.start()

    def nudge(self) -> None:
        """Say that there may be something to do."""
        self._wake.set()

    def flush(self, space: str | None, progress: Progress | None = None) -> list[str]:
        """Distil everything that waits in a space (or anywhere); return the errors of the jobs that failed."""
        number = None if space is None else self._store.space_number(space)
        if self._settings.extractor == "none":
            return []
        total = self._store.jobs.hasten(number)
        errors: list[str] = []
        done = 0
        while not self._stop.is_set():
            with self._one_at_a_time:
                job = self._due(number)
                error = self._do(job) if job else None
            if job is None:
                return errors
            if error:
                errors.append(error)
            done += 1
            if progress:
                progress(done, max(total, done))
        return errors

    def _due(self, space: int | None) -> Job | None:
        job = None if self._stop.is_set() else self._store.jobs.next(space)
        return job if job and job.due and job.due.timestamp() <= time.time() else None

    def _do(self, job: Job) -> str | None:
        """Do one job; return its error, if it failed."""
        self._store.jobs.begin(job.id)
        try:
            result = self._work(job)
        except GraphmemError as error:
            if self._stop.is_set():
                return None  # cut off by closing: it is taken up when the folder is next opened
            final = isinstance(error, ModelError) or job.attempts + 1 >= self._settings.attempts
            log.warning(
                "session %s could not be distilled%s: %s", job.session, " and is parked" if final else "", error
            )
            self._store.jobs.fail(job.id, str(error), None if final else FIRST_RETRY * 2**job.attempts)
            self._wake.set()
            return str(error)
        self._store.jobs.finish(job.id, result)
        return None

    def _run(self) -> None:
        give_way()
        while not self._stop.is_set():
            try:
                self._wake.wait(self._pause())
                self._wake.clear()
                while not self._stop.is_set() and self._step():
                    pass
            except GraphmemError as error:  # the journal cannot be written just now: what waits stays where it is
                log.warning("sessions are not being distilled: %s", error)
                self._stop.wait(FIRST_RETRY)

    def _pause(self) -> float:
        job = self._store.jobs.next() if not self._stop.is_set() else None
        if job is None or job.due is None:
            return LONGEST_SLEEP
        return min(LONGEST_SLEEP, max(0.0, job.due.timestamp() - time.time()))

    def _step(self) -> bool:
        with self._one_at_a_time:
            job = self._due(None)
            if job:
                self._do(job)
            return job is not None

    def close(self) -> None:
        """Stop; the session at hand is interrupted and taken up when the folder is next opened."""
        self._stop.set()
        self._wake.set()
        self._stop_work()
        if self._thread.is_alive():
            self._thread.join()

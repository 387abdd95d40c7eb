"""A memory in a folder: journal first, then graph and vectors, which catch up with it and can always be made anew."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from graphmem.errors import InvalidInput, StoreClosed, StoreCorrupt, StoreError, StoreFull
from graphmem.settings import Settings
from graphmem.store import verify
from graphmem.store.admit import admit
from graphmem.store.disk import room
from graphmem.store.graph import Graph, GraphUnusable
from graphmem.store.jobs import Jobs
from graphmem.store.journal import Journal, digest
from graphmem.store.lock import FolderLock
from graphmem.store.protocol import NewJobs, Progress
from graphmem.store.soundness import damage
from graphmem.store.sqlite import Hook
from graphmem.store.usage import Usage
from graphmem.store.vectors import Vectors
from graphmem.store.view import FolderView
from graphmem.store.word_index import WordIndex
from graphmem.types import Delta, Kind, Report, Stats

log = logging.getLogger(__name__)
PARTS = ("graph", "words", "vectors", "all")
# How many turns one graph transaction takes up at most when it lags behind.
BATCH_TURNS = 20000
# Seconds for which the graph waits for more to apply; a reader that comes meanwhile has it applied at once.
LINGER = 0.05
# Seconds of rest after which it is written down what was of use.
USAGE_EVERY = 5.0


def no_hook(point: str) -> None:
    """Do nothing at a named point; crash tests put a kill here."""


class FolderStore:
    """One folder, one process, one writer at a time, many readers."""

    def __init__(self, folder: str | Path, settings: Settings | None = None, hook: Hook = no_hook) -> None:
        # absolute, because threads open it later and the program may change its directory meanwhile
        self.folder, self.settings, self._hook = Path(folder).absolute(), settings or Settings(), hook
        _make(self.folder)
        self._lock = FolderLock(self.folder)
        try:
            self._check_whole()
            self.journal = Journal(self.folder / "journal.db", hook)
            log_left = self.folder / "graph.kz.wal"
            died = log_left.exists() and log_left.stat().st_size > 0
            self.graph = self._open_graph()
        except BaseException:
            self._lock.release()
            raise
        self.vectors = Vectors(self.folder / "vectors", self.journal, self.settings.store, hook)
        self._words = WordIndex(self.journal, self.settings.read.posting_budget)
        self._writing = threading.RLock()
        self.jobs = Jobs(self.journal.database, self._writing)
        self.usage = Usage(self.journal.database, self._writing)
        self._applying = threading.RLock()
        self._embedding = threading.RLock()
        self._lagging = threading.Event()
        self._stopping = threading.Event()
        self._closed = False
        self._taken: set[bytes] | None = None  # what take_over compares with, once it is used
        self._applier = threading.Thread(target=self._apply_in_background, name="graphmem-graph", daemon=True)
        self._catch_up()
        if died and (wrong := damage(self.journal, self.graph)):
            self.graph.close()
            self.graph = self._graph_anew(wrong)
            self._catch_up()
        self._applier.start()

    def _check_whole(self) -> None:
        if (self.folder / "graph.kz").exists() and not (self.folder / "journal.db").exists():
            raise StoreCorrupt(
                f"{str(self.folder)!r} has a graph but no journal.db, which is the truth: restore it from a backup, "
                "or choose another folder to start an empty memory"
            )

    def _open_graph(self) -> Graph:
        try:
            graph = self._new_graph()
        except GraphUnusable as reason:
            return self._graph_anew(str(reason))
        if graph.applied > self.journal.last_seq:
            graph.close()
            return self._graph_anew(f"it is at commit {graph.applied}, the journal at {self.journal.last_seq}")
        return graph

    def _new_graph(self) -> Graph:
        store = self.settings.store
        return Graph(
            self.folder / "graph.kz",
            memory_mb=store.graph_memory_mb,
            checkpoint_every=store.checkpoint_every,
            hook=self._hook,
        )

    def _graph_anew(self, reason: str) -> Graph:
        """Set the graph's files aside and start an empty graph, which then catches up with the journal."""
        stamp = time.time_ns()
        log.warning("the graph cannot be used (%s); its files are set aside and it is rebuilt from the journal", reason)
        for path in self.folder.glob("graph.kz*"):
            path.rename(path.with_name(f"unusable-{stamp}-{path.name}"))
        for old in sorted(self.folder.glob("unusable-*"))[:-3]:
            old.unlink()
        return self._new_graph()

    def commit(self, delta: Delta, new_jobs: NewJobs | None = None) -> int:
        """Make ``delta`` durable and its words searchable; the graph takes it up in the background."""
        with self._writing:
            self._check_open()
            self._check_room()
            admit(delta, self.journal)
            # what is deleted or replaced leaves the vectors in memory; the journal's go in the commit itself
            old = [self.journal.place(id) for id in _changed(delta)]
            also = None if new_jobs is None else partial(self.jobs.wake, delta, new_jobs)
            seq = self.journal.append(delta, also)
            self._hook("after_journal")
            for label, part, _ in filter(None, old):
                self.vectors.removed(part, label)
        self._lagging.set()
        return seq

    def _check_room(self) -> None:
        free, reserve = room(self.folder), self.settings.store.disk_reserve_mb
        if free < reserve << 20:
            raise StoreFull(
                f"the disk of {str(self.folder)!r} has {free >> 20} MB left and store.disk_reserve_mb keeps {reserve}; "
                "nothing of this write was kept, make room and try again"
            )

    def take_over(self, delta: Delta, new_jobs: NewJobs | None = None) -> bool:
        """Commit an exported Delta, unless this very one is here already."""
        with self._writing:
            self._check_open()
            if self._taken is None:
                self._taken = {digest(known) for _, known in self.journal.deltas()}
            mark = digest(delta)
            if mark in self._taken:
                return False
            self.commit(delta, new_jobs)
            self._taken.add(mark)
            return True

    def _apply_in_background(self) -> None:
        # asked each time: the wake of a close may be swallowed by the clear below
        while not self._stopping.is_set():
            if not self._lagging.wait(USAGE_EVERY):
                self._write_usage()
                continue
            # A burst of writes is applied together: each graph commit takes the disk and the interpreter from the writers.
            if self._stopping.wait(LINGER):
                return
            self._lagging.clear()
            try:
                self._catch_up()
            except StoreError as error:  # the next reader tries again and gets the error itself
                log.warning("the graph is behind the journal: %s", error)

    def _write_usage(self) -> None:
        try:
            self.usage.write()
        except StoreError as error:  # counts are worth no more than this line
            log.warning("how often items were of use could not be written down: %s", error)

    def _catch_up(self, progress: Progress | None = None) -> None:
        """Bring the graph to the journal's last commit."""
        target = self.journal.last_seq
        if self.graph.applied >= target:
            return
        with self._applying:
            for batch in _batches(self.journal.deltas(self.graph.applied, target)):
                self._hook("before_graph")
                self.graph.apply(batch)
                if progress:
                    progress(self.graph.applied, target)

    def view(self, space: str) -> FolderView:
        """Return a view of one space that sees everything acknowledged before."""
        self._check_open()
        self._catch_up()
        return FolderView(space, self.journal, self.graph, self._words, self.vectors)

    def spaces(self) -> list[str]:
        """Return the names of all spaces."""
        self._check_open()
        return self.journal.spaces()

    def has_space(self, name: str) -> bool:
        """Say whether anything was ever written to a space."""
        self._check_open()
        return self.journal.space_number(name) is not None

    def space_number(self, name: str) -> int | None:
        """Return the number of a space, by which jobs are asked for."""
        return self.journal.space_number(name)

    def session_id(self, space: str, name: str) -> str | None:
        """Return the id of a session by the caller's name for it."""
        self._check_open()
        return self.journal.session_id(space, name)

    def turn_by_ref(self, space: str, ref: str) -> str | None:
        """Return the id of the live turn behind a caller's ref."""
        self._check_open()
        return self.journal.turn_by_ref(space, ref)

    def last_id(self) -> str | None:
        """Return the newest id, after which new ones are minted."""
        return self.journal.last_id()

    def pending(self, limit: int, space: str | None = None, kind: Kind | None = None) -> list[tuple[int, str]]:
        """Return (label, text) of items that still lack a vector, in a space perhaps only those of one kind."""
        self._check_open()
        return self.journal.pending(limit, space, kind)

    def embedded(self, rows: Sequence[tuple[int, Any]], signature: str) -> None:
        """Keep the vectors of these labels; vectors of another model are forgotten first."""
        blobs = [(label, np.asarray(vector, np.float32).tobytes()) for label, vector in rows]
        with self._embedding:  # indexes take vectors up in the order of the journal, but no writer waits for them
            with self._writing:
                self._check_open()
                self.expect_model(signature)
                kept = self.journal.add_vectors(blobs, signature)
            self._hook("after_vector_commit")
            self.vectors.added(kept)

    def model(self) -> str | None:
        """Return the signature of the model whose vectors are kept."""
        self._check_open()
        return self.journal.meta("embedding")

    def expect_model(self, signature: str) -> None:
        """Forget vectors that another model made, so that they are made anew."""
        with self._writing:
            known = self.journal.meta("embedding")
            if known and known != signature:
                log.warning("vectors of %s are made anew with %s", known, signature)
                self.journal.forget_vectors()
                self.vectors.drop()

    def stats(self, space: str | None) -> Stats:
        """Count one space, or everything."""
        self._check_open()
        return Stats(
            space=space,
            counts=self.journal.counts(space),
            spaces=len(self.spaces()),
            pending_vectors=self.journal.count_pending(space),
            pending_jobs=self.jobs.open(self.journal.space_number(space) if space is not None else None),
            commits=self.journal.last_seq,
            bytes_on_disk=sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file()),
            embedding=self.journal.meta("embedding"),
        )

    def verify(self, progress: Progress | None = None) -> Report:
        """Compare every part with the journal, row by row; writers wait meanwhile."""
        with self._embedding, self._writing, self._applying:
            self._check_open()
            self._catch_up()
            return verify.compare(self.journal, self.graph, self.vectors, progress)

    def rebuild(self, part: str, progress: Progress | None = None) -> None:
        """Make a derived part anew from the journal."""
        if part not in PARTS:
            raise InvalidInput("part", f"{part!r} is not one of {', '.join(PARTS)}")
        with self._embedding, self._writing, self._applying:
            self._check_open()
            if part in ("words", "all"):
                self.journal.reindex_words()
            if part in ("vectors", "all"):
                self.vectors.drop()
            if part in ("graph", "all"):
                with self.graph.alone():
                    self.graph.reset()
                    self._catch_up(progress)

    def deltas(self, space: str | None = None) -> Iterator[Delta]:
        """Return every commit in order."""
        self._check_open()
        return (delta for _, delta in self.journal.deltas() if space in (None, delta.space))

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosed(f"{str(self.folder)!r} was closed; open it again with Memory({str(self.folder)!r})")

    def close(self) -> None:
        """Finish background work, save and release the folder."""
        with self._writing:
            if self._closed:
                return
            self._closed = True
        self._stopping.set()
        self._lagging.set()
        self._applier.join()
        try:
            with self._applying:
                self._write_usage()
                self._catch_up()
                self.vectors.close()
                self.graph.close()
        except (StoreError, OSError) as error:  # what could not be saved is made anew when the folder is next opened
            log.warning("%s: not everything could be saved on closing: %s", self.folder, error)
        finally:
            self.journal.close()
            self._lock.release()


def _make(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise StoreError(f"{str(folder)!r} is a file; graphmem needs a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"cannot make the folder {str(folder)!r}: {error.strerror}") from None


def _changed(delta: Delta) -> list[str]:
    """Return the ids whose vectors ``delta`` makes wrong."""
    replaced = (item.id for items in (delta.episodes, delta.relations, delta.entries) for item in items)
    return [*replaced, *(deletion.id for deletion in delta.deletions)]


def _batches(deltas: Iterator[tuple[int, Delta]]) -> Iterator[list[tuple[int, Delta]]]:
    batch: list[tuple[int, Delta]] = []
    turns = 0
    for seq, delta in deltas:
        batch.append((seq, delta))
        turns += 1 + len(delta.turns)
        if turns >= BATCH_TURNS:
            yield batch
            batch, turns = [], 0
    if batch:
        yield batch

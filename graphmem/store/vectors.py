"""Vectors by part (a space's items of one kind): exact while few, hnswlib above a threshold.

A part is loaded from its snapshot or the journal when it is first asked. An approximate index takes seconds to build, so
a thread builds it while exact search goes on answering.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections import OrderedDict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graphmem.errors import StoreError
from graphmem.settings import StoreSettings
from graphmem.store.exact import Exact
from graphmem.store.hnsw import Hnsw
from graphmem.store.journal import Journal
from graphmem.store.sqlite import Hook

log = logging.getLogger(__name__)
Index = Exact | Hnsw
PAGE = 5000


class Vectors:
    """The indexes of the parts in use; the least recently used leave when memory is short."""

    def __init__(self, folder: Path, journal: Journal, settings: StoreSettings, hook: Hook) -> None:
        self._folder, self._journal, self._settings, self._hook = folder, journal, settings, hook
        self._lock = threading.RLock()
        self._parts: OrderedDict[int, Index] = OrderedDict()
        self._closing = threading.Event()
        self._work: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        self._queued: set[int] = set()
        self._worker = threading.Thread(target=self._build_in_background, name="graphmem-vectors", daemon=True)
        self._worker.start()

    def search(self, part: int, vector: NDArray[np.float32], limit: int) -> list[tuple[int, float]]:
        """Return labels with cosine similarities, best first."""
        index = self.part(part)
        if index is None or index.dimension != len(vector):
            return []
        return index.search(np.ascontiguousarray(vector, np.float32), limit)

    def part(self, part: int) -> Index | None:
        """Return the index of one part, loading it when it is not in memory."""
        with self._lock:
            index = self._parts.get(part)
            if index is None:
                index = self._load(part)
                if index is not None:
                    self._parts[part] = index
                    self._evict()
            else:
                self._parts.move_to_end(part)
            return index

    def added(self, rows: list[tuple[int, int, int, bytes]]) -> None:
        """Take up vectors (n, label, part, bytes) that the journal has just kept."""
        by_part: dict[int, list[tuple[int, int, bytes]]] = {}
        for n, label, part, vector in rows:
            by_part.setdefault(part, []).append((n, label, vector))
        for part, found in by_part.items():
            with self._lock:
                index = self._parts.get(part)
            if index is not None:
                _add(index, found)
                self._look_after(part, index)

    def removed(self, part: int, label: int) -> None:
        """Take a vector out of memory, where it is loaded."""
        with self._lock:
            index = self._parts.get(part)
            if index is not None:
                index.remove(label)

    def _look_after(self, part: int, index: Index) -> None:
        """Have a part built or saved in the background when it is due."""
        if isinstance(index, Exact):
            due = len(index) > self._settings.hnsw_threshold
        else:
            due = index.stamp - index.saved >= self._settings.hnsw_save_every
        with self._lock:
            if due and part not in self._queued:
                self._queued.add(part)
                self._work.put(part)

    def _build_in_background(self) -> None:
        while (part := self._work.get()) is not None:
            try:
                with self._lock:
                    index = self._parts.get(part)
                if isinstance(index, Exact):
                    index = self._build(part, index)
                self._save(part, index)
            except (StoreError, OSError, RuntimeError) as error:  # exact search goes on; a snapshot can be made later
                log.warning("the vector index of part %s could not be built or saved: %s", part, error)
            finally:
                with self._lock:
                    self._queued.discard(part)

    def _build(self, part: int, exact: Exact) -> Hnsw | None:
        """Build an approximate index from the journal, then put it in the place of the exact one."""
        index = Hnsw(exact.dimension, self._settings.hnsw_ef, capacity=int(len(exact) * 1.2))
        if not self._catch_up(part, index):
            return None
        with self._lock:
            if self._parts.get(part) is not exact:
                return None
            self._catch_up(part, index)
            live = self._labels(part)
            for label in index.labels() - live:
                index.remove(label)
            self._parts[part] = index
        return index

    def _load(self, part: int) -> Index | None:
        first = self._journal.database.row("SELECT length(vector) FROM embedding WHERE part = ? LIMIT 1", (part,))
        if first is None:
            return None
        dimension, live = first[0] // 4, self._labels(part)
        index: Index | None = None
        if len(live) > self._settings.hnsw_threshold:
            index = Hnsw.load(self._folder, part, dimension, self._settings.hnsw_ef, live)
        index = index or Exact(dimension)
        self._catch_up(part, index)
        self._look_after(part, index)
        return index

    def _labels(self, part: int) -> set[int]:
        return {row[0] for row in self._journal.database.rows("SELECT label FROM embedding WHERE part = ?", (part,))}

    def _catch_up(self, part: int, index: Index) -> bool:
        """Take up what the journal has beyond the index's stamp; ``False`` when the memory is being closed."""
        sql = "SELECT n, label, vector FROM embedding WHERE part = ? AND n > ? ORDER BY n LIMIT ?"
        while rows := self._journal.database.rows(sql, (part, index.stamp, PAGE)):
            if self._closing.is_set():
                return False
            _add(index, rows)
        return True

    def _evict(self) -> None:
        budget = self._settings.vector_memory_mb << 20
        while len(self._parts) > 1 and sum(len(i) * i.dimension * 4 for i in self._parts.values()) > budget:
            part, index = self._parts.popitem(last=False)
            self._save(part, index)

    def _save(self, part: int, index: Index | None) -> None:
        if isinstance(index, Hnsw) and index.saved < index.stamp:
            index.save(self._folder, part, self._hook)

    def drop(self) -> None:
        """Forget every index and snapshot; they come back from the journal."""
        with self._lock:
            self._parts.clear()
            for path in self._folder.glob("*"):
                path.unlink(missing_ok=True)

    def close(self) -> None:
        """Save what is newer than its snapshot."""
        self._closing.set()
        self._work.put(None)
        self._worker.join()
        for part, index in self._parts.items():
            self._save(part, index)


def _add(index: Index, rows: list[tuple[int, int, bytes]]) -> None:
    numbers, labels = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    vectors = np.frombuffer(b"".join(row[2] for row in rows), np.float32).reshape(len(rows), -1)
    index.add(numbers, labels, vectors)

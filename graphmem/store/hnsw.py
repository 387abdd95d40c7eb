"""Approximate nearest neighbours: the only file that imports hnswlib, with its four traps handled.

``ef`` resets on load; adding past capacity raises; asking for more than the live count raises, and the count includes
deleted items; labels are integers. Searches run side by side, but none may run beside an add: a gate parts them.
"""

from __future__ import annotations

import os
import threading
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphmem.store.gate import Gate
from graphmem.store.sqlite import Hook

M, EF_CONSTRUCTION = 16, 100
# Rows that are added at a time: searches get in between.
CHUNK = 32
# Up to this many vectors are compared one by one when the index cannot reach enough of them.
FEW = 20000


class Hnsw:
    """The vectors of one part of the memory, with the number of the last one it has seen."""

    def __init__(self, dimension: int, ef: int, capacity: int = 1024) -> None:
        index = _new(dimension)
        index.init_index(max_elements=capacity, M=M, ef_construction=EF_CONSTRUCTION, random_seed=7)
        self._settle(index, dimension, ef, stamp=0)
        self.saved = 0
        self._live: set[int] = set()

    def _settle(self, index: Any, dimension: int, ef: int, stamp: int) -> None:
        index.set_ef(ef)
        self._index, self.dimension, self.stamp = index, dimension, stamp
        self._gate = Gate("the vector index")
        self._adding = threading.Lock()

    def __len__(self) -> int:
        return len(self._live)

    def add(self, numbers: NDArray[np.int64], labels: NDArray[np.int64], vectors: NDArray[np.float32]) -> None:
        """Add vectors, in the order of their numbers; those that were seen before are passed over."""
        with self._adding:
            fresh = numbers > self.stamp
            numbers, labels, vectors = numbers[fresh], labels[fresh], vectors[fresh]
            for start in range(0, len(labels), CHUNK):
                self._add(labels[start : start + CHUNK], vectors[start : start + CHUNK])
            if len(numbers):
                self.stamp = int(numbers[-1])

    def _add(self, labels: NDArray[np.int64], vectors: NDArray[np.float32]) -> None:
        with self._gate.closed():
            needed = self._index.get_current_count() + len(labels)
            if needed > self._index.get_max_elements():
                self._index.resize_index(int(needed * 1.2) + 1024)
            self._index.add_items(vectors, labels, num_threads=1)
            self._live.update(labels.tolist())

    def remove(self, label: int) -> None:
        """Take a vector out of every later search."""
        with self._gate.closed():
            if label in self._live:
                self._index.mark_deleted(label)
                self._live.discard(label)

    def search(self, vector: NDArray[np.float32], limit: int) -> list[tuple[int, float]]:
        """Return labels with cosine similarities, best first."""
        with self._gate.open():
            k = min(limit, len(self._live))
            while k:
                try:
                    labels, distances = self._index.knn_query(vector, k=k, num_threads=1)
                except RuntimeError:  # fewer than k can be reached: many are deleted or alike
                    if len(self._live) <= FEW:
                        return self._search_all(vector, k)
                    k //= 2
                    continue
                return list(zip(labels[0].tolist(), (1.0 - distances[0]).tolist(), strict=True))
        return []

    def _search_all(self, vector: NDArray[np.float32], k: int) -> list[tuple[int, float]]:
        labels = sorted(self._live)
        scores = np.asarray(self._index.get_items(labels), np.float32) @ (vector / (np.linalg.norm(vector) or 1.0))
        best = np.argsort(-scores, kind="stable")[:k]
        return [(labels[place], float(scores[place])) for place in best]

    def labels(self) -> set[int]:
        """Return the labels that can be found."""
        with self._gate.open():
            return set(self._live)

    def vectors(self) -> dict[int, NDArray[np.float32]]:
        """Return every live vector, for comparison."""
        with self._gate.open():
            labels = sorted(self._live)
            return (
                dict(zip(labels, np.asarray(self._index.get_items(labels), np.float32), strict=True)) if labels else {}
            )

    def save(self, folder: Path, part: int, hook: Hook) -> None:
        """Write a snapshot whose name carries stamp and checksum, then remove older ones."""
        folder.mkdir(exist_ok=True)
        temporary = folder / f"{part}.tmp"
        with self._adding:  # searches go on meanwhile
            stamp = self.stamp
            hook("before_index_save")
            self._index.save_index(str(temporary))
        hook("in_index_save")
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        target = folder / f"{part}-{stamp}-{_checksum(temporary):08x}.hnsw"
        temporary.replace(target)
        self.saved = stamp
        for old in folder.glob(f"{part}-*.hnsw"):
            if old != target:
                old.unlink()

    @classmethod
    def load(cls, folder: Path, part: int, dimension: int, ef: int, live: set[int]) -> Hnsw | None:
        """Return the newest whole snapshot with only ``live`` labels searchable, or ``None``."""
        for path in sorted(folder.glob(f"{part}-*.hnsw"), key=_stamp, reverse=True):
            if path.name.endswith(f"-{_checksum(path):08x}.hnsw"):
                return cls._read(path, dimension, ef, live)
        return None

    @classmethod
    def _read(cls, path: Path, dimension: int, ef: int, live: set[int]) -> Hnsw | None:
        index = _new(dimension)
        try:
            index.load_index(str(path))
        except RuntimeError:  # a file of another version or shape: the caller rebuilds
            return None
        self = cls.__new__(cls)
        self._settle(index, dimension, ef, stamp=_stamp(path))
        self.saved = self.stamp
        present = set(index.get_ids_list())
        # Labels that were deleted before the snapshot was saved are marked in it already.
        for label in present - live:
            _forget(index, label)
        self._live = present & live
        return self


def _new(dimension: int) -> Any:
    import hnswlib

    return hnswlib.Index(space="cosine", dim=dimension)


def _forget(index: Any, label: int) -> None:
    try:
        index.mark_deleted(label)
    except RuntimeError as error:
        if "already deleted" not in str(error):
            raise


def _stamp(path: Path) -> int:
    return int(path.name.split("-")[1])


def _checksum(path: Path) -> int:
    value = 0
    with path.open("rb") as file:
        while chunk := file.read(1 << 22):
            value = zlib.crc32(chunk, value)
    return value

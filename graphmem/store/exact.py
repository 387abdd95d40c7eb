"""Exact nearest neighbours over one contiguous block: quicker than any index for the few thousand vectors of a space."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Exact:
    """A block that grows by halves. Readers take a consistent picture of it without a lock."""

    def __init__(self, dimension: int) -> None:
        self.dimension, self.stamp = dimension, 0
        self._lock = threading.Lock()
        self._picture = (np.empty((0, dimension), np.float32), np.empty(0, np.int64), 0)

    def __len__(self) -> int:
        return self._picture[2]

    def add(self, numbers: NDArray[np.int64], labels: NDArray[np.int64], vectors: NDArray[np.float32]) -> None:
        """Add vectors, in the order of their numbers; those that were seen before are passed over."""
        with self._lock:
            fresh = numbers > self.stamp
            if not fresh.any():
                return
            block, known, count = self._picture
            needed = count + int(fresh.sum())
            if needed > len(block):
                block, known = _grown(block, count, needed), _grown(known, count, needed)
            block[count:needed], known[count:needed] = vectors[fresh], labels[fresh]
            self._picture = (block, known, needed)
            self.stamp = int(numbers[-1])

    def remove(self, label: int) -> None:
        """Take a vector out of every later search."""
        with self._lock:
            block, known, count = self._picture
            keep = known[:count] != label
            self._picture = (block[:count][keep], known[:count][keep], int(keep.sum()))

    def search(self, vector: NDArray[np.float32], limit: int) -> list[tuple[int, float]]:
        """Return labels with cosine similarities, best first."""
        block, labels, count = self._picture
        if not count:
            return []
        scores = block[:count] @ vector
        best = np.argpartition(-scores, limit - 1)[:limit] if limit < count else np.arange(count)
        best = best[np.lexsort((labels[best], -scores[best]))]
        return list(zip(labels[best].tolist(), scores[best].tolist(), strict=True))

    def vectors(self) -> dict[int, NDArray[np.float32]]:
        """Return every vector, for comparison."""
        block, labels, count = self._picture
        return dict(zip(labels[:count].tolist(), block[:count], strict=True))


def _grown(array: NDArray[Any], count: int, needed: int) -> NDArray[Any]:
    grown = np.empty((max(needed, count + count // 2, 64), *array.shape[1:]), array.dtype)
    grown[:count] = array[:count]
    return grown

"""Where the vectors of a run come from: by default from a double, because the embedder is not what is measured."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from graphmem.models.embed import Embedder, load_embedder
from graphmem.testing import HashEmbedder

EMBEDDINGS = ("random", "hash", "all-MiniLM-L6-v2")
DIMENSION = 384
# A sentence embedding of 384 numbers varies in some 30 directions; uniform noise in all 384 would have no neighbours
# worth finding, and would say nothing about an approximate index.
_LATENT, _WORDS, _NOISE = 32, 4096, 0.15


class RandomEmbedder:
    """Random unit vectors, seeded by the words of a text: texts that share words are near each other."""

    def __init__(self, seed: int, dimension: int = DIMENSION) -> None:
        random = np.random.default_rng(seed)
        self._dimension, self._seed = dimension, seed
        self._words = random.standard_normal((_WORDS, _LATENT), np.float32)
        self._lift = random.standard_normal((_LATENT, dimension), np.float32) / np.float32(_LATENT**0.5)
        self._own = random.standard_normal((_WORDS, dimension), np.float32) * np.float32(_NOISE)

    @property
    def signature(self) -> str:
        """As of any embedder: source, seed and dimension."""
        return f"random-{self._seed}/{self._dimension}"

    @property
    def dimension(self) -> int:
        """How long a vector is."""
        return self._dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of unit length for each text."""
        if not texts:
            return np.empty((0, self._dimension), np.float32)
        places = [[_place(word) for word in text.split()] or [0] for text in texts]
        starts = np.cumsum([0, *map(len, places[:-1])])
        latent = np.add.reduceat(self._words[np.concatenate(places)], starts)
        latent /= np.linalg.norm(latent, axis=1, keepdims=True) / np.float32(_LATENT**0.5)
        rows = latent @ self._lift + self._own[[_place(text) for text in texts]]
        unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit


def embedder_for(name: str, seed: int, cache: Path) -> Embedder:
    """Return the embedder of that name; a real model is exported into ``cache`` the first time."""
    if name == "random":
        return RandomEmbedder(seed)
    return HashEmbedder(DIMENSION) if name == "hash" else load_embedder(name, cache=cache)


def _place(text: str) -> int:
    return zlib.crc32(text.encode()) % _WORDS

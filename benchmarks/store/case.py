"""One size and number of spaces, and what every measurement of it shares."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from msgspec import Struct

from benchmarks.store.texts import Chat
from graphmem.memory import Memory
from graphmem.models.embed import Embedder
from graphmem.settings import Settings
from graphmem.store import FolderStore
from graphmem.store.exact import Exact
from graphmem.store.hnsw import Hnsw
from graphmem.store.indexed import part_of


class Case(Struct, frozen=True, kw_only=True):
    """So many turns, spread evenly over so many spaces."""

    turns: int
    spaces: int
    folder: Path
    chat: Chat
    embedder: Embedder
    settings: Settings
    adds: int
    questions: int
    say: Callable[[str], None]

    def name(self, figure: str) -> str:
        """Return a figure's name with the size it was measured at."""
        return f"{figure} ({size(self.turns)} turns, {self.spaces:,} space{'s' if self.spaces > 1 else ''})"

    @property
    def per_space(self) -> int:
        """How many turns each space holds."""
        return self.turns // self.spaces

    def space(self, number: int) -> str:
        """Return the space that turn ``number`` belongs to."""
        return f"space-{number // self.per_space % self.spaces}"

    def space_names(self) -> list[str]:
        """Return every space of this case."""
        return [f"space-{number}" for number in range(self.spaces)]

    def open(self) -> Memory:
        """Open the memory of this case."""
        return Memory(self.folder, settings=self.settings, embedder=self.embedder)


def store_of(memory: Memory) -> FolderStore:
    """Return the store under a memory: figures of its parts are taken below the front door."""
    return memory._store


def settle(memory: Memory) -> None:
    """Wait until graph and vectors have caught up with everything that was acknowledged."""
    memory.flush()
    store_of(memory).view("")


def index_of(memory: Memory, space: str) -> Exact | Hnsw:
    """Return the vector index of a space's turns; a large one is waited for until it is approximate and saved."""
    store = store_of(memory)
    number = store.journal.space_number(space)
    assert number is not None
    while True:
        index = store.vectors.part(part_of(number, "turn"))
        assert index is not None
        if isinstance(index, Hnsw) and index.saved == index.stamp:
            return index
        if isinstance(index, Exact) and len(index) <= store.settings.store.hnsw_threshold:
            return index
        time.sleep(0.02)


def size(turns: int) -> str:
    """Return 100000 as 100k."""
    for unit, letter in ((1_000_000, "M"), (1000, "k")):
        if turns >= unit and turns % unit == 0:
            return f"{turns // unit}{letter}"
    return str(turns)


def timed(call: Callable[[], object]) -> float:
    """Return how many seconds a call takes."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def percentile(seconds: Sequence[float], at: int) -> float:
    """Return a percentile in milliseconds."""
    return float(np.percentile(np.array(seconds), at)) * 1000

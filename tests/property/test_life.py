"""Whatever happens to a memory in whatever order, its parts agree, nothing is lost and no space sees another."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given, settings

from graphmem import Memory
from graphmem.errors import NotFound
from graphmem.settings import Settings
from graphmem.testing import FixedClock, HashEmbedder
from graphmem.words import terms
from tests.property import strategies as draw

SMALL = Settings.build(
    {
        "distil": {"extractor": "none"},
        "store": {"checkpoint_every": 3, "hnsw_threshold": 100},
        "write": {"embed_batch": 3},
    }
)


class Life:
    """A memory, and beside it a plain dict that says what it should hold."""

    def __init__(self, folder):
        self._folder, self._clock = folder, FixedClock()
        self.memory = self._open()
        self.said = defaultdict(list)

    def _open(self):
        return Memory(self._folder, settings=SMALL, embedder=HashEmbedder(32), clock=self._clock)

    def step(self, name, space, given_):
        if name == "add":
            self.said[space].append(self.memory.add(**given_, space=space))
        elif name == "batch":
            self.said[space] += self.memory.add_many(given_, space=space).stored
        elif name == "delete" and self.said[space]:
            turn = self.said[space].pop(given_ % len(self.said[space]))
            self.memory.delete(turn.id, space=space)
        elif name == "flush" and space in self.memory.spaces():
            self.memory.flush(space)
        elif name == "reopen":
            self.memory.close()
            self.memory = self._open()
        elif name == "rebuild":
            self.memory.rebuild(given_)


@given(steps=draw.steps)
@settings(max_examples=25)
def test_any_life_of_a_memory(steps):
    with tempfile.TemporaryDirectory() as place:
        life = Life(Path(place) / "memory")
        try:
            for step in steps:
                life.step(*step)
            _everything_is_there(life)
            _nothing_leaks(life)
            assert life.memory.verify().problems == ()
        finally:
            life.memory.close()


def _everything_is_there(life):
    for space, turns in life.said.items():
        for turn in turns:
            assert life.memory.get(turn.id, space=space) == turn
            if terms(turn.text):
                found = life.memory.search(turn.text, space=space, limit=500).hits
                assert turn.id in {hit.id for hit in found}
        if space in life.memory.spaces():
            assert life.memory.stats(space).counts.get("turn", 0) == len(turns)


def _nothing_leaks(life):
    for space in life.memory.spaces():
        own = {turn.id for turn in life.said[space]}
        texts = {turn.text for turns in life.said.values() for turn in turns} | {"boat harbour gull"}
        for text in sorted(texts)[:8]:
            assert {hit.id for hit in life.memory.search(text, space=space, limit=500).hits} <= own
        for other, turns in life.said.items():
            for turn in turns[:3] if other != space else ():
                with pytest.raises(NotFound):
                    life.memory.get(turn.id, space=space)
                with pytest.raises(NotFound):
                    life.memory.delete(turn.id, space=space)

"""The process that dies: writes to a memory and notes each acknowledgement, until it is killed at a named point.

``python -m tests.crash.child FOLDER LEDGER SEED POINT NTH DELAY_MS``; POINT "none" writes until the parent kills it.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

from graphmem.memory import Memory
from graphmem.settings import Settings
from graphmem.testing import HashEmbedder, ScriptedExtractor
from graphmem.types import Turn
from graphmem.write.claims import Claim
from graphmem.write.extractors import Extracted
from graphmem.write.worker import Request
from tests.crash.ledger import Account, Ledger

STEPS = 60
GROWTH = (5, 35)
SPACES = ("alpha", "alpha", "alpha", "beta b", "ü_1")
FILLER = [f"filler{n}" for n in range(300)]
SETTINGS = Settings.build(
    {
        "store": {"hnsw_threshold": 100, "hnsw_save_every": 100, "checkpoint_every": 3, "graph_memory_mb": 64},
        "write": {"embed_batch": 16},
        "distil": {"debounce_seconds": 0.2, "most_claims": 10000},
        "models": {"embedding": "none"},
    }
)
DIMENSION = 256


class Noting(ScriptedExtractor):
    """Claims of each turn that its one word was noted, so that what is known can be counted."""

    def __init__(self) -> None:
        super().__init__({})

    def extract(self, request: Request) -> Extracted:
        for turn in request.turns:
            word = turn.text.split()[0]
            self._script[turn.text] = [Claim(type="fact", text=f"{word} was noted", subject=turn.session, sources=())]
        return super().extract(request)


class Fuse:
    """Kills this process when a point is reached for the nth time, at once or some milliseconds later.

    The delay runs in the kernel, as an alarm with its default action, because neither Kùzu nor hnswlib lets a Python
    thread run in the middle of a checkpoint or a save, which is where it has to strike.
    """

    def __init__(self, point: str, nth: int, delay_ms: float) -> None:
        self._point, self._left, self._delay = point, nth, delay_ms

    def __call__(self, point: str) -> None:
        if point != self._point:
            return
        self._left -= 1
        if self._left:
            return
        # the parent counts by this line which points were really reached
        os.write(2, f"reached {point}\n".encode())
        if self._delay:
            signal.setitimer(signal.ITIMER_REAL, self._delay / 1000)
        else:
            os.kill(os.getpid(), signal.SIGKILL)


class Writer:
    """Takes random steps, the same ones for the same seed."""

    def __init__(self, memory: Memory, ledger: Path, seed: int) -> None:
        self._memory, self._random = memory, random.Random(seed)
        account = Account(ledger)
        self._live = [(turn.id, turn.space) for turn in account.live()]
        self._ledger, self._count, self._seed = Ledger(ledger), 0, seed

    def step(self) -> None:
        roll = self._random.random()
        space = self._random.choice(SPACES)
        if roll < 0.60:
            self._add([self._new()], space)
        elif roll < 0.78:
            self._add([self._new() for _ in range(self._random.randint(2, 12))], space)
        elif roll < 0.79:
            # enough for the graph's bulk load
            self._add([self._new() for _ in range(510)], space)
        elif roll < 0.88:
            self._delete()
        elif roll < 0.94:
            self._memory.flush()
        elif roll < 0.99:
            self._search()
        else:
            self._memory.rebuild(self._random.choice(("graph", "words", "vectors")))

    def grow(self) -> None:
        """Make one space so large that its index is built and saved, and wait for that, as a long life would."""
        self._add([self._new() for _ in range(110)], SPACES[0])
        self._memory.flush()
        self._memory.search("grown", space=SPACES[0])
        time.sleep(0.1)

    def _search(self) -> None:
        if spaces := self._memory.spaces():
            self._memory.search(self._random.choice(FILLER), space=self._random.choice(spaces))

    def _new(self) -> dict[str, Any]:
        self._count += 1
        fillers = " ".join(self._random.sample(FILLER, 4))
        turn: dict[str, Any] = {"text": f"zq{self._seed}x{self._count} {fillers}", "session": f"s{self._count % 3}"}
        if self._random.random() < 0.2:
            turn["ref"] = f"ref {self._seed} {self._count}"
        return turn

    def _add(self, new: list[dict[str, Any]], space: str) -> None:
        self._ledger.intend("add", [turn["text"] for turn in new])
        if len(new) == 1:
            stored: tuple[Turn, ...] = (self._memory.add(**new[0], space=space),)
        else:
            stored = self._memory.add_many(new, space=space).stored
        self._ledger.acknowledge(
            "add", [{"id": turn.id, "space": space, "text": turn.text, "ref": turn.ref} for turn in stored]
        )
        self._live += [(turn.id, space) for turn in stored]

    def _delete(self) -> None:
        if not self._live:
            return
        id, space = self._live.pop(self._random.randrange(len(self._live)))
        self._ledger.intend("delete", [id])
        self._memory.delete(id, space=space)
        self._ledger.acknowledge("delete", [{"id": id}])


def main() -> None:
    folder, ledger, seed, point, nth, delay_ms = sys.argv[1:]
    fuse = Fuse(point, int(nth), float(delay_ms))
    with Memory(folder, settings=SETTINGS, embedder=HashEmbedder(DIMENSION), extractor=Noting(), hook=fuse) as memory:
        print("open", flush=True)
        writer = Writer(memory, Path(ledger), int(seed))
        for number in range(STEPS):
            writer.step()
            if number in GROWTH:
                writer.grow()


if __name__ == "__main__":
    main()

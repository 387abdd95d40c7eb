"""Give vectors to what still lacks them: in the background after a pause, or at once on flush."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from graphmem.errors import GraphmemError, ModelError
from graphmem.store import Store
from graphmem.store.protocol import Progress
from graphmem.types import Kind
from graphmem.upkeep.manners import give_way

if TYPE_CHECKING:
    from graphmem.models.embed import Embedder

log = logging.getLogger(__name__)
# A burst of writes is embedded together, after this many seconds of rest.
PAUSE = 0.25
# Vectors of texts that are remembered; at 384 dimensions they take some 1.5 MB.
RECENT = 1000


class Embedding:
    """Owns the embedder: loads it when it is first needed, and remembers when it cannot be."""

    def __init__(self, store: Store, load: Callable[[], Embedder] | None, batch: int) -> None:
        self._store, self._load, self._batch = store, load, batch
        self._embedder: Embedder | None = None
        self.failure: ModelError | None = None
        self._loading = threading.Lock()
        self._working = threading.Lock()
        self._recent: OrderedDict[tuple[str, str], Any] = OrderedDict()
        self._remembering = threading.Lock()
        self._wake, self._stop = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="graphmem-embed", daemon=True)
        if load is not None:
            self._thread.start()

    @property
    def enabled(self) -> bool:
        """Whether vectors are wanted at all."""
        return self._load is not None

    def embedder(self) -> Embedder:
        """Return the embedder, loading it the first time; raise ModelError when that fails."""
        with self._loading:
            if self.failure is not None:
                raise self.failure
            if self._embedder is None and self._load is not None:
                try:
                    self._embedder = self._load()
                except ModelError as error:
                    self.failure = error
                    raise
                self._store.expect_model(self._embedder.signature)
            if self._embedder is None:
                raise ModelError("no embedding model is configured; set models.embedding")
            return self._embedder

    def question(self, text: str) -> Any:
        """Return the vector of a question."""
        return self.texts([text])[0]

    def nudge(self) -> None:
        """Say that something new was written."""
        self._wake.set()

    def flush(self, space: str | None, progress: Progress | None = None, kind: Kind | None = None) -> int:
        """Embed what is pending in a space (of one kind, or all) or anywhere; return how many items that were."""
        done = 0
        if not self.enabled:
            return done
        total = self._store.stats(space).pending_vectors
        while True:
            embedded = self._step(space, kind)
            if not embedded:
                return done
            done += embedded
            if progress:
                progress(done, max(total, done))

    def texts(self, texts: Sequence[str]) -> Any:
        """Return the vectors of texts. The last ones are remembered: a claim is compared first and stored then."""
        embedder = self.embedder()
        keys = [(embedder.signature, text) for text in texts]
        with self._remembering:
            known = {key: self._recent[key] for key in keys if key in self._recent}
        fresh = list(dict.fromkeys(key for key in keys if key not in known))
        if fresh:
            known.update(zip(fresh, embedder.embed([text for _, text in fresh]), strict=True))
        with self._remembering:
            for key in keys:
                self._recent[key] = known[key]
                self._recent.move_to_end(key)
            while len(self._recent) > RECENT:
                self._recent.popitem(last=False)
        return np.stack([known[key] for key in keys])

    def _step(self, space: str | None, kind: Kind | None = None) -> int:
        # A few entries that somebody waits for do not wait for a batch of turns; who embeds one twice keeps the first.
        with self._working if kind is None else nullcontext():
            pending = self._store.pending(self._batch, space, kind)
            if pending:
                embedder = self.embedder()
                vectors = self.texts([text for _, text in pending])
                self._store.embedded(
                    [(label, v) for (label, _), v in zip(pending, vectors, strict=True)], embedder.signature
                )
            return len(pending)

    def _run(self) -> None:
        give_way()
        while not self._stop.is_set():
            self._wake.wait()
            self._wake.clear()
            if self._stop.wait(PAUSE):
                return
            try:
                while not self._stop.is_set() and self._step(None):
                    pass
            except GraphmemError as error:  # words still answer; flush raises the error itself
                log.warning("vectors are not being made: %s", error)

    def close(self) -> None:
        """Stop after the batch at hand; what is still pending goes on when the folder is next opened."""
        self._stop.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join()

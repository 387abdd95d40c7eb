"""Give vectors to what still lacks them: in the background after a pause, or at once on flush."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from graphmem.errors import GraphmemError, ModelError
from graphmem.store import Store
from graphmem.store.protocol import Progress

if TYPE_CHECKING:
    from graphmem.models.embed import Embedder

log = logging.getLogger(__name__)
# A burst of writes is embedded together, after this many seconds of rest.
PAUSE = 0.25


class Embedding:
    """Owns the embedder: loads it when it is first needed, and remembers when it cannot be."""

    def __init__(self, store: Store, load: Callable[[], Embedder] | None, batch: int) -> None:
        self._store, self._load, self._batch = store, load, batch
        self._embedder: Embedder | None = None
        self.failure: ModelError | None = None
        self._loading = threading.Lock()
        self._working = threading.Lock()
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
        return self.embedder().embed([text])[0]

    def nudge(self) -> None:
        """Say that something new was written."""
        self._wake.set()

    def flush(self, space: str | None, progress: Progress | None = None) -> int:
        """Embed everything that is pending in a space (or anywhere) and return how many items that were."""
        done = 0
        if not self.enabled:
            return done
        total = self._store.stats(space).pending_vectors
        while True:
            embedded = self._step(space)
            if not embedded:
                return done
            done += embedded
            if progress:
                progress(done, max(total, done))

    def _step(self, space: str | None) -> int:
        with self._working:
            pending = self._store.pending(self._batch, space)
            if pending:
                embedder = self.embedder()
                vectors = embedder.embed([text for _, text in pending])
                self._store.embedded(
                    [(label, v) for (label, _), v in zip(pending, vectors, strict=True)], embedder.signature
                )
            return len(pending)

    def _run(self) -> None:
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

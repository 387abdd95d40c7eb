"""sentence-transformers in this process: for the export, and for models that cannot be exported."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from graphmem.models.embed import MAX_TOKENS, Source, missing, signature

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


class SentenceEmbedder:
    """Slower to start and to answer than an exported model, with the same vectors."""

    def __init__(self, source: Source) -> None:
        self._model = load(source)
        self._dimension = len(self._encode([""])[0])
        self._signature = signature(source, self._dimension)
        self._lock = threading.Lock()

    @property
    def signature(self) -> str:
        """As of any embedder."""
        return self._signature

    @property
    def dimension(self) -> int:
        """As of any embedder."""
        return self._dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As of any embedder; no text is too long, and none is empty enough to fail."""
        if not texts:
            return np.zeros((0, self._dimension), dtype=np.float32)
        with self._lock:
            return self._encode([text.encode("utf-8", "replace").decode("utf-8") for text in texts])

    def _encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows: Any = self._model.encode(list(texts), normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(rows, dtype=np.float32)


def load(source: Source) -> SentenceTransformer:
    """Load a model on the CPU, reading no more of a text than an exported one would."""
    try:
        from sentence_transformers import SentenceTransformer

        model = SentenceTransformer(source.load, device="cpu")
    except Exception as error:  # a missing package, folder or network: each raises its own family
        raise missing(source.model, _first_line(error)) from error
    model.max_seq_length = min(model.max_seq_length or MAX_TOKENS, MAX_TOKENS)
    return model


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]

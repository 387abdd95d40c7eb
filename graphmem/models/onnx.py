"""Run an exported model: the only file that imports onnxruntime and tokenizers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

BATCH = 32
WINDOW = 1024
"""How many texts are tokenised before they are sorted by length and run."""
CHARACTERS_PER_TOKEN = 64
"""Beyond this many a text is cut before it is tokenised: a pasted log must not cost seconds for 256 tokens."""


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    """What ``config.json`` beside an exported model says."""

    signature: str
    dimension: int
    max_tokens: int
    cosine: float = 1.0
    made_by: str = ""


class OnnxEmbedder:
    """A sentence-transformers model without torch. The exported graph pools; rows are normalised here.

    Neither the session nor the tokenizer changes after loading, so threads may share one.
    """

    def __init__(self, folder: Path, *, threads: int = 1) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        self._config = msgspec.json.decode((folder / "config.json").read_bytes(), type=Exported)
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(self._config.max_tokens)
        self._tokenizer.no_padding()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(folder / "model.onnx"), sess_options=options, providers=["CPUExecutionProvider"]
        )
        self._inputs = {given.name for given in self._session.get_inputs()}

    @property
    def signature(self) -> str:
        """As of any embedder."""
        return self._config.signature

    @property
    def dimension(self) -> int:
        """As of any embedder."""
        return self._config.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As of any embedder; no text is too long, and none is empty enough to fail."""
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), WINDOW):
            tokens = [self._tokens(text) for text in texts[start : start + WINDOW]]
            for places in _batches(tokens):
                rows[[start + place for place in places]] = self._run([tokens[place] for place in places])
        return normalised(rows)

    def _tokens(self, text: str) -> list[int]:
        # A lone surrogate is a legal str that the tokenizer cannot read.
        readable = text[: self._config.max_tokens * CHARACTERS_PER_TOKEN].encode("utf-8", "replace").decode("utf-8")
        ids: list[int] = self._tokenizer.encode(readable).ids
        return ids

    def _run(self, tokens: Sequence[list[int]]) -> NDArray[np.float32]:
        width = max(map(len, tokens))
        ids = np.zeros((len(tokens), width), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, sequence in enumerate(tokens):
            ids[row, : len(sequence)] = sequence
            mask[row, : len(sequence)] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        output = self._session.run(None, {name: feed[name] for name in self._inputs})[0]
        return np.asarray(output, dtype=np.float32)


def normalised(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows of unit length; a row of zeros stays one."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: NDArray[np.float32] = (rows / np.where(lengths == 0, 1, lengths)).astype(np.float32, copy=False)
    return unit


def _batches(tokens: Sequence[list[int]]) -> Iterator[list[int]]:
    """Places of texts of like length, so that little of a batch is padding."""
    order = sorted(range(len(tokens)), key=lambda place: len(tokens[place]))
    for start in range(0, len(order), BATCH):
        yield order[start : start + BATCH]

"""``python -m graphmem.models.export NAME DEST``: write a sentence-transformers model as ONNX.

The whole pipeline (transformer, pooling, whatever follows) becomes one graph. An export whose vectors differ from
those of sentence-transformers is refused. DEST appears complete or not at all.
"""

from __future__ import annotations

import argparse
import logging
import os
import shutil
import sys
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from graphmem.errors import ModelError
from graphmem.models.embed import UNLOADABLE, Source, locate, signature
from graphmem.models.onnx import Exported, OnnxEmbedder
from graphmem.models.sentence import load

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

MIN_COSINE = 0.9999
SAMPLES = (
    "",
    "Hello!",
    "I moved to Berlin last May, and the dog came with me.",
    "Où habites-tu maintenant? 東京に住んでいます。",
    "She said that the flight to Lisbon leaves at seven, so we should be at the airport by half past five. " * 2,
    "remember " * 400,
)


class NotExported(Exception):
    """The model loads, but cannot be exported faithfully."""


def export(source: Source, destination: Path) -> None:
    """Write ``model.onnx``, ``tokenizer.json`` and ``config.json`` into ``destination``."""
    model = load(source)
    destination.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{destination.name}-", dir=destination.parent))
    try:
        _write_graph(model, work / "model.onnx")
        model.tokenizer.backend_tokenizer.save(str(work / "tokenizer.json"))
        _accept(source, model, work)
        _publish(work, destination)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _write_graph(model: SentenceTransformer, path: Path) -> None:
    import torch

    features = _features(model, ["A first sentence.", "And a second, which is longer."])
    names = list(features)

    class Pipeline(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = model

        def forward(self, *tensors: Any) -> Any:
            return self.inner(dict(zip(names, tensors, strict=True)))["sentence_embedding"]

    axes = {0: "batch", 1: "sequence"}
    with torch.no_grad():
        torch.onnx.export(
            Pipeline().eval(),
            tuple(features.values()),
            str(path),
            input_names=names,
            output_names=["embedding"],
            dynamic_axes={**dict.fromkeys(names, axes), "embedding": {0: "batch"}},
            opset_version=17,
            dynamo=False,  # 2 s; the newer exporter cannot take the axes of a pipeline with *tensors
        )


def _features(model: SentenceTransformer, texts: list[str]) -> dict[str, Any]:
    known = ("input_ids", "attention_mask", "token_type_ids")
    features = model.tokenizer(texts, padding=True, return_tensors="pt")
    return {name: features[name] for name in known if name in features}


def _accept(source: Source, model: SentenceTransformer, work: Path) -> None:
    """Write the configuration once the exported vectors are those of the original."""
    expected = np.asarray(model.encode(list(SAMPLES), normalize_embeddings=True, show_progress_bar=False))
    dimension = int(expected.shape[1])
    config = Exported(
        signature=signature(source, dimension), dimension=dimension, max_tokens=int(model.max_seq_length or 0)
    )
    (work / "config.json").write_bytes(msgspec.json.encode(config))
    cosine = float((OnnxEmbedder(work).embed(SAMPLES) * expected).sum(axis=1).min())
    if not cosine > MIN_COSINE:
        raise NotExported(f"its vectors differ from the original's (cosine {cosine:.5f})")
    settled = msgspec.structs.replace(config, cosine=min(1.0, cosine), made_by=_versions())
    (work / "config.json").write_bytes(msgspec.json.format(msgspec.json.encode(settled)))


def _publish(work: Path, destination: Path) -> None:
    try:
        work.rename(destination)
    except OSError:
        if not (destination / "config.json").is_file():  # otherwise another process was first, with the same files
            raise


def _versions() -> str:
    from importlib.metadata import version

    return ", ".join(f"{name} {version(name)}" for name in ("torch", "sentence-transformers", "transformers"))


def main() -> int:
    """Say nothing on success; on failure the last line of stderr is the reason."""
    parser = argparse.ArgumentParser(prog="python -m graphmem.models.export", description=__doc__)
    parser.add_argument("name", help="a public model name or a sentence-transformers folder")
    parser.add_argument("destination", type=Path)
    parser.add_argument("--origin", help=argparse.SUPPRESS)
    parser.add_argument("--model", help=argparse.SUPPRESS)
    given = parser.parse_args()
    _quiet()
    try:
        source = locate(given.name)
        if given.origin and given.model:
            source = msgspec.structs.replace(source, origin=given.origin, model=given.model)
        export(source, given.destination)
    except ModelError as error:
        _say(str(error.__cause__ or error).strip().splitlines()[0])
        return UNLOADABLE
    except Exception as error:  # noqa: BLE001 - whatever went wrong, the caller falls back and wants one line
        _say(f"{type(error).__name__}: {error}".splitlines()[0])
        return 1
    return 0


def _say(reason: str) -> None:
    sys.stderr.write(f"{reason}\n")


def _quiet() -> None:
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)


if __name__ == "__main__":
    sys.exit(main())

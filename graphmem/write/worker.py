"""The extractor in a process of its own: spaCy holds the interpreter for seconds, and searches must not wait for it.

``python -m graphmem.write.worker`` answers one request after the other over its standard streams, each a length and
that many bytes of msgpack. When its parent dies, by whatever signal, its input ends and so does it.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import msgspec
from msgspec import Struct

from graphmem.errors import GraphmemError, ModelError
from graphmem.types import Turn
from graphmem.write.claims import Draft, Mention

_LENGTH = struct.Struct("<Q")
# It works behind the caller's back, so it gives way to whatever else runs.
NICENESS = 10
ROOT = Path(__file__).resolve().parents[2]


class Request(Struct, frozen=True, kw_only=True):
    """What is to be extracted, and with what."""

    turns: tuple[Turn, ...]
    ontology: tuple[str, ...]
    parser: str
    fresh_from: int = 0
    known: tuple[Mention, ...] = ()


class Answer(Struct, frozen=True, kw_only=True):
    """A Draft, or why there is none; ``model`` says that a model is missing and trying again would not help."""

    draft: Draft | None = None
    error: str = ""
    model: bool = False


class Worker:
    """Starts the process when it is first needed, and a new one when it has died or hung."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def extract(self, request: Request) -> Draft:
        """Return what the turns claim; raise GraphmemError when the process cannot say."""
        with self._lock:
            answer = self._ask(request)
        if answer.draft is None:
            raise (ModelError if answer.model else GraphmemError)(answer.error)
        return answer.draft

    def _ask(self, request: Request) -> Answer:
        process = self._process
        if process is None or process.poll() is not None:
            self._end()  # one that died leaves its pipes behind
            process = self._process = _start()
        overdue = threading.Timer(self._timeout, process.kill)
        overdue.start()
        try:
            _send(process.stdin, msgspec.msgpack.encode(request))
            return msgspec.msgpack.decode(_receive(process.stdout), type=Answer)
        except (OSError, EOFError, msgspec.DecodeError) as error:
            hung = not overdue.is_alive()
            self._end()
            reason = f"took longer than {self._timeout:g} s" if hung else f"died ({error or type(error).__name__})"
            raise GraphmemError(f"the process that reads conversations {reason}; it is started anew") from error
        finally:
            overdue.cancel()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        process.kill()
        process.wait()

    def stop(self) -> None:
        """Interrupt what is being done, if anything is."""
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        """Let go of the process."""
        with self._lock:
            self._end()


def _start() -> subprocess.Popen[bytes]:
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "graphmem.write.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip


def _send(stream: IO[bytes] | None, body: bytes) -> None:
    if stream is None:
        raise EOFError
    stream.write(_LENGTH.pack(len(body)) + body)
    stream.flush()


def _receive(stream: IO[bytes] | None) -> bytes:
    head = stream.read(_LENGTH.size) if stream else b""
    if stream is None or len(head) < _LENGTH.size:
        raise EOFError("its answer ended too early")
    (length,) = _LENGTH.unpack(head)
    body = stream.read(length)
    if len(body) < length:
        raise EOFError("its answer ended too early")
    return body


def _answer(body: bytes, extract: Callable[[Request], Draft]) -> Answer:
    try:
        return Answer(draft=extract(msgspec.msgpack.decode(body, type=Request)))
    except ModelError as error:
        return Answer(error=str(error), model=True)
    except Exception as error:  # noqa: BLE001 - whatever a text does to the extractor, its job is parked with it and others go on
        return Answer(error=f"{type(error).__name__}: {error}")


def local(request: Request) -> Draft:
    """Extract in this process."""
    from graphmem.write.distil import ontology
    from graphmem.write.extract import extract

    return extract(
        request.turns, ontology(request.ontology), fresh_from=request.fresh_from, known=request.known, model=request.parser
    )  # fmt: skip


def main() -> None:
    """Answer until the input ends."""
    with suppress(OSError):
        os.nice(NICENESS)
    requests: Any = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not get between the answers
    with suppress(EOFError, BrokenPipeError, KeyboardInterrupt):
        while True:
            _send(answers, msgspec.msgpack.encode(_answer(_receive(requests), local)))


if __name__ == "__main__":
    main()

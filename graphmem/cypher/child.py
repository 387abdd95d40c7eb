"""The process that runs queries: ``python -m graphmem.cypher.child`` holds a copy of one space and answers until its input ends.

It cannot open a file once it is filled, cannot write one, and ends by itself: when its parent is gone, when nothing has been
asked for a while, and, by an alarm that no query can put off, when one takes too long.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from contextlib import suppress
from typing import IO

import msgspec

from graphmem.cypher import query
from graphmem.cypher.copied import Copy
from graphmem.cypher.wire import Answer, Ask, Commits, Open, decode_message, receive, send
from graphmem.types import Delta

# People wait for queries, but writers and searches come first.
NICENESS = 5
# How much later than its time a query is ended from within, should nobody do it from outside.
LATE = 3
WARM_UP = (
    "RETURN date('2020-01-01'), timestamp('2020-01-01'), interval('1 day'), [1.5], {a: 1}, cast('1.5' AS DECIMAL(5, 2)), "
    "uuid('550e8400-e29b-41d4-a716-446655440000'), blob('a'), true",
    "MATCH (n:Space) RETURN n, nothing",
)
_decode_delta = msgspec.msgpack.Decoder(Delta).decode


def main() -> None:
    """Answer until the input ends."""
    requests: IO[bytes] = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not get between the answers
    with suppress(OSError):
        os.nice(NICENESS)
    with suppress(EOFError, BrokenPipeError, KeyboardInterrupt):
        _serve(requests, answers)
    os._exit(0)  # the memory is gone with the process; taking a large database down piece by piece takes long


def _serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    opened = decode_message(receive(requests))
    if not isinstance(opened, Open):
        return
    copy: Copy | None = None
    pending: list[Delta] = []
    idle = opened.idle
    while True:
        signal.alarm(idle)
        message = decode_message(receive(requests))
        signal.alarm(0)
        if isinstance(message, Ask) and copy:
            send(answers, _ask(copy, message))
        elif isinstance(message, Commits):
            pending += map(_decode_delta, message.bodies)
            if message.last:
                copy, answer = _take_up(copy, pending, opened)
                send(answers, answer)
                pending = []


def _ask(copy: Copy, message: Ask) -> Answer:
    signal.alarm(int(message.seconds) + LATE)
    return query.run(copy.database, message)


def _take_up(copy: Copy | None, deltas: list[Delta], opened: Open) -> tuple[Copy | None, Answer]:
    """Bring the copy up to date. One that failed is in no state to go on with: the process ends after it said so."""
    try:
        if copy:
            copy.follow(deltas)
            return copy, Answer()
        copy = Copy(opened.space, opened.pool_mb)
        copy.fill(deltas)
        _warm_up(copy)
        _lock_down(opened.spare_mb)
    except Exception as error:  # noqa: BLE001 - whatever it is, the copy is not what the journal says
        full = "buffer pool is full" in str(error) or isinstance(error, MemoryError)
        return None, Answer(outcome="limit" if full else "broken", error=f"{type(error).__name__}: {error}")
    return copy, Answer()


def _warm_up(copy: Copy) -> None:
    """Let everything be imported that reading results needs; later no file can be opened."""
    for text in WARM_UP:
        query.run(copy.database, Ask(text=text, parameters={}, seconds=5, rows=10, bytes=10_000, cell=1000))


def _lock_down(spare_mb: int) -> None:
    """Give up what a query has no need of: opening files, writing them, and memory beyond what is reserved by now."""
    with suppress(OSError), open("/proc/self/statm") as stream:  # noqa: PTH123 - only Linux has it
        most = int(stream.read().split()[0]) * resource.getpagesize() + (spare_mb << 20)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))


if __name__ == "__main__":
    main()

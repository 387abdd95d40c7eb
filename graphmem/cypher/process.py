"""One process that holds a copy of a space: started when it is needed, brought up to date before each query, killed when late."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

from graphmem.cypher.limits import Limits, over_limit
from graphmem.cypher.source import Source
from graphmem.cypher.wire import Answer, Ask, Commits, Message, Open, decode_answer, receive, send
from graphmem.errors import GraphmemError, StoreClosed

ROOT = Path(__file__).resolve().parents[2]
# How long a process may take to say that its time is over, before it is ended from outside.
GRACE = 0.5
# From this many commits on it is quicker to fill a new copy than to follow.
MOST_FOLLOWED = 1000
# Kùzu's memory for an empty space, and how many times the bytes of the commits it takes beside that.
LEAST_POOL_MB, POOL_PER_BYTE, SLACK = 256, 8, 16 << 20


class Gone(Exception):
    """The process ended before it answered; ``late`` says that it was killed because its time was over."""

    def __init__(self, late: bool, code: int | None) -> None:
        super().__init__(f"exit code {code}")
        self.late, self.code = late, code


class Holder:
    """The process of one space. One query at a time."""

    def __init__(self, space: str, source: Source, limits: Limits) -> None:
        self.space = space
        self.busy = threading.Lock()
        # How many have or wait for it; the console counts.
        self.users = 0
        self._source, self._limits = source, limits
        self._process: subprocess.Popen[bytes] | None = None
        self._seen = self._bytes = self._filled = 0
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The process, if there is one."""
        return self._process.pid if self._process and self._process.poll() is None else None

    def ask(self, ask: Ask) -> Answer:
        """Run a query that sees everything acknowledged before."""
        until = self._source.last()
        try:
            self._catch_up(until)
        except Gone:  # it had been idle for long, or somebody ended it
            self._retry(until)
        try:
            answer = self._exchange((ask,), ask.seconds + GRACE)
        except Gone as gone:
            if gone.late or gone.code == -signal.SIGALRM:
                raise over_limit(f"took longer than {ask.seconds:g} s") from None
            raise GraphmemError(
                f"the query made Kùzu crash ({gone}); ask for less at once, or in other words"
            ) from None
        if answer.spoilt:
            self.end()
        return answer

    def _retry(self, until: int) -> None:
        try:
            self._catch_up(until)
        except Gone as gone:
            why = "took too long" if gone.late else f"ended ({gone})"
            raise GraphmemError(f"the process that holds a copy of space {self.space!r} {why}") from None

    def _catch_up(self, until: int) -> None:
        count, size = self._source.pending(self._seen, until)
        outgrown = self._bytes + size > 2 * self._filled + SLACK
        anew = self.pid is None or count > MOST_FOLLOWED or outgrown
        opening = self._start(until) if anew else ()
        if not anew:
            self._bytes += size
        commits = (Commits(bodies, last=False) for bodies in self._source.bodies(self._seen, until))
        answer = self._exchange((*opening, *commits, Commits((), last=True)), self._limits.fill_seconds)
        if answer.outcome != "done":
            self.end()
            if not anew:
                raise Gone(late=False, code=None)  # a new copy has room for what this one had not
        if answer.outcome == "limit":
            raise GraphmemError(f"space {self.space!r} needs more than {self._limits.memory_mb} MB to be queried")
        if answer.outcome == "broken":
            raise GraphmemError(f"space {self.space!r} cannot be copied for queries: {answer.error}")
        self._seen = until

    def _start(self, until: int) -> tuple[Open]:
        """Start a process and return what it is to be told first."""
        self.end()
        if self._closed:
            raise StoreClosed("the memory was closed before this query")
        self._seen = 0
        _, self._filled = self._source.pending(0, until)
        self._bytes = self._filled
        pool = min(LEAST_POOL_MB + (POOL_PER_BYTE * self._filled >> 20), self._limits.memory_mb)
        self._process = _started()
        return (Open(space=self.space, pool_mb=pool, spare_mb=self._limits.spare_mb, idle=self._limits.idle),)

    def _exchange(self, messages: Iterable[Message], seconds: float) -> Answer:
        """Send messages and return the one answer to them."""
        process = self._process
        if process is None:
            raise Gone(late=False, code=None)
        late = threading.Event()

        def end() -> None:
            late.set()
            process.kill()

        overdue = threading.Timer(seconds, end)
        overdue.start()
        try:
            for message in messages:
                send(process.stdin, message)
            return decode_answer(receive(process.stdout))
        except (OSError, EOFError, ValueError, msgspec.DecodeError):
            self.end()
            raise Gone(late=late.is_set(), code=process.returncode) from None
        except BaseException:  # such as a Ctrl-C: its answer would be taken for that of the next query
            self.end()
            raise
        finally:
            overdue.cancel()

    def end(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        process.wait()

    def close(self) -> None:
        """End the process, also in the middle of a query, and start none any more."""
        self._closed = True
        if process := self._process:
            process.kill()
        with self.busy:
            self.end()


def _started() -> subprocess.Popen[bytes]:
    paths = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    # A session of its own: the Ctrl-C at a prompt is for the prompt.
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "graphmem.cypher.child"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, start_new_session=True,
        env={**os.environ, "PYTHONPATH": paths, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip

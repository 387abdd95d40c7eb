"""One call that must not take longer than it may, and that can be interrupted.

The time-out of an HTTP client is between two bytes: a server that sends one a second would hold a session for hours. So
the call is made in a thread of its own, which is left behind when its time is up.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
# How soon an interruption is noticed. An answer is noticed at once.
GLANCE = 0.05


class _Result(Generic[T]):
    def __init__(self, call: Callable[[], T]) -> None:
        self._call = call
        self.done = threading.Event()
        self.value: T | None = None
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.value = self._call()
        except BaseException as error:  # noqa: BLE001 - it is raised again by whoever waits
            self.error = error
        self.done.set()


def within(call: Callable[[], T], seconds: float, stop: threading.Event) -> T | None:
    """Return what ``call`` returns, or ``None`` when its time is up or ``stop`` is set."""
    result = _Result(call)
    threading.Thread(target=result.run, name="graphmem-llm", daemon=True).start()
    end = time.monotonic() + seconds
    while not result.done.wait(min(GLANCE, max(0.0, end - time.monotonic()))):
        if stop.is_set() or time.monotonic() >= end:
            return None
    if result.error is not None:
        raise result.error
    return result.value

"""A circuit breaker: whoever failed again and again is left alone for a while, then tried once."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Breaker:
    """Opens after ``limit`` failures in a row; ``rest`` seconds later it lets one call through and closes if that succeeds."""

    def __init__(self, limit: int, rest: float, clock: Callable[[], float]) -> None:
        self._limit, self._rest, self._clock = limit, rest, clock
        self._failures = 0
        self._opened: float | None = None
        self._probing = False
        self._lock = threading.Lock()

    @property
    def open(self) -> bool:
        """Whether a call would be refused now."""
        with self._lock:
            return not self._would_let()

    def _would_let(self) -> bool:
        if self._opened is None:
            return True
        return not self._probing and self._clock() - self._opened >= self._rest

    def lets(self) -> bool:
        """Say whether a call may be made; it must then be told how that ended."""
        with self._lock:
            if not self._would_let():
                return False
            self._probing = self._opened is not None
            return True

    def succeeded(self) -> None:
        """Close."""
        with self._lock:
            self._failures, self._opened, self._probing = 0, None, False

    def failed(self) -> None:
        """Count a failure, and open when it was one too many."""
        with self._lock:
            self._failures += 1
            self._probing = False
            if self._failures >= self._limit:
                self._opened = self._clock()

    def left(self) -> None:
        """Take note that a call ended for reasons that say nothing of whoever was called."""
        with self._lock:
            self._probing = False

"""A gate: many pass while it is open, one closes it to be alone, and shutting it turns everybody away."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from graphmem.errors import StoreClosed


class Gate:
    """Guards a resource that many may use at once and that sometimes needs to be left alone.

    Who has closed it may pass and close it again. Who has only passed must not pass twice: another may be waiting to
    close it in between.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._changed = threading.Condition(threading.Lock())
        self._inside = 0
        self._closed = self._shut = False
        self._owner: int | None = None

    @contextmanager
    def open(self) -> Iterator[None]:
        """Pass the gate, waiting while somebody is alone behind it."""
        if self._owner == threading.get_ident():
            yield
            return
        with self._changed:
            while self._closed:
                self._changed.wait()
            if self._shut:
                raise StoreClosed(f"{self._name} was closed; open the memory again")
            self._inside += 1
        try:
            yield
        finally:
            with self._changed:
                self._inside -= 1
                if not self._inside:
                    self._changed.notify_all()

    @contextmanager
    def closed(self, *, shut: bool = False) -> Iterator[None]:
        """Be alone; with ``shut`` nobody passes afterwards."""
        if self._owner == threading.get_ident():
            yield
            return
        with self._changed:
            while self._closed:
                self._changed.wait()
            self._closed = True
            self._shut = self._shut or shut
            while self._inside:
                self._changed.wait()
            self._owner = threading.get_ident()
        try:
            yield
        finally:
            with self._changed:
                self._owner = None
                self._closed = False
                self._changed.notify_all()

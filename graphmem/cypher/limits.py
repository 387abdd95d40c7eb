"""What a query may cost."""

from __future__ import annotations

from msgspec import Struct

from graphmem.errors import GraphmemError


class Limits(Struct, frozen=True, kw_only=True):
    """Seconds of the clock, rows and bytes of a result, characters of a cell, and what the processes may take.

    ``memory_mb`` is the most that a space and what a query makes of it take in Kùzu, ``spare_mb`` what the process may take
    beside that. ``idle`` is after how many seconds without a query a process ends, ``processes`` how many there are at most.
    """

    seconds: float = 5.0
    rows: int = 1000
    bytes: int = 4 << 20
    cell: int = 20_000
    memory_mb: int = 2048
    spare_mb: int = 512
    fill_seconds: float = 120.0
    idle: int = 300
    processes: int = 2


def over_limit(message: str) -> GraphmemError:
    """Return the error of a query that cost more than it may."""
    return GraphmemError(f"the query {message}; ask for less, or narrow it with WHERE and LIMIT")

"""What the copy of a space is made of: its commits as the journal keeps them, which nobody on this side has to decode."""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.store import FolderStore

PAGE = 500
_PENDING = "SELECT count(*), coalesce(sum(length(body)), 0) FROM delta WHERE space = ? AND seq > ? AND seq <= ?"
_BODIES = "SELECT seq, body FROM delta WHERE space = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?"


class Source:
    """The commits of one space."""

    def __init__(self, store: FolderStore, space: str) -> None:
        self._journal = store.journal
        self._number = store.space_number(space)

    def last(self) -> int:
        """Return the newest commit of all spaces: what was acknowledged before is not after it."""
        return self._journal.last_seq

    def pending(self, after: int, until: int) -> tuple[int, int]:
        """Return how many commits there are, and how many bytes they have."""
        if after >= until:
            return 0, 0
        [(count, size)] = self._journal.database.rows(_PENDING, (self._number, after, until))
        return count, size

    def bodies(self, after: int, until: int) -> Iterator[tuple[bytes, ...]]:
        """Yield the commits in portions that are sent at once."""
        while after < until:
            rows = self._journal.database.rows(_BODIES, (self._number, after, until, PAGE))
            if rows:
                yield tuple(body for _, body in rows)
            if len(rows) < PAGE:
                return
            after = rows[-1][0]

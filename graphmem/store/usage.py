"""How often an item was of use, and when last. Counted in memory and written behind the reader's back.

Reading changes nothing else. What was counted in the last seconds before a crash is lost, which costs no memory.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from graphmem.store.sqlite import Database
from graphmem.types import Access

NOTE = """INSERT INTO usage VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET count = count + excluded.count, last = max(last, excluded.last)"""


class Usage:
    """Counts accesses; writes go through the store's one writer, whose lock is taken here."""

    def __init__(self, database: Database, writing: threading.RLock) -> None:
        self._database, self._writing = database, writing
        self._counting = threading.Lock()
        self._counts: Counter[str] = Counter()
        self._last: dict[str, float] = {}

    def note(self, ids: Sequence[str], at: datetime) -> None:
        """Count that these items were shown to somebody who asked."""
        with self._counting:
            self._counts.update(ids)
            self._last.update(dict.fromkeys(ids, at.timestamp()))

    def write(self) -> None:
        """Write down what was counted."""
        with self._counting:
            counts, last = self._counts, self._last
            self._counts, self._last = Counter(), {}
        if not counts:
            return
        with self._writing, self._database.transaction() as run:
            for id, count in counts.items():
                run(NOTE, (id, count, last[id]))

    def of(self, id: str) -> Access:
        """Return how often an item was of use, what is not yet written down included."""
        row = self._database.row("SELECT count, last FROM usage WHERE id = ?", (id,)) or (0, 0.0)
        with self._counting:
            count, last = row[0] + self._counts[id], max(row[1], self._last.get(id, 0.0))
        return Access(count=count, last=datetime.fromtimestamp(last, UTC) if count else None)

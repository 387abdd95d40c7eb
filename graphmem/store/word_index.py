"""BM25 over the words of one space, by FTS5.

FTS5 counts documents over the whole table, so a word that everybody in a small space says would look rare there, and what
one space holds would move the scores of another. Each term is therefore asked for alone and its score brought from the
table's inverse document frequency to that of its own part, inside SQLite, at 1.2 times the cost of one plain query.
Work is bounded: the commonest terms of a question are left out when there are too many.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence

from graphmem.store.indexed import SEARCHABLE, kind_of_part
from graphmem.store.journal import Journal

# What a match in the own text counts, and one in the speaker, title or topics.
ONE_TERM = "SELECT rowid AS label, rank * ? AS score FROM words WHERE words MATCH ? AND rank MATCH 'bm25(1.0, 0.5)'"
MOST_TERMS = 64
# From this many documents on, how common a term is may be remembered for a while: counting visits them all.
COMMON = 1000
_LEAST_IDF = 1e-6  # what FTS5 takes for a term in more than half of the documents


class WordIndex:
    """Searches the journal's word table."""

    def __init__(self, journal: Journal, posting_budget: int) -> None:
        self._journal, self._budget = journal, posting_budget
        self._frequencies: dict[str, tuple[int, int]] = {}
        self._lock = threading.Lock()

    def search(self, parts: Sequence[int], terms: Sequence[str], limit: int) -> list[tuple[int, float]]:
        """Return labels with scores (higher is better), best first."""
        total = self._documents()
        kept = self.affordable(parts, terms)
        if not kept:
            return []
        arguments: list[object] = []
        for frequency, term, part in kept:
            arguments += [_idf(self._journal.live[part], frequency) / _fts5_idf(total, frequency), f'"{term}"']
        sql = f"SELECT label, -sum(score) FROM ({' UNION ALL '.join([ONE_TERM] * len(kept))}) GROUP BY 1 ORDER BY 2 DESC, 1"  # noqa: S608 - constants
        return [(row[0], row[1]) for row in self._journal.database.rows(f"{sql} LIMIT ?", (*arguments, limit))]

    def affordable(self, parts: Sequence[int], terms: Sequence[str]) -> list[tuple[int, str, int]]:
        """Return (documents, term as indexed, part) of the terms that are searched for, rarest first."""
        total, spent = self._documents(), 0
        asked = [(f"{part}_{term}", part) for part in parts for term in dict.fromkeys(terms)]
        kept: list[tuple[int, str, int]] = []
        for frequency, term, part in sorted((self._frequency(term, total), term, part) for term, part in asked):
            spent += frequency
            if kept and (spent > self._budget or len(kept) == MOST_TERMS):
                break
            if frequency:
                kept.append((frequency, term, part))
        return kept

    def _documents(self) -> int:
        return sum(live for part, live in list(self._journal.live.items()) if kind_of_part(part) in SEARCHABLE)

    def _frequency(self, term: str, total: int) -> int:
        """Return in how many items a term stands; a common one is counted anew when the memory has grown by a tenth.

        Near half of all documents FTS5's own figure goes through zero, so there it must be exact.
        """
        known = self._frequencies.get(term)
        if known and known[1] <= total <= known[1] * 1.1 and known[0] < 0.3 * total:
            return known[0]
        row = self._journal.database.row("SELECT doc FROM word WHERE term = ?", (term,))
        found = int(row[0]) if row else 0
        if found > COMMON:
            with self._lock:
                if len(self._frequencies) > 50000:
                    self._frequencies.clear()
                self._frequencies[term] = (found, total)
        return found


def _idf(documents: int, frequency: int) -> float:
    return math.log1p(max(0.0, documents - frequency + 0.5) / (frequency + 0.5))


def _fts5_idf(documents: int, frequency: int) -> float:
    ratio = (documents - frequency + 0.5) / (frequency + 0.5)
    idf = math.log(ratio) if ratio > 0 else 0.0
    return idf if idf > 0 else _LEAST_IDF

"""The floors: what SQLite, FTS5, numpy and hnswlib take for the same work with nothing around them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphmem.store.exact import Exact
from graphmem.store.hnsw import Hnsw
from graphmem.store.indexed import part_of

JOURNAL = "journal.db"
MATCH = "SELECT rowid, bm25(words, 1.0, 0.5) AS score FROM words WHERE words MATCH ? ORDER BY score LIMIT ?"


def connect(path: Path) -> sqlite3.Connection:
    """Open a database as durable as the journal and with as much memory for its pages."""
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "cache_size=-16000", "mmap_size=268435456"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


class Log:
    """One table of blobs: the least that keeps a turn."""

    def __init__(self, path: Path) -> None:
        self._connection = connect(path)
        self._connection.execute("CREATE TABLE turn(id INTEGER PRIMARY KEY, body BLOB NOT NULL)")

    def add(self, text: str) -> None:
        """Commit one row."""
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute("INSERT INTO turn(body) VALUES (?)", (text.encode(),))
        self._connection.execute("COMMIT")

    def add_many(self, texts: Sequence[str]) -> None:
        """Commit these rows together."""
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.executemany("INSERT INTO turn(body) VALUES (?)", ((text.encode(),) for text in texts))
        self._connection.execute("COMMIT")

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()


class Words:
    """Plain FTS5 queries on the word table of a folder that others have open."""

    def __init__(self, folder: Path, posting_budget: int) -> None:
        self._connection = connect(folder / JOURNAL)
        self._connection.execute("PRAGMA query_only=ON")
        self._budget = posting_budget

    def match(self, space: str, terms: Sequence[str]) -> str:
        """Return the query for the terms that the store searches for: the same words of that space, the same cut."""
        part = turns_of(self._connection, space)
        counted = sorted((self._frequency(f"{part}_{term}"), f"{part}_{term}") for term in dict.fromkeys(terms))
        kept: list[str] = []
        spent = 0
        for frequency, term in counted:
            spent += frequency
            if kept and spent > self._budget:
                break
            if frequency:
                kept.append(f'"{term}"')
        return " OR ".join(kept)

    def _frequency(self, term: str) -> int:
        row = self._connection.execute("SELECT doc FROM word WHERE term = ?", (term,)).fetchone()
        return row[0] if row else 0

    def search(self, match: str, limit: int) -> list[tuple[int, float]]:
        """Return the best rows by BM25."""
        return self._connection.execute(MATCH, (match, limit)).fetchall() if match else []

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()


class Nearest:
    """One vector index and nothing but its search call: numpy over the block, or hnswlib with the same M and ef."""

    def __init__(self, index: Exact | Hnsw) -> None:
        self.approximate = isinstance(index, Hnsw)
        self._index: Any = index._index if isinstance(index, Hnsw) else None
        if isinstance(index, Exact):
            block, _, count = index._picture
            self._block: NDArray[np.float32] = block[:count]

    def search(self, vector: NDArray[np.float32], limit: int) -> object:
        """Return the nearest rows, best first."""
        if self._index is not None:
            return self._index.knn_query(vector, k=min(limit, self._index.get_current_count()), num_threads=1)
        scores = self._block @ vector
        if limit >= len(scores):
            return np.argsort(-scores)
        best = np.argpartition(-scores, limit - 1)[:limit]
        return best[np.argsort(-scores[best])]


def turns_of(connection: sqlite3.Connection, space: str) -> int:
    """Return the number under which the turns of a space are indexed."""
    return part_of(connection.execute("SELECT number FROM space WHERE name = ?", (space,)).fetchone()[0], "turn")


def exact_ids(folder: Path, space: str, questions: NDArray[np.float32], k: int) -> list[set[str]]:
    """Return the ids of the true ``k`` nearest of each question, from the kept vectors, a page at a time."""
    connection = connect(folder / JOURNAL)
    rows = connection.execute(
        "SELECT id, vector FROM embedding JOIN item USING (label) WHERE embedding.part = ?",
        (turns_of(connection, space),),
    )
    best: list[list[tuple[float, str]]] = [[] for _ in questions]
    while page := rows.fetchmany(20000):
        block = np.frombuffer(b"".join(vector for _, vector in page), np.float32).reshape(len(page), -1)
        for mine, scores in zip(best, questions @ block.T, strict=True):
            top = np.argpartition(-scores, min(k, len(scores)) - 1)[:k]
            mine[:] = sorted([*mine, *((float(scores[i]), page[i][0]) for i in top)], reverse=True)[:k]
    connection.close()
    return [{id for _, id in mine} for mine in best]

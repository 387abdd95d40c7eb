"""Compare labels, words, graph and vectors with the journal, row by row.

What each row should say is folded from the Deltas into one 64-bit mark an item (a million items take some 300 MB); then
each part is read once from end to end and held against the marks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime

import numpy as np

from graphmem.store import queries as q
from graphmem.store import register
from graphmem.store.graph import Graph
from graphmem.store.hnsw import Hnsw
from graphmem.store.indexed import word_row
from graphmem.store.journal import DELETED, READY, Journal
from graphmem.store.protocol import Progress
from graphmem.store.rows import TABLES, from_row, naive_utc
from graphmem.store.sqlite import memory_copy
from graphmem.store.vectors import Vectors
from graphmem.types import Item, Relation, Report, Turn

MOST_PROBLEMS = 100
Edge = tuple[str, ...]


class _Findings:
    def __init__(self, progress: Progress | None, total: int) -> None:
        self.compared: Counter[str] = Counter()
        self.problems: list[str] = []
        self._progress, self._total, self._done = progress, total, 0

    def check(self, part: str, right: bool, problem: str) -> None:
        self.compared[part] += 1
        if not right and len(self.problems) < MOST_PROBLEMS:
            self.problems.append(f"{part}: {problem}")
        self._done += 1
        if self._progress and self._done % 1000 == 0:
            self._progress(min(self._done, self._total), self._total)


def compare(journal: Journal, graph: Graph, vectors: Vectors, progress: Progress | None) -> Report:
    """Return what was compared and what did not agree."""
    latest, deleted = _fold(journal)
    found = _Findings(progress, 6 * len(latest))
    _labels(journal, latest, deleted, found)
    _words(journal, found)
    _registers(journal, found)
    _graph(journal, graph, latest, deleted, found)
    _vectors(journal, vectors, found)
    return Report(compared=dict(found.compared), problems=tuple(found.problems))


def _fold(journal: Journal) -> tuple[dict[str, int], dict[str, datetime]]:
    """Return the last commit of each item, and what was deleted when."""
    latest: dict[str, int] = {}
    deleted: dict[str, datetime] = {}
    for seq, delta in journal.deltas():
        for item in delta.items():
            latest[item.id] = seq
            deleted.pop(item.id, None)
        for deletion in delta.deletions:
            deleted.setdefault(deletion.id, deletion.at)
    return latest, deleted


def _current(journal: Journal, latest: dict[str, int]) -> Iterator[Item]:
    for seq, delta in journal.deltas():
        yield from (item for item in delta.items() if latest[item.id] == seq)


def _labels(journal: Journal, latest: dict[str, int], deleted: dict[str, datetime], found: _Findings) -> None:
    seen, live = 0, Counter[int]()
    for id, part, seq, state in journal.database.scan("SELECT id, part, seq, state FROM item"):
        seen += 1
        live[part] += state != DELETED
        found.check("labels", latest.get(id) == seq, f"{id} points at commit {seq}, the journal says {latest.get(id)}")
        found.check("labels", (state == DELETED) == (id in deleted), f"{id} has state {state}")
    found.check("labels", seen == len(latest), f"{seen} labels for {len(latest)} items")
    counted = {part: count for part, count in journal.database.scan("SELECT number, live FROM part") if count}
    found.check("labels", counted == +live, "the counts of live items are wrong")


def _registers(journal: Journal, found: _Findings) -> None:
    """The registers are written anew in memory and held against those in the file."""
    with closing(memory_copy()) as fresh:
        for seq, delta in journal.deltas():
            register.note(delta, seq, journal.space_number(delta.space) or 0, fresh.execute)
        for table in register.TABLES:
            every = f"SELECT * FROM {table}"  # noqa: S608 - constants
            kept, expected = Counter(journal.database.scan(every)), Counter(fresh.execute(every).fetchall())
            found.compared["registers"] += expected.total()
            for row in (kept - expected) + (expected - kept):
                found.check("registers", False, f"{table} {row} stands in one place only")


def _words(journal: Journal, found: _Findings) -> None:
    """Each item's terms must stand in the index, in order, and nothing else."""
    marks: dict[int, int] = {}
    for term, label, column, place in journal.database.scan("SELECT term, doc, col, offset FROM word_instance"):
        marks[label] = marks.get(label, 0) + hash((column, place, term))
    for label, id, part, seq in journal.searchable():
        expected = sum(
            hash((column, place, term))
            for column, text in zip(("text", "aside"), word_row(part, journal.items_of(seq)[id]), strict=True)
            for place, term in enumerate(text.split())
        )
        found.check("words", marks.pop(label, 0) == expected, f"the words of {id} differ")
    for label in marks:
        found.check("words", False, f"label {label} has words but no live item")


def _graph(
    journal: Journal, graph: Graph, latest: dict[str, int], deleted: dict[str, datetime], found: _Findings
) -> None:
    at = graph.applied
    found.check("graph", at == journal.last_seq, f"at commit {at}, the journal at {journal.last_seq}")
    rows: dict[str, int] = {}
    edges: dict[str, Counter[Edge]] = {name: Counter() for name in q.ALL_EDGES}
    for item in _current(journal, latest):
        gone = deleted.get(item.id)
        rows[item.id] = hash((item, naive_utc(gone) if gone else None))
        for name, edge in _edges(item):
            edges[name][edge] += not (gone and name == "RELATES")
    for table, cls in TABLES.items():
        for row in graph.scan(q.ALL[table]):
            item = from_row(cls, row[1:])
            found.check("graph", rows.pop(item.id, None) == hash((item, row[0])), f"{item.id} differs from the journal")
    for id in rows:
        found.check("graph", False, f"{id} is missing")
    for name, statements in q.ALL_EDGES.items():
        seen = Counter(tuple(row) for statement in statements for row in graph.scan(statement))
        found.compared["edges"] += seen.total()
        for edge in (seen - edges[name]) + (edges[name] - seen):
            found.check("edges", False, f"{name} {' -> '.join(edge)} stands in one place only")


def _edges(item: Item) -> Iterator[tuple[str, Edge]]:
    if isinstance(item, Turn):
        yield "PART_OF", (item.id, item.session_id)
    else:
        yield "HOLDS", (item.space, item.id)
    if isinstance(item, Relation):
        yield "RELATES", (item.subject, item.object, item.id, item.predicate)
    for turn in dict.fromkeys(getattr(item, "evidence", ())):
        yield "EVIDENCE", (item.id, turn)


def _vectors(journal: Journal, vectors: Vectors, found: _Findings) -> None:
    database = journal.database
    orphans = database.rows(
        "SELECT label FROM embedding LEFT JOIN item USING(label) WHERE item.state IS NOT ? LIMIT 100", (READY,)
    )
    lacking = database.rows(
        "SELECT id FROM item LEFT JOIN embedding USING(label) WHERE item.state = ? AND embedding.n IS NULL LIMIT 100",
        (READY,),
    )
    found.check("vectors", not orphans, f"vectors without a live item: labels {[row[0] for row in orphans]}")
    found.check("vectors", not lacking, f"items without the vector they should have: {[row[0] for row in lacking]}")
    for (part,) in database.rows("SELECT DISTINCT part FROM embedding"):
        index = vectors.part(part)
        held = index.vectors() if index is not None else {}
        # hnswlib normalises once more what is of unit length already
        slack = 1e-5 if isinstance(index, Hnsw) else 0.0
        for label, blob in database.scan("SELECT label, vector FROM embedding WHERE part = ?", (part,)):
            own = held.pop(label, None)
            same = own is not None and np.allclose(own, np.frombuffer(blob, np.float32), rtol=0, atol=slack)
            found.check("vectors", bool(same), f"label {label} of part {part} is not in its index")
        found.check("vectors", not held, f"part {part} holds {len(held)} vectors that the journal does not")

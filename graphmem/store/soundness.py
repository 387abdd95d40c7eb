"""After a process has died: does the graph that opens hold what the journal says?

Kùzu's recovery is right nearly always, and silent when it is not: in some of a hundred kills rows or edges were missing, or
a row had another one's values. So what was written last, where such damage lies, is compared value by value, and
everything is counted. It takes a fraction of a second and is only done when the last process did not close the folder.
"""

from __future__ import annotations

from graphmem.store import queries as q
from graphmem.store.graph import Graph
from graphmem.store.journal import DELETED, Journal
from graphmem.store.rows import KIND_TABLES

# Items that were written last and are compared one by one.
LATEST = 2000


def damage(journal: Journal, graph: Graph) -> str | None:
    """Return what is wrong with a graph that has caught up with the journal, or ``None``."""
    return _counts(journal, graph) or _latest(journal, graph)


def _counts(journal: Journal, graph: Graph) -> str | None:
    kept = journal.kinds()
    for kind, table in KIND_TABLES.items():
        (found,) = graph.rows(q.COUNT[table])[0]
        if found != kept.get(kind, 0):
            return f"it has {found} of {kept.get(kind, 0)} {kind} rows"
    expected = {
        "PART_OF": kept.get("turn", 0),
        "HOLDS": sum(count for kind, count in kept.items() if kind != "turn"),
        "EVIDENCE": journal.register.count("support"),
    }
    for edge, statements in q.COUNT_EDGES.items():
        seen = sum(graph.rows(statement)[0][0] for statement in statements)
        if seen != expected[edge]:
            return f"it has {seen} of {expected[edge]} edges {edge}"
    return None


def _latest(journal: Journal, graph: Graph) -> str | None:
    places = journal.latest(LATEST)
    live = graph.get([id for id, _, _ in places])
    for id, seq, state in places:
        expected = None if state == DELETED else journal.items_of(seq).get(id)
        if live.get(id) != expected:
            return f"{id} is not what the journal says"
    return None

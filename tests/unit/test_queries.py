"""Every Cypher statement can be prepared against the schema."""

from __future__ import annotations

import pytest

from graphmem.store import queries
from graphmem.store.graph import Graph


def statements():
    for name, value in vars(queries).items():
        if name.isupper() and name not in ("SCHEMA", "SUPPORTED", "HELD") and not name.startswith("COPY"):
            values = value.values() if isinstance(value, dict) else [value]
            nested = [each.values() if isinstance(each, dict) else [each] for each in values]
            for each in (statement for group in nested for statement in group):
                yield from ((name, s) for s in (each if isinstance(each, tuple) else [each]) if isinstance(s, str))


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    graph = Graph(
        tmp_path_factory.mktemp("graph") / "graph.kz", memory_mb=64, checkpoint_every=5000, hook=lambda point: None
    )
    yield graph
    graph.close()


@pytest.mark.parametrize(("name", "statement"), list(statements()))
def test_a_statement_fits_the_schema(graph, name, statement):
    with graph.reading() as connection:
        prepared = connection.prepare(statement)

    assert prepared.is_success(), f"{name}: {prepared.get_error_message()}"

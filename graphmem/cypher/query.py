"""One query on the copy: in a transaction that can only read, up to its limits."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import partial
from typing import Any

from graphmem.cypher.values import Shaper, Spot
from graphmem.cypher.wire import Answer, Ask
from graphmem.store.graph import Statements

_PLACE = re.compile(r"\(line: 1, offset: (\d+)\).*", re.DOTALL)
# What Kùzu says of a statement begins so; anything else went wrong inside of it.
_KIND = re.compile(r"^[A-Z][A-Za-z ]{2,30} exception: ")
_TOO_MUCH = Answer(outcome="limit", error="needs more memory than it may have", spoilt=True)
_LISTING = "CALL show_tables() RETURN id, name, type"


def run(database: Any, ask: Ask) -> Answer:
    """Run a statement and return its rows, or why there are none."""
    statements = Statements(database, seconds=ask.seconds)
    try:
        statements.run("BEGIN TRANSACTION READ ONLY")
        return _rows(statements, ask)
    except MemoryError:
        return _TOO_MUCH
    except (RuntimeError, ValueError, TypeError, OverflowError) as error:  # kuzu, or a value that Python cannot hold
        return _failure(error, ask)
    finally:
        statements.close()


def _rows(statements: Statements, ask: Ask) -> Answer:
    parameters = {f"p_{name}": _naive(value) for name, value in ask.parameters.items()}
    until = time.monotonic() + ask.seconds
    shaper = Shaper(cell=ask.cell, total=ask.bytes)
    rows: list[tuple[Any, ...]] = []
    result = statements.run(ask.text, **parameters)
    try:
        columns = tuple(result.get_column_names())
        while result.has_next():
            row = shaper.row(result.get_next()) if len(rows) < ask.rows and time.monotonic() < until else None
            if row is None:
                shaper.truncated = True
                break
            rows.append(row)
    finally:
        result.close()
    shaper.finish(partial(_ids, statements))
    return Answer(columns=columns, rows=tuple(rows), truncated=shaper.truncated)


def _naive(value: Any) -> Any:
    """Return a value as Kùzu keeps it: it would drop the offset of a time without a word."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).replace(tzinfo=None)
    if isinstance(value, list):
        return [_naive(each) for each in value]
    return {key: _naive(each) for key, each in value.items()} if isinstance(value, dict) else value


def _ids(statements: Statements, spots: Iterable[Spot]) -> dict[Spot, str]:
    """Return the ids of the nodes at these places."""
    names = {number: name for number, name, kind in statements.rows(_LISTING) if kind == "NODE"}
    found: dict[Spot, str] = {}
    for table, offset in spots:
        if table in names:
            statement = f"MATCH (n:{names[table]}) WHERE id(n) = internal_id({table}, $offset) RETURN n.id"
            for [id] in statements.rows(statement, offset=offset):
                found[table, offset] = id
    return found


def _failure(error: Exception, ask: Ask) -> Answer:
    message = str(error).strip() or type(error).__name__
    if message.startswith("Interrupted"):
        return Answer(outcome="limit", error=f"took longer than {ask.seconds:g} s")
    if "buffer pool is full" in message or "bad_alloc" in message:
        return _TOO_MUCH
    if isinstance(error, RuntimeError) and not _KIND.match(message) and "read-only" not in message:
        return Answer(outcome="broken", error=message, spoilt=True)
    place = _PLACE.search(message)
    text = _KIND.sub("", _PLACE.sub("", message).strip().splitlines()[0])
    return Answer(outcome="refused", error=text.strip(), at=int(place[1]) if place else None)

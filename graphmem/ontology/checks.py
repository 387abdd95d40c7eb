"""What the types of the fields do not say: names, references between tables, inverses that agree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graphmem.errors import OntologyError
from graphmem.ontology.schema import File
from graphmem.ontology.values import Ontology, Predicate

NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
DAY = re.compile(r"(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")


def check(ontology: Ontology, files: Sequence[File]) -> None:
    """Raise for the first thing that does not agree, naming the file and line where it stands."""
    for table, problem in _problems(ontology):
        # The last file that has the table is the one that made it wrong.
        raise next(
            (file.error(problem, table=table) for file in reversed(files) if _has(file, table)),
            OntologyError(f"{files[-1].source}: {problem}"),
        )
    for file in files:
        _check_patterns(ontology, file)


def _has(file: File, table: str) -> bool:
    kind, _, name = table.partition(".")
    tables: dict[str, dict[str, object]] = {"types": {**file.types}, "predicates": {**file.predicates}}
    return name in tables.get(kind, {}) or (kind == "holidays" and bool(file.holidays))


def _problems(ontology: Ontology) -> Iterator[tuple[str, str]]:
    """Yield (table, what is wrong with it)."""
    for kind, names in (("types", ontology.types), ("predicates", ontology.predicates)):
        for each in names:
            if not NAME.fullmatch(each.name):
                yield f"{kind}.{each.name}", f"{each.name!r} is not a name; use lower-case words joined by _"
    known = {each.name for each in ontology.types}
    for predicate in ontology.predicates:
        table = f"predicates.{predicate.name}"
        for problem in (*_sides(predicate, known), *_settings(predicate), *_inverse(predicate, ontology)):
            yield table, problem
    for name, day in ontology.holidays.items():
        if not DAY.fullmatch(day):
            yield "holidays", f"the day of {name} is {day!r}; write month and day as 12-26"


def _sides(predicate: Predicate, known: set[str]) -> Iterator[str]:
    for side, types in (("domain", predicate.domain), ("range", predicate.range)):
        if not types:
            yield f"the {side} of {predicate.name} names no type"
        unknown = [type for type in types if type not in known]
        if unknown:
            yield f"the {side} of {predicate.name} names unknown types: {', '.join(unknown)}"


def _settings(predicate: Predicate) -> Iterator[str]:
    if not 0 <= predicate.importance <= 1:
        yield f"the importance of {predicate.name} is {predicate.importance}; give a number from 0 to 1"
    if not NAME.fullmatch(predicate.family):
        yield f"the family of {predicate.name}, {predicate.family!r}, is not a name; use lower-case words joined by _"


def _inverse(predicate: Predicate, ontology: Ontology) -> Iterator[str]:
    name, inverse = predicate.name, predicate.inverse
    if inverse is None:
        return
    if not NAME.fullmatch(inverse):
        yield f"the inverse of {name}, {inverse!r}, is not a name; use lower-case words joined by _"
        return
    if inverse == name:
        if set(predicate.domain) != set(predicate.range):
            yield f"{name} is its own inverse, but its domain and range differ"
        return
    other = ontology.predicate(inverse)
    if other is not None and other.inverse != name:
        yield f"the inverse of {name} is {inverse}, but the inverse of {inverse} is {other.inverse}"
    twins = [each.name for each in ontology.predicates if each.inverse == inverse and each.name != name]
    if twins and other is None:
        yield f"{name} and {twins[0]} have the same inverse {inverse}"


def _check_patterns(ontology: Ontology, file: File) -> None:
    for table in file.patterns:
        words = table.say[0] if table.say else ""
        if not table.say:
            raise file.error("one of the [[patterns]] says nothing", table="[patterns]")
        if table.predicate is None and table.entry_type is None:
            raise file.error(f"the pattern {words!r} has neither a predicate nor an entry_type", words=words)
        if table.predicate and ontology.predicate(table.predicate) is None:
            raise file.error(f"the pattern {words!r} names an unknown predicate: {table.predicate}", words=words)

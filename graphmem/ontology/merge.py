"""Lay ontology files over each other: lists are joined, and what is said twice has to agree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from msgspec import UNSET, UnsetType, structs

from graphmem.ontology.schema import File, PatternTable, PredicateTable, TypeTable
from graphmem.ontology.templates import TemplateError, compile_template
from graphmem.ontology.values import EntityType, Ontology, Pattern, Predicate

T = TypeVar("T", TypeTable, PredicateTable)
DESCRIPTION = "description"


def merge(files: Sequence[File]) -> Ontology:
    """Return the ontology that the files make together; the first is the ground, the others lie over it.

    A later file may add types, predicates, patterns and holidays, and add to the lists of those that are known. It
    may not change a setting of an earlier one: two overlays that contradict each other would be decided by their order.
    """
    types: dict[str, TypeTable] = {}
    predicates: dict[str, PredicateTable] = {}
    holidays: dict[str, str] = {}
    groups: dict[str, tuple[str, ...]] = {}
    for file in files:
        for name, added in file.types.items():
            types[name] = _joined(types.get(name), added, file, f"types.{name}")
        for name, extra in file.predicates.items():
            predicates[name] = _joined(predicates.get(name), extra, file, f"predicates.{name}")
        for name, nouns in file.groups.items():
            groups[name] = tuple(dict.fromkeys((*groups.get(name, ()), *nouns)))
        for name, day in file.holidays.items():
            if holidays.setdefault(name, day) != day:
                raise file.error(f"the holiday {name} is {holidays[name]} elsewhere and {day} here", table="holidays")
    return Ontology(
        name="+".join(file.name for file in files),
        version=max(file.version for file in files),
        types=tuple(_type(name, table) for name, table in types.items()),
        predicates=tuple(_predicate(name, table) for name, table in predicates.items()),
        # A domain says more precisely what a general pattern would also find, so its patterns are tried first.
        patterns=tuple(pattern for file in reversed(files) for pattern in _patterns(file, (*types, *groups))),
        groups=groups,
        holidays=holidays,
    )


def _joined(known: T | None, added: T, file: File, table: str) -> T:
    """The same table of two files as one."""
    required = ("description",) if isinstance(added, TypeTable) else ("description", "domain", "range")
    if known is None:
        missing = next((name for name in required if isinstance(getattr(added, name), UnsetType)), None)
        if missing:
            raise file.error(f"Object missing required field `{missing}`", table=table)
        return added
    fields = structs.asdict(known)
    for name, value in structs.asdict(added).items():
        fields[name] = _agreed(name, fields[name], value, file, table)
    return type(added)(**fields)


def _agreed(name: str, old: object, new: object, file: File, table: str) -> object:
    if new is UNSET or old is UNSET:
        return old if new is UNSET else new
    if isinstance(old, list) and isinstance(new, list):
        return list(dict.fromkeys([*old, *new]))
    if old != new and name != DESCRIPTION:
        raise file.error(f"{table}.{name} is {old!r} in a file below this one, and {new!r} here", table=table)
    return old


def _type(name: str, table: TypeTable) -> EntityType:
    return EntityType(name=name, description=str(table.description), names=tuple(table.names), nouns=tuple(table.nouns))


def _predicate(name: str, table: PredicateTable) -> Predicate:
    given = {key: value for key, value in structs.asdict(table).items() if value is not UNSET and key != "patterns"}
    for key in ("domain", "range", "object_roles", "subject_roles"):
        given[key] = tuple(given[key])
    return Predicate(**{"name": name, "family": name, **given})


def _patterns(file: File, types: Iterable[str]) -> Iterable[Pattern]:
    """The patterns of a file: those that stand with a predicate, then those with a table of their own."""
    known = frozenset(types)
    for name, predicate in file.predicates.items():
        for text in predicate.patterns:
            yield _pattern(text, PatternTable(say=[], predicate=name), file, known)
    for table in file.patterns:
        for text in table.say:
            yield _pattern(text, table, file, known)


def _pattern(text: str, table: PatternTable, file: File, types: frozenset[str]) -> Pattern:
    try:
        parts = compile_template(text, types)
    except TemplateError as error:
        raise file.error(f"the pattern {text!r} cannot be read: {error}", words=text) from error
    extras = {key: value for key, value in structs.asdict(table).items() if key != "say"}
    return Pattern(text=text, parts=parts, **extras)

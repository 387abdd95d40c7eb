"""What may stand in an ontology file, and on which line something stands that may not."""

from __future__ import annotations

import re
import tomllib
from typing import Any, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType

from graphmem.errors import OntologyError
from graphmem.types import EntryType

T = TypeVar("T")


class TypeTable(Struct, forbid_unknown_fields=True):
    """A ``[types.NAME]`` table; an overlay that adds to a known type may leave the description out."""

    description: str | UnsetType = UNSET
    names: list[str] = []
    nouns: list[str] = []


class PredicateTable(Struct, forbid_unknown_fields=True):
    """A ``[predicates.NAME]`` table."""

    description: str | UnsetType = UNSET
    domain: list[str] | UnsetType = UNSET
    range: list[str] | UnsetType = UNSET
    single_valued: bool | UnsetType = UNSET
    fixed: bool | UnsetType = UNSET
    inverse: str | UnsetType = UNSET
    family: str | UnsetType = UNSET
    entry_type: EntryType | UnsetType = UNSET
    identity: bool | UnsetType = UNSET
    importance: float | UnsetType = UNSET
    lasts: bool | UnsetType = UNSET
    object_roles: list[str] = []
    subject_roles: list[str] = []
    patterns: list[str] = []


class PatternTable(Struct, forbid_unknown_fields=True):
    """One of the ``[[patterns]]``: ways of saying with more to them than a predicate."""

    say: list[str]
    predicate: str | None = None
    entry_type: EntryType | None = None
    begins: bool = False
    ends: bool = False
    negated: bool = False
    identity: bool | None = None
    importance: float | None = None
    tags: tuple[str, ...] = ()


class File(Struct):
    """One file, read but not yet merged or checked against others. ``text`` is kept to point at its lines."""

    source: str
    text: str
    name: str
    version: int
    extends: list[str]
    types: dict[str, TypeTable]
    predicates: dict[str, PredicateTable]
    patterns: list[PatternTable]
    groups: dict[str, list[str]]
    holidays: dict[str, str]

    def error(self, problem: str, *, table: str = "", words: str = "") -> OntologyError:
        """An error about a table of this file, or about the line that has ``words`` in it."""
        where = line_with(words, self.text) if words else line_of(table, self.text)
        return OntologyError(f"{self.source}{where}: {problem}")


class _Tables(Struct, forbid_unknown_fields=True):
    name: str
    version: int
    extends: list[str] = []
    types: dict[str, dict[str, Any]] = {}
    predicates: dict[str, dict[str, Any]] = {}
    patterns: list[dict[str, Any]] = []
    groups: dict[str, list[str]] = {}
    holidays: dict[str, str] = {}


def read_file(text: str, source: str) -> File:
    """Read one file; errors name ``source`` and, where it can be found, the line."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise OntologyError(f"{source}: not TOML: {error}") from error
    # Table by table, because the path in msgspec's message has [...] where the name should be.
    tables = _convert(raw, _Tables, source)
    return File(
        source=source,
        text=text,
        name=tables.name,
        version=tables.version,
        extends=tables.extends,
        types={
            name: _convert(fields, TypeTable, source, f"types.{name}", text) for name, fields in tables.types.items()
        },
        predicates={
            name: _convert(fields, PredicateTable, source, f"predicates.{name}", text)
            for name, fields in tables.predicates.items()
        },
        patterns=[
            _convert(fields, PatternTable, source, "[patterns]", text, number)
            for number, fields in enumerate(tables.patterns)
        ],
        groups=tables.groups,
        holidays=tables.holidays,
    )


def line_of(table: str, text: str, number: int = 0) -> str:
    """``:LINE`` of the ``number``-th header of a table, or nothing when it cannot be found."""
    header = f"[{table}]"
    lines = [
        at
        for at, line in enumerate(text.splitlines(), start=1)
        if line.replace(" ", "").replace('"', "").startswith(header)
    ]
    return f":{lines[number]}" if len(lines) > number else ""


def line_with(words: str, text: str) -> str:
    """``:LINE`` of the first line that has ``words`` as a string in it."""
    quoted = re.compile(rf"[\"']{re.escape(words)}[\"']")
    return next((f":{at}" for at, line in enumerate(text.splitlines(), start=1) if quoted.search(line)), "")


def _convert(raw: object, kind: type[T], source: str, table: str = "", text: str = "", number: int = 0) -> T:
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise OntologyError(f"{source}{line_of(table, text, number) if table else ''}: {error}") from error

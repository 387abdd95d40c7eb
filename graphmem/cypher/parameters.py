"""Values for the parameters of a statement, checked before Kùzu sees them: what it cannot type can end its process."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, NoReturn

from graphmem.clock import instant
from graphmem.cypher.wire import sendable
from graphmem.errors import InvalidInput

MOST_VALUES, MOST_CHARACTERS, MOST_DEPTH = 20_000, 2_000_000, 6
# What a null says of its type; unlike all others it goes with any.
_UNKNOWN = ""


def checked(given: Mapping[str, Any] | None, asked: frozenset[str]) -> dict[str, Any]:
    """Return the values as they are sent; refuse one that is missing, that nothing asks for, or that has no type."""
    if given is not None and not isinstance(given, Mapping):
        _refuse(f"expected a mapping of names to values, got {type(given).__name__}")
    values = dict(given or {})
    for name in values:
        if name not in asked:
            _refuse(f"nothing in the statement asks for {name!r}; write ${name}, or leave it out")
    if missing := sorted(asked - values.keys()):
        _refuse(f"no value for {', '.join('$' + name for name in missing)}")
    reader = _Reader()
    return {name: reader.read(value, name)[0] for name, value in values.items()}


class _Reader:
    """Counts over all parameters of a statement."""

    def __init__(self) -> None:
        self._values = self._characters = 0

    def read(self, value: Any, name: str, depth: int = 0) -> tuple[Any, str]:
        """Return a value as it is sent and what type it will have."""
        self._values += 1
        if self._values > MOST_VALUES or depth > MOST_DEPTH:
            _refuse(f"${name} has more than {MOST_VALUES:,} values or is more than {MOST_DEPTH} levels deep")
        if isinstance(value, list | tuple):
            return self._list(value, name, depth)
        if isinstance(value, dict):
            return self._map(value, name, depth)
        if isinstance(value, str):
            return self._text(value, name), "text"
        return _scalar(value, name)

    def _text(self, value: str, name: str) -> str:
        self._characters += len(value)
        if self._characters > MOST_CHARACTERS:
            _refuse(f"${name} goes beyond {MOST_CHARACTERS:,} characters")
        if "\0" in value or not _is_unicode(value):
            _refuse(f"${name} holds a NUL or half of a surrogate pair, which is no text")
        return str(value)

    def _list(self, value: list[Any] | tuple[Any, ...], name: str, depth: int) -> tuple[list[Any], str]:
        found = [self.read(each, name, depth + 1) for each in value]
        types = {type_ for _, type_ in found} - {_UNKNOWN}
        if len(types) > 1:
            _refuse(f"${name} has a list of {' and '.join(sorted(types))}; the values of a list have one type")
        if not types and (value or depth):
            _refuse(f"${name} has a list that is empty or holds nothing but null, whose type cannot be told")
        return [each for each, _ in found], f"list of {next(iter(types), 'nothing')}"

    def _map(self, value: dict[Any, Any], name: str, depth: int) -> tuple[dict[str, Any], str]:
        if not value or not all(isinstance(key, str) and key for key in value):
            _refuse(f"${name} has a map that is empty or has a key that is not text")
        found = {self._text(key, name): self.read(each, name, depth + 1) for key, each in value.items()}
        for key, (_, type_) in found.items():
            if type_ == _UNKNOWN:
                _refuse(f"${name} has null under {key!r}, whose type cannot be told; leave the key out")
        shape = ", ".join(f"{key}: {type_}" for key, (_, type_) in found.items())
        return {key: each for key, (each, _) in found.items()}, f"map of {shape}"


def _scalar(value: Any, name: str) -> tuple[Any, str]:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _number(value, name), "number"
    if isinstance(value, datetime):
        return instant(value, f"parameters: ${name}"), "time"
    if isinstance(value, date):
        return sendable(value), "date"
    if value is not None and not isinstance(value, bool):
        kinds = "text, numbers, bools, null, times, lists and maps"
        _refuse(f"${name} is a {type(value).__name__}; parameters are {kinds}")
    return value, _UNKNOWN if value is None else "bool"


def _number(value: float, name: str) -> float:
    if not math.isfinite(value):
        _refuse(f"${name}: {value} is not a finite number")
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        _refuse(f"${name}: {value} does not fit into 64 bits")
    return value


def _is_unicode(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _refuse(message: str) -> NoReturn:
    raise InvalidInput("parameters", message)

"""What a child was told is kept, written down where its death cannot reach it.

One ``write`` call appends a whole line, and SIGKILL does not take back what the kernel has: no fsync is needed for that.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

Step = Literal["add", "delete"]


class Noted(Struct, frozen=True, kw_only=True):
    """One turn as the child wrote it."""

    id: str
    space: str
    text: str
    ref: str | None = None

    @property
    def word(self) -> str:
        """The one word that no other turn has."""
        return self.text.split()[0]


class Ledger:
    """The side file: an intent before each write, an acknowledgement after it."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def intend(self, step: Step, keys: list[str]) -> None:
        """Say what is about to be written: texts of turns, or ids to be deleted."""
        self._line(kind="intent", step=step, keys=keys)

    def acknowledge(self, step: Step, turns: list[dict[str, Any]]) -> None:
        """Say what the memory has returned."""
        self._line(kind="done", step=step, turns=turns)

    def _line(self, **fields: Any) -> None:
        os.write(self._file, (json.dumps(fields) + "\n").encode())


class Account:
    """The ledger as its reader sees it."""

    def __init__(self, path: Path) -> None:
        self.turns: dict[str, Noted] = {}
        self.deleted: set[str] = set()
        # What was under way when a child died: each batch is there as a whole or not at all.
        self.open_batches: list[list[str]] = []
        self.open_deletions: set[str] = set()
        intent: dict[str, Any] | None = None
        for line in _lines(path):
            if line["kind"] == "intent":
                self._left_open(intent)
                intent = line
                continue
            intent = None
            if line["step"] == "add":
                self.turns.update((turn["id"], Noted(**turn)) for turn in line["turns"])
            else:
                self.deleted.update(turn["id"] for turn in line["turns"])
        self._left_open(intent)

    def _left_open(self, intent: dict[str, Any] | None) -> None:
        if intent and intent["step"] == "add":
            self.open_batches.append(intent["keys"])
        elif intent:
            self.open_deletions.update(intent["keys"])

    @property
    def writes(self) -> int:
        """How many turns and deletions were acknowledged."""
        return len(self.turns) + len(self.deleted)

    def live(self) -> list[Noted]:
        """The turns that must be found."""
        gone = self.deleted | self.open_deletions
        return [turn for id, turn in self.turns.items() if id not in gone]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    if path.exists():
        with path.open() as file:
            yield from (json.loads(line) for line in file)

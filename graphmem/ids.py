"""Ids: minted, time-sortable, with a prefix that says the kind: ``tn_01kbf3m8q5x7c2v9``.

Written by hand because no id library was found that keeps ids of one process strictly increasing under
a clock that stands still or steps back, with times given by the caller's clock: 60 bits in 12 base32
characters of time and sequence, then 4 characters of chance against collisions between folders.
"""

from __future__ import annotations

import secrets
import threading
from datetime import datetime

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
PREFIXES = {
    "turn": "tn", "session": "se", "episode": "ep", "entity": "en",
    "relation": "re", "entry": "ey", "profile": "pr", "dispute": "di", "job": "jb",
}  # fmt: skip
KINDS = {prefix: kind for kind, prefix in PREFIXES.items()}
SEQUENCE_BITS = 16


class Mint:
    """Makes ids that sort in the order in which they were made."""

    def __init__(self, after: str | None = None) -> None:
        self._last = _number(after) if after else 0
        self._lock = threading.Lock()

    def new(self, kind: str, now: datetime) -> str:
        """Return the next id of ``kind``; ids never repeat or go back, whatever the clock does."""
        floor = int(now.timestamp() * 1000) << SEQUENCE_BITS
        with self._lock:
            self._last = max(self._last + 1, floor)
            number = self._last
        return f"{PREFIXES[kind]}_{_base32(number, 12)}{_base32(secrets.randbits(20), 4)}"


def kind_of(id: str) -> str | None:
    """Say which kind of thing an id names, or ``None`` when it is not one of ours."""
    prefix, _, rest = id.partition("_")
    return KINDS.get(prefix) if rest else None


def _number(id: str) -> int:
    number = 0
    for char in id.partition("_")[2][:12]:
        number = number << 5 | max(0, ALPHABET.find(char))
    return number


def _base32(number: int, width: int) -> str:
    return "".join(ALPHABET[number >> shift & 31] for shift in range(5 * (width - 1), -1, -5))

"""The gate in front of everything that is stored: rate, quality, duplicates within a Draft, and the space's budget."""

from __future__ import annotations

import re

from graphmem.settings import DistilSettings
from graphmem.types import Level
from graphmem.words import fold
from graphmem.write.claims import Claim
from graphmem.write.settle.board import Board
from graphmem.write.settle.verdicts import is_live

SHORTEST, LONGEST = 3, 500
_LETTER = re.compile(r"[^\W\d_]")


class Gate:
    """Lets claims through one by one and keeps the reason of each refusal."""

    def __init__(self, board: Board, settings: DistilSettings) -> None:
        self._board, self._settings = board, settings
        self._seen: set[tuple[str, str, bool]] = set()
        self._passed = 0
        self._room: int | None = None
        self._floor = 0.0

    def lets(self, claim: Claim) -> bool:
        """Say whether a claim may be stored."""
        checks: tuple[tuple[Level, str], ...] = (
            ("rate", self._rate()), ("quality", self._quality(claim)),
            ("duplicate", self._twice(claim)), ("budget", self._budget(claim)),
        )  # fmt: skip
        for level, reason in checks:
            if reason:
                evidence = [source.turn for source in claim.sources]
                self._board.refuse(claim.text, level, reason, tuple(dict.fromkeys(evidence)))
                return False
        self._passed += 1
        return True

    def _rate(self) -> str:
        most = self._settings.most_claims
        return f"more than {most} claims of one session" if self._passed >= most else ""

    def _quality(self, claim: Claim) -> str:
        if not SHORTEST <= len(claim.text) <= LONGEST:
            return f"{len(claim.text)} characters are not {SHORTEST} to {LONGEST}"
        if not _LETTER.search(claim.text):
            return "there is no word in it"
        if claim.confidence < self._settings.least_confidence:
            return f"confidence {claim.confidence:.2f} is under {self._settings.least_confidence}"
        if claim.modality not in ("asserted", "planned"):
            return f"it was {claim.modality}, not said to hold"
        return ""

    def _twice(self, claim: Claim) -> str:
        key = (fold(claim.text), claim.type, claim.negated)
        if key in self._seen:
            return "the session says it twice"
        self._seen.add(key)
        return ""

    def _budget(self, claim: Claim) -> str:
        """A full space takes nothing less important than the least that it holds."""
        most = self._settings.most_entries
        if not most:
            return ""
        if self._room is None:
            live = [each for each in self._board.view.all("entry") if is_live(each, self._board.now)]
            self._room = most - len(live)
            self._floor = min((each.importance for each in live), default=0.0)
        self._room -= 1
        if self._room < 0 and claim.importance <= self._floor:
            return f"the space holds {most} entries, none less important"
        return ""

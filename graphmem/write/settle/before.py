"""What an earlier extractor made of the same turns: found again it keeps its id, otherwise it is retracted."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from graphmem.settings import DistilSettings
from graphmem.types import Action, Entry
from graphmem.write.settle.board import Board
from graphmem.write.settle.likeness import jaccard, same_value
from graphmem.write.settle.verdicts import Case


class Before:
    """The entries that are compared with the claims of a better extractor."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._left = {entry.id: entry for entry in entries}

    def takes(self, case: Case, board: Board, settings: DistilSettings) -> bool:
        """Say whether a claim is one of the entries of before, which then takes over what it says."""
        found = [each for each in self._left.values() if _same(each, case.entry, settings.jaccard_duplicate)]
        if not found:
            return False
        old = max(found, key=lambda each: (jaccard(each.text, case.entry.text), each.id))
        del self._left[old.id]
        gone = old.validity.retracted_at if _retracted_by_hand(old, board) else None
        new = msgspec.structs.replace(
            case.entry, id=old.id, validity=msgspec.structs.replace(
                case.entry.validity, recorded_at=old.validity.recorded_at,
                valid_to=old.validity.valid_to or case.entry.validity.valid_to, retracted_at=gone,
            ),
            supersedes=old.supersedes, superseded_by=old.superseded_by, source_count=old.source_count,
            importance=old.importance, relation=old.relation or case.entry.relation,
        )  # fmt: skip
        if case.relation and new.relation == case.relation.id:
            board.put(case.relation)
        if new != old:
            back = old.validity.retracted_at is not None and gone is None
            told: Action | None = "restored" if back else "updated" if new.text != old.text else None
            board.put(new, told, f"distilled again; it was {old.text!r}")
        return True

    def retract_the_rest(self, board: Board) -> int:
        """Say of what was not found again that it is not held to be true; return how many entries that are."""
        rest = [each for each in self._left.values() if each.validity.retracted_at is None]
        for entry in rest:
            board.retract(entry, "retracted", "a later extractor does not find it")
        return len(rest)


def _retracted_by_hand(entry: Entry, board: Board) -> bool:
    """What a person found wrong stays so, however often it is extracted."""
    if entry.validity.retracted_at is None:
        return False
    return any(step.change.action in ("resolved", "superseded") for step in board.view.history(entry.id))


def _same(old: Entry, new: Entry, least: float) -> bool:
    if old.subject != new.subject or old.negated != new.negated:
        return False
    if old.predicate and old.predicate == new.predicate and same_value(old, new):
        return True
    return jaccard(old.text, new.text) >= least and (not old.object or not new.object or same_value(old, new))

"""Walk the path that a verdict names: write what changes, and a line of history for each item that it touches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

import msgspec

from graphmem.types import Action, Dispute, Entry, Relation
from graphmem.write.settle.board import Board, with_evidence
from graphmem.write.settle.verdicts import Case, Path, Verdict

# What a claim that is outweighed by another user's keeps of its confidence.
WEAKENED = 0.5


def take(verdict: Verdict, case: Case, board: Board) -> None:
    """Write what a verdict comes to."""
    _PATHS[verdict.path](verdict, case, board)


def _new(verdict: Verdict, case: Case, board: Board) -> None:
    _store(case, board, verdict.reason or "said")


def _store(case: Case, board: Board, reason: str, **fields: object) -> Entry:
    entry = msgspec.structs.replace(case.entry, **fields)
    if case.relation:
        known = board.relation(case.relation.id) or case.relation
        turns = (*known.evidence, *(turn for turn in entry.evidence if turn not in known.evidence))
        fresh = board.relation(known.id) is None
        board.put(msgspec.structs.replace(known, evidence=turns), "created" if fresh else None, reason)
    board.put(entry, "created", reason, next(iter(entry.evidence), None))
    return entry


def _repeat(verdict: Verdict, case: Case, board: Board) -> None:
    """Nothing new: the known entry is better supported, which is worth a line."""
    for known in verdict.entries:
        said = max(filter(None, (known.said_at, case.entry.said_at)), default=None)
        more = msgspec.structs.replace(with_evidence(known, case.entry.evidence), said_at=said)
        board.put(more, "repeated", f"{verdict.reason}: {case.entry.text!r}", next(iter(case.entry.evidence), None))


def _merge(verdict: Verdict, case: Case, board: Board) -> None:
    """The known entry takes over what the claim says beyond it."""
    (known,) = verdict.entries
    new = case.entry
    merged = msgspec.structs.replace(
        with_evidence(known, new.evidence), text=new.text, object=new.object or known.object, said_at=new.said_at,
        confidence=max(known.confidence, new.confidence), importance=max(known.importance, new.importance),
        relation=known.relation or new.relation, tags=tuple(dict.fromkeys((*known.tags, *new.tags))),
        validity=msgspec.structs.replace(
            known.validity, valid_from=new.validity.valid_from or known.validity.valid_from,
            valid_to=new.validity.valid_to or known.validity.valid_to,
        ),
    )  # fmt: skip
    if case.relation and merged.relation == case.relation.id:
        board.put(case.relation)
    board.put(merged, "merged", f"{verdict.reason}; it was {known.text!r}", next(iter(new.evidence), None))


def _supersede(verdict: Verdict, case: Case, board: Board) -> None:
    """The known entries end where the new one begins. They stay, with their end."""
    new = _store(case, board, verdict.reason, supersedes=verdict.entries[0].id)
    end = new.validity.valid_from or case.said_at
    for old in verdict.entries:
        _end(old, end, "superseded", verdict.reason, board, by=new.id)


def _correct(verdict: Verdict, case: Case, board: Board) -> None:
    """The known entries never held: they are retracted from now on, not ended in the world."""
    new = _store(case, board, verdict.reason, supersedes=verdict.entries[0].id)
    for old in verdict.entries:
        gone = msgspec.structs.replace(old.validity, retracted_at=board.now)
        board.put(
            msgspec.structs.replace(old, validity=gone, superseded_by=new.id), "superseded", verdict.reason, new.id
        )
        _retract(board.relation(old.relation), board)


def _close(verdict: Verdict, case: Case, board: Board) -> None:
    new = _store(case, board, verdict.reason)
    end = new.validity.valid_to or new.validity.valid_from or case.said_at
    for old in verdict.entries:
        _end(old, end, "closed", verdict.reason, board, by=new.id)


def _end(old: Entry, end: datetime, action: Action, reason: str, board: Board, by: str) -> None:
    validity = ended(old, end)
    superseded = by if action == "superseded" else None
    board.put(msgspec.structs.replace(old, validity=validity, superseded_by=superseded), action, reason, by)
    relation = board.relation(old.relation)
    if relation and relation.validity.valid_to is None:
        board.put(msgspec.structs.replace(relation, validity=ended(relation, end)), "closed", reason, by)


def ended(item: Entry | Relation, end: datetime) -> object:
    """Return the validity of something that ended; what would end before it began never held."""
    start = item.validity.valid_from
    if start and end <= start:
        return msgspec.structs.replace(item.validity, retracted_at=item.validity.retracted_at or end)
    return msgspec.structs.replace(item.validity, valid_to=end)


def _retract(relation: Relation | None, board: Board) -> None:
    if relation:
        gone = msgspec.structs.replace(relation.validity, retracted_at=board.now)
        board.put(msgspec.structs.replace(relation, validity=gone), "retracted", "its entry was corrected")


def _beside(verdict: Verdict, case: Case, board: Board) -> None:
    """Both are kept. One of an earlier time ends where the known one begins, because only one holds at a time."""
    starts = [each.validity.valid_from for each in verdict.entries if each.validity.valid_from]
    validity = case.entry.validity
    if (
        case.single_valued
        and validity.valid_to is None
        and starts
        and validity.valid_from
        and min(starts) > validity.valid_from
    ):
        validity = msgspec.structs.replace(validity, valid_to=min(starts))
    new = _store(case, board, f"{verdict.reason}, kept beside {verdict.entries[0].id}", validity=validity)
    for old in verdict.entries:
        board.tell(old.id, "kept", f"{verdict.reason}: {case.entry.text!r}", new.id)


def _refuse(verdict: Verdict, case: Case, board: Board) -> None:
    board.refuse(case.entry.text, "duplicate", verdict.reason, case.entry.evidence)
    for old in verdict.entries:
        board.tell(
            old.id, "kept", f"{verdict.reason}; refused {case.entry.text!r}", next(iter(case.entry.evidence), None)
        )


def _weaken_old(verdict: Verdict, case: Case, board: Board) -> None:
    new = _store(case, board, verdict.reason)
    for old in verdict.entries:
        weaker = msgspec.structs.replace(old, confidence=old.confidence * WEAKENED)
        board.put(weaker, "weakened", verdict.reason, new.id)


def _weaken_new(verdict: Verdict, case: Case, board: Board) -> None:
    new = _store(case, board, verdict.reason, confidence=case.entry.confidence * WEAKENED)
    board.tell(new.id, "weakened", verdict.reason, verdict.entries[0].id)
    for old in verdict.entries:
        board.tell(old.id, "kept", verdict.reason, new.id)


def _dispute(verdict: Verdict, case: Case, board: Board) -> None:
    """Neither is touched until somebody says which one holds."""
    new = _store(case, board, verdict.reason)
    entries = (*(old.id for old in verdict.entries), new.id)
    known = " or ".join(f"“{text}”" for text in (*(old.text for old in verdict.entries), new.text))
    board.put(
        Dispute(
            id=board.new_id("dispute"),
            space=new.space,
            kind="review" if verdict.path == "review" else "clarify",
            question=f"Which is right: {known}?",
            entries=entries,
            recorded_at=board.now,
        )
    )
    for id in entries:
        board.tell(id, "disputed", verdict.reason, new.id)


_PATHS: Mapping[Path, Callable[[Verdict, Case, Board], None]] = {
    "new": _new, "repeat": _repeat, "merge": _merge, "supersede": _supersede, "correct": _correct, "close": _close,
    "beside": _beside, "refuse": _refuse, "weaken_old": _weaken_old, "weaken_new": _weaken_new,
    "clarify": _dispute, "review": _dispute,
}  # fmt: skip

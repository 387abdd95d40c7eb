"""What a person or a model writes directly: save, change, pin, close, answer a dispute, merge entities and undo that.

Each returns a Delta (or what is there already) and leaves a line in the history of all that it touches.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Literal, get_args

import msgspec
from msgspec import Struct

from graphmem.errors import Conflict, InvalidInput, NotFound
from graphmem.settings import DistilSettings
from graphmem.types import Dispute, Entity, Entry, EntryType, Relation, SourceType, Validity
from graphmem.words import terms
from graphmem.write.claims import Claim
from graphmem.write.settle.board import Board, with_evidence
from graphmem.write.settle.entities import Embed, Entities
from graphmem.write.settle.gate import LONGEST, SHORTEST
from graphmem.write.settle.likeness import alike, numbers
from graphmem.write.settle.verdicts import is_live

# Cosine from which a saved text is the one that is there: what is written by hand is dropped on no less.
SAME_MEANING = 0.92
TYPES: tuple[EntryType, ...] = get_args(EntryType)
Keep = Literal["both", "neither"]
_CUES: tuple[tuple[EntryType, re.Pattern[str]], ...] = (
    ("instruction", re.compile(r"^(please |from now on,? |always |never |do not |don't |make sure |remember to |use |answer |reply |call me )|\balways (include|use|answer|reply|write|add)\b", re.IGNORECASE)),
    ("preference", re.compile(r"\b(prefers?|likes?|loves?|enjoys?|hates?|dislikes?|favou?rite|can't stand|rather|fan of|wants?)\b", re.IGNORECASE)),
    ("correction", re.compile(r"^(actually|correction|no,)\b|\bnot .+ but\b", re.IGNORECASE)),
    ("decision", re.compile(r"\b(decided|chose|chosen|picked|settled on|went with|going with|agreed)\b", re.IGNORECASE)),
    ("commitment", re.compile(r"\b(will|promised|plans? to|going to|has to|must|needs? to|by (mon|tues|wednes|thurs|fri|satur|sun)day)\b", re.IGNORECASE)),
    ("skill", re.compile(r"\b(knows how to|can (speak|play|write|code|cook)|fluent in|experienced (with|in)|good at|expert in)\b", re.IGNORECASE)),
    ("relationship", re.compile(r"\b(sister|brother|mother|father|wife|husband|partner|daughter|son|friend|boss|colleague|manager)\b", re.IGNORECASE)),
)  # fmt: skip


def category_of(text: str) -> EntryType:
    """Return the type that a text written by hand most likely has: no model is asked, and a fact is the rest."""
    return next((type for type, cue in _CUES if cue.search(text)), "fact")


def checked(text: object) -> str:
    """Return a text that can be an entry."""
    if not isinstance(text, str):
        raise InvalidInput("text", f"expected text, got {type(text).__name__}")
    clean = " ".join(text.split())
    if not SHORTEST <= len(clean) <= LONGEST:
        raise InvalidInput("text", f"has {len(clean)} characters; an entry has {SHORTEST} to {LONGEST}")
    if any(ord(char) < 32 or ord(char) == 127 for char in clean):
        raise InvalidInput("text", "has control characters; remove them")
    try:
        clean.encode()
    except UnicodeEncodeError:
        raise InvalidInput("text", "is not valid Unicode; decode it with the right encoding") from None
    return clean


class Wish(Struct, frozen=True, kw_only=True):
    """What somebody wants to be remembered; without a type it is inferred. ``claim`` is what its text was read as."""

    text: str
    type: EntryType | None = None
    source: SourceType = "user"
    user: str | None = None
    evidence: tuple[str, ...] = ()
    pinned: bool = False
    expires_at: datetime | None = None
    claim: Claim | None = None


def save(board: Board, wish: Wish, settings: DistilSettings, embed: Embed | None) -> Entry:
    """Write one entry, or return the one that says the same already."""
    for field, value, known in (
        ("category", wish.type or "fact", TYPES),
        ("source", wish.source, get_args(SourceType)),
    ):
        if value not in known:
            raise InvalidInput(field, f"{value!r} is not one of {', '.join(known)}")
    text, importance = checked(wish.text), 1.0 if wish.pinned else 0.7
    entry = Entry(
        id=board.new_id("entry"), space=board.view.space, type=wish.type or category_of(text), text=text,
        validity=Validity(recorded_at=board.now), source_type=wish.source,
        confidence=1.0 if wish.source == "user" else 0.9, importance=importance, original_importance=importance,
        evidence=wish.evidence, user=wish.user, said_at=board.now, pinned=wish.pinned, expires_at=wish.expires_at,
    )  # fmt: skip
    if wish.claim:
        subject = Entities(board, embed, wish.user).of(wish.claim.subject)
        entry = msgspec.structs.replace(
            entry, subject=subject.id, predicate=wish.claim.predicate, object=wish.claim.object,
            negated=wish.claim.negated, identity=wish.claim.identity,
        )  # fmt: skip
    known_ = _same(board, entry, settings, embed)
    if known_ is None:
        why = "pinned by hand" if wish.pinned else f"saved by the {wish.source}"
        board.put(entry, "created", why, next(iter(wish.evidence), None))
        return entry
    again = with_evidence(known_, entry.evidence)
    if wish.pinned and not known_.pinned:
        again = msgspec.structs.replace(
            again, pinned=True, importance=1.0, subject=again.subject or entry.subject,
            predicate=again.predicate or entry.predicate, object=again.object or entry.object,
        )  # fmt: skip
    board.put(again, "repeated", f"saved again: {entry.text!r}")
    return again


def _same(board: Board, entry: Entry, settings: DistilSettings, embed: Embed | None) -> Entry | None:
    found = [id for id, _ in board.view.by_words(terms(entry.text), limit=10, kinds=("entry",))]
    for known in filter(None, map(board.entry, found)):
        if is_live(known, board.now) and known.user == entry.user and alike(entry, known, settings.jaccard_duplicate):
            return known
    if embed is None:
        return None
    scored = board.view.by_vector(embed([entry.text])[0], limit=3, kinds=("entry",))
    meant = [board.entry(id) for id, score in scored if score >= max(settings.cosine_duplicate, SAME_MEANING)]
    for known in filter(None, meant):
        same_numbers = numbers(known.text) == numbers(entry.text)
        if is_live(known, board.now) and same_numbers and known.user == entry.user:
            return known
    return None


def update(
    board: Board, id: str, *, text: str | None, type: EntryType | None, importance: float | None, reason: str
) -> Entry:
    """Change an entry in place; its history keeps what it was."""
    entry = _entry(board, id)
    if type is not None and type not in TYPES:
        raise InvalidInput("category", f"{type!r} is not one of {', '.join(TYPES)}")
    if importance is not None and not 0 <= importance <= 1:
        raise InvalidInput("importance", f"{importance!r} is not a number from 0 to 1")
    changed = msgspec.structs.replace(
        entry, text=entry.text if text is None else checked(text), type=type or entry.type,
        importance=entry.importance if importance is None else importance, source_type="user",
    )  # fmt: skip
    if changed == entry:
        return entry
    board.put(changed, "updated", reason or f"changed by hand; it was {entry.text!r}")
    return changed


def answer(board: Board, id: str, keep: str) -> Dispute:
    """Settle a dispute: keep one of its entries, ``both`` or ``neither``; the others are retracted."""
    dispute = board.view.get(id)
    if not isinstance(dispute, Dispute):
        raise NotFound("dispute", id, board.view.space)
    if dispute.resolution is not None:
        raise Conflict(f"dispute {id} was settled before ({dispute.resolution})")
    if keep not in (*dispute.entries, *get_args(Keep)):
        raise InvalidInput("keep", f"{keep!r} is not one of {', '.join((*dispute.entries, *get_args(Keep)))}")
    for each in filter(None, map(board.entry, dispute.entries)):
        if keep in ("both", each.id):
            board.put(
                msgspec.structs.replace(each, confidence=1.0, source_type="user"), "resolved", "confirmed by hand", id
            )
        else:
            board.retract(each, "resolved", "found wrong by hand", id)
    settled = msgspec.structs.replace(dispute, resolution=keep, resolved_at=board.now)
    board.put(settled)
    return settled


def merge(board: Board, into: str, other: str) -> Entity:
    """Say that two entities are one: ``other`` gives its names, relations and entries to ``into``."""
    kept, gone = _entity(board, into), _entity(board, other)
    if kept.id == gone.id:
        raise InvalidInput("other", f"{other} is the same entity")
    aliases = tuple(dict.fromkeys((*kept.aliases, gone.name, *gone.aliases)))
    merged = msgspec.structs.replace(
        kept, aliases=tuple(each for each in aliases if each != kept.name),
        evidence=tuple(dict.fromkeys((*kept.evidence, *gone.evidence))),
    )  # fmt: skip
    board.put(merged, "merged", f"{gone.name!r} is the same", gone.id)
    board.put(msgspec.structs.replace(gone, merged_into=kept.id), "merged", f"it is {kept.name!r}", kept.id)
    for relation in board.view.relations_of(gone.id):
        board.put(_moved(relation, gone.id, kept.id), "merged", f"{gone.name!r} is {kept.name!r}", gone.id)
    for entry in board.view.about(gone.id):
        board.put(msgspec.structs.replace(entry, subject=kept.id), "merged", f"{gone.name!r} is {kept.name!r}", gone.id)
    return merged


def split(board: Board, id: str) -> Entity:
    """Undo a merge: everything that it moved goes back to where it was, as its history says."""
    gone = board.view.get(id)
    if not isinstance(gone, Entity) or gone.merged_into is None:
        raise InvalidInput("id", f"{id} is no entity that was merged into another")
    kept = _entity(board, gone.merged_into)
    back = msgspec.structs.replace(gone, merged_into=None)
    theirs = {gone.name, *gone.aliases}
    board.put(back, "restored", f"it is not {kept.name!r}", kept.id)
    own = tuple(each for each in kept.aliases if each not in theirs)
    board.put(msgspec.structs.replace(kept, aliases=own), "updated", f"{gone.name!r} is another", gone.id)
    for relation in board.view.relations_of(kept.id):
        if (before := _before_merge(board, relation.id, gone.id)) and isinstance(before, Relation):
            restored = msgspec.structs.replace(relation, subject=before.subject, object=before.object)
            board.put(restored, "restored", f"{gone.name!r} is another", gone.id)
    for entry in board.view.about(kept.id):
        if isinstance(_before_merge(board, entry.id, gone.id), Entry):
            board.put(msgspec.structs.replace(entry, subject=gone.id), "restored", f"{gone.name!r} is another", gone.id)
    return back


def _before_merge(board: Board, id: str, gone: str) -> object:
    """Return an item as it was before it was moved away from ``gone``, if it was."""
    before: object = None
    for step in board.view.history(id):
        if step.change.action == "merged" and step.change.by == gone:
            return before
        before = step.item
    return None


def _moved(relation: Relation, old: str, new: str) -> Relation:
    return msgspec.structs.replace(
        relation,
        subject=new if relation.subject == old else relation.subject,
        object=new if relation.object == old else relation.object,
    )


def _entry(board: Board, id: str) -> Entry:
    found = board.view.get(id)
    if not isinstance(found, Entry):
        raise NotFound("entry", id, board.view.space)
    return found


def _entity(board: Board, id: str) -> Entity:
    found = board.view.get(id)
    if not isinstance(found, Entity):
        raise NotFound("entity", id, board.view.space)
    return found

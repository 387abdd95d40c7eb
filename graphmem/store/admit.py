"""Refuse a Delta that would not fit: whatever gets past this can be journalled, applied and rebuilt.

Every id that an item points at has to be in the Delta or already in the same space, so nothing can reach across spaces.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from datetime import datetime
from typing import Any

from graphmem.errors import InvalidInput
from graphmem.ids import kind_of
from graphmem.store.indexed import kind_of_item, kind_of_part
from graphmem.store.journal import Journal
from graphmem.types import (
    Change,
    Delta,
    Dispute,
    Distilled,
    Entity,
    Entry,
    Episode,
    Item,
    Refusal,
    Relation,
    Turn,
    Validity,
)


def admit(delta: Delta, journal: Journal) -> None:
    """Raise InvalidInput unless ``delta`` can be committed after what is there."""
    own: dict[str, Item] = {}
    for item in delta.items():
        if item.id in own:
            raise InvalidInput(item.id, "stands twice in one commit")
        own[item.id] = item
        _check_item(item, delta, journal)
    for holder, kind, id in ((item.id, *pointer) for item in own.values() for pointer in _pointers(item)):
        if kind_of(id) != kind:
            raise InvalidInput(holder, f"points at {id}, which is no {kind}")
        if id not in own:
            _check_known(id, kind, delta, journal, f"{holder} points at it")
    for deletion in delta.deletions:
        if deletion.id in own:
            raise InvalidInput(deletion.id, "is written and deleted in one commit")
        _check_aware(deletion.id, [deletion.at])
        _check_known(deletion.id, None, delta, journal, "it is to be deleted")
    _check_notes(delta, own, journal)


def _check_notes(delta: Delta, own: Container[str], journal: Journal) -> None:
    """What is only written about items must name items of this space, too."""
    for holder, kind, id in _named_in_notes(delta):
        if id not in own:
            _check_known(id, kind, delta, journal, f"{holder} names it")
    notes: tuple[Change | Refusal | Distilled, ...] = (*delta.changes, *delta.refusals, *delta.distilled)
    for note in notes:
        _check_aware(type(note).__name__.lower(), [note.at])


def _named_in_notes(delta: Delta) -> Iterator[tuple[str, str | None, str]]:
    for change in delta.changes:
        yield from (("a history", None, id) for id in (change.item, change.by) if id)
    for refusal in delta.refusals:
        yield from (("a refused claim", "turn", id) for id in refusal.evidence)
    for each in delta.distilled:
        yield "a distilled session", "session", each.session
        yield "a distilled session", "turn", each.until


def _check_item(item: Item, delta: Delta, journal: Journal) -> None:
    kind = kind_of_item(item)
    if kind_of(item.id) != kind:
        raise InvalidInput(item.id, f"is not the id of a {kind}")
    if item.space != delta.space:
        raise InvalidInput(item.id, f"belongs to space {item.space!r}, the commit to {delta.space!r}")
    _check_aware(item.id, _times(item))
    if isinstance(item, Turn | Episode):
        _check_session(item, delta, journal)
    # The journal's own constraints refuse a turn, session or ref that is already here.
    if kind not in ("turn", "session") and journal.place(item.id):
        _check_known(item.id, kind, delta, journal, "it is to be replaced")


def _check_known(id: str, kind: str | None, delta: Delta, journal: Journal, why: str) -> None:
    place, space = journal.place(id), journal.space_number(delta.space)
    if place is None or place[1] // 8 != space or (kind and kind_of_part(place[1]) != kind):
        raise InvalidInput(id, f"is no {kind or 'item'} of space {delta.space!r}, but {why}")


def _check_session(item: Turn | Episode, delta: Delta, journal: Journal) -> None:
    opened = (session.id for session in delta.sessions if session.name == item.session)
    if item.session_id != (journal.session_id(delta.space, item.session) or next(opened, None)):
        raise InvalidInput(item.id, f"belongs to session {item.session!r}, which is not {item.session_id} in its space")


def _pointers(item: Item) -> Iterator[tuple[str, str]]:
    """Yield (kind, id) of everything that an item points at."""
    if isinstance(item, Relation):
        yield "entity", item.subject
        yield "entity", item.object
    if isinstance(item, Entry):
        yield from (("entry", id) for id in (item.supersedes, item.superseded_by) if id)
        yield from (("entity", id) for id in (item.subject,) if id)
        yield from (("relation", id) for id in (item.relation,) if id)
    if isinstance(item, Entity) and item.merged_into:
        yield "entity", item.merged_into
    if isinstance(item, Dispute):
        yield from (("entry", id) for id in item.entries)
    yield from (("turn", id) for id in getattr(item, "evidence", ()))


def _times(item: Any) -> Iterator[datetime]:
    for field in item.__struct_fields__:
        value = getattr(item, field)
        if isinstance(value, Validity):
            yield from _times(value)
        elif isinstance(value, datetime):
            yield value


def _check_aware(id: str, times: Iterable[datetime]) -> None:
    for time in times:
        if time.utcoffset() is None:
            raise InvalidInput(id, f"has a time without zone, {time}")

"""Lists of what is known in a space, filtered and cut into pages."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TypeVar, get_args

from graphmem.errors import InvalidInput, NotFound
from graphmem.store import View
from graphmem.types import Dispute, Entity, Entry, EntryType, Relation
from graphmem.words import fold, keys_of, terms

T = TypeVar("T")
MOST = 10000
# What the identity block holds at most: it is in every context.
IDENTITY_LINES = 20
# More than these are not asked at once.
MOST_ASKED = 3


def page(found: Sequence[T], limit: int, offset: int) -> tuple[T, ...]:
    """Return one page."""
    for name, value, least in (("limit", limit, 1), ("offset", offset, 0)):
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= MOST:
            raise InvalidInput(name, f"{value!r} is not a whole number from {least} to {MOST}")
    return tuple(found[offset : offset + limit])


def holds(item: Entry | Relation, at: datetime) -> bool:
    """Say whether an item is held to be true at a time."""
    validity = item.validity
    over = validity.valid_to is not None and validity.valid_to <= at
    gone = validity.retracted_at is not None or (isinstance(item, Entry) and item.superseded_by is not None)
    expired = isinstance(item, Entry) and item.expires_at is not None and item.expires_at <= at
    return not (over or gone or expired)


def entries(
    view: View, now: datetime, *, category: EntryType | None, subject: str | None, q: str | None, user: str | None,
    active: bool | None,
) -> list[Entry]:  # fmt: skip
    """Return entries, newest first."""
    if category is not None and category not in get_args(EntryType):
        raise InvalidInput("category", f"{category!r} is not one of {', '.join(get_args(EntryType))}")
    about = None if subject is None else {each.id for each in named(view, subject)}
    wanted = fold(q) if q else None
    return [
        each
        for each in reversed(view.all("entry"))
        if (active is None or holds(each, now) == active)
        and category in (None, each.type)
        and user in (None, each.user)
        and (about is None or each.subject in about)
        and (wanted is None or wanted in fold(each.text))
    ]


def entities(view: View, *, type: str | None, q: str | None) -> list[Entity]:
    """Return entities by name; merged ones are under the entity that they turned out to be."""
    wanted = fold(q) if q else None
    found = [
        each
        for each in view.all("entity")
        if not each.merged_into
        and type in (None, each.type)
        and (wanted is None or any(wanted in fold(name) for name in (each.name, *each.aliases)))
    ]
    return sorted(found, key=lambda each: (fold(each.name), each.id))


def relations(
    view: View, now: datetime, *, entity: str | None, predicate: str | None, active: bool | None
) -> list[Relation]:
    """Return relations, newest first."""
    if entity is None:
        found: list[Relation] = view.all("relation")
    else:
        found = [each for thing in named(view, entity) for each in view.relations_of(thing.id)]
    return [
        each
        for each in sorted({r.id: r for r in found}.values(), key=lambda r: r.id, reverse=True)
        if predicate in (None, each.predicate) and (active is None or holds(each, now) == active)
    ]


def named(view: View, name: str) -> list[Entity]:
    """Return the entities with this id or name; a name nobody has is an error, because it is most often mistyped."""
    item = view.get(name)
    if isinstance(item, Entity):
        return [item]
    exact = fold(name)
    found = [
        e for e in view.named(keys_of(name)) if exact in {fold(e.name), *map(fold, e.aliases)} and not e.merged_into
    ]
    if not found:
        raise NotFound("entity", name, view.space)
    return found


def disputes(view: View, *, open: bool | None) -> list[Dispute]:
    """Return contradictions: open ones, settled ones or all. One whose entries are no longer at odds is settled, too."""
    found: list[Dispute] = view.all("dispute")
    return [each for each in found if open is None or _is_open(each, view) == open]


def _is_open(dispute: Dispute, view: View) -> bool:
    if dispute.resolution is not None:
        return False
    entries = [each for each in view.get_many(dispute.entries).values() if isinstance(each, Entry)]
    return sum(each.superseded_by is None and each.validity.retracted_at is None for each in entries) > 1


def clarifications(question: str, view: View, *, user: str | None) -> tuple[Dispute, ...]:
    """Return what is to be asked of the user, those that have to do with the question first."""
    wanted = set(terms(question))
    asked = [each for each in disputes(view, open=True) if each.kind == "clarify" and _concerns(each, view, user)]
    order = sorted(asked, key=lambda each: (-len(wanted & set(terms(each.question))), each.id))
    return tuple(order[:MOST_ASKED])


def _concerns(dispute: Dispute, view: View, user: str | None) -> bool:
    entries = view.get_many(dispute.entries).values()
    return user is None or all(getattr(each, "user", None) in (None, user) for each in entries)


def identity(view: View, now: datetime) -> str:
    """Return overrides, then standing instructions and identity-grade facts, most important first."""
    live = [each for each in view.all("entry") if holds(each, now)]
    pinned = [each for each in live if each.pinned]
    grade = sorted(
        (each for each in live if not each.pinned and (each.identity or each.type == "instruction")),
        key=lambda each: (-each.importance, each.id),
    )
    return "\n".join(f"- {text}" for text in list(dict.fromkeys(e.text for e in (*pinned, *grade)))[:IDENTITY_LINES])

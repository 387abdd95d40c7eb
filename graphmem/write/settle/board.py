"""The board: a view of a space with what is being written laid over it, so that each claim sees those before it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec

from graphmem.ids import Mint
from graphmem.store import View
from graphmem.types import (
    Action,
    Change,
    Delta,
    Dispute,
    Distilled,
    Entity,
    Entry,
    Episode,
    Item,
    Level,
    Profile,
    Refusal,
    Relation,
)


class Board:
    """Collects one Delta. Whatever is put twice is written once, as it was last."""

    def __init__(self, view: View, mint: Mint, now: datetime) -> None:
        self.view, self.now, self._mint = view, now, mint
        self._items: dict[str, Item] = {}
        self._changes: list[Change] = []
        self._refusals: list[Refusal] = []
        self._distilled: list[Distilled] = []

    def new_id(self, kind: str) -> str:
        """Mint an id."""
        return self._mint.new(kind, self.now)

    def put(self, item: Item, action: Action | None = None, reason: str = "", by: str | None = None) -> None:
        """Write an item and, with an action, a line of its history."""
        self._items[item.id] = item
        if action:
            self.tell(item.id, action, reason, by)

    def tell(self, id: str, action: Action, reason: str, by: str | None = None) -> None:
        """Write a line into the history of an item."""
        self._changes.append(Change(item=id, at=self.now, action=action, reason=reason, by=by))

    def retract(self, entry: Entry, action: Action, reason: str, by: str | None = None) -> None:
        """Say that an entry, and the relation that says the same, is not held to be true any more."""
        gone = msgspec.structs.replace(entry.validity, retracted_at=self.now)
        self.put(msgspec.structs.replace(entry, validity=gone), action, reason, by)
        if relation := self.relation(entry.relation):
            gone = msgspec.structs.replace(relation.validity, retracted_at=self.now)
            self.put(msgspec.structs.replace(relation, validity=gone), "retracted", reason, by)

    def refuse(self, text: str, level: Level, reason: str, evidence: Sequence[str]) -> None:
        """Keep what was not stored, and why."""
        self._refusals.append(
            Refusal(text=text[:500], level=level, reason=reason, at=self.now, evidence=tuple(evidence))
        )

    def mark(self, distilled: Distilled) -> None:
        """Say how far a session is distilled with this write."""
        self._distilled.append(distilled)

    def entry(self, id: str) -> Entry | None:
        """Return an entry as it stands now."""
        found = self._items.get(id) or self.view.get(id)
        return found if isinstance(found, Entry) else None

    def entries_of(self, ids: Sequence[str]) -> list[Entry]:
        """Return entries as they stand now, in the order of their ids given."""
        stored = self.view.get_many([id for id in ids if id not in self._items])
        found = (self._items.get(id) or stored.get(id) for id in ids)
        return [each for each in found if isinstance(each, Entry)]

    def relation(self, id: str | None) -> Relation | None:
        """Return a relation as it stands now."""
        found = (self._items.get(id) or self.view.get(id)) if id else None
        return found if isinstance(found, Relation) else None

    def family(self, subject: str, predicates: Sequence[str | None]) -> list[Entry]:
        """Return the entries about a subject under these predicates, as they stand now."""
        mine = [e for e in self.entries() if e.subject == subject and e.predicate in predicates]
        kept = [e for e in self.view.family(subject, predicates) if e.id not in self._items]
        return sorted([*kept, *mine], key=lambda entry: entry.id)

    def relations_of(self, entity: str) -> list[Relation]:
        """Return the relations that an entity is in, as they stand now."""
        mine = [r for r in self._items.values() if isinstance(r, Relation) and entity in (r.subject, r.object)]
        return [*(r for r in self.view.relations_of(entity) if r.id not in self._items), *mine]

    def named(self, keys: Sequence[str], known: Sequence[Entity]) -> list[Entity]:
        """Return stored entities with one of these keys, and ``known`` ones of this write, as they stand now."""
        stored = [self._items.get(each.id, each) for each in self.view.named(keys)]
        return [each for each in (*stored, *known) if isinstance(each, Entity) and not each.merged_into]

    def entries(self) -> list[Entry]:
        """Return the entries of this write."""
        return [item for item in self._items.values() if isinstance(item, Entry)]

    def empty(self) -> bool:
        """Say whether nothing is to be written."""
        return not (self._items or self._changes or self._refusals or self._distilled)

    def delta(self) -> Delta:
        """Return all of it as one value."""
        items = self._items.values()
        return Delta(
            space=self.view.space,
            at=self.now,
            episodes=tuple(i for i in items if isinstance(i, Episode)),
            entities=tuple(i for i in items if isinstance(i, Entity)),
            relations=tuple(i for i in items if isinstance(i, Relation)),
            entries=tuple(i for i in items if isinstance(i, Entry)),
            profiles=tuple(i for i in items if isinstance(i, Profile)),
            disputes=tuple(i for i in items if isinstance(i, Dispute)),
            changes=tuple(self._changes),
            refusals=tuple(self._refusals),
            distilled=tuple(self._distilled),
        )


def with_evidence(entry: Entry, turns: Sequence[str]) -> Entry:
    """Return an entry that these turns support, too."""
    fresh = [turn for turn in turns if turn not in entry.evidence]
    if not fresh:
        return entry
    return msgspec.structs.replace(
        entry, evidence=(*entry.evidence, *fresh), source_count=entry.source_count + len(fresh)
    )

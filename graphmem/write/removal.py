"""What goes with something that is deleted: what is known from it alone goes, what has other evidence stays."""

from __future__ import annotations

import msgspec

from graphmem.store import View
from graphmem.types import Deletion, Delta, Entity, Entry, Episode, Item, Profile, Relation, Turn
from graphmem.write.settle.board import Board


def removal(item: Item, view: View, board: Board, reason: str) -> Delta:
    """Return the Delta that deletes an item. Entities stay: to have been spoken of is no more than a name."""
    gone = [item.id]
    for each in view.supported_by(item.id) if isinstance(item, Turn) else ():
        left = tuple(turn for turn in getattr(each, "evidence", ()) if turn != item.id)
        if isinstance(each, Episode) or (not left and isinstance(each, Entry | Relation) and not _by_hand(each)):
            gone.append(each.id)
        elif isinstance(each, Entity | Entry | Relation | Profile):
            board.put(msgspec.structs.replace(each, evidence=left))
    if isinstance(item, Entry) and (relation := board.relation(item.relation)):
        gone.append(relation.id)
    for id in gone:
        board.tell(id, "deleted", reason or ("deleted" if id == item.id else f"known from {item.id} alone"))
    deletions = tuple(Deletion(id=id, at=board.now, reason=reason) for id in gone)
    return msgspec.structs.replace(board.delta(), deletions=deletions)


def _by_hand(item: Entry | Relation) -> bool:
    return isinstance(item, Entry) and (item.pinned or item.source_type != "extracted")

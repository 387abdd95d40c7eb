"""question -> channels -> fuse -> hydrate -> Recall. Start reading here."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from msgspec import Struct

from graphmem.read.fuse import fuse
from graphmem.settings import ReadSettings
from graphmem.store import View
from graphmem.types import Entry, Episode, Evidence, Hit, Item, Kind, Recall, Relation, Turn
from graphmem.words import terms

Embed = Callable[[str], Any]
QUOTE = 300


class Scope(Struct, frozen=True, kw_only=True):
    """What may be an answer: of which kinds, how many at most, to whom, and as of when things have to hold."""

    kinds: tuple[Kind, ...]
    limit: int
    now: datetime
    user: str | None = None

    def allows(self, item: Item) -> bool:
        """Say whether an item may be shown: of this user or of nobody, and not known to be wrong or out of date."""
        if self.user is not None and getattr(item, "user", None) not in (None, self.user):
            return False
        if isinstance(item, Entry | Relation) and item.validity.retracted_at is not None:
            return False
        if isinstance(item, Entry):
            return item.superseded_by is None and (item.expires_at is None or item.expires_at > self.now)
        return True


def recall(question: str, *, view: View, embed: Embed | None, scope: Scope, settings: ReadSettings) -> Recall:
    """Answer ``question`` with what the memory holds, best first; without an embedder words alone answer."""
    pool = max(settings.pool, 2 * scope.limit)
    scores = {"words": dict(view.by_words(terms(question), limit=pool, kinds=scope.kinds))}
    if embed is not None:
        scores["vectors"] = dict(view.by_vector(embed(question), limit=pool, kinds=scope.kinds))
    hits: list[Hit] = []
    fused = fuse(scores, settings)
    for start in range(0, len(fused), scope.limit):
        best = fused[start : start + scope.limit]
        items = view.get_many([id for id, _ in best])
        hits += [
            _hit(items[id], score, {c: s[id] for c, s in scores.items() if id in s}, view)
            for id, score in best
            if id in items and scope.allows(items[id])
        ]
        if len(hits) >= scope.limit:
            break
    return Recall(question=question, space=view.space, hits=tuple(hits[: scope.limit]), channels=tuple(scores))


def _hit(item: Item, score: float, channels: dict[str, float], view: View) -> Hit:
    if isinstance(item, Turn):
        return Hit(
            id=item.id, kind="turn", text=item.text, score=score, channels=channels, evidence=(_quote(item),), at=item.at,
            session=item.session, speaker=item.speaker, ref=item.ref,
        )  # fmt: skip
    turns = [turn for turn in view.get_many(getattr(item, "evidence", ())).values() if isinstance(turn, Turn)]
    evidence = tuple(map(_quote, turns))
    if isinstance(item, Episode):
        return Hit(
            id=item.id, kind="episode", text=item.summary, score=score, channels=channels, evidence=evidence, at=item.at,
            session=item.session,
        )  # fmt: skip
    assert isinstance(item, Entry | Relation)  # noqa: S101 - these four are what can be searched
    at = item.validity.valid_from or getattr(item, "said_at", None) or item.validity.recorded_at
    kind: Kind = "entry" if isinstance(item, Entry) else "relation"
    return Hit(
        id=item.id, kind=kind, text=item.text, score=score, channels=channels, evidence=evidence, at=at,
        validity=item.validity,
    )  # fmt: skip


def _quote(turn: Turn) -> Evidence:
    quote = turn.text if len(turn.text) <= QUOTE else turn.text[: QUOTE - 1] + "…"
    return Evidence(turn=turn.id, quote=quote, at=turn.at, speaker=turn.speaker, ref=turn.ref)

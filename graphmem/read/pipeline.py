"""question -> channels -> fuse -> hydrate -> Recall. Start reading here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from graphmem.read.fuse import fuse
from graphmem.settings import ReadSettings
from graphmem.store import View
from graphmem.types import Entry, Episode, Evidence, Hit, Item, Kind, Recall, Relation, Turn
from graphmem.words import terms

Embed = Callable[[str], Any]
QUOTE = 300


def recall(
    question: str, *, view: View, embed: Embed | None, kinds: Sequence[Kind], limit: int, settings: ReadSettings
) -> Recall:
    """Answer ``question`` with what the memory holds, best first; without an embedder words alone answer."""
    pool = max(settings.pool, 2 * limit)
    scores = {"words": dict(view.by_words(terms(question), limit=pool, kinds=kinds))}
    if embed is not None:
        scores["vectors"] = dict(view.by_vector(embed(question), limit=pool, kinds=kinds))
    fused = fuse(scores, settings)
    best = fused[:limit]
    items = view.get_many([id for id, _ in best])
    hits = [
        _hit(items[id], score, {c: s[id] for c, s in scores.items() if id in s}, view)
        for id, score in best
        if id in items
    ]
    return Recall(question=question, space=view.space, hits=tuple(hits), channels=tuple(scores))


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
    at = item.validity.valid_from or item.validity.recorded_at
    kind: Kind = "entry" if isinstance(item, Entry) else "relation"
    return Hit(id=item.id, kind=kind, text=item.text, score=score, channels=channels, evidence=evidence, at=at)


def _quote(turn: Turn) -> Evidence:
    quote = turn.text if len(turn.text) <= QUOTE else turn.text[: QUOTE - 1] + "…"
    return Evidence(turn=turn.id, quote=quote, at=turn.at, speaker=turn.speaker, ref=turn.ref)

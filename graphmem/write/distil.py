"""Which turns of a session are to be distilled, and what the extractor is asked about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from graphmem.ontology import Ontology, load
from graphmem.settings import DistilSettings
from graphmem.store import View
from graphmem.types import Entry, Episode, Turn
from graphmem.write.claims import Draft, Mention
from graphmem.write.settle.pipeline import Sitting
from graphmem.write.worker import Request

Extract = Callable[[Request], Draft]
# Entities whose names are told to the extractor, so that a session knows who was spoken of before.
KNOWN = 300


def sitting_of(session: str, view: View, settings: DistilSettings) -> Sitting | None:
    """Return the part of a session that is to be distilled next, or ``None`` when all of it has been.

    New turns go on with the last episode until it is full; what is already distilled of it serves as context.
    """
    turns = view.turns(session)
    done = view.distilled(session)
    fresh = [turn for turn in turns if done is None or turn.id > done.until]
    if not fresh:
        return None
    episode = _last_episode(turns, fresh[0], view)
    first = turns.index(fresh[0])
    start = _place(turns, episode.evidence[0], first) if episode and episode.evidence else first
    if first - start >= settings.episode_turns:
        start, episode = first, None
    taken = tuple(turns[start : max(first + 1, start + settings.episode_turns)])
    return Sitting(turns=taken, fresh_from=first - start, episode=episode)


def _last_episode(turns: Sequence[Turn], fresh: Turn, view: View) -> Episode | None:
    before = [turn for turn in turns if turn.id < fresh.id]
    if not before:
        return None
    episodes = [item for item in view.supported_by(before[-1].id) if isinstance(item, Episode)]
    return episodes[-1] if episodes else None


def _place(turns: Sequence[Turn], id: str, otherwise: int) -> int:
    return next((place for place, turn in enumerate(turns) if turn.id >= id), otherwise)


def request_for(sitting: Sitting, view: View, settings: DistilSettings) -> Request:
    """Return what the extractor is to be asked."""
    entities = view.all("entity")[-KNOWN:]
    known = tuple(Mention(name=each.name, type=each.type, aliases=each.aliases) for each in entities)
    return Request(
        turns=sitting.turns, ontology=ontology_of(view, settings), parser=settings.parser,
        fresh_from=sitting.fresh_from, known=known,
    )  # fmt: skip


@lru_cache(maxsize=16)
def ontology(names: tuple[str, ...]) -> Ontology:
    """Return ontologies laid over each other; a file that was changed is read when the program next starts."""
    return load(*names)


def ontology_of(view: View, settings: DistilSettings) -> tuple[str, ...]:
    """Return the ontologies of a space: those that it chose, or those of the settings."""
    names = view.chosen("ontology") or settings.ontology
    return tuple(name.strip() for name in names.split(",") if name.strip())


def whole_episodes(session: str, view: View, settings: DistilSettings) -> list[Sitting]:
    """Return a session anew, episode by episode, each with what was made of it before."""
    turns = view.turns(session)
    sittings = []
    for start in range(0, len(turns), settings.episode_turns):
        part = tuple(turns[start : start + settings.episode_turns])
        ids = {turn.id for turn in part}
        found = {item.id: item for id in ids for item in view.supported_by(id)}
        before = tuple(
            item for item in found.values()
            if isinstance(item, Entry) and item.source_type == "extracted" and not item.pinned and ids >= set(item.evidence)
        )  # fmt: skip
        episodes = sorted((item for item in found.values() if isinstance(item, Episode)), key=lambda each: each.id)
        sittings.append(Sitting(turns=part, before=before, episode=episodes[0] if episodes else None))
    return sittings

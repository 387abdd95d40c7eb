"""Items and commits to write: small, distinct, and each with its neighbours."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import msgspec

from graphmem.ids import Mint
from graphmem.store import Store
from graphmem.testing import HashEmbedder
from graphmem.types import (
    Deletion,
    Delta,
    Entity,
    Entry,
    Episode,
    Item,
    Profile,
    Relation,
    Session,
    Turn,
    Validity,
)

START = datetime(2024, 5, 7, 12, 30, 15, 123456, tzinfo=UTC)
EMBEDDER = HashEmbedder(64)
ALL_KINDS = ("turn", "episode", "entry", "relation")

_mint = Mint()
_minutes = count()


def moment() -> datetime:
    """A minute later each time."""
    return START + timedelta(minutes=next(_minutes))


def new_id(kind: str) -> str:
    return _mint.new(kind, START)


def session(space: str = "ana", name: str = "main", **fields: Any) -> Session:
    at = moment()
    return msgspec.structs.replace(
        Session(id=new_id("session"), space=space, name=name, started_at=at, recorded_at=at), **fields
    )


def turn(sitting: Session, text: str = "Ana moved to Porto", **fields: Any) -> Turn:
    at = moment()
    made = Turn(
        id=new_id("turn"),
        space=sitting.space,
        session=sitting.name,
        session_id=sitting.id,
        text=text,
        at=at,
        recorded_at=at,
        tokens=5,
    )
    return msgspec.structs.replace(made, **fields)


def entity(name: str = "Porto", space: str = "ana", **fields: Any) -> Entity:
    made = Entity(id=new_id("entity"), space=space, type="place", name=name, recorded_at=moment())
    return msgspec.structs.replace(made, **fields)


def relation(subject: Entity, object: Entity, text: str = "Ana lives in Porto", **fields: Any) -> Relation:
    made = Relation(
        id=new_id("relation"),
        space=subject.space,
        subject=subject.id,
        predicate="lives_in",
        object=object.id,
        text=text,
        validity=Validity(recorded_at=moment(), valid_from=START),
    )
    return msgspec.structs.replace(made, **fields)


def entry(text: str = "Ana likes the sea", space: str = "ana", **fields: Any) -> Entry:
    made = Entry(id=new_id("entry"), space=space, type="preference", text=text, validity=Validity(recorded_at=moment()))
    return msgspec.structs.replace(made, **fields)


def episode(sitting: Session, summary: str = "They spoke about moving", **fields: Any) -> Episode:
    at = moment()
    made = Episode(
        id=new_id("episode"),
        space=sitting.space,
        session=sitting.name,
        session_id=sitting.id,
        summary=summary,
        at=at,
        recorded_at=at,
    )
    return msgspec.structs.replace(made, **fields)


def one_of_each(space: str = "ana") -> Delta:
    """A commit with every kind of item, every optional field given and every item supported by a turn."""
    sitting = session(space)
    said = turn(
        sitting,
        "Ana moved to Porto in spring",
        role="assistant",
        speaker="Ana",
        ref="message 1",
        title="Moving",
        caption="a photo of a bridge",
        metadata='{"channel":"mail"}',
    )
    evidence = (said.id,)
    ana = entity("Ana", space, type="person", aliases=("Anna", "A."), evidence=evidence)
    porto = entity("Porto", space, evidence=evidence)
    lives = relation(
        ana,
        porto,
        validity=Validity(
            recorded_at=moment(), valid_from=START, valid_to=START + timedelta(days=9), retracted_at=moment()
        ),
        confidence=0.75,
        evidence=evidence,
    )
    liked = entry("mountains, as was said before", space)
    likes = entry(
        space=space,
        confidence=0.5,
        importance=0.9,
        original_importance=0.8,
        tags=("home", "sea"),
        source_type="user",
        source_count=3,
        supersedes=liked.id,
        superseded_by=liked.id,
        expires_at=START + timedelta(days=400),
        evidence=evidence,
    )
    digest = episode(
        sitting,
        topics=("moving", "harbour"),
        entities=("Ana", "Porto"),
        decisions=("rent a flat",),
        key_dates=("2024-05-07",),
        action_items=("call Rui",),
        salience=0.25,
        evidence=evidence,
    )
    profile = Profile(
        id=new_id("profile"), space=space, version=1, text="Ana, in Porto", recorded_at=moment(), evidence=evidence
    )
    return Delta(
        space=space,
        at=moment(),
        sessions=(sitting,),
        turns=(said,),
        episodes=(digest,),
        entities=(ana, porto),
        relations=(lives,),
        entries=(likes, liked),
        profiles=(profile,),
    )


def delta(*items: Item, space: str = "ana", deleted: tuple[str, ...] = ()) -> Delta:
    """The commit that brings these items and deletes those ids."""

    def of(kind: type) -> tuple[Any, ...]:
        return tuple(item for item in items if isinstance(item, kind))

    return Delta(
        space=space,
        at=moment(),
        sessions=of(Session),
        turns=of(Turn),
        episodes=of(Episode),
        entities=of(Entity),
        relations=of(Relation),
        entries=of(Entry),
        profiles=of(Profile),
        deletions=tuple(Deletion(id=id, at=moment(), reason="asked to") for id in deleted),
    )


def embed_pending(store: Store, space: str | None = None, embedder: HashEmbedder = EMBEDDER) -> int:
    """Give a vector to everything that waits for one, as the engine does."""
    done = 0
    while pending := store.pending(50, space):
        vectors = embedder.embed([text for _, text in pending])
        store.embedded([(row[0], vector) for row, vector in zip(pending, vectors, strict=True)], embedder.signature)
        done += len(pending)
    return done

"""what was said -> check -> session and ref -> Delta. Start reading here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct

from graphmem.errors import Conflict, InvalidInput
from graphmem.ids import Mint
from graphmem.settings import WriteSettings
from graphmem.store import Store
from graphmem.types import Delta, NewTurn, Refused, Session, Turn
from graphmem.write.turns import check_name, make_turn, new_turn, same_content

DEFAULT_SESSION = "main"
# Turns that one commit of a batch holds: large enough to be quick, small enough to share the folder with others.
CHUNK = 1000


class Drafted(Struct, frozen=True, kw_only=True):
    """What a batch comes to: ``stored`` has a turn for each one that was not refused, known refs among them."""

    stored: tuple[Turn, ...]
    fresh: tuple[Turn, ...]
    sessions: tuple[Session, ...]
    refused: tuple[Refused, ...] = ()

    def deltas(self) -> Iterator[Delta]:
        """Yield commits of at most CHUNK turns, each with the sessions that it opens."""
        unopened = {session.id: session for session in self.sessions}
        for start in range(0, len(self.fresh), CHUNK):
            turns = self.fresh[start : start + CHUNK]
            opened = tuple(
                unopened.pop(id) for id in dict.fromkeys(turn.session_id for turn in turns) if id in unopened
            )
            yield Delta(space=turns[0].space, at=turns[0].recorded_at, sessions=opened, turns=turns)


class Intake:
    """Makes turns of one space ready for the store; keeps the sessions and refs that are still uncommitted."""

    def __init__(self, space: str, *, store: Store, mint: Mint, now: datetime, settings: WriteSettings) -> None:
        self._space, self._store, self._mint, self._now, self._settings = space, store, mint, now, settings
        self._sessions: dict[str, Session] = {}
        self._refs: dict[str, Turn] = {}

    def one(self, new: NewTurn) -> Drafted:
        """Draft one turn."""
        turn, known = self._turn(new)
        return Drafted(stored=(turn,), fresh=() if known else (turn,), sessions=tuple(self._sessions.values()))

    def batch(self, turns: Iterable[tuple[int, NewTurn | Mapping[str, Any]]], *, skip: bool) -> Drafted:
        """Draft many turns with their places; with ``skip`` bad ones are listed, without it the first one raises."""
        stored, fresh, refused = [], [], []
        for index, given in turns:
            try:
                turn, known = self._turn(new_turn(given))
            except (InvalidInput, Conflict) as error:
                if not skip:
                    raise _placed(error, index) from error
                refused.append(Refused(index=index, error=str(error)))
                continue
            stored.append(turn)
            if not known:
                fresh.append(turn)
        sessions = tuple(self._sessions.values())
        return Drafted(stored=tuple(stored), fresh=tuple(fresh), sessions=sessions, refused=tuple(refused))

    def _turn(self, new: NewTurn) -> tuple[Turn, bool]:
        """Return the turn that ``new`` describes, and whether it is already known by its ref."""
        name = DEFAULT_SESSION if new.session is None else check_name(new.session, "session", self._settings)
        turn = make_turn(new, session=name, space=self._space, now=self._now, settings=self._settings)
        known = self._known(turn, at_given=new.at is not None)
        if known:
            return known, True
        turn = msgspec.structs.replace(
            turn, id=self._mint.new("turn", self._now), session_id=self._session(name, turn.at)
        )
        if turn.ref is not None:
            self._refs[turn.ref] = turn
        return turn, False

    def _session(self, name: str, started_at: datetime) -> str:
        if name not in self._sessions and (known := self._store.session_id(self._space, name)):
            return known
        if name not in self._sessions:
            self._sessions[name] = Session(
                id=self._mint.new("session", self._now),
                space=self._space,
                name=name,
                started_at=started_at,
                recorded_at=self._now,
            )
        return self._sessions[name].id

    def _known(self, turn: Turn, *, at_given: bool) -> Turn | None:
        """Return the turn that already has this ref; raise Conflict when it says something else."""
        if turn.ref is None:
            return None
        old: object = self._refs.get(turn.ref)
        if old is None and (id := self._store.turn_by_ref(self._space, turn.ref)):
            old = self._store.view(self._space).get(id)
        if not isinstance(old, Turn):
            return None
        if not same_content(old, turn, at_given=at_given):
            raise Conflict(
                f"ref {turn.ref!r} is already used in space {self._space!r} for other content ({old.id}); use a new ref"
            )
        return old


def _placed(error: InvalidInput | Conflict, index: int) -> InvalidInput | Conflict:
    if isinstance(error, InvalidInput):
        return InvalidInput(f"turn {index}", str(error))
    return Conflict(f"turn {index}: {error}")

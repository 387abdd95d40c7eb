"""Memory: the front door. Wires the write path, the store and the read path together."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Literal, Self

import msgspec

from graphmem.clock import Clock, system_clock
from graphmem.errors import InvalidInput, ModelError, NotFound
from graphmem.ids import Mint
from graphmem.read.pipeline import recall
from graphmem.settings import Settings, models_cache
from graphmem.store import FolderStore
from graphmem.store.folder import no_hook
from graphmem.store.indexed import SEARCHABLE
from graphmem.store.protocol import Progress
from graphmem.store.sqlite import Hook
from graphmem.types import (
    Added,
    Deletion,
    Delta,
    Item,
    Kind,
    NewTurn,
    Recall,
    Refused,
    Report,
    Role,
    Session,
    Stats,
    Turn,
)
from graphmem.upkeep.embedding import Embedding
from graphmem.write.pipeline import CHUNK, Draft, Drafted
from graphmem.write.turns import check_name

if TYPE_CHECKING:
    from graphmem.models.embed import Embedder

DEFAULT_SPACE = "default"


class Memory:
    """A memory in a folder. Safe to use from many threads; one process at a time has it open.

    >>> memory = Memory("folder")  # doctest: +SKIP
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        settings: Settings | None = None,
        embedder: Embedder | None = None,
        clock: Clock = system_clock,
        hook: Hook = no_hook,
    ) -> None:
        self.settings = settings or Settings.load()
        self._clock = clock
        self._store = FolderStore(folder, self.settings, hook)
        self._mint = Mint(after=self._store.last_id())
        self._adding = threading.Lock()
        self._embedding = Embedding(self._store, self._loader(embedder), self.settings.write.embed_batch)
        if self._store.pending(1):
            self._embedding.nudge()

    def _loader(self, embedder: Embedder | None) -> Callable[[], Embedder] | None:
        if embedder is not None:
            return lambda: embedder
        if self.settings.models.embedding == "none":
            return None

        def load() -> Embedder:
            from graphmem.models.embed import load_embedder

            return load_embedder(self.settings.models.embedding, cache=models_cache(self.settings))

        return load

    def add(
        self,
        text: str,
        *,
        space: str = DEFAULT_SPACE,
        session: str | None = None,
        speaker: str | None = None,
        role: Role = "user",
        at: datetime | str | None = None,
        ref: str | None = None,
        title: str | None = None,
        caption: str | None = None,
        metadata: dict[str, object] | None = None,
        user: str | None = None,
    ) -> Turn:
        """Remember one turn. When this returns it is on disk and its words can be found.

        ``at`` is when it was said (now, when not given). ``ref`` is your own id for it: adding the same ref with the
        same content again returns the turn that is there, with other content it raises Conflict.
        """
        new = NewTurn(
            text=text,
            session=session,
            speaker=speaker,
            role=role,
            at=at,
            ref=ref,
            title=title,
            caption=caption,
            metadata=metadata,
            user=user,
        )
        with self._adding:
            drafted = self._draft(space).one(new)
            self._commit(drafted)
        return drafted.stored[0]

    def add_many(
        self,
        turns: Iterable[NewTurn | Mapping[str, Any]],
        *,
        space: str = DEFAULT_SPACE,
        on_error: Literal["refuse", "skip"] = "refuse",
        progress: Callable[[int], None] | None = None,
    ) -> Added:
        """Remember many turns. With one bad turn among them, ``refuse`` stores none and ``skip`` stores all others."""
        if on_error not in ("refuse", "skip"):
            raise InvalidInput("on_error", f"{on_error!r} is not one of refuse, skip")
        if isinstance(turns, str | bytes | Mapping) or not isinstance(turns, Iterable):
            raise InvalidInput("turns", f"expected turns one after the other, got {type(turns).__name__}")
        stored: list[Turn] = []
        refused: list[Refused] = []
        places = enumerate(turns)
        with self._adding:
            # Nothing may be stored before all are known to be good, unless bad ones are skipped.
            while batch := list(islice(places, CHUNK if on_error == "skip" else None)):
                drafted = self._draft(space).batch(batch, skip=on_error == "skip")
                self._commit(drafted, progress, done=len(stored))
                stored += drafted.stored
                refused += drafted.refused
        return Added(stored=tuple(stored), refused=tuple(refused))

    def _draft(self, space: str) -> Draft:
        name = check_name(space, "space", self.settings.write)
        return Draft(name, store=self._store, mint=self._mint, now=self._clock(), settings=self.settings.write)

    def _commit(self, drafted: Drafted, progress: Callable[[int], None] | None = None, done: int = 0) -> None:
        for delta in drafted.deltas():
            self._store.commit(delta)
            done += len(delta.turns)
            if progress:
                progress(done)
        if drafted.fresh:
            self._embedding.nudge()

    def flush(self, space: str | None = None, progress: Progress | None = None) -> int:
        """Embed what is pending, in one space or everywhere; return how many items that were."""
        if space is not None:
            self._known(space)
        return self._embedding.flush(space, progress)

    def search(
        self, question: str, *, space: str = DEFAULT_SPACE, limit: int = 10, kinds: Sequence[Kind] | None = None
    ) -> Recall:
        """Return what the memory holds on ``question``, best first, with evidence and the channels that found it."""
        if not isinstance(question, str) or not question.strip():
            raise InvalidInput("question", "is empty; ask something")
        if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= self.settings.read.limit_max:
            raise InvalidInput("limit", f"{limit!r} is not a whole number from 1 to {self.settings.read.limit_max}")
        chosen = _chosen(kinds)
        view = self._store.view(self._known(space))
        embed, note = self._question_embedder()
        found = recall(question, view=view, embed=embed, kinds=chosen, limit=limit, settings=self.settings.read)
        return msgspec.structs.replace(found, notes=(note,)) if note else found

    def _question_embedder(self) -> tuple[Callable[[str], Any] | None, str | None]:
        if not self._embedding.enabled:
            return None, "words only: no embedding model is configured"
        if self._store.model() is None:
            return None, "words only: nothing is embedded yet"
        try:
            self._embedding.embedder()
        except ModelError as error:
            return None, f"words only: {error}"
        return self._embedding.question, None

    def get(self, id: str, *, space: str = DEFAULT_SPACE) -> Item:
        """Return one remembered thing by its id."""
        item = self._store.view(self._known(space)).get(str(id))
        if item is None:
            raise NotFound("item", str(id), space)
        return item

    def turns(self, session: str, *, space: str = DEFAULT_SPACE) -> tuple[Turn, ...]:
        """Return the turns of a session, by the name you gave it, in the order in which they came."""
        id = self._store.session_id(self._known(space), check_name(session, "session", self.settings.write))
        if id is None:
            raise NotFound("session", str(session), space)
        return tuple(self._store.view(space).turns(id))

    def delete(self, id: str, *, space: str = DEFAULT_SPACE, reason: str = "") -> None:
        """Exclude one thing from everything that is read. The journal keeps it."""
        if not isinstance(reason, str):
            raise InvalidInput("reason", f"expected text, got {type(reason).__name__}")
        with self._adding:
            item = self.get(id, space=space)
            if isinstance(item, Session):
                raise InvalidInput("id", f"{id} is a session; delete its turns")
            now = self._clock()
            self._store.commit(Delta(space=space, at=now, deletions=(Deletion(id=item.id, at=now, reason=reason),)))

    def _known(self, space: str) -> str:
        """Return a space that something was written to; any other is a mistyped one."""
        name = check_name(space, "space", self.settings.write)
        if not self._store.has_space(name):
            raise NotFound("space", name, name)
        return name

    def spaces(self) -> list[str]:
        """Return the names of all spaces that something was written to."""
        return self._store.spaces()

    def stats(self, space: str | None = None) -> Stats:
        """Count one space, or everything."""
        return self._store.stats(None if space is None else self._known(space))

    def verify(self, progress: Progress | None = None) -> Report:
        """Compare journal, words, graph and vectors, row by row."""
        return self._store.verify(progress)

    def rebuild(self, part: str = "all", progress: Progress | None = None) -> None:
        """Make graph, words, vectors or all of them anew from the journal."""
        self._store.rebuild(part, progress)

    def export(self, stream: IO[str], space: str | None = None) -> int:
        """Write every commit as a line of JSON; return how many lines."""
        count = 0
        for delta in self._store.deltas(None if space is None else self._known(space)):
            stream.write(msgspec.json.encode(delta).decode() + "\n")
            count += 1
        return count

    def import_(self, stream: Iterable[str], progress: Callable[[int], None] | None = None) -> int:
        """Read lines that ``export`` wrote; commits that are already here are passed over. Return how many were new."""
        new = 0
        with self._adding:
            for number, line in enumerate(stream, start=1):
                if line.strip():
                    new += self._import_line(number, line)
                if progress:
                    progress(number)
        self._embedding.nudge()
        return new

    def _import_line(self, number: int, line: str) -> bool:
        try:
            delta = msgspec.json.decode(line, type=Delta)
        except (msgspec.DecodeError, UnicodeEncodeError, json.JSONDecodeError, ValueError) as error:
            raise InvalidInput(f"line {number}", f"is not an exported commit: {error}") from None
        return self._store.take_over(delta)

    def close(self) -> None:
        """Finish, save and release the folder."""
        self._embedding.close()
        self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _chosen(kinds: Sequence[Kind] | None) -> tuple[Kind, ...]:
    if kinds is None:
        return SEARCHABLE
    if isinstance(kinds, str) or not isinstance(kinds, Sequence) or not kinds:
        raise InvalidInput(
            "kinds", f"{kinds!r} is not a list of kinds, such as ['turn']; known are {', '.join(SEARCHABLE)}"
        )
    for kind in kinds:
        if kind not in SEARCHABLE:
            raise InvalidInput("kinds", f"{kind!r} is not one of {', '.join(SEARCHABLE)}")
    return tuple(dict.fromkeys(kinds))

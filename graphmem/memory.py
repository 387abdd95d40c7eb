"""Memory: the front door. Wires the write path, the store and the read path together."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Literal, Self, TypeVar, get_args

import msgspec

from graphmem import listing
from graphmem.clock import Clock, instant, system_clock
from graphmem.cypher import Console, Table
from graphmem.errors import InvalidInput, ModelError, NotFound
from graphmem.ids import Mint
from graphmem.ontology import load as load_ontology
from graphmem.read.pipeline import Scope, recall
from graphmem.settings import Settings, models_cache
from graphmem.store import FolderStore, NewJobs
from graphmem.store.folder import no_hook
from graphmem.store.indexed import SEARCHABLE
from graphmem.store.protocol import Progress
from graphmem.store.sqlite import Hook
from graphmem.types import (
    Access,
    Added,
    Delta,
    Dispute,
    Entity,
    Entry,
    EntryType,
    Item,
    Job,
    JobState,
    Kind,
    NewTurn,
    Profile,
    Recall,
    Redistilled,
    Refusal,
    Refused,
    Relation,
    Report,
    Role,
    Session,
    SourceType,
    Stats,
    Turn,
    Version,
)
from graphmem.upkeep.distil import Distiller
from graphmem.upkeep.embedding import Embedding
from graphmem.upkeep.sessions import REDISTIL, Sessions
from graphmem.write import by_hand, files
from graphmem.write import profile as profiles
from graphmem.write.extractors import Extractors, extractors_of
from graphmem.write.pipeline import CHUNK, Drafted, Intake
from graphmem.write.removal import removal
from graphmem.write.settle.board import Board
from graphmem.write.turns import check_name

if TYPE_CHECKING:
    from graphmem.models.embed import Embedder

T = TypeVar("T")
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
        extractor: Extractors | None = None,
        clock: Clock = system_clock,
        hook: Hook = no_hook,
    ) -> None:
        self.settings = settings or Settings.load()
        self._clock = clock
        self._extractors = extractor or extractors_of(self.settings)  # settings that do not fit lock no folder
        self._store = FolderStore(folder, self.settings, hook)
        self._mint = Mint(after=self._store.last_id())
        self._console = Console(self._store)
        self._adding = threading.Lock()
        # Held by whatever changes what is known; adding turns does not wait for it.
        self._changing = threading.RLock()
        self._embedding = Embedding(self._store, self._loader(embedder), self.settings.write.embed_batch)
        self._sessions = Sessions(
            self._store, mint=self._mint, clock=clock, settings=self.settings.distil, changing=self._changing,
            extractors=self._extractors, embed=self._claims_embedder,
        )  # fmt: skip
        self._distiller = Distiller(self._store, self._work, self.settings.distil, self._extractors.stop)
        if self._store.pending(1):
            self._embedding.nudge()

    def _work(self, job: Job) -> dict[str, object]:
        result = self._sessions.work(job)
        self._embedding.nudge()
        return result

    def _claims_embedder(self, space: str) -> Callable[[Sequence[str]], Any] | None:
        """Return what turns claims into vectors, once all that they are compared with has its own."""
        if not self._embedding.enabled:
            return None
        try:
            self._embedding.flush(space, kind="entry")
        except ModelError:  # words and values still tell claims apart
            return None
        return self._embedding.texts

    def _new_jobs(self, *, distil: bool = True) -> NewJobs | None:
        """Return how jobs come to be for what is added."""
        settings = self.settings.distil
        if not distil or settings.extractor == "none":
            return None
        delay = settings.debounce_seconds if settings.mode == "auto" else None
        return NewJobs(lambda: self._mint.new("job", self._clock()), delay)

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
        skip_extraction: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> Added:
        """Remember many turns. With one bad turn among them, ``refuse`` stores none and ``skip`` stores all others.

        Their sessions are distilled at once, not after a rest; with ``skip_extraction`` only when ``redistil`` is called.
        """
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
                self._commit(drafted, progress, done=len(stored), distil=not skip_extraction)
                stored += drafted.stored
                refused += drafted.refused
        if not skip_extraction and self.settings.distil.mode == "auto" and stored:
            self._store.jobs.hasten(self._store.space_number(space))
            self._distiller.nudge()
        return Added(stored=tuple(stored), refused=tuple(refused))

    def _draft(self, space: str) -> Intake:
        name = check_name(space, "space", self.settings.write)
        return Intake(name, store=self._store, mint=self._mint, now=self._clock(), settings=self.settings.write)

    def _commit(
        self, drafted: Drafted, progress: Callable[[int], None] | None = None, done: int = 0, *, distil: bool = True
    ) -> None:
        for delta in drafted.deltas():
            self._store.commit(delta, self._new_jobs(distil=distil))
            done += len(delta.turns)
            if progress:
                progress(done)
        if drafted.fresh:
            self._embedding.nudge()
            self._distiller.nudge()

    def flush(self, space: str | None = None, progress: Progress | None = None) -> int:
        """Distil and embed what is pending, in one space or everywhere; return how many items were embedded.

        A session that cannot be distilled is kept as a job with its error, see ``jobs``; nothing is raised for it.
        """
        if space is not None:
            self._known(space)
        waiting = self._store.stats(space).pending_vectors
        self._embedding.nudge()  # turns are embedded beside the reading, which is in another process
        self._distiller.flush(space, progress)
        return max(waiting, self._embedding.flush(space, progress))

    def search(
        self, question: str, *, space: str = DEFAULT_SPACE, limit: int = 10, kinds: Sequence[Kind] | None = None,
        user: str | None = None,
    ) -> Recall:  # fmt: skip
        """Return what the memory holds on ``question``, best first, with evidence and the channels that found it.

        With ``user`` only what that user said, and what belongs to no user.
        """
        if not isinstance(question, str) or not question.strip():
            raise InvalidInput("question", "is empty; ask something")
        if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= self.settings.read.limit_max:
            raise InvalidInput("limit", f"{limit!r} is not a whole number from 1 to {self.settings.read.limit_max}")
        chosen = _chosen(kinds)
        view = self._store.view(self._known(space))
        embed, note = self._question_embedder()
        if user is not None:
            check_name(user, "user", self.settings.write)
        scope = Scope(kinds=chosen, limit=limit, user=user, now=self._clock())
        found = recall(question, view=view, embed=embed, scope=scope, settings=self.settings.read)
        self._store.usage.note([hit.id for hit in found.hits], scope.now)
        asked = listing.clarifications(question, view, user=user)
        return msgspec.structs.replace(found, notes=(note,) if note else (), clarifications=asked)

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

    def cypher(self, text: str, *, parameters: Mapping[str, Any] | None = None, space: str = DEFAULT_SPACE) -> Table:
        """Return what Cypher that only reads finds in the graph of a space, as it is now (docs/cypher.md)."""
        return self._console.run(text, parameters=parameters, space=self._known(space))

    def get(self, id: str, *, space: str = DEFAULT_SPACE) -> Item:
        """Return one remembered thing by its id."""
        item = self._store.view(self._known(space)).get(str(id))
        if item is None:
            raise NotFound("item", str(id), space)
        return item

    def sessions(self, *, space: str = DEFAULT_SPACE) -> tuple[Session, ...]:
        """Return the sessions of a space, oldest first."""
        return tuple(self._store.view(self._known(space)).sessions())

    def turns(self, session: str, *, space: str = DEFAULT_SPACE) -> tuple[Turn, ...]:
        """Return the turns of a session, by the name you gave it, in the order in which they came."""
        id = self._store.session_id(self._known(space), check_name(session, "session", self.settings.write))
        if id is None:
            raise NotFound("session", str(session), space)
        return tuple(self._store.view(space).turns(id))

    def delete(self, id: str, *, space: str = DEFAULT_SPACE, reason: str = "") -> None:
        """Exclude one thing from everything that is read, with what is known from it alone. The journal keeps it."""
        if not isinstance(reason, str):
            raise InvalidInput("reason", f"expected text, got {type(reason).__name__}")
        with self._adding, self._changing:
            item = self.get(id, space=space)
            if isinstance(item, Session):
                raise InvalidInput("id", f"{id} is a session; delete its turns")
            view, now = self._store.view(space), self._clock()
            again = isinstance(item, Turn) and view.distilled(item.session_id) is not None
            self._store.commit(removal(item, view, Board(view, self._mint, now), reason))
            if isinstance(item, Turn) and again and self.settings.distil.extractor != "none":
                number = self._store.space_number(space)
                self._store.jobs.ask(number or 0, item.session_id, lambda: self._mint.new("job", now), REDISTIL)
                self._distiller.nudge()

    def _known(self, space: str) -> str:
        """Return a space that something was written to; any other is a mistyped one."""
        name = check_name(space, "space", self.settings.write)
        if not self._store.has_space(name):
            raise NotFound("space", name, name)
        return name

    def _write(self, space: str, change: Callable[[Board], T]) -> T:
        """Let ``change`` write on a board of the space, and commit what it wrote."""
        with self._changing:
            board = Board(self._store.view(space), self._mint, self._clock())
            result = change(board)
            if not board.empty():
                self._store.commit(board.delta())
                self._embedding.nudge()
        return result

    def save(
        self, text: str, *, category: EntryType | None = None, space: str = DEFAULT_SPACE,
        source: SourceType = "user", user: str | None = None, evidence: Sequence[str] = (),
        expires_at: datetime | str | None = None,
    ) -> Entry:  # fmt: skip
        """Write one entry; without a category it is inferred. One that says the same already is returned instead."""
        wish = by_hand.Wish(
            text=text, type=category, source=source, evidence=tuple(evidence),
            user=None if user is None else check_name(user, "user", self.settings.write),
            expires_at=None if expires_at is None else instant(expires_at, "expires_at"),
        )  # fmt: skip
        return self._save(wish, space)

    def pin(self, text: str, *, space: str = DEFAULT_SPACE, category: EntryType | None = None) -> Entry:
        """Write an override: a fact that belongs into every context and that nothing but you changes."""
        name = check_name(space, "space", self.settings.write)
        claim = (
            self._sessions.claim_of(by_hand.checked(text), name) if self.settings.distil.extractor != "none" else None
        )
        return self._save(by_hand.Wish(text=text, type=category, pinned=True, claim=claim), name)

    def _save(self, wish: by_hand.Wish, space: str) -> Entry:
        name = check_name(space, "space", self.settings.write)
        embed = self._claims_embedder(name) if self._store.has_space(name) else None
        return self._write(name, lambda board: by_hand.save(board, wish, self.settings.distil, embed))

    def update(
        self, id: str, *, text: str | None = None, category: EntryType | None = None, importance: float | None = None,
        space: str = DEFAULT_SPACE, reason: str = "",
    ) -> Entry:  # fmt: skip
        """Change an entry; its history keeps what it was."""
        return self._write(
            self._known(space),
            lambda board: by_hand.update(board, id, text=text, type=category, importance=importance, reason=reason),
        )

    def entries(
        self, *, space: str = DEFAULT_SPACE, category: EntryType | None = None, subject: str | None = None,
        q: str | None = None, user: str | None = None, active: bool | None = True, limit: int = 100, offset: int = 0,
    ) -> tuple[Entry, ...]:  # fmt: skip
        """Return entries, newest first: what holds now, what does not any more (``active=False``), or all (``None``)."""
        view = self._store.view(self._known(space))
        chosen = listing.entries(view, self._clock(), category=category, subject=subject, q=q, user=user, active=active)
        return listing.page(chosen, limit, offset)

    def entities(
        self, *, space: str = DEFAULT_SPACE, type: str | None = None, q: str | None = None, limit: int = 100,
        offset: int = 0,
    ) -> tuple[Entity, ...]:  # fmt: skip
        """Return the things in the world that were spoken of, by name."""
        view = self._store.view(self._known(space))
        return listing.page(listing.entities(view, type=type, q=q), limit, offset)

    def relations(
        self, *, space: str = DEFAULT_SPACE, entity: str | None = None, predicate: str | None = None,
        active: bool | None = True, limit: int = 100, offset: int = 0,
    ) -> tuple[Relation, ...]:  # fmt: skip
        """Return relations, newest first, perhaps of one entity (its id or one of its names) or with one predicate."""
        view = self._store.view(self._known(space))
        found = listing.relations(view, self._clock(), entity=entity, predicate=predicate, active=active)
        return listing.page(found, limit, offset)

    def access(self, id: str, *, space: str = DEFAULT_SPACE) -> Access:
        """Return how often a thing was among the hits of a search, and when last."""
        return self._store.usage.of(self.get(id, space=space).id)

    def history(self, id: str, *, space: str = DEFAULT_SPACE) -> tuple[Version, ...]:
        """Return what happened to an entry (or another item), oldest first, also of one that was deleted."""
        steps = self._store.view(self._known(space)).history(str(id))
        if not steps:
            self.get(id, space=space)
        return tuple(steps)

    def conflicts(self, *, space: str = DEFAULT_SPACE, open: bool | None = True) -> tuple[Dispute, ...]:
        """Return the contradictions that graphmem may not settle: open ones, settled ones (``False``) or all."""
        return tuple(listing.disputes(self._store.view(self._known(space)), open=open))

    def resolve(self, id: str, *, keep: str, space: str = DEFAULT_SPACE) -> Dispute:
        """Settle a conflict: ``keep`` is the id of one of its entries, ``both`` or ``neither``."""
        return self._write(self._known(space), lambda board: by_hand.answer(board, id, keep))

    def merge(self, into: str, other: str, *, space: str = DEFAULT_SPACE) -> Entity:
        """Say that two entities are one and the same; ``split`` undoes it."""
        return self._write(self._known(space), lambda board: by_hand.merge(board, into, other))

    def split(self, id: str, *, space: str = DEFAULT_SPACE) -> Entity:
        """Undo the merge of an entity into another."""
        return self._write(self._known(space), lambda board: by_hand.split(board, id))

    def profile(self, *, space: str = DEFAULT_SPACE, version: int | None = None) -> Profile | None:
        """Return the newest profile of a space (or a version of it), or ``None`` while too little is known for one."""
        found: list[Profile] = self._store.view(self._known(space)).all("profile")
        if version is None:
            return max(found, key=lambda each: each.version, default=None)
        wanted = next((each for each in found if each.version == version), None)
        if wanted is None:
            raise NotFound("profile version", str(version), space)
        return wanted

    def profile_difference(self, old: int, new: int, *, space: str = DEFAULT_SPACE) -> str:
        """Return what changed between two versions of the profile, line by line."""
        later = self.profile(space=space, version=new)
        return profiles.difference(self.profile(space=space, version=old), later) if later else ""

    def rebuild_profile(self, *, space: str = DEFAULT_SPACE) -> Profile | None:
        """Write the profile anew now; the same knowledge gives the same text and no new version."""
        self._sessions.profile(self._known(space), at_once=True)
        return self.profile(space=space)

    def identity(self, *, space: str = DEFAULT_SPACE) -> str:
        """Return the few lines that belong into every context: overrides, then identity-grade facts."""
        view = self._store.view(self._known(space))
        return listing.identity(view, self._clock())

    def jobs(self, *, space: str | None = None, state: JobState | None = None, limit: int = 100) -> tuple[Job, ...]:
        """Return the work that waits, runs, is done or was parked with its error, newest first."""
        states = get_args(JobState) if state is None else (state,)
        if state is not None and state not in get_args(JobState):
            raise InvalidInput("state", f"{state!r} is not one of {', '.join(get_args(JobState))}")
        number = None if space is None else self._store.space_number(self._known(space))
        return tuple(self._store.jobs.of(number, states, limit))

    def job(self, id: str) -> Job:
        """Return one job, to see how far it is."""
        found = self._store.jobs.get(str(id))
        if found is None:
            raise NotFound("job", str(id), "")
        return found

    def distil(self, space: str | None = None, progress: Progress | None = None) -> tuple[str, ...]:
        """Distil what waits, and what was parked, now; return the errors of the sessions that could not be."""
        number = None if space is None else self._store.space_number(self._known(space))
        self._store.jobs.retry(number)
        errors = self._distiller.flush(space, progress)
        self._embedding.nudge()
        return tuple(errors)

    def redistil(
        self, space: str = DEFAULT_SPACE, *, sessions: Sequence[str] | None = None, dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Redistilled:  # fmt: skip
        """Distil sessions again, by name or all of them: what is found again keeps its id, the rest is retracted."""
        view = self._store.view(self._known(space))
        known = {each.name: each.id for each in view.sessions()}
        for name in sessions or ():
            if name not in known:
                raise NotFound("session", name, space)
        chosen = list(known.values()) if sessions is None else [known[name] for name in sessions]
        done = self._sessions.redistil(space, chosen, dry_run=dry_run, progress=progress)
        self._embedding.nudge()
        return done

    def use_ontology(self, *names: str, space: str = DEFAULT_SPACE) -> None:
        """Choose the ontologies of a space, such as ``"core", "education"``; what is distilled from now on uses them."""
        load_ontology(*names)
        self._write_choice(check_name(space, "space", self.settings.write), "ontology", ",".join(names))

    def _write_choice(self, space: str, key: str, value: str) -> None:
        self._store.commit(Delta(space=space, at=self._clock(), chosen={key: value}))

    def refusals(self, *, space: str = DEFAULT_SPACE) -> tuple[Refusal, ...]:
        """Return the claims that were not stored, and why, oldest first."""
        return tuple(self._store.view(self._known(space)).refusals())

    def ingest(
        self, path: str | Path, *, space: str | None = None, skip_extraction: bool = False,
        on_error: Literal["refuse", "skip"] = "refuse", progress: Callable[[int], None] | None = None,
    ) -> dict[str, Added]:  # fmt: skip
        """Remember the conversations of a file: turns as lines of JSON, or LoCoMo's format. Return what became of each space.

        ``space`` takes everything into one space; otherwise the file says which, or it is the default.
        """
        by_space: dict[str, list[dict[str, Any]]] = {}
        for named, turn in files.read(Path(path)):
            by_space.setdefault(space or named or DEFAULT_SPACE, []).append(turn)
        done: dict[str, Added] = {}
        for name, turns in by_space.items():
            before = sum(len(each.stored) for each in done.values())
            report = None if progress is None else lambda n, before=before: progress(before + n)
            done[name] = self.add_many(
                turns, space=name, on_error=on_error, skip_extraction=skip_extraction, progress=report
            )
        return done

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
        self._distiller.nudge()
        return new

    def _import_line(self, number: int, line: str) -> bool:
        try:
            delta = msgspec.json.decode(line, type=Delta)
        except (msgspec.DecodeError, UnicodeEncodeError, json.JSONDecodeError, ValueError) as error:
            raise InvalidInput(f"line {number}", f"is not an exported commit: {error}") from None
        return self._store.take_over(delta, self._new_jobs())

    def close(self) -> None:
        """Finish, save and release the folder."""
        self._console.close()
        self._distiller.close()
        self._extractors.close()
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

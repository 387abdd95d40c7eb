"""Work on jobs: session -> turns -> Draft -> Delta -> commit, and the profile when enough is new.

The slow part, reading the turns, runs in the worker without any lock; settling what they claim against what is known is
quick and happens under the lock that every change of knowledge takes.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

from graphmem.clock import Clock
from graphmem.errors import Conflict, GraphmemError
from graphmem.ids import Mint
from graphmem.settings import DistilSettings
from graphmem.store import Store, View
from graphmem.store.protocol import Progress
from graphmem.types import Delta, Entry, Job, Redistilled, Turn
from graphmem.write import profile
from graphmem.write.claims import Claim
from graphmem.write.distil import ontology, ontology_of, request_for, sitting_of, whole_episodes
from graphmem.write.extractors import Extracted, Extractors
from graphmem.write.settle.board import Board
from graphmem.write.settle.pipeline import Settled, Sitting, settle

REDISTIL = "redistil"


class Sessions:
    """Makes of a session what is known from it, and commits that."""

    def __init__(
        self, store: Store, *, mint: Mint, clock: Clock, settings: DistilSettings, changing: threading.RLock,
        extractors: Extractors, embed: Callable[[str], Any],
    ) -> None:  # fmt: skip
        self._store, self._mint, self._clock, self._settings = store, mint, clock, settings
        self._changing, self._extractors, self._embed = changing, extractors, embed

    def work(self, job: Job) -> dict[str, object]:
        """Do a job; return what came of it."""
        totals: Counter[str] = Counter()
        if job.kind == REDISTIL:
            for sitting in whole_episodes(job.session, self._store.view(job.space), self._settings):
                self._do(sitting, job.space, totals)
        else:
            while sitting_ := sitting_of(job.session, self._store.view(job.space), self._settings):
                self._do(sitting_, job.space, totals)
        self.profile(job.space)
        return dict(totals)

    def _do(self, sitting: Sitting, space: str, totals: Counter[str]) -> None:
        extracted = self._extract(sitting, self._store.view(space))
        embed = self._embed(space)
        with self._changing:
            view = self._store.view(space)
            if not _all_live(sitting, view):
                return  # one was deleted while it was being read: the caller asks again what there is to read
            settled = self._settle(sitting, extracted, view, embed)
            self._store.commit(settled.delta)
        totals.update({"turns": len(sitting.turns) - sitting.fresh_from, **settled.paths, **extracted.cost})

    def _extract(self, sitting: Sitting, view: View) -> Extracted:
        return self._extractors.extract(request_for(sitting, view, self._settings))

    def _settle(self, sitting: Sitting, extracted: Extracted, view: View, embed: Any) -> Settled:
        return settle(
            extracted.draft, sitting, again=extracted.again, view=view, mint=self._mint, now=self._clock(),
            ontology=ontology(ontology_of(view, self._settings)), settings=self._settings, embed=embed,
        )  # fmt: skip

    def claim_of(self, text: str, space: str) -> Claim | None:
        """Return what a text that was written by hand claims, as far as it can be read."""
        now = self._clock()
        turn = Turn(
            id="", space=space, session="", session_id="", text=text, at=now, recorded_at=now, role="user"
        )  # fmt: skip
        view = self._store.view(space)
        try:
            draft = self._extractors.extract(request_for(Sitting(turns=(turn,)), view, self._settings)).draft
        except GraphmemError:  # it is kept as it is
            return None
        return draft.claims[0] if len(draft.claims) == 1 else None

    def profile(self, space: str, *, at_once: bool = False) -> None:
        """Write the profile anew when enough contributions are new, or at once."""
        view = self._store.view(space)
        count = self._store.stats(space).counts.get("entry", 0)
        latest = max(view.all("profile"), key=lambda each: each.version, default=None)
        if not at_once and not profile.due(latest, count, self._settings.profile_every):
            return
        facts = profile.write(profile.gather(view, self._clock()))
        text = (self._extractors.profile(facts) if facts else None) or facts
        with self._changing:
            board = Board(self._store.view(space), self._mint, self._clock())
            latest = max(board.view.all("profile"), key=lambda each: each.version, default=None)
            profile.version(board, latest, text, count)
            if not board.empty():
                self._store.commit(board.delta())

    def redistil(
        self, space: str, sessions: list[str], *, dry_run: bool, progress: Progress | None = None
    ) -> Redistilled:
        """Distil sessions again; with ``dry_run`` only say what that would change."""
        added: list[str] = []
        changed: list[tuple[str, str]] = []
        retracted: list[str] = []
        unchanged = 0
        for number, session in enumerate(sessions, start=1):
            for sitting in whole_episodes(session, self._store.view(space), self._settings):
                extracted, embed = self._extract(sitting, self._store.view(space)), self._embed(space)
                with self._changing:
                    view = self._store.view(space)
                    if not _all_live(sitting, view):
                        raise Conflict(
                            f"a turn of session {sitting.turns[0].session!r} was deleted meanwhile; try again"
                        )
                    if _is_worse(extracted, sitting, view):
                        unchanged += len(sitting.before)
                        continue
                    settled = self._settle(sitting, extracted, view, embed)
                    if not dry_run:
                        self._store.commit(settled.delta)
                difference = _compared(sitting.before, settled.delta)
                added += difference.added
                changed += difference.changed
                retracted += difference.retracted
                unchanged += difference.unchanged
            if progress:
                progress(number, len(sessions))
        return Redistilled(
            sessions=len(sessions), added=tuple(added), changed=tuple(changed), retracted=tuple(retracted),
            unchanged=unchanged, dry_run=dry_run,
        )  # fmt: skip


def _is_worse(extracted: Extracted, sitting: Sitting, view: View) -> bool:
    """Say whether rules had to stand in for the language model that has read this before."""
    done = view.distilled(sitting.turns[0].session_id)
    return extracted.again and done is not None and done.extractor.startswith("llm/") and not done.again


def _all_live(sitting: Sitting, view: View) -> bool:
    return len(view.get_many([turn.id for turn in sitting.turns])) == len(sitting.turns)


def _compared(before: tuple[Entry, ...], delta: Delta) -> Redistilled:
    old = {entry.id: entry for entry in before}
    new = {change.item for change in delta.changes if change.action == "created"}
    gone = {change.item for change in delta.changes if change.action == "retracted"}
    changed = [
        (old[e.id].text, e.text) for e in delta.entries if e.id in old and e.id not in gone and e.text != old[e.id].text
    ]
    retracted = [e.text for e in delta.entries if e.id in gone]
    held = sum(entry.validity.retracted_at is None for entry in before)
    return Redistilled(
        sessions=1, added=tuple(e.text for e in delta.entries if e.id in new), changed=tuple(changed),
        retracted=tuple(retracted), unchanged=held - len(changed) - len(retracted),
    )  # fmt: skip

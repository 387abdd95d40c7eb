"""One round: kill children in a folder, open what they left, and compare it with what they were told."""

from __future__ import annotations

import io
import random
import select
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import msgspec
from msgspec import Struct

from graphmem.errors import Conflict, NotFound
from graphmem.memory import Memory
from graphmem.store.sqlite import MIGRATIONS
from graphmem.testing import HashEmbedder
from graphmem.types import Delta, Entry
from tests.crash.child import DIMENSION, SETTINGS, Noting
from tests.crash.ledger import Account, Noted

ROOT = Path(__file__).parent.parent.parent
# How often a point may pass before the kill; a delay in milliseconds where the kill strikes inside what follows it.
POINTS: dict[str, tuple[int, float]] = {
    "before_journal_commit": (40, 0),
    "after_journal": (40, 0),
    "before_graph": (8, 0),
    "before_graph_commit": (8, 0),
    "before_checkpoint": (6, 0),
    "inside checkpoint": (6, 30),
    "after_checkpoint": (6, 0),
    "before_vector_commit": (10, 0),
    "after_vector_commit": (10, 0),
    "before_index_save": (2, 0),
    "inside index save": (2, 3),
    "in_index_save": (2, 0),
    "in_migration": (6, 0),
    "random": (1, 0),
}
HOOKS = {"inside checkpoint": "before_checkpoint", "inside index save": "before_index_save", "random": "none"}
OPENED = 20.0


class Kill(Struct, frozen=True, kw_only=True):
    """How one child is to die."""

    point: str
    seed: int
    nth: int
    delay_ms: float


class Outcome(Struct, kw_only=True):
    """What a round found."""

    reached: Counter[str]
    writes: int = 0
    lost: list[str] = []
    problems: list[str] = []


def plan(point: str, rng: random.Random) -> Kill:
    """Draw a kill at ``point``."""
    most, delay = POINTS[point]
    return Kill(point=point, seed=rng.randrange(1 << 30), nth=rng.randint(1, most), delay_ms=rng.uniform(0, delay))


def older_journal(folder: Path, steps: int) -> None:
    """Make a folder as an earlier graphmem with fewer migrations left it."""
    folder.mkdir(parents=True)
    connection = sqlite3.connect(folder / "journal.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    for statements in MIGRATIONS[:steps]:
        for statement in statements:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version={steps}")
    connection.close()


def run(folder: Path, kills: list[Kill]) -> Outcome:
    """Kill one child after the other, then open the folder and look."""
    ledger = folder.with_suffix(".ledger")
    before = Account(ledger)
    outcome = Outcome(reached=Counter())
    for kill in kills:
        _live_and_die(folder, ledger, kill, outcome)
    account = Account(ledger)
    outcome.writes = account.writes - before.writes
    fresh = [turn for turn in account.live() if turn.id not in before.turns]
    _words_and_graph(folder, account, fresh, outcome)
    _vectors(folder, account, fresh, outcome)
    return outcome


def _live_and_die(folder: Path, ledger: Path, kill: Kill, outcome: Outcome) -> None:
    arguments = [folder, ledger, kill.seed, HOOKS.get(kill.point, kill.point), kill.nth, kill.delay_ms]
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.crash.child", *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    if kill.point == "random":
        _kill_at_random(child, random.Random(kill.seed))
    _, stderr = child.communicate(timeout=120)
    if child.returncode >= 0 and b"Traceback" in stderr:
        outcome.problems.append(f"the child failed by itself: {stderr.decode()[-1500:]}")
    if child.returncode < 0 and (kill.point == "random" or b"reached" in stderr):
        outcome.reached[kill.point] += 1


def _kill_at_random(child: subprocess.Popen[bytes], rng: random.Random) -> None:
    """Half of the time while the folder is still being opened, half of the time while it is written."""
    if rng.random() < 0.5:
        select.select([child.stdout], [], [], OPENED)
        time.sleep(rng.uniform(0, 0.5))
    else:
        time.sleep(rng.uniform(0.1, 0.6))
    child.kill()


def _words_and_graph(folder: Path, account: Account, fresh: list[Noted], outcome: Outcome) -> None:
    """Look without an embedder, so that only words can answer a search."""
    with Memory(folder, settings=SETTINGS, extractor=Noting()) as memory:
        stream = io.StringIO()
        memory.export(stream)
        deltas = [msgspec.json.decode(line, type=Delta) for line in stream.getvalue().splitlines()]
        journalled = {turn.id: turn.text for delta in deltas for turn in delta.turns}
        gone = {deletion.id for delta in deltas for deletion in delta.deletions}
        outcome.lost += [f"journal: {id}" for id, turn in account.turns.items() if journalled.get(id) != turn.text]
        outcome.lost += [f"journal: deletion of {id}" for id in account.deleted - gone]
        _batches_are_whole(account, deltas, outcome)
        for turn in fresh:
            _look(memory, turn, outcome)
        for id in account.deleted:
            _stays_deleted(memory, account.turns[id], outcome)
        outcome.problems += memory.verify().problems


def _look(memory: Memory, turn: Noted, outcome: Outcome) -> None:
    try:
        if memory.get(turn.id, space=turn.space).text != turn.text:
            outcome.lost.append(f"graph: text of {turn.id}")
    except NotFound:
        outcome.lost.append(f"graph: {turn.id}")
    if [hit.id for hit in memory.search(turn.word, space=turn.space, kinds=("turn",)).hits] != [turn.id]:
        outcome.lost.append(f"words: {turn.id}")
    if turn.ref and not _is_known(memory, turn):
        outcome.lost.append(f"ref: {turn.id}")


def _is_known(memory: Memory, turn: Noted) -> bool:
    try:
        return memory.add(turn.text, space=turn.space, ref=turn.ref, session=_session(turn)).id == turn.id
    except Conflict:
        return False


def _session(turn: Noted) -> str:
    return f"s{int(turn.word.partition('x')[2]) % 3}"


def _stays_deleted(memory: Memory, turn: Noted, outcome: Outcome) -> None:
    try:
        memory.get(turn.id, space=turn.space)
        outcome.lost.append(f"graph: deletion of {turn.id}")
    except NotFound:
        pass
    if memory.search(turn.word, space=turn.space, kinds=("turn",)).hits:
        outcome.lost.append(f"words: deletion of {turn.id}")


def _batches_are_whole(account: Account, deltas: list[Delta], outcome: Outcome) -> None:
    texts = {turn.text for delta in deltas for turn in delta.turns}
    for batch in account.open_batches:
        if len(texts.intersection(batch)) not in (0, len(batch)):
            outcome.problems.append(f"a batch of {len(batch)} was torn: {len(texts.intersection(batch))} are there")


def _knowledge(memory: Memory, account: Account, outcome: Outcome) -> None:
    """Each turn was distilled once, however often its job was cut off; nothing is known from what was deleted."""
    if memory.stats().pending_jobs or memory.jobs(state="parked"):
        outcome.problems.append(f"work is left over: {memory.jobs(state='parked')[:2]}")
    for space in memory.spaces():
        supported = Counter(turn for entry in _all_entries(memory, space) for turn in entry.evidence)
        live = {turn.id for turn in account.live() if turn.space == space}
        outcome.lost += [f"knowledge: {id}" for id in live if supported[id] != 1]
        outcome.lost += [f"knowledge: deletion of {id}" for id in account.deleted if supported[id]]


def _all_entries(memory: Memory, space: str) -> list[Entry]:
    found: list[Entry] = []
    while page := memory.entries(space=space, active=None, limit=5000, offset=len(found)):
        found += page
    return found


def _vectors(folder: Path, account: Account, fresh: list[Noted], outcome: Outcome) -> None:
    with Memory(folder, settings=SETTINGS, embedder=HashEmbedder(DIMENSION), extractor=Noting()) as memory:
        memory.flush()
        _knowledge(memory, account, outcome)
        for turn in fresh:
            hits = memory.search(turn.text, space=turn.space, limit=3, kinds=("turn",)).hits
            if not any(hit.id == turn.id and "vectors" in hit.channels for hit in hits):
                outcome.lost.append(f"vectors: {turn.id}")
        outcome.problems += memory.verify().problems

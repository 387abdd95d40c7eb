"""One memory: searches and writes when all is quiet, then the same while sessions are being distilled."""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from benchmarks.figures import TIMES, Figure, Report, Target, machine, measured, versions_of
from graphmem.memory import Memory
from graphmem.settings import Settings
from graphmem.write.files import read

TWICE = Target(text=f"≤ 2{TIMES}", times=2)
FIVE_MINUTES = Target(text="≤ 300 s", most=300)
DIALOGUES = Path(__file__).parent.parent / "extraction" / "data" / "dev-dialogues.jsonl"
START = datetime(2024, 1, 1, tzinfo=UTC)
# Turns that stand still while another space is being distilled.
QUIET = "quiet"


class Options(Struct, frozen=True, kw_only=True):
    """What to run."""

    conversations: int
    questions: int
    seed: int
    data: Path | None
    work: Path


def run(options: Options, say: Callable[[str], None]) -> Report:
    """Measure, and return the figures."""
    began = time.monotonic()
    spaces = _conversations(options)
    turns = sum(len(each) for each in spaces.values())
    words = sum(len(turn["text"].split()) for each in spaces.values() for turn in each)
    with tempfile.TemporaryDirectory(prefix="bench-distil-", dir=options.work) as folder, _open(folder) as memory:
        say("making a quiet space")
        first = next(iter(spaces.values()))
        memory.add_many(first, space=QUIET)
        memory.flush(QUIET)
        questions = _questions(first, options)
        _ask(memory, questions[:20])
        say("asking while all is quiet")
        idle, idle_adds = _ask(memory, questions), _adds(memory, options.questions // 4)
        memory.flush(QUIET)
        say(f"remembering {turns:,} turns")
        ingest = time.monotonic()
        for space, each in spaces.items():
            memory.add_many(each, space=space)
        acknowledged = time.monotonic() - ingest
        busy, busy_adds, rounds = _while_distilling(memory, questions, say)
        memory.flush()
        whole = time.monotonic() - ingest
        counts = memory.stats().counts
        parked = len(memory.jobs(state="parked"))
    figures = [
        measured("ingest acknowledged", acknowledged, "s"),
        measured("ingest distilled and embedded", whole, "s", target=FIVE_MINUTES if options.data else None),
        measured("ingest a turn", 1000 * whole / turns, "ms"),
        measured("ingest words", words / whole, "words/s"),
        *_compared("search", idle, busy, TWICE),
        *_compared("add", idle_adds, busy_adds, None),
        *(measured(f"known: {kind}", count, "items") for kind, count in counts.items()),
        measured("sessions that could not be read", parked, "sessions", target=Target(text="0", most=0)),
    ]
    return Report(
        benchmark="distil", figures=tuple(figures),
        settings={"conversations": options.conversations, "questions": options.questions, "turns": turns, "words": words,
                  "data": options.data.name if options.data else "dialogues", "rounds while busy": rounds},
        versions=versions_of(("graphmem", "spacy", "kuzu", "onnxruntime", "numpy")), machine=machine(),
        seed=options.seed, seconds=round(time.monotonic() - began, 1),
        notes=("idle and busy searches ask the same questions of the same quiet space, in the same process",),
    )  # fmt: skip


def _open(folder: str) -> Memory:
    return Memory(Path(folder) / "memory", settings=Settings.build({"distil": {"debounce_seconds": 3600}}))


def _conversations(options: Options) -> dict[str, list[dict[str, Any]]]:
    spaces: dict[str, list[dict[str, Any]]] = {}
    source = read(options.data) if options.data else _dialogues(options.conversations)
    for space, turn in source:
        if str(space) in spaces or len(spaces) < options.conversations:
            spaces.setdefault(str(space), []).append(turn)
    return spaces


def _dialogues(conversations: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """The labelled dialogues, each a session of its own, under other names and days in each conversation."""
    lines = [json.loads(line) for line in DIALOGUES.read_text(encoding="utf-8").splitlines()]
    for number in range(conversations):
        for place, case in enumerate(lines * 2):
            at = START + timedelta(days=7 * place, hours=number)
            for each in case["turns"]:
                yield f"space-{number}", {
                    "text": each["text"], "speaker": each["speaker"], "role": each["role"], "session": f"s{place}", "at": at,
                }  # fmt: skip


def _questions(turns: list[dict[str, Any]], options: Options) -> list[str]:
    draw = random.Random(options.seed)
    long = [turn["text"] for turn in turns if len(turn["text"].split()) >= 6] or [turn["text"] for turn in turns]
    return [" ".join(draw.sample(draw.choice(long).split(), 6)) + "?" for _ in range(options.questions)]


def _ask(memory: Memory, questions: list[str]) -> list[float]:
    return [_timed(partial(memory.search, question, space=QUIET)) for question in questions]


def _adds(memory: Memory, count: int) -> list[float]:
    notes = (f"a note with the number {number}" for number in range(count))
    return [_timed(partial(memory.add, note, space=QUIET, session="notes")) for note in notes]


def _timed(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - began)


def _while_distilling(
    memory: Memory, questions: list[str], say: Callable[[str], None]
) -> tuple[list[float], list[float], int]:
    """Ask and add, over and over, for as long as sessions are being distilled."""
    asked: list[float] = []
    added: list[float] = []
    rounds = 0
    while memory.stats().pending_jobs > 1 and rounds < 200:
        for place, question in enumerate(questions):
            asked += _ask(memory, [f"{question} {rounds}"])  # a question that was asked before has its vector
            if place % 10 == 0:
                added += _adds(memory, 1)
            if place % 25 == 0 and memory.stats().pending_jobs <= 1:
                break
        rounds += 1
        say(f"asking while {memory.stats().pending_jobs:,} sessions wait")
    return asked, added, rounds


def _compared(name: str, idle: list[float], busy: list[float], target: Target | None) -> Iterator[Figure]:
    for at in (50, 95):
        if idle and busy:
            floor, value = (float(np.percentile(each, at)) for each in (idle, busy))
            yield measured(
                f"{name} p{at} while distilling, to idle", value, "ms", floor=floor, target=target if at == 95 else None
            )

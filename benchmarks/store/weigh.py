"""A child process that opens an empty memory and then a full one, and prints by how much it grew, as JSON."""

from __future__ import annotations

import gc
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import psutil

from benchmarks.store.case import index_of
from benchmarks.store.embedders import embedder_for
from benchmarks.store.texts import Chat
from graphmem.memory import Memory
from graphmem.settings import Settings, models_cache

QUESTIONS = 200


def main() -> None:
    """Weigh the folder that standard input names."""
    order: dict[str, Any] = json.load(sys.stdin)
    settings = Settings.build({"distil": {"extractor": "none"}})
    embedder = embedder_for(order["embedding"], order["seed"], models_cache(settings))
    chat = Chat(order["seed"])
    step = max(1, order["turns"] // QUESTIONS)
    places = range(0, order["turns"], step)
    questions = [(f"space-{n // order['per_space']}", chat.question(chat.turns(n, 1)[0], n)) for n in places]
    with (
        tempfile.TemporaryDirectory(dir=Path(order["folder"]).parent) as empty,
        Memory(empty, settings=settings, embedder=embedder) as memory,
    ):
        memory.add("one turn", space=order["spaces"][0])
        memory.flush()
        first = order["spaces"][0]
        before = _weight(memory, [first], [(first, question) for _, question in questions])
    with Memory(order["folder"], settings=settings, embedder=embedder) as memory:
        after = _weight(memory, order["spaces"], questions)
    print(json.dumps({name: after[name] - before[name] for name in after}))


def _weight(memory: Memory, spaces: list[str], questions: list[tuple[str, str]]) -> dict[str, int]:
    """Load every vector, ask every question, and return resident and private bytes."""
    for space in spaces:
        index_of(memory, space)
    for space, question in questions:
        memory.search(question, space=space, kinds=("turn",))
    gc.collect()
    used = psutil.Process().memory_info()
    return {"resident": used.rss, "private": used.rss - used.shared}


if __name__ == "__main__":
    main()

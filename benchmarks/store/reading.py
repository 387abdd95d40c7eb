"""Figures of searching: by words, by vectors and by both, each question asked of the store and of the bare library."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from benchmarks.figures import TIMES, Figure, Target, measured
from benchmarks.store.bare import Nearest, Words, exact_ids
from benchmarks.store.case import Case, index_of, percentile, store_of, timed
from graphmem.memory import Memory
from graphmem.types import Kind
from graphmem.words import terms

TWICE = Target(text=f"≤ 2{TIMES} + 1 ms", times=2, plus=1.0)
# Speed must not be bought with misses.
RECALL = Target(text="≥ 0.9", least=0.9)
WARM = 20
RECALL_QUESTIONS, RECALL_AT = 100, 10
TURN: tuple[Kind, ...] = ("turn",)


class Asked(Struct, frozen=True, kw_only=True):
    """A question, prepared for every way of asking it."""

    text: str
    space: str
    terms: list[str]
    match: str
    vector: NDArray[np.float32]
    nearest: Nearest


class Times(Struct, kw_only=True):
    """Seconds a question, for the store and for the floor."""

    ours: list[float]
    bare: list[float]


def search(case: Case, memory: Memory) -> list[Figure]:
    """Ask every question by words, by vector and by both; ours and the floor take turns at being first."""
    words = Words(case.folder, case.settings.read.posting_budget)
    case.say("loading vectors")
    asked = _questions(case, memory, words)
    kinds = {name: Times(ours=[], bare=[]) for name in ("words", "vectors", "both")}
    limit = case.settings.read.pool
    for number, question in enumerate(asked):
        if number == WARM:
            for times in kinds.values():
                times.ours.clear()
                times.bare.clear()
        case.say(f"asking {number:,} of {len(asked):,}")
        _ask(question, memory, words, limit, kinds, bare_first=bool(number % 2))
    words.close()
    figures = [
        measured(
            case.name(f"search by {kind} p{at}"), percentile(times.ours, at), "ms",
            floor=percentile(times.bare, at), target=TWICE,
        )
        for kind, times in kinds.items()
        for at in (50, 95)
    ]  # fmt: skip
    return [*figures, *_recall(case, memory, asked)]


def _questions(case: Case, memory: Memory, words: Words) -> list[Asked]:
    random = np.random.default_rng(case.questions)
    nearest: dict[str, Nearest] = {}
    asked = []
    for number, place in enumerate(random.integers(0, case.turns, case.questions + WARM).tolist()):
        text = case.chat.question(case.chat.turns(place, 1)[0], number)
        space = case.space(place)
        nearest[space] = nearest.get(space) or Nearest(index_of(memory, space))
        found = terms(text)
        asked.append(
            Asked(
                text=text, space=space, terms=found, match=words.match(space, found),
                vector=case.embedder.embed([text])[0], nearest=nearest[space],
            )
        )  # fmt: skip
    return asked


def _ask(asked: Asked, memory: Memory, words: Words, limit: int, kinds: dict[str, Times], *, bare_first: bool) -> None:
    view = store_of(memory).view(asked.space)
    ours = {
        "words": lambda: view.by_words(asked.terms, limit=limit, kinds=TURN),
        "vectors": lambda: view.by_vector(asked.vector, limit=limit, kinds=TURN),
        "both": lambda: memory.search(asked.text, space=asked.space, kinds=TURN),
    }
    bare = {
        "words": lambda: words.search(asked.match, limit),
        "vectors": lambda: asked.nearest.search(asked.vector, limit),
        "both": lambda: (words.search(asked.match, limit), asked.nearest.search(asked.vector, limit)),
    }
    for kind, times in kinds.items():
        if bare_first:
            times.bare.append(timed(bare[kind]))
            times.ours.append(timed(ours[kind]))
        else:
            times.ours.append(timed(ours[kind]))
            times.bare.append(timed(bare[kind]))


def _recall(case: Case, memory: Memory, asked: list[Asked]) -> list[Figure]:
    """Compare with exact search where the index is approximate."""
    chosen = [question for question in asked if question.nearest.approximate][:RECALL_QUESTIONS]
    if not chosen:
        return []
    case.say("comparing with exact search")
    view_of = store_of(memory).view
    found = total = 0
    for space in dict.fromkeys(question.space for question in chosen):
        mine = [question for question in chosen if question.space == space]
        truth = exact_ids(case.folder, space, np.array([question.vector for question in mine]), RECALL_AT)
        for question, ids in zip(mine, truth, strict=True):
            best = view_of(space).by_vector(question.vector, limit=case.settings.read.pool, kinds=TURN)[:RECALL_AT]
            found += len(ids & {id for id, _ in best})
            total += len(ids)
    return [measured(case.name("recall@10 of vectors"), found / total, "share", floor=1.0, target=RECALL)]

"""Counting the entities, relations, times and topics of a case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from benchmarks.extraction.cases import Case, Expression, several
from benchmarks.extraction.counting import Remark, pairs
from benchmarks.extraction.matching import (
    Guessed,
    GuessedDate,
    same_entity,
    same_name,
    same_relation,
    same_time,
    same_words,
    stems,
)  # fmt: skip


def entities(case: Case, guessed: Guessed, counts: Counter[str]) -> None:
    """Count the entities by name and type, and by name alone."""
    speakers = tuple(each.speaker for each in case.turns if each.speaker)
    gold = case.gold.entities
    for name, typed in (("entity", True), ("entity.untyped", False)):
        paired = pairs(
            gold, guessed.entities, lambda guess, each, typed=typed: _entity(same_entity(guess, each, typed=typed), each.optional)  # type: ignore[misc]
        )  # fmt: skip
        right = sum(not gold[label].optional for label in paired.values())
        wrong = sum(
            not any(same_entity(guess, each, typed=typed) for each in gold if each.optional)
            and _named(guess.names, speakers)
            for place, guess in enumerate(guessed.entities)
            if place not in paired
        )
        counts[f"{name}/right"] += right
        counts[f"{name}/found"] += right
        counts[f"{name}/gold"] += sum(not each.optional for each in gold)
        counts[f"{name}/predicted"] += right + wrong


def wrong_names(case: Case, guessed: Guessed) -> Iterator[Remark]:
    """Say which entities were missed, and which are none."""
    speakers = tuple(each.speaker for each in case.turns if each.speaker)
    for each in case.gold.entities:
        if not each.optional and not any(same_entity(guess, each) for guess in guessed.entities):
            text = f"missed {'/'.join(several(each.name))} ({'/'.join(several(each.type))})"
            yield Remark(case=case.id, sort="entity", text=text)
    for guess in guessed.entities:
        known = any(same_entity(guess, each) for each in case.gold.entities)
        if not known and _named(guess.names, speakers):
            yield Remark(case=case.id, sort="entity", text=f"false {guess.names[0]} ({guess.type})")


def _entity(same: bool, optional: bool) -> float | None:
    return (0.0 if optional else 1.0) if same else None


def _named(names: tuple[str, ...], speakers: tuple[str, ...]) -> bool:
    """Whether it is somebody's or something's proper name; what is only described is not judged, nor who speaks."""
    speaks = bool(speakers) and any(same_name(name, speakers) for name in names)
    return names[0].casefold() != "user" and not speaks and any(char.isupper() for char in names[0])


def relations(
    case: Case, guessed: Guessed, symmetric: frozenset[str], counts: Counter[str], remarks: list[Remark]
) -> None:
    """Count the relations that were claimed."""
    gold = case.gold.relations
    paired = pairs(
        gold, guessed.relations, lambda guess, each: _entity(same_relation(guess, each, symmetric), each.optional)
    )
    right = sum(not gold[label].optional for label in paired.values())
    wrong = [
        guess
        for place, guess in enumerate(guessed.relations)
        if place not in paired and not any(same_relation(guess, each, symmetric) for each in gold)
    ]
    remarks += [Remark(case=case.id, sort="relation", text=" ".join(each)) for each in wrong]
    counts["relation/right"] += right
    counts["relation/found"] += right
    counts["relation/gold"] += sum(not each.optional for each in gold)
    counts["relation/predicted"] += right + len(wrong)


def dates(case: Case, guesses: Sequence[GuessedDate], counts: Counter[str], remarks: list[Remark]) -> None:
    """Count the times that were found, and those that are right."""
    for each in case.gold.dates:
        candidates = [guess for guess in guesses if same_words(guess, each)]
        exact = [guess for guess in candidates if same_time(guess, each, _offset(case, each))]
        counts["date/found"] += bool(candidates)
        counts["date/exact"] += bool(exact)
        counts["date/gold"] += 1
        if not exact:
            was = f"{candidates[0].start} to {candidates[0].end}" if candidates else "nothing"
            text = f"{each.text!r} is {each.start} to {each.end} and not {was}"
            remarks.append(Remark(case=case.id, sort="date", text=text))


def _offset(case: Case, expression: Expression) -> timedelta:
    said = next(each for each in case.turns if expression.text in each.text)
    return datetime.fromisoformat(said.at).utcoffset() or timedelta()


def digest(case: Case, digest: str | None, counts: Counter[str]) -> None:
    """Count whether the digest names one of the topics."""
    if case.gold.digest is None:
        return
    words = stems(digest or "")
    met = any(stems(each) <= words for each in case.gold.digest.topics_any)
    counts["digest/right"] += met or (case.negative and not digest)
    counts["digest/predicted"] += 1

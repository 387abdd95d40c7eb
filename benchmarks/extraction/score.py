"""Counting the entries of a case: which predictions are right, which are not, and what was missed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from msgspec import Struct

from benchmarks.extraction import things
from benchmarks.extraction.cases import Case, GoldEntry, several
from benchmarks.extraction.counting import Remark, pairs
from benchmarks.extraction.matching import Guess, Guessed, breaks, means, overlap, same_start


class Scored(Struct, frozen=True, kw_only=True):
    """The counts of a case by name, what is wrong in it, and which type was predicted for which."""

    case: str
    counts: Counter[str]
    remarks: tuple[Remark, ...] = ()
    confusions: Counter[tuple[str, str]] = Counter()


def score(case: Case, guessed: Guessed, symmetric: frozenset[str]) -> Scored:
    """Compare what was predicted for a case with its labels."""
    counts: Counter[str] = Counter()
    remarks: list[Remark] = []
    confusions = _entries(case, guessed.entries, counts, remarks)
    things.entities(case, guessed, counts)
    remarks += things.wrong_names(case, guessed)
    things.relations(case, guessed, symmetric, counts, remarks)
    things.dates(case, guessed.dates, counts, remarks)
    things.digest(case, guessed.digest, counts)
    return Scored(case=case.id, counts=counts, remarks=tuple(remarks), confusions=confusions)


def _typed(guess: Guess, gold: GoldEntry) -> float | None:
    return _meant(guess, gold) if guess.type in several(gold.type) else None


def _meant(guess: Guess, gold: GoldEntry) -> float | None:
    # What has to be there is paired before what may be there.
    return overlap(guess, gold) + (0 if gold.optional else 10) if means(guess, gold) else None


def _entries(
    case: Case, guesses: Sequence[Guess], counts: Counter[str], remarks: list[Remark]
) -> Counter[tuple[str, str]]:
    gold = case.gold.entries
    strict, loose = pairs(gold, guesses, _typed), pairs(gold, guesses, _meant)
    _count("entry", gold, guesses, strict, counts)
    _count("entry.lenient", gold, guesses, loose, counts)
    for place, guess in enumerate(guesses):
        if place not in strict and _excused(guess, gold):
            counts["entry/predicted"] -= 1
        elif not (place in strict and gold[strict[place]].optional):
            counts[f"entry.{guess.type}/predicted"] += 1
            counts[f"entry.{guess.type}/right"] += place in strict
        if place not in loose and _excused(guess, gold):
            counts["entry.lenient/predicted"] -= 1
    found = set(strict.values())
    for label, each in enumerate(gold):
        if not each.optional:
            counts[f"entry.{several(each.type)[0]}/gold"] += 1
            counts[f"entry.{several(each.type)[0]}/found"] += label in found
    _since(case, guesses, strict, counts)
    _false_facts(case, guesses, counts, remarks)
    remarks += _wrong(case, guesses, strict)
    return _confusions(gold, guesses, loose)


def _excused(guess: Guess, gold: Iterable[GoldEntry]) -> bool:
    """Whether it says what may be said: several may say the same optional thing."""
    return any(each.optional and means(guess, each) for each in gold)


def _count(
    name: str, gold: Sequence[GoldEntry], guesses: Sequence[Guess], paired: dict[int, int], counts: Counter[str]
) -> None:
    """Optional labels count neither in what is to be found nor in what was predicted."""
    right = [label for label in paired.values() if not gold[label].optional]
    counts[f"{name}/right"] += len(right)
    counts[f"{name}/found"] += len(right)
    counts[f"{name}/gold"] += sum(not each.optional for each in gold)
    counts[f"{name}/predicted"] += len(guesses) - sum(gold[label].optional for label in paired.values())
    again = [
        place for place, guess in enumerate(guesses) if place not in paired and any(means(guess, each) for each in gold)
    ]
    counts[f"{name}.again/right"] += len(again)
    counts[f"{name}.again/predicted"] += len(guesses)


def _since(case: Case, guesses: Sequence[Guess], strict: dict[int, int], counts: Counter[str]) -> None:
    """Of the entries that were found, those that hold from the labelled time on."""
    offset = datetime.fromisoformat(case.turns[0].at).utcoffset() or timedelta()
    for place, label in strict.items():
        span = case.gold.entries[label].valid_from
        if span is not None:
            counts["entry.since/right"] += same_start(guesses[place], span, offset)
            counts["entry.since/predicted"] += 1


def _false_facts(case: Case, guesses: Sequence[Guess], counts: Counter[str], remarks: list[Remark]) -> None:
    """A false fact is what was forbidden, and in a case with nothing to remember whatever is not allowed."""
    broken: Counter[str] = Counter()
    false = 0
    for guess in guesses:
        if any(means(guess, each) for each in case.gold.entries):
            continue
        whys = {each.why for each in case.forbidden if breaks(guess, each)}
        broken.update(whys)
        if whys or case.negative:
            false += 1
            why = ", ".join(sorted(whys)) or "nothing to remember"
            remarks.append(Remark(case=case.id, sort="forbidden", text=f"{guess.type}: {guess.text} ({why})"))
    counts["false-facts.per-entry/right"] += false
    counts["false-facts.per-entry/predicted"] += len(guesses)
    if case.forbidden or case.negative:
        counts["false-facts/right"] += bool(false)
        counts["false-facts/predicted"] += 1
    for why in {each.why for each in case.forbidden}:
        counts[f"false-facts.{why}/right"] += bool(broken[why])
        counts[f"false-facts.{why}/predicted"] += 1


def _wrong(case: Case, guesses: Sequence[Guess], strict: dict[int, int]) -> Iterator[Remark]:
    gold, found = case.gold.entries, set(strict.values())
    for label, each in enumerate(gold):
        if not each.optional and label not in found:
            about = " + ".join("/".join(group) for group in each.about)
            text = f"{'/'.join(several(each.type))} of {'/'.join(several(each.subject))}: {about}"
            yield Remark(case=case.id, sort="missed", text=text)
    for place, guess in enumerate(guesses):
        if place not in strict and not _excused(guess, gold):
            again = " (again)" if any(means(guess, each) for each in gold) else ""
            yield Remark(case=case.id, sort="false", text=f"{guess.type} of {guess.subject}: {guess.text}{again}")


def _confusions(gold: Sequence[GoldEntry], guesses: Sequence[Guess], loose: dict[int, int]) -> Counter[tuple[str, str]]:
    table: Counter[tuple[str, str]] = Counter()
    for place, guess in enumerate(guesses):
        if place in loose:
            label = gold[loose[place]]
            same = guess.type in several(label.type)
            table[guess.type if same else several(label.type)[0], guess.type] += not label.optional
        elif not _excused(guess, gold):
            table["nothing", guess.type] += 1
    found = set(loose.values())
    missed = [each for place, each in enumerate(gold) if place not in found and not each.optional]
    table.update((several(each.type)[0], "nothing") for each in missed)
    return +table

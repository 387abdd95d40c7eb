"""What is to become of a claim beside what is known: every path on which a contradiction can go, in one table of rules.

Only entries about the same subject and of the same predicate family are ever held to contradict each other. Rules are
tried in order; the first that has something to say decides. None of them writes anything.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Literal

from msgspec import Struct

from graphmem.settings import DistilSettings
from graphmem.types import Entry, Relation
from graphmem.write.settle.likeness import alike, apart_in_time, jaccard, names_value, richer, same_value

Path = Literal[
    "new", "repeat", "merge", "supersede", "correct", "close", "beside", "refuse", "weaken_old", "weaken_new",
    "clarify", "review",
]  # fmt: skip


class Case(Struct, frozen=True, kw_only=True):
    """A claim as the entry that it would become, and what the rules need to know about it."""

    entry: Entry
    said_at: datetime
    relation: Relation | None = None
    single_valued: bool = False
    fixed: bool = False
    ends: bool = False
    correction: bool = False
    replaces: str | None = None
    personal: bool = True


class Verdict(Struct, frozen=True, kw_only=True):
    """The path that a claim takes, the known entries that it concerns, and why, as it will stand in their history."""

    path: Path
    entries: tuple[Entry, ...] = ()
    reason: str = ""


Rule = Callable[[Case, Sequence[Entry], DistilSettings], Verdict | None]


def judge(case: Case, family: Sequence[Entry], near: Sequence[Entry], settings: DistilSettings) -> Verdict:
    """Decide on a claim beside the entries of its family and those that are near it in meaning."""
    live = [each for each in family if is_live(each, case.said_at)]
    known = list({each.id: each for each in (*live, *near)}.values())
    first: tuple[Rule, ...] = (_pinned, _ended, _replaced)
    for rule in first:
        if verdict := rule(case, live, settings):
            return verdict
    if verdict := _duplicate(case, [*known, *family], settings):
        return verdict
    last: tuple[Rule, ...] = (_reversed, _single, _beside)
    for rule in last:
        if verdict := rule(case, live, settings):
            return verdict
    return Verdict(path="new")


def is_live(entry: Entry, at: datetime) -> bool:
    """Say whether an entry is held to be true: neither retracted nor superseded, and not over."""
    validity = entry.validity
    return (
        validity.retracted_at is None
        and entry.superseded_by is None
        and (validity.valid_to is None or validity.valid_to > at)
    )


def _pinned(case: Case, live: Sequence[Entry], _: DistilSettings) -> Verdict | None:
    for each in live:
        if each.pinned and not same_value(each, case.entry) and (case.single_valued or case.ends):
            return Verdict(path="refuse", entries=(each,), reason="pinned by hand, which always wins")
    return None


def _ended(case: Case, live: Sequence[Entry], _: DistilSettings) -> Verdict | None:
    """ "I left Acme": what held until now is closed; the leaving itself is kept."""
    if not case.ends:
        return None
    over = [
        each
        for each in live
        if not each.negated
        and (not case.entry.object or same_value(each, case.entry) or names_value(each, case.entry.object))
        and not _before(case, each)
    ]
    return Verdict(path="close", entries=tuple(over), reason="said to be over") if over else Verdict(path="new")


def _before(case: Case, entry: Entry) -> bool:
    """Say whether a claim speaks of a time before an entry began to hold."""
    end, start = case.entry.validity.valid_to or case.entry.validity.valid_from, entry.validity.valid_from
    return bool(end and start and end <= start)


def _replaced(case: Case, live: Sequence[Entry], _: DistilSettings) -> Verdict | None:
    """ "It's 3.12, not 3.11": the speaker said which value is the old one."""
    if not case.replaces:
        return None
    old = [each for each in live if names_value(each, case.replaces) and not same_value(each, case.entry)]
    if not old:
        return None
    path: Path = "correct" if case.correction else "supersede"
    return Verdict(path=path, entries=tuple(old), reason=f"{case.replaces!r} was replaced")


def _duplicate(case: Case, known: Sequence[Entry], settings: DistilSettings) -> Verdict | None:
    for each in dict.fromkeys(known):
        if each.validity.retracted_at or each.superseded_by or apart_in_time(case.entry, each):
            continue
        if not is_live(each, case.said_at) and case.entry.validity.valid_to is None:
            continue  # what ended may begin again
        if not _says_the_same(case.entry, each, settings):
            continue
        if richer(case.entry, each) and not each.pinned:
            return Verdict(path="merge", entries=(each,), reason="said again with more")
        return Verdict(path="repeat", entries=(each,), reason="said again")
    return None


def _says_the_same(new: Entry, old: Entry, settings: DistilSettings) -> bool:
    if new.negated != old.negated or old.subject not in (new.subject, None) or new.user != old.user:
        return False  # what one user said is not shown to another, so each has an entry of their own
    if new.predicate and new.predicate == old.predicate:
        return same_value(new, old) or alike(new, old, settings.jaccard_duplicate)
    return alike(new, old, settings.jaccard_duplicate)


def _reversed(case: Case, live: Sequence[Entry], _: DistilSettings) -> Verdict | None:
    """The same thing, the other way round: liked and now disliked, able and now unable."""
    turned = [
        each
        for each in live
        if same_value(each, case.entry)
        and (each.negated != case.entry.negated or each.predicate != case.entry.predicate)
    ]
    if not turned:
        return None
    return Verdict(path="correct" if case.correction else "supersede", entries=tuple(turned), reason="turned round")


def _single(case: Case, live: Sequence[Entry], settings: DistilSettings) -> Verdict | None:
    """One value at a time: another one contradicts it, if they speak of the same time."""
    if not case.single_valued or case.entry.negated:
        return None
    others = [each for each in live if not each.negated and not same_value(each, case.entry)]
    against = [each for each in others if not apart_in_time(case.entry, each)]
    if not against:
        return None
    over = case.entry.validity.valid_to is not None and case.entry.validity.valid_to <= case.said_at
    told_later = [each for each in against if over or _began_before(case.entry, each)]
    if told_later:
        return Verdict(path="beside", entries=tuple(told_later), reason="an earlier time, told later")
    if case.correction:
        return Verdict(path="correct", entries=tuple(against), reason="corrected by the speaker")
    other_user = [each for each in against if each.user and case.entry.user and each.user != case.entry.user]
    if other_user:
        return _across_users(case, other_user, settings)
    if case.fixed:
        return Verdict(path="clarify", entries=tuple(against), reason="this cannot change, and two values were said")
    best = max(against, key=lambda each: each.confidence)
    if best.confidence - case.entry.confidence > settings.confidence_gap:
        return Verdict(path="refuse", entries=(best,), reason="what is known is much surer")
    return Verdict(path="supersede", entries=tuple(against), reason="a newer value of what has one at a time")


def _began_before(new: Entry, old: Entry) -> bool:
    start, known = new.validity.valid_from, old.validity.valid_from
    return bool(start and known and start < known)


def _across_users(case: Case, others: Sequence[Entry], settings: DistilSettings) -> Verdict:
    old = max(others, key=lambda each: (each.confidence, each.id))
    if case.said_at - (old.said_at or old.validity.recorded_at) >= timedelta(days=settings.recency_days):
        return Verdict(path="weaken_old", entries=(old,), reason="another user said otherwise much later")
    if case.entry.confidence - old.confidence >= settings.confidence_gap:
        return Verdict(path="weaken_old", entries=(old,), reason="another user is much surer of something else")
    if old.confidence - case.entry.confidence >= settings.confidence_gap:
        return Verdict(path="weaken_new", entries=(old,), reason="another user is much surer of something else")
    if case.personal:
        return Verdict(path="clarify", entries=(old,), reason="two users disagree about a person")
    return Verdict(path="review", entries=(old,), reason="two users disagree")


def _beside(case: Case, live: Sequence[Entry], settings: DistilSettings) -> Verdict | None:
    """Both may hold: many-valued, or no more than some words in common. Worth a line in the history, and nothing else."""
    if case.single_valued:
        return None
    related = [
        each
        for each in live
        if each.type == case.entry.type and jaccard(each.text, case.entry.text) >= settings.jaccard_contradiction
    ]
    return Verdict(path="beside", entries=tuple(related[:3]), reason="both may hold") if related else None

"""The labelled conversations: their form, how they are read, and what must hold for every one of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from graphmem.clock import instant
from graphmem.types import EntryType, Turn

Split = Literal["dev", "more", "final"]
About = tuple[tuple[str, ...], ...]
Granularity = Literal[
    "minute", "hour", "day", "week", "weekend", "month", "season", "quarter", "year", "decade",
]  # fmt: skip
CoreType = Literal["person", "company", "place", "project", "tool", "concept", "event"]
Why = Literal["question", "hypothetical", "quotation", "assistant", "joke", "generic", "negation"]
DATA = Path(__file__).parent / "data"
T = TypeVar("T")


class Said(Struct, frozen=True, forbid_unknown_fields=True):
    """One turn as the data has it."""

    speaker: str | None
    role: Literal["user", "assistant"]
    text: str
    at: str


class Span(Struct, frozen=True, forbid_unknown_fields=True):
    """A half-open stretch of time in the wall clock of the turn; an open end is ``None``."""

    start: str | None
    end: str | None
    granularity: Granularity


class Expression(Struct, frozen=True, forbid_unknown_fields=True):
    """A time as somebody said it, and what it means."""

    text: str
    start: str | None
    end: str | None
    granularity: Granularity


class GoldEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """What should be remembered. Each group of ``about`` has to be met by one of its alternatives.

    ``negated`` of ``None`` takes either polarity, and so does ``ends`` ("I left Acme"). An ``optional`` entry is neither
    rewarded nor punished.
    """

    type: EntryType | tuple[EntryType, ...]
    subject: str | tuple[str, ...]
    about: About
    negated: bool | None = False
    ends: bool = False
    predicate: str | None = None
    object: str | None = None
    valid_from: Span | None = None
    valid_to: Span | None = None
    optional: bool = False


class GoldEntity(Struct, frozen=True, forbid_unknown_fields=True):
    """A thing in the world under any of its names."""

    name: str | tuple[str, ...]
    type: CoreType | tuple[CoreType, ...]
    optional: bool = False


class GoldRelation(Struct, frozen=True, forbid_unknown_fields=True):
    """``subject -predicate-> object`` in the words of the ontology."""

    subject: str | tuple[str, ...]
    predicate: str | tuple[str, ...]
    object: str | tuple[str, ...]
    optional: bool = False


class GoldDigest(Struct, frozen=True, forbid_unknown_fields=True):
    """Words of which a digest should hold at least one."""

    topics_any: tuple[str, ...]


class Gold(Struct, frozen=True, forbid_unknown_fields=True):
    """All that a careful person would keep of a case."""

    entries: tuple[GoldEntry, ...] = ()
    entities: tuple[GoldEntity, ...] = ()
    relations: tuple[GoldRelation, ...] = ()
    dates: tuple[Expression, ...] = ()
    digest: GoldDigest | None = None


class Forbidden(Struct, frozen=True, forbid_unknown_fields=True):
    """What nobody claimed: an entry of this polarity that matches it is a false fact."""

    why: Why
    about: About
    negated: bool = False


class Case(Struct, frozen=True, forbid_unknown_fields=True):
    """A conversation of one or more turns and what to make of it."""

    id: str
    kind: str
    traps: tuple[str, ...]
    turns: tuple[Said, ...]
    gold: Gold
    forbidden: tuple[Forbidden, ...] = ()

    @property
    def negative(self) -> bool:
        """Whether nothing has to be remembered."""
        return all(each.optional for each in self.gold.entries)


class Sitting(Struct, frozen=True, forbid_unknown_fields=True):
    """One session of a change."""

    name: str
    turns: tuple[Said, ...]


class GoldChange(Struct, frozen=True, forbid_unknown_fields=True):
    """What no longer holds after all sessions, what does, and what does exactly once."""

    retired: tuple[About, ...]
    current: tuple[About, ...]
    duplicates: tuple[About, ...] = ()


class Change(Struct, frozen=True, forbid_unknown_fields=True):
    """Sessions over time in which something changes, or does not."""

    id: str
    kind: str
    traps: tuple[str, ...]
    sessions: tuple[Sitting, ...]
    gold: GoldChange


def lines(path: Path, type_: type[T]) -> tuple[T, ...]:
    """Read one value a line."""
    decoder = msgspec.json.Decoder(type_)
    return tuple(decoder.decode(line) for line in path.read_bytes().splitlines() if line.strip())


def cases(split: Split, data: Path = DATA) -> tuple[Case, ...]:
    """Return the sentences and then the dialogues of a half."""
    return (*lines(data / f"{split}-sentences.jsonl", Case), *lines(data / f"{split}-dialogues.jsonl", Case))


def changes(split: Split, data: Path = DATA) -> tuple[Change, ...]:
    """Return the changes over several sessions of a part; ``more`` has none."""
    path = data / f"{split}-changes.jsonl"
    return lines(path, Change) if path.exists() else ()


def turns_of(said: Sequence[Said], session: str) -> tuple[Turn, ...]:
    """Return turns as a store would hold them: with ids, and with instants in UTC."""
    return tuple(
        Turn(
            id=f"tn_{number:04d}", space="bench", session=session, session_id="ss_0001", text=each.text,
            at=instant(each.at, "at"), recorded_at=instant(each.at, "at"), role=each.role, speaker=each.speaker,
            tokens=len(each.text.split()),
        )
        for number, each in enumerate(said, start=1)
    )  # fmt: skip


def several(value: str | tuple[str, ...]) -> tuple[str, ...]:
    """Return one or more values as a tuple."""
    return (value,) if isinstance(value, str) else value


def problems(found: Sequence[Case], later: Sequence[Change], predicates: Iterable[str]) -> Iterator[str]:
    """Say what is wrong with the data; nothing, when all is well."""
    ids = [*(each.id for each in found), *(each.id for each in later)]
    yield from (f"{id}: is there twice" for id in {id for id in ids if ids.count(id) > 1})
    known = frozenset(predicates)
    for case in found:
        for text in (*_said(case.turns), *_labels(case, known)):
            yield f"{case.id}: {text}"
    for change in later:
        said = [each for sitting in change.sessions for each in sitting.turns]
        for text in (*_said(said), *_abouts((*change.gold.retired, *change.gold.current, *change.gold.duplicates))):
            yield f"{change.id}: {text}"
        if not (change.gold.retired or change.gold.current):
            yield f"{change.id}: says nothing about what holds"


def _said(turns: Sequence[Said]) -> Iterator[str]:
    if not turns:
        yield "has no turns"
    times = [instant(each.at, "at") for each in turns]
    if times != sorted(times):
        yield "turns are not in the order of their times"
    yield from ("a turn is empty" for each in turns if not each.text.strip())


def _labels(case: Case, known: frozenset[str]) -> Iterator[str]:
    gold = case.gold
    used = [each.predicate for each in gold.entries if each.predicate]
    used += [name for each in gold.relations for name in several(each.predicate)]
    yield from (f"predicate {name} is not in the ontology" for name in used if name not in known)
    yield from _abouts([*(each.about for each in gold.entries), *(each.about for each in case.forbidden)])
    text = "\n".join(each.text for each in case.turns)
    speakers = [each.speaker or "" for each in case.turns]
    for entity in gold.entities:
        if not any(name in text or name in speakers for name in several(entity.name)):
            yield f"entity {entity.name} is not in the text"
    for expression in gold.dates:
        if expression.text not in text:
            yield f"date {expression.text!r} is not in the text"
    spans = [span for each in gold.entries for span in (each.valid_from, each.valid_to) if span]
    spans += [Span(start=each.start, end=each.end, granularity=each.granularity) for each in gold.dates]
    yield from (f"{each} is not a stretch of time" for each in spans if not _ordered(each))


def _abouts(found: Iterable[About]) -> Iterator[str]:
    yield from (f"{about} says nothing" for about in found if not about or not all(all(group) for group in about))


def _ordered(span: Span) -> bool:
    """A day has no clock and an hour has one; the end is after the start, and not both are open."""
    read = datetime.fromisoformat if span.granularity in ("hour", "minute") else date.fromisoformat
    ends = [read(each) for each in (span.start, span.end) if each]
    return bool(ends) and ends == sorted(set(ends))

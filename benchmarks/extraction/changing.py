"""Several sessions over time, remembered by a whole memory: what still holds at the end, and what no longer does."""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from benchmarks.extraction.cases import About, Case, Change, Gold, Said
from benchmarks.extraction.drafts import trivial
from benchmarks.extraction.matching import DENIES, about_met, stems

if TYPE_CHECKING:
    from graphmem.models.embed import Embedder

Embedding = Literal["hash", "real"]
Remember = Callable[[Change], list[str]]
SPACE = "bench"
# "Ana no longer smokes" is about smoking and does not say that she does.
OVER = re.compile(
    r"\b(?:used to|no longer|former(?:ly)?|previously|stopped|quit|gave up|given up|left|moved from|broke up|split"
    r"|divorced?|ended|instead of|ex-?\w+)\b",
    re.IGNORECASE,
)


class Changed(Struct, frozen=True, kw_only=True):
    """The counts of one change, and what is wrong with it."""

    case: str
    counts: Counter[str]
    remarks: tuple[str, ...] = ()


class Moment:
    """A clock that says what it was last set to, and a little later each time."""

    def __init__(self) -> None:
        self.now = datetime(2020, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        """The time that was set, and a millisecond more at each call."""
        self.now += timedelta(milliseconds=1)
        return self.now


def judge(change: Change, texts: Sequence[str]) -> Changed:
    """Compare the texts that hold after all sessions with the labels."""
    gold = change.gold
    counts: Counter[str] = Counter()
    wrong = [f"still there: {_said(about)}" for about in gold.retired if _holds(about, texts, besides=gold.current)]
    lost = [f"lost: {_said(about)}" for about in gold.current if not _holds(about, texts)]
    times = {about: sum(about_met(about, stems(text)) for text in texts) for about in gold.duplicates}
    repeated = [f"there {count} times: {_said(about)}" for about, count in times.items() if count != 1]
    for name, checks, failed in (
        ("retired", gold.retired, wrong), ("survived", gold.current, lost), ("repeated", gold.duplicates, repeated),
    ):  # fmt: skip
        counts[f"supersession.{name}/right"] += len(checks) - len(failed)
        counts[f"supersession.{name}/predicted"] += len(checks)
    remarks = (*wrong, *lost, *repeated)
    counts["supersession/right"] += not remarks
    counts["supersession/predicted"] += 1
    return Changed(case=change.id, counts=counts, remarks=remarks)


def _holds(about: About, texts: Sequence[str], besides: Sequence[About] | None = None) -> bool:
    """Whether a text claims it; with ``besides``, texts that say that it is over, or what holds now, do not."""
    for text in texts:
        words = stems(text)
        if not about_met(about, words):
            continue
        if besides is None:
            return True
        over = OVER.search(text) or DENIES.search(text)
        if not over and not any(about_met(each, words) for each in besides):
            return True
    return False


def _said(about: About) -> str:
    return " + ".join("/".join(group) for group in about)


def remember(embedding: Embedding) -> Remember:
    """Return what a memory in a temporary folder holds after the sessions of a change."""

    def texts(change: Change) -> list[str]:
        with tempfile.TemporaryDirectory(prefix="bench-extraction-", ignore_cleanup_errors=True) as folder:
            return _remembered(change, Path(folder) / "memory", _embedder(embedding))

    return texts


def _embedder(embedding: Embedding) -> Embedder | None:
    if embedding == "real":
        return None
    from graphmem.testing import HashEmbedder

    return HashEmbedder()


def _remembered(change: Change, folder: Path, embedder: Embedder | None) -> list[str]:
    from graphmem import Memory

    moment = Moment()
    with Memory(folder, embedder=embedder, clock=moment) as memory:
        for sitting in change.sessions:
            moment.now = max(datetime.fromisoformat(each.at) for each in sitting.turns).astimezone(UTC)
            for each in sitting.turns:
                memory.add(
                    each.text, space=SPACE, session=sitting.name, speaker=each.speaker, role=each.role, at=each.at
                )
            memory.flush(SPACE)
        return list(_current(memory, moment.now))


def _current(memory: Any, now: datetime) -> Iterator[str]:
    for entry in memory.entries(space=SPACE, active=None):
        validity = entry.validity
        over = validity.valid_to is not None and validity.valid_to <= now
        if not entry.superseded_by and not over and validity.retracted_at is None:
            yield entry.text


def appended(change: Change) -> list[str]:
    """Return what a memory holds that only ever adds: each sentence of a user in the first person."""
    return [each.text for sitting in change.sessions for each in trivial(_as_case(change.id, sitting.turns)).entries]


def _as_case(id: str, turns: tuple[Said, ...]) -> Case:
    return Case(id=id, kind="", traps=(), turns=turns, gold=Gold())

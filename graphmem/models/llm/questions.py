"""Turns and an ontology as text for a prompt, in as many questions as one call has no room for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta, timezone

from msgspec import Struct

from graphmem.models.llm.exchange import Question
from graphmem.ontology import Ontology
from graphmem.types import Turn

CHARACTERS_PER_TOKEN = 4
# What the instructions, the schema and the frame that DSPy puts around them take, in tokens.
FRAME = 2300
LEAST_ROOM = 1000
NEW = "=== new turns ==="
# How many lines of one question the next one repeats, so that "yes, there" is understood.
OVERLAP = 2


class Spoken(Struct, frozen=True, kw_only=True):
    """A turn as a model gets to see it: its number, its text without what memory put there, and whether it is new."""

    number: int
    turn: Turn
    text: str
    fresh: bool


class _Line(Struct, frozen=True, kw_only=True):
    text: str
    fresh: bool


def questions_of(spoken: Sequence[Spoken], ontology: Ontology, most_tokens: int) -> list[Question]:
    """Return what is to be asked, no question longer than ``most_tokens`` as far as that can be estimated."""
    types = "\n".join(f"{each.name}: {each.description}" for each in ontology.types)
    predicates = "\n".join(
        f"{each.name}({'|'.join(each.domain)} -> {'|'.join(each.range)}): {each.description}"
        for each in ontology.predicates
    )
    room = (most_tokens - FRAME) * CHARACTERS_PER_TOKEN - len(types) - len(predicates)
    lines = [line for each in spoken for line in _lines(each, max(room, LEAST_ROOM))]
    time = _time(spoken[-1].turn) if spoken else ""
    return [
        Question(turns=text, types=types, predicates=predicates, reference_time=time)
        for text in _parts(lines, max(room, LEAST_ROOM))
    ]


def _lines(spoken: Spoken, room: int) -> Iterator[_Line]:
    """A turn as a line, or several when it is longer than a whole question may be."""
    turn = spoken.turn
    role = "" if turn.role == "user" or not turn.speaker else f" ({turn.role})"
    head = f"[{spoken.number}] {turn.speaker or turn.role}{role}, {_time(turn)}: "
    shown = f" (shows an image: {turn.caption})" if turn.caption else ""
    text = (" ".join(spoken.text.split()) + shown).encode("utf-8", "replace").decode()
    step = max(room - len(head) - len(NEW) - 2, LEAST_ROOM // 2)
    for start in range(0, max(len(text), 1), step):
        yield _Line(text=head + text[start : start + step], fresh=spoken.fresh)


def _time(turn: Turn) -> str:
    """When it was said by the speaker's clock."""
    return f"{turn.at.astimezone(timezone(timedelta(minutes=turn.offset))):%a %Y-%m-%d %H:%M}"


def _parts(lines: Sequence[_Line], room: int) -> Iterator[str]:
    part: list[_Line] = []
    new = False
    for line in lines:
        if new and _size(part) + len(line.text) + len(NEW) + 2 > room:
            yield _text(part)
            part = _repeated(part, room)
            new = False
        part.append(line)
        new = True
    if new:
        yield _text(part)


def _repeated(part: Sequence[_Line], room: int) -> list[_Line]:
    """The last lines of a part as context for the next, if they are short."""
    last = [_Line(text=line.text, fresh=False) for line in part[-OVERLAP:]]
    return last if _size(last) <= room // 4 else []


def _size(part: Sequence[_Line]) -> int:
    return sum(len(line.text) + 1 for line in part)


def _text(part: Sequence[_Line]) -> str:
    context = [line.text for line in part if not line.fresh]
    return "\n".join([*context, NEW, *(line.text for line in part if line.fresh)])

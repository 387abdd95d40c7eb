"""Conversations in files: turns as lines of JSON, and LoCoMo's format. Each becomes turns as ``add_many`` takes them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from graphmem.errors import InvalidInput

SESSION = re.compile(r"session_(\d+)")
# As that format writes them: "1:56 pm on 8 May, 2023".
SPOKEN = "%I:%M %p on %d %B, %Y"


def read(path: Path) -> Iterator[tuple[str | None, dict[str, Any]]]:
    """Yield (space, turn) for every turn of a file; the space is ``None`` where the file does not name one."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InvalidInput("file", f"cannot read {str(path)!r}: {error.strerror}") from None
    if path.suffix == ".jsonl":
        yield from _lines(content)
        return
    try:
        whole = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidInput("file", f"{str(path)!r} is not JSON: {error}") from None
    conversations = whole if isinstance(whole, list) else [whole]
    for number, each in enumerate(conversations, start=1):
        if not isinstance(each, Mapping):
            raise InvalidInput("file", f"item {number} is no object, neither a turn nor a conversation")
        if isinstance(each.get("conversation"), Mapping):
            yield from _conversation(str(each.get("sample_id") or f"conversation-{number}"), each["conversation"])
        else:
            yield _turn(dict(each), f"item {number}")


def _lines(content: bytes) -> Iterator[tuple[str | None, dict[str, Any]]]:
    for number, line in enumerate(content.splitlines(), start=1):
        if line.strip():
            try:
                given = msgspec.json.decode(line, type=dict[str, Any])
            except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
                raise InvalidInput(f"line {number}", f"is no JSON object: {error}") from None
            yield _turn(given, f"line {number}")


def _turn(given: dict[str, Any], place: str) -> tuple[str | None, dict[str, Any]]:
    space = given.pop("space", None)
    if "text" not in given:
        raise InvalidInput(place, 'has no text; a turn is an object such as {"text": "...", "speaker": "Ana"}')
    return (None if space is None else str(space)), given


def _conversation(space: str, sessions: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    names = sorted((name for name in sessions if SESSION.fullmatch(name)), key=lambda name: int(name.split("_")[1]))
    for name in names:
        at = _said(sessions.get(f"{name}_date_time"), f"{space} {name}")
        for said in sessions[name]:
            # A picture without words is still something that was sent.
            text = said.get("text") or said.get("blip_caption")
            if text:
                yield space, {
                    "text": text, "speaker": said.get("speaker"), "session": name, "at": at, "ref": said.get("dia_id"),
                    "caption": said.get("blip_caption") if said.get("text") else None,
                }  # fmt: skip


def _said(value: object, place: str) -> datetime:
    try:
        return datetime.strptime(str(value), SPOKEN).replace(tzinfo=UTC)
    except ValueError:
        raise InvalidInput(place, f"{value!r} is no time such as '1:56 pm on 8 May, 2023'") from None

"""Check what a caller hands in and make it a Turn; every refusal names the field and says what to do."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, get_args

import msgspec

from graphmem.clock import instant
from graphmem.errors import InvalidInput
from graphmem.settings import WriteSettings
from graphmem.types import NewTurn, Role, Turn

ROLES = get_args(Role)
# Tab, newline and carriage return are text; other control characters are accidents or attacks.
_CONTROLS = {code: None for code in (*range(32), 127) if chr(code) not in "\t\n\r"}


def check_name(value: object, field: str, settings: WriteSettings) -> str:
    """Return a space, session, speaker, ref or title that can be kept."""
    text = _text(value, field, settings.name_limit)
    if any(code in _CONTROLS or char in "\n\r\t" for char in text for code in (ord(char),)):
        raise InvalidInput(field, f"{text!r} has control characters; remove them")
    return text


def new_turn(given: NewTurn | Mapping[str, Any]) -> NewTurn:
    """Return a turn of a batch, given as such or as a mapping of the arguments of ``add``."""
    if isinstance(given, NewTurn):
        return given
    if not isinstance(given, Mapping):
        raise InvalidInput("turn", f"expected a mapping or NewTurn, got {type(given).__name__}")
    unknown = [str(name) for name in given if name not in NewTurn.__struct_fields__]
    if unknown:
        raise InvalidInput("turn", f"unknown {', '.join(unknown)}; known are {', '.join(NewTurn.__struct_fields__)}")
    if "text" not in given:
        raise InvalidInput("text", "is missing")
    return NewTurn(**given)


def make_turn(new: NewTurn, *, session: str, space: str, now: datetime, settings: WriteSettings) -> Turn:
    """Return the turn that ``new`` describes, still without its ids, or raise InvalidInput."""
    if new.role not in ROLES:
        raise InvalidInput("role", f"{new.role!r} is not one of {', '.join(ROLES)}")
    optional = {
        field: None if value is None else check_name(value, field, settings)
        for field, value in (("speaker", new.speaker), ("ref", new.ref), ("title", new.title), ("user", new.user))
    }
    text = _clean(_text(new.text, "text", settings.text_limit), "text")
    caption = None if new.caption is None else _clean(_text(new.caption, "caption", settings.text_limit), "caption")
    at, offset = (now, 0) if new.at is None else _said(new.at)
    return Turn(
        id="",
        space=space,
        session=session,
        session_id="",
        text=text,
        at=at,
        recorded_at=now,
        role=new.role,
        caption=caption,
        metadata=_metadata(new.metadata, settings),
        tokens=max(1, len(text) // 4),
        offset=offset,
        speaker=optional["speaker"],
        ref=optional["ref"],
        title=optional["title"],
        user=optional["user"],
    )


def _said(at: datetime | str) -> tuple[datetime, int]:
    """Return the instant, and how far east of UTC the speaker's clock was."""
    given = datetime.fromisoformat(at) if isinstance(at, str) and instant(at, "at") else at
    offset = given.utcoffset() if isinstance(given, datetime) else None
    return instant(at, "at"), round(offset.total_seconds() / 60) if offset else 0


def same_content(old: Turn, new: Turn, *, at_given: bool) -> bool:
    """Say whether two turns under one ref are the same thing said; a time counts only when the caller gave one."""
    fields = (
        "text",
        "session",
        "role",
        "speaker",
        "title",
        "caption",
        "metadata",
        "user",
        *(("at",) if at_given else ()),
    )
    return all(getattr(old, field) == getattr(new, field) for field in fields)


def _text(value: object, field: str, limit: int) -> str:
    if not isinstance(value, str):
        raise InvalidInput(field, f"expected text, got {type(value).__name__}")
    if not value.strip():
        raise InvalidInput(field, "is empty; give it some text or leave it out")
    if len(value) > limit:
        raise InvalidInput(field, f"has {len(value)} characters, at most {limit} are kept; split it")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(
            field, f"is not valid Unicode at character {error.start}; decode it with the right encoding"
        ) from None
    return value


def _clean(text: str, field: str) -> str:
    found = next((i for i, char in enumerate(text) if ord(char) in _CONTROLS), None)
    if found is not None:
        raise InvalidInput(field, f"has the control character {text[found]!r} at {found}; remove it")
    return text


def _metadata(value: object, settings: WriteSettings) -> str | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise InvalidInput("metadata", f"expected a mapping, got {type(value).__name__}")
    try:
        encoded = msgspec.json.encode(value, order="sorted")
    except (TypeError, ValueError, RecursionError, msgspec.MsgspecError) as error:
        raise InvalidInput("metadata", f"cannot be written as JSON: {error}") from None
    if len(encoded) > settings.metadata_limit:
        raise InvalidInput("metadata", f"takes {len(encoded)} bytes, at most {settings.metadata_limit} are kept")
    return encoded.decode()

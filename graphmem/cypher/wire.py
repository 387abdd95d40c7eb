"""What goes between the process that has the memory open and the one that runs queries: lengths and msgpack."""

from __future__ import annotations

import struct
from datetime import date, timedelta
from typing import IO, Any, Literal

import msgspec
from msgspec import Struct

_LENGTH = struct.Struct("<Q")
_DATE, _SPAN = 1, 2


class Open(Struct, frozen=True, tag=True):
    """Whose memory the process is to hold, how much memory that may take, and after how many idle seconds it ends."""

    space: str
    pool_mb: int
    spare_mb: int
    idle: int


class Commits(Struct, frozen=True, tag=True):
    """Deltas of the space in the order of the journal, as it keeps them; ``last`` ends what is sent at once."""

    bodies: tuple[bytes, ...]
    last: bool


class Ask(Struct, frozen=True, tag=True):
    """A statement that the guard let through, and what it may cost."""

    text: str
    parameters: dict[str, Any]
    seconds: float
    rows: int
    bytes: int
    cell: int


Message = Open | Commits | Ask
Outcome = Literal["done", "refused", "limit", "broken"]


class Answer(Struct, frozen=True, kw_only=True):
    """What became of a message; ``at`` is where in the statement it went wrong.

    ``spoilt`` says that the process is better not asked again: something in it ran out of memory, or failed.
    """

    outcome: Outcome = "done"
    error: str = ""
    at: int | None = None
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    truncated: bool = False
    spoilt: bool = False


def _packed(value: Any) -> Any:
    raise NotImplementedError(f"a {type(value).__name__} cannot be sent")


def _unpacked(code: int, body: memoryview) -> Any:
    text = bytes(body).decode()
    return date.fromisoformat(text) if code == _DATE else timedelta(microseconds=int(text))


_encoder = msgspec.msgpack.Encoder(enc_hook=_packed)
decode_message = msgspec.msgpack.Decoder(Message, ext_hook=_unpacked).decode
decode_answer = msgspec.msgpack.Decoder(Answer, ext_hook=_unpacked).decode
encode = _encoder.encode


def sendable(value: date | timedelta) -> Any:
    """Return a day or a span as what comes out as itself on the other side; msgspec alone makes text of them."""
    if isinstance(value, timedelta):
        return msgspec.msgpack.Ext(_SPAN, str(value // timedelta(microseconds=1)).encode())
    return msgspec.msgpack.Ext(_DATE, value.isoformat().encode())


def send(stream: IO[bytes] | None, value: Struct) -> None:
    """Write a message."""
    if stream is None:
        raise EOFError
    body = encode(value)
    stream.write(_LENGTH.pack(len(body)) + body)
    stream.flush()


def receive(stream: IO[bytes] | None) -> bytes:
    """Read a message; raise EOFError when the other side is gone."""
    head = stream.read(_LENGTH.size) if stream else b""
    if stream is None or len(head) < _LENGTH.size:
        raise EOFError("its answer ended too early")
    (length,) = _LENGTH.unpack(head)
    body = stream.read(length)
    if len(body) < length:
        raise EOFError("its answer ended too early")
    return body

"""The Litestar application: routes, the one Memory behind them, and the mapping of errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

from litestar import Litestar, Request, get, post
from litestar.di import NamedDependency, Provide
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.params import FromQuery, JSONBody, QueryParameter
from msgspec import Struct

from graphmem import Memory, __version__
from graphmem.types import Recall, Role, Stats
from graphmem_api import problems

LOCAL = ("127.0.0.1", "localhost")


class NewTurn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of ``POST /v1/turns``: what ``Memory.add`` takes, with ``at`` as ISO 8601 text with an offset."""

    text: str
    space: str = "default"
    session: str | None = None
    speaker: str | None = None
    role: Role = "user"
    at: str | None = None
    ref: str | None = None
    title: str | None = None
    caption: str | None = None
    metadata: dict[str, object] | None = None


class Stored(Struct, frozen=True, kw_only=True):
    """The id of a turn that is durable."""

    id: str


class Health(Struct, frozen=True, kw_only=True):
    """The answer of a memory that could be read just now."""

    status: str
    version: str
    stats: Stats


# The engine is synchronous, so each handler runs in a thread: sync_to_thread=True.
@get("/health", sync_to_thread=True)
def health(memory: NamedDependency[Memory]) -> Health:
    """Read from the store: a memory that was closed or cannot be read is not healthy."""
    return Health(status="ok", version=__version__, stats=memory.stats())


@post("/v1/turns", sync_to_thread=True)
def add_turn(data: JSONBody[NewTurn], memory: NamedDependency[Memory]) -> Stored:
    """Store one turn; 201 means that it is on disk."""
    turn = memory.add(
        data.text,
        space=data.space,
        session=data.session,
        speaker=data.speaker,
        role=data.role,
        at=data.at,
        ref=data.ref,
        title=data.title,
        caption=data.caption,
        metadata=data.metadata,
    )
    return Stored(id=turn.id)


@get("/v1/search", sync_to_thread=True)
def search(
    memory: NamedDependency[Memory],
    q: Annotated[str, QueryParameter(description="the question, in plain words")],
    space: FromQuery[str] = "default",
    limit: FromQuery[int] = 10,
) -> Recall:
    """Return what is remembered about a question, best first."""
    return memory.search(q, space=space, limit=limit)


def guard(hosts: Sequence[str]) -> Callable[[Request[Any, Any, Any]], None]:
    """Return what keeps pages of other sites out of a server that knows no passwords.

    A browser sends text/plain across sites without asking, and follows a name that was pointed at this machine.
    """

    def check(request: Request[Any, Any, Any]) -> None:
        if request.url.hostname not in hosts:
            raise HTTPException(status_code=400, detail=f"this server answers to {', '.join(hosts)} only")
        kind, _ = request.content_type
        if request.method == "POST" and kind != "application/json":
            raise HTTPException(status_code=415, detail=f"the body is {kind or 'of no type'}; send application/json")

    return check


def create_app(memory: Memory, *, hosts: Sequence[str] = LOCAL) -> Litestar:
    """Return the application over ``memory``, which stays the caller's to close; it answers to ``hosts`` only."""
    return Litestar(
        route_handlers=[health, add_turn, search],
        dependencies={"memory": Provide(lambda: memory, sync_to_thread=False, use_cache=True)},
        exception_handlers=problems.HANDLERS,
        before_request=guard(hosts),
        logging_config=None,  # the program that runs it decides where logs go
        # JSON alone: the usual pages load their scripts from elsewhere
        openapi_config=OpenAPIConfig(title="graphmem", version=__version__, render_plugins=[JsonRenderPlugin()]),
    )

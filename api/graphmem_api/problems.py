"""Errors as RFC 9457 problem details: each class of ``graphmem.errors`` and Litestar's own, with a status."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.types import ExceptionHandlersMap

from graphmem import errors

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
# The nearest class in an error's line of descent decides.
STATUS: Mapping[type[errors.GraphmemError], HTTPStatus] = {
    errors.InvalidInput: HTTPStatus.BAD_REQUEST,
    errors.SettingsError: HTTPStatus.INTERNAL_SERVER_ERROR,
    errors.OntologyError: HTTPStatus.INTERNAL_SERVER_ERROR,
    errors.NotFound: HTTPStatus.NOT_FOUND,
    errors.Conflict: HTTPStatus.CONFLICT,
    errors.ModelError: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.StoreError: HTTPStatus.INTERNAL_SERVER_ERROR,
    errors.StoreLocked: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.StoreClosed: HTTPStatus.SERVICE_UNAVAILABLE,
    errors.StoreFull: HTTPStatus.INSUFFICIENT_STORAGE,
    errors.GraphmemError: HTTPStatus.INTERNAL_SERVER_ERROR,
}


def status_of(error: errors.GraphmemError) -> HTTPStatus:
    """Return the status that belongs to ``error``."""
    return next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)


def from_engine(request: Request[Any, Any, Any], error: errors.GraphmemError) -> Response[dict[str, Any]]:
    """Answer with what the engine said: its messages name the value that was wrong and what to do."""
    status = status_of(error)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        log.error("%s %s: %s", request.method, request.url.path, error, exc_info=error)
    extra = {"field": error.field} if isinstance(error, errors.InvalidInput) else {}
    return problem(status, title=type(error).__name__, detail=str(error), **extra)


def from_litestar(_: Request[Any, Any, Any], error: HTTPException) -> Response[dict[str, Any]]:
    """Answer for what Litestar refused before the engine was asked: a bad body, a missing parameter, no such route."""
    status = HTTPStatus(error.status_code)
    extra = {"errors": error.extra} if error.extra else {}
    answer = problem(status, title=status.phrase, detail=error.detail, **extra)
    answer.headers.update(error.headers or {})
    return answer


def from_depth(_: Request[Any, Any, Any], _error: RecursionError) -> Response[dict[str, Any]]:
    """Answer for a body that is nested more deeply than anything that could be kept."""
    return problem(HTTPStatus.BAD_REQUEST, title="Bad Request", detail="the body is nested too deeply")


def from_anything(request: Request[Any, Any, Any], error: Exception) -> Response[dict[str, Any]]:
    """Answer for a mistake of ours: the log has the details, the caller has none of them."""
    log.error("%s %s: unexpected error", request.method, request.url.path, exc_info=error)
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    return problem(status, title=status.phrase, detail="an unexpected error happened; the server's log has the details")


def problem(status: HTTPStatus, *, title: str, detail: str, **extra: Any) -> Response[dict[str, Any]]:
    """Return a problem document."""
    body = {"type": "about:blank", "title": title, "status": status.value, "detail": detail, **extra}
    return Response(body, status_code=status.value, media_type=MEDIA_TYPE)


HANDLERS: ExceptionHandlersMap = {
    errors.GraphmemError: from_engine,
    HTTPException: from_litestar,
    RecursionError: from_depth,
    Exception: from_anything,
}

"""graphmem over HTTP: ``create_app(memory)`` is the whole of it."""

from graphmem_api.app import create_app

__all__ = ["create_app"]

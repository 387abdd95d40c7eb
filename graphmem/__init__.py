"""graphmem: a graph-native memory for AI agents that lives in one folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphmem.memory import Memory
    from graphmem.settings import Settings

__all__ = ["Memory", "Settings", "__version__"]
__version__ = "0.1.0"

_HOMES = {"Memory": "graphmem.memory", "Settings": "graphmem.settings"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'graphmem' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)

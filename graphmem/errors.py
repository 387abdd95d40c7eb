"""Everything that graphmem raises on purpose.

GraphmemError
    InvalidInput        also ValueError; .field says which argument was wrong
    SettingsError       also ValueError; a setting is unknown, of the wrong type or out of range
    OntologyError       an ontology file cannot be used
    NotFound            also LookupError; .kind and .id
    Conflict            the same ref with different content
    ModelError          a model cannot be loaded or did not answer
    StoreError
        StoreLocked     another process (.pid) has this folder open
        StoreClosed     the memory was closed
        StoreFull       the disk is full; nothing of the write was kept
        StoreCorrupt    the journal itself is damaged
        SchemaTooNew    the folder was written by a newer graphmem
"""

from __future__ import annotations


class GraphmemError(Exception):
    """The root of the tree: catch it to catch all of them."""


class InvalidInput(GraphmemError, ValueError):
    """An argument that cannot be stored or searched."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field


class SettingsError(GraphmemError, ValueError):
    """A setting that is unknown, of the wrong type or out of range."""


class OntologyError(GraphmemError):
    """An ontology file that cannot be used."""


class NotFound(GraphmemError, LookupError):
    """Nothing with that id (or name) in that space, or no such space."""

    def __init__(self, kind: str, id: str, space: str) -> None:
        if kind == "space":
            message = f"there is no space {id!r}; a space begins with the first thing that is written to it"
        else:
            message = f"there is no {kind} {id!r} in space {space!r}; it may be deleted or in another space"
        super().__init__(message)
        self.kind, self.id, self.space = kind, id, space


class Conflict(GraphmemError):
    """The same ref was used for different content."""


class ModelError(GraphmemError):
    """A model that cannot be loaded or did not answer."""


class StoreError(GraphmemError):
    """The folder cannot be read or written."""


class StoreLocked(StoreError):
    """Another process has this folder open."""

    def __init__(self, folder: str, pid: int | None) -> None:
        owner = f"process {pid}" if pid else "another process"
        super().__init__(f"{folder!r} is open in {owner}; close it there or choose another folder")
        self.pid = pid


class StoreClosed(StoreError):
    """The memory was closed before this call."""


class StoreFull(StoreError):
    """The disk is full; nothing of the write was kept."""


class StoreCorrupt(StoreError):
    """The journal is damaged: restore it from a backup or an export."""


class SchemaTooNew(StoreError):
    """The folder was written by a newer graphmem."""

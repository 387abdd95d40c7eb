"""The store: commits Deltas, serves views; the journal is the truth, the rest can be rebuilt from it."""

from graphmem.store.folder import FolderStore
from graphmem.store.protocol import Store, View

__all__ = ["FolderStore", "Store", "View"]

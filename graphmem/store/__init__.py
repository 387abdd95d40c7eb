"""The store: commits Deltas, serves views; the journal is the truth, the rest can be rebuilt from it."""

from graphmem.store.folder import FolderStore
from graphmem.store.protocol import NewJobs, Queue, Store, View

__all__ = ["FolderStore", "NewJobs", "Queue", "Store", "View"]

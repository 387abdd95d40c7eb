"""From what was claimed to what is known: a Draft and a view become a Delta. Start in pipeline.py."""

from graphmem.write.settle.pipeline import Settled, settle

__all__ = ["Settled", "settle"]

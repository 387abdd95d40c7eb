"""Cypher of people's own: checked, run in a process that holds a copy of one space, and up to limits."""

from graphmem.cypher.console import Console, Table
from graphmem.cypher.limits import Limits

__all__ = ["Console", "Limits", "Table"]

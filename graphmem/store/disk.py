"""How much room the disk has: asked before Kùzu writes, because running out in the middle ends the whole process."""

from __future__ import annotations

import os
from pathlib import Path


def room(folder: Path) -> int:
    """Return how many bytes may still be written where ``folder`` is."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize

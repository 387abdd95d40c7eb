"""How work behind the caller's back behaves: it runs when nobody else wants to."""

from __future__ import annotations

import os
import threading
from contextlib import suppress

NICENESS = 10


def give_way() -> None:
    """Lower the priority of the thread that calls this; on Linux a thread has one of its own."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)

"""One process per folder: a lock that dies with its process and names its owner."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from graphmem.errors import StoreError, StoreLocked


class FolderLock:
    """Holds ``folder/lock`` until released; the kernel releases it when the process dies."""

    def __init__(self, folder: Path) -> None:
        try:
            self._file = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise StoreError(
                f"cannot write in {str(folder)!r}: {error.strerror}; graphmem needs to write its folder"
            ) from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.pread(self._file, 32, 0).strip()
            os.close(self._file)
            raise StoreLocked(str(folder), int(owner) if owner.isdigit() else None) from None
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, str(os.getpid()).encode(), 0)

    def release(self) -> None:
        """Let another process in."""
        os.close(self._file)

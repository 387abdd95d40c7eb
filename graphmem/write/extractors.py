"""Who extracts: the local extractor in its worker process, or a language model with the local one behind it."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from graphmem.settings import DistilSettings, Settings
from graphmem.write.claims import Draft
from graphmem.write.worker import Request, Worker


class Extracted(Struct, frozen=True, kw_only=True):
    """A Draft; ``again`` when a better extractor should have made it, and what it cost in calls, tokens and money."""

    draft: Draft
    again: bool = False
    cost: dict[str, int] = {}


class Extractors(Protocol):
    """Makes a Draft of turns."""

    def extract(self, request: Request) -> Extracted:
        """Return what the turns claim; raise GraphmemError when nobody can say."""

    def stop(self) -> None:
        """Interrupt what is being done."""

    def close(self) -> None:
        """Let go of processes and connections."""


class Local:
    """The local extractor, in a process of its own."""

    def __init__(self, settings: DistilSettings) -> None:
        self._worker = Worker(settings.timeout_seconds)

    def extract(self, request: Request) -> Extracted:
        """As of any extractor."""
        return Extracted(draft=self._worker.extract(request))

    def stop(self) -> None:
        """As of any extractor."""
        self._worker.stop()

    def close(self) -> None:
        """As of any extractor."""
        self._worker.close()


def extractors_of(settings: Settings) -> Extractors:
    """Return the extractors that the settings ask for; nothing is started before it is needed."""
    return Local(settings.distil)

"""Who extracts: the local extractor in its worker process, or a language model with the local one behind it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from graphmem.errors import GraphmemError
from graphmem.models.llm.bill import Bill
from graphmem.models.llm.exchange import Facts
from graphmem.models.llm.order import Order
from graphmem.models.llm.providers import providers_of
from graphmem.settings import DistilSettings, Settings
from graphmem.write.claims import Draft
from graphmem.write.worker import Request, Worker

if TYPE_CHECKING:
    from graphmem.models.llm.exchange import Reply

# A model that cannot stop must not fill every context.
LONGEST_PROFILE = 8000
log = logging.getLogger(__name__)


class Extracted(Struct, frozen=True, kw_only=True):
    """A Draft; ``again`` when a better extractor should have made it, and what it cost in calls, tokens and millionths of USD."""

    draft: Draft
    again: bool = False
    cost: dict[str, int] = {}


class Extractors(Protocol):
    """Makes a Draft of turns."""

    def extract(self, request: Request) -> Extracted:
        """Return what the turns claim; raise GraphmemError when nobody can say."""

    def profile(self, facts: str) -> str | None:
        """Return a profile in better words, or ``None`` when the facts have to speak for themselves."""

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

    def profile(self, facts: str) -> str | None:  # noqa: ARG002 - as of any extractor
        """Rules write no better sentences than the facts are."""
        return None

    def stop(self) -> None:
        """As of any extractor."""
        self._worker.stop()

    def close(self) -> None:
        """As of any extractor."""
        self._worker.close()


class Llm:
    """Language models in the order of the settings; when none answers, the local extractor, for the time being.

    ``clock`` is what the circuit breakers go by, ``order`` whom is asked when it is not the settings' own.
    """

    def __init__(
        self, settings: Settings, *, clock: Callable[[], float] = time.monotonic, order: Order | None = None,
        local: Extractors | None = None,
    ) -> None:  # fmt: skip
        self._settings = settings
        self._order = order or Order(providers_of(settings.llm), settings.llm, clock=clock)
        self._local = local or Local(settings.distil)
        self._asking: set[threading.Event] = set()

    def extract(self, request: Request) -> Extracted:
        """As of any extractor."""
        bill, stop = Bill(), threading.Event()
        self._asking.add(stop)
        try:
            draft = self._ask(request, bill, stop)
        finally:
            self._asking.discard(stop)
        if draft is not None:
            return Extracted(draft=draft, cost=bill.total())
        if stop.is_set():
            raise GraphmemError("asking a language model was interrupted; the session is taken up again later")
        log.warning("no language model answered (%s); rules read the session instead", ", ".join(self._order.models))
        bill.note("llm_fallbacks")
        return Extracted(draft=self._local.extract(request).draft, again=True, cost=bill.total())

    def profile(self, facts: str) -> str | None:
        """As of any extractor; when no model answers, the facts speak for themselves."""
        stop = threading.Event()
        self._asking.add(stop)
        try:
            until = time.monotonic() + self._settings.distil.timeout_seconds
            reply = self._order.ask(Facts(text=facts), Bill(), until=until, stop=stop)
        finally:
            self._asking.discard(stop)
        text = reply.answer.strip() if reply and isinstance(reply.answer, str) else ""
        return text[:LONGEST_PROFILE] or None

    def _ask(self, request: Request, bill: Bill, stop: threading.Event) -> Draft | None:
        """Return what models make of all parts of a session; a part that nobody answers spoils the whole."""
        from graphmem.ontology import load
        from graphmem.write.llm import ask_about, draft_of

        ontology = load(*request.ontology)
        until = time.monotonic() + self._settings.distil.timeout_seconds
        replies: list[Reply] = []
        for question in ask_about(request, ontology, self._settings.llm.max_prompt_tokens):
            reply = self._order.ask(question, bill, until=until, stop=stop)
            if reply is None:
                return None
            replies.append(reply)
        models = dict.fromkeys(reply.model for reply in replies) or self._order.models[:1]
        return draft_of(
            [r.answer for r in replies if not isinstance(r.answer, str)], request, ontology, f"llm/{'+'.join(models)}"
        )

    def stop(self) -> None:
        """As of any extractor."""
        for each in list(self._asking):
            each.set()
        self._local.stop()

    def close(self) -> None:
        """As of any extractor."""
        self._local.close()


def extractors_of(settings: Settings) -> Extractors:
    """Return the extractors that the settings ask for; nothing is started before it is needed."""
    return Llm(settings) if settings.distil.extractor == "llm" else Local(settings.distil)

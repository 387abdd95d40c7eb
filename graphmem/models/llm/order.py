"""Providers in their order: each with its retries and its circuit breaker, then the next. Start reading here."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence

from graphmem.models.llm.attempt import within
from graphmem.models.llm.bill import Bill
from graphmem.models.llm.breaker import Breaker
from graphmem.models.llm.exchange import Ask, Facts, Failure, Question, Reply
from graphmem.models.llm.providers import Provider
from graphmem.settings import LlmSettings

log = logging.getLogger(__name__)
# Whoever asks for more patience than this is not waited for: the next provider is asked.
LONGEST_WAIT = 20.0


class Order:
    """Asks one provider after the other until one answers.

    ``clock`` is what the breakers go by; ``ask`` is how a provider is asked, through DSPy when it is not given.
    """

    def __init__(
        self, providers: Sequence[Provider], settings: LlmSettings, *,
        clock: Callable[[], float] = time.monotonic, ask: Ask | None = None,
    ) -> None:  # fmt: skip
        self._settings, self._ask = settings, ask
        self._breakers = [
            (each, Breaker(settings.breaker_failures, settings.breaker_seconds, clock)) for each in providers
        ]

    @property
    def models(self) -> tuple[str, ...]:
        """The models, in their order."""
        return tuple(provider.model for provider, _ in self._breakers)

    def ask(self, question: Question | Facts, bill: Bill, *, until: float, stop: threading.Event) -> Reply | None:
        """Return the first answer, or ``None`` when nobody has one until then (a time of ``time.monotonic``)."""
        for provider, breaker in self._breakers:
            if reply := self._persist(provider, breaker, question, bill, until, stop):
                return reply
            if stop.is_set():
                break
        return None

    def _persist(
        self,
        provider: Provider,
        breaker: Breaker,
        question: Question | Facts,
        bill: Bill,
        until: float,
        stop: threading.Event,
    ) -> Reply | None:
        for number in range(self._settings.retries + 1):
            if stop.is_set() or time.monotonic() >= until:
                return None
            if not breaker.lets():
                bill.note("llm_rests")
                return None
            said = self._once(provider, question, until, stop)
            if said is None:
                breaker.left()
                return None
            bill.add(provider.model, said, retry=number > 0)
            if isinstance(said, Reply):
                breaker.succeeded()
                return said
            breaker.failed()
            log.warning("%s gave no answer: %s", provider.model, said.reason)
            if not self._waits(said, number, breaker, stop):
                return None
        return None

    def _once(
        self, provider: Provider, question: Question | Facts, until: float, stop: threading.Event
    ) -> Reply | Failure | None:
        """Return what came of one call, ``None`` when it was interrupted."""
        ask = self._ask = self._ask or _through_dspy(self._settings)
        seconds = min(self._settings.timeout_seconds, max(0.0, until - time.monotonic()))
        said = within(lambda: ask(provider, question), seconds, stop)
        if said is None and not stop.is_set():
            return Failure(reason=f"timed out after {seconds:g} s", transient=True)
        return said

    def _waits(self, failure: Failure, number: int, breaker: Breaker, stop: threading.Event) -> bool:
        """Wait for the next attempt, if there is to be one."""
        if not failure.transient or number >= self._settings.retries or breaker.open:
            return False
        seconds = max(self._settings.backoff_seconds * 2**number, failure.retry_after or 0.0)
        return seconds <= LONGEST_WAIT and not stop.wait(seconds)


def _through_dspy(settings: LlmSettings) -> Ask:
    """Importing DSPy takes more than a second, which must not count as the first provider's."""
    from graphmem.models.llm.predict import asker

    return asker(settings)

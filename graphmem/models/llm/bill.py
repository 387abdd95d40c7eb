"""What a session cost: calls, tokens and money, whoever answered in the end."""

from __future__ import annotations

from collections import Counter

from graphmem.models.llm.exchange import Failure, Reply


class Bill:
    """Adds up. Calls that failed are paid for, too, where tokens were reported for them."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def add(self, model: str, said: Reply | Failure, *, retry: bool) -> None:
        """Enter one call."""
        spent = said.spent
        answered = isinstance(said, Reply)
        self._counts.update({
            "llm_calls": 1,
            "llm_retries": int(retry),
            "llm_failures": int(not answered),
            "prompt_tokens": spent.prompt_tokens,
            "completion_tokens": spent.completion_tokens,
        })  # fmt: skip
        if answered:
            self._counts[f"answers of {model}"] += 1
        if spent.usd is not None:
            self._counts["micro_usd"] += round(spent.usd * 1_000_000)
        elif spent.prompt_tokens or answered:
            self._counts["unpriced_calls"] += 1

    def note(self, what: str) -> None:
        """Enter something that happened and cost nothing."""
        self._counts[what] += 1

    def total(self) -> dict[str, int]:
        """Return what there is to pay; nothing that is nothing."""
        return {name: count for name, count in self._counts.items() if count}

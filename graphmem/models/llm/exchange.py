"""What is asked of a model, and what comes back: an answer or the reason why there is none, with what either cost."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from graphmem.models.llm.providers import Provider

if TYPE_CHECKING:
    from graphmem.models.llm.shapes import Answer


class Question(Struct, frozen=True, kw_only=True):
    """The turns of a session and what may be said of them, as text for a prompt."""

    turns: str
    types: str
    predicates: str
    reference_time: str

    def __len__(self) -> int:
        return len(self.turns) + len(self.types) + len(self.predicates)


class Facts(Struct, frozen=True, kw_only=True):
    """What is known, line by line, to be written as a profile."""

    text: str


class Spent(Struct, frozen=True, kw_only=True):
    """What one call cost; ``usd`` is ``None`` when nobody knows the price."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float | None = None


class Reply(Struct, frozen=True, kw_only=True):
    """What a model found in a session, or the profile that it wrote, and which model it was."""

    answer: Answer | str
    model: str
    spent: Spent = Spent()


class Failure(Struct, frozen=True, kw_only=True):
    """Why there is no answer; a ``transient`` one may be there a little later."""

    reason: str
    transient: bool = False
    retry_after: float | None = None
    spent: Spent = Spent()


Ask = Callable[[Provider, Question | Facts], Reply | Failure]

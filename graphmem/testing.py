"""Doubles that are part of the product: deterministic, quick, and in need of no model."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from graphmem.types import Turn
    from graphmem.write.claims import Claim, Mention
    from graphmem.write.extractors import Extracted
    from graphmem.write.worker import Request

_WORD = re.compile(r"\w+")


class HashEmbedder:
    """A bag of hashed words: texts that share words are near each other, and nothing else is known of meaning."""

    def __init__(self, dimension: int = 64) -> None:
        if dimension < 1:
            raise ValueError(f"dimension: {dimension} is not at least 1")
        self._dimension = dimension

    @property
    def signature(self) -> str:
        """As of any embedder: source and dimension."""
        return f"hash/{self._dimension}"

    @property
    def dimension(self) -> int:
        """How long a vector is."""
        return self._dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of unit length for each text; a text without words has a direction of its own."""
        import numpy as np

        rows = np.zeros((len(texts), self._dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in _WORD.findall(text.casefold()) or [""]:
                row[self._place(word)] += 1
        unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    def _place(self, word: str) -> int:
        digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        return int.from_bytes(digest, "big") % self._dimension


class FixedClock:
    """A clock that says ``start`` when it is first asked, and ``step`` later each time after that."""

    def __init__(
        self, start: datetime = datetime(2024, 1, 1, tzinfo=UTC), step: timedelta = timedelta(seconds=1)
    ) -> None:
        if start.utcoffset() is None:
            raise ValueError(f"start: {start} has no time zone")
        self._next = start.astimezone(UTC)
        self._step = step

    def __call__(self) -> datetime:
        """The next time, aware and in UTC."""
        now = self._next
        self._next = now + self._step
        return now


class ScriptedExtractor:
    """An extractor that says of each turn's text what the script says of it, in this process and at once.

    A claim without sources is supported by the whole turn; people are mentioned by being subjects. Texts that are not
    in the script claim nothing. An error in the script is raised.
    """

    def __init__(
        self,
        script: Mapping[str, Sequence[Claim] | Exception],
        *,
        mentions: Sequence[Mention] = (),
        name: str = "scripted/1",
    ) -> None:
        self._script, self._mentions, self._name = script, tuple(mentions), name
        self.requests: list[Request] = []

    def extract(self, request: Request) -> Extracted:
        """As of any extractor."""
        from graphmem.write.claims import Digest, Draft
        from graphmem.write.extractors import Extracted

        self.requests.append(request)
        claims: list[Claim] = []
        for turn in request.turns[request.fresh_from :]:
            said = self._script.get(turn.text, ())
            if isinstance(said, Exception):
                raise said
            claims += [_sourced(claim, turn) for claim in said]
        text = " ".join(turn.text for turn in request.turns)
        named = {claim.subject for claim in claims} | {str(claim.object) for claim in claims}
        draft = Draft(
            extractor=self._name,
            digest=Digest(summary=text[:200]),
            mentions=tuple(each for each in self._mentions if each.name in named),
            claims=tuple(claims),
        )
        return Extracted(draft=draft)

    def profile(self, facts: str) -> str | None:  # noqa: ARG002 - as of any extractor
        """As of any extractor: the facts speak for themselves."""
        return None

    def stop(self) -> None:
        """As of any extractor."""

    def close(self) -> None:
        """As of any extractor."""


def _sourced(claim: Claim, turn: Turn) -> Claim:
    import msgspec

    from graphmem.write.claims import Source

    if claim.sources:
        return claim
    whole = Source(turn=turn.id, start=0, end=len(turn.text))
    return msgspec.structs.replace(claim, sources=(whole,), speaker=claim.speaker or turn.speaker)

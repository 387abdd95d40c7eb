"""Made-up chat turns whose words are as common and as rare as real ones, and questions about them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

VOCABULARY = 50_000
SHORTEST, LONGEST = 8, 40
CHUNK = 1000
# In chat the very commonest words are filler that no index keeps; the next ones stand in some 8% of all turns.
FILLER = (
    "the", "i", "you", "and", "to", "a", "it", "that", "of", "is", "in", "my", "was", "for", "so", "have", "me", "we",
    "on", "but", "with", "are", "just", "be", "this",
)  # fmt: skip
COMMON = 2000
_CONSONANTS, _VOWELS = "bcdfghjklmnprstvwxyz", "aeiou"
_SPEAKERS = ("Ana", "Ben", "Chiara", "Dev")


class Chat:
    """Turns by number: the same seed and number give the same text, in whatever order they are asked for."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._words = np.array([*FILLER, *_made_up(VOCABULARY - len(FILLER), seed)], dtype=object)
        self._rank = {word: rank for rank, word in enumerate(self._words)}
        weight = 1.0 / (np.arange(VOCABULARY) + 2.7)  # Zipf's law with Mandelbrot's shift
        self._cumulated = np.cumsum(weight / weight.sum())

    def turns(self, start: int, count: int) -> list[str]:
        """Return the texts of the turns from ``start`` on."""
        found: list[str] = []
        for chunk in range(start // CHUNK, (start + count - 1) // CHUNK + 1 if count else 0):
            texts = self._chunk(chunk)
            found += texts[max(0, start - chunk * CHUNK) : start + count - chunk * CHUNK]
        return found

    def _chunk(self, number: int) -> list[str]:
        random = np.random.default_rng((self._seed, number))
        lengths = random.integers(SHORTEST, LONGEST + 1, CHUNK)
        drawn = self._words[self._cumulated.searchsorted(random.random(int(lengths.sum())))]
        ends = np.cumsum(lengths)
        return [" ".join(drawn[end - length : end]) + "." for length, end in zip(lengths, ends, strict=True)]

    def question(self, text: str, number: int) -> str:
        """Return 3 to 8 words of a turn: its two rarest and some of its common ones."""
        random = np.random.default_rng((self._seed, 1, number))
        words = sorted(dict.fromkeys(text.rstrip(".").split()), key=lambda word: -self._rank[word])
        common = [word for word in words[2:] if len(FILLER) <= self._rank[word] < COMMON] or words[2:]
        wanted = min(int(random.integers(1, 7)), len(common))
        chosen = [*words[:2], *random.choice(np.array(common, dtype=object), wanted, replace=False)]
        random.shuffle(chosen)
        return " ".join(chosen) + "?"


def speaker(number: int) -> str:
    """Return who says turn ``number``."""
    return _SPEAKERS[number % len(_SPEAKERS)]


def text_bytes(texts: Sequence[str]) -> int:
    """Return how many bytes the texts themselves take."""
    return sum(len(text.encode()) for text in texts)


def _made_up(count: int, seed: int) -> list[str]:
    """Return distinct words of two and three syllables, common ones short as in any language."""
    syllables = np.array([c + v for c in _CONSONANTS for v in _VOWELS], dtype=object)
    np.random.default_rng(seed).shuffle(syllables)
    size = len(syllables)
    words = []
    for number in range(count):
        high, low = divmod(number, size)
        higher, middle = divmod(high, size)
        words.append((syllables[higher - 1] if higher else "") + syllables[middle] + syllables[low])
    return words

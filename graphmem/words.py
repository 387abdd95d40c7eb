"""Text to terms, the same for writing and asking: fold case and accents, drop chat filler, stem.

Done here and not by SQLite's tokenizer, so that terms can carry their space, scripts without blanks are cut into pairs,
and the read path scores candidates with the very same terms.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from functools import lru_cache
from typing import Any

WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
# Scripts written without blanks: each run becomes overlapping pairs.
UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
LONGEST = 64
_STEMMING = threading.Lock()
STOP = frozenset(
    [
        "a",
        "an",
        "the",
        "and",
        "or",
        "but",
        "nor",
        "so",
        "yet",
        "if",
        "then",
        "than",
        "that",
        "this",
        "these",
        "those",
        "there",
        "here",
        "of",
        "in",
        "on",
        "at",
        "by",
        "for",
        "from",
        "to",
        "into",
        "with",
        "about",
        "as",
        "is",
        "am",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "do",
        "does",
        "did",
        "doing",
        "done",
        "have",
        "has",
        "had",
        "having",
        "will",
        "would",
        "shall",
        "should",
        "can",
        "could",
        "may",
        "might",
        "must",
        "i",
        "me",
        "my",
        "mine",
        "myself",
        "we",
        "us",
        "our",
        "ours",
        "you",
        "your",
        "yours",
        "he",
        "him",
        "his",
        "she",
        "her",
        "hers",
        "it",
        "its",
        "they",
        "them",
        "their",
        "theirs",
        "who",
        "whom",
        "whose",
        "what",
        "which",
        "when",
        "where",
        "why",
        "how",
        "not",
        "no",
        "yes",
        "yeah",
        "yep",
        "nope",
        "ok",
        "okay",
        "oh",
        "ah",
        "um",
        "uh",
        "hmm",
        "hey",
        "hi",
        "hello",
        "well",
        "just",
        "really",
        "very",
        "too",
        "also",
        "like",
        "im",
        "ive",
        "id",
        "ill",
        "youre",
        "youve",
        "youll",
        "hes",
        "shes",
        "theyre",
        "weve",
        "were",
        "thats",
        "whats",
        "dont",
        "doesnt",
        "didnt",
        "isnt",
        "arent",
        "wasnt",
        "werent",
        "cant",
        "couldnt",
        "wont",
        "wouldnt",
        "hasnt",
        "havent",
        "hadnt",
        "lets",
        "gonna",
        "wanna",
        "got",
        "get",
        "some",
        "any",
        "all",
        "up",
        "out",
    ]
)


def terms(text: str) -> list[str]:
    """Return the stemmed terms of ``text`` in their order, filler words left out."""
    found = []
    for word in _words(text):
        term = _term(word)
        if term:
            found.append(term)
    return found


def fold(text: str) -> str:
    """Lower-case ``text`` and strip its accents, so that "Café" and "cafe" meet."""
    if text.isascii():
        return text.lower()
    # Folded on both sides: a fancy letter is a capital only once it is decomposed, and ß is longer once it is folded.
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def keys_of(name: str) -> tuple[str, ...]:
    """Return under what a name is looked up: as a whole, by each of its words, by their stems and beginnings."""
    words = fold(name).split()
    keys = [" ".join(words)]
    for word in words:
        if len(word) > 2:
            keys += [word, *terms(word)]
        if len(word) > 5:
            keys.append(f"{word[:4]}*")
    return tuple(dict.fromkeys(keys))


def _words(text: str) -> list[str]:
    words: list[str] = []
    for match in WORD.finditer(fold(text)):
        word = match.group()
        if word.isascii():
            words.append(word)
            continue
        last = 0
        for run in UNSPACED.finditer(word):
            words.append(word[last : run.start()])
            last = run.end()
            chars = run.group()
            words.extend(chars[i : i + 2] for i in range(max(1, len(chars) - 1)))
        words.append(word[last:])
    return [word for word in words if word]


@lru_cache(maxsize=65536)
def _term(word: str) -> str:
    bare = word.replace("\u2019", "'")
    bare = bare.removesuffix("'s").replace("'", "")
    if bare in STOP or len(bare) > LONGEST:
        return ""
    with _STEMMING:  # a Stemmer object is not thread-safe; the cache in front keeps this rare
        return str(_stemmer().stemWord(bare))


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english", 0)

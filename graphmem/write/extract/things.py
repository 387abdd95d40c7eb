"""Noun phrases: what a word stands for, under which name, and of which type."""

from __future__ import annotations

import re
from collections.abc import Iterable

from graphmem.models.parser import Sentence, Word
from graphmem.ontology import Ontology
from graphmem.write.claims import Mention
from graphmem.write.extract import lexicon as words

NER = {"PERSON": "person", "GPE": "place", "LOC": "place", "FAC": "place", "ORG": "company", "NORP": "concept",
       "LANGUAGE": "concept", "PRODUCT": "tool", "EVENT": "event", "WORK_OF_ART": "concept", "LAW": "concept"}  # fmt: skip
DATES = frozenset({"DATE", "TIME", "CARDINAL", "ORDINAL", "PERCENT", "MONEY", "QUANTITY"})
BEFORE = frozenset(
    {"compound", "amod", "nummod", "nmod", "poss", "case", "quantmod", "punct", "advmod", "det", "npadvmod"}
)
QUANTITIES = frozenset({"many", "much", "some", "several", "few", "other", "such", "own", "more", "most", "any", "all", "new",
                        "way", "no", "another", "same", "next", "last", "good", "great", "certain", "various"})  # fmt: skip
NAMED = frozenset({"called", "named", "nicknamed"})
STRETCHED = re.compile(r"([a-z])\1\1", re.IGNORECASE)
LETTERS = re.compile(r"[^\W\d_]")
NAMED_TYPES = ("company", "place", "person")


class Things:
    """What the ontology and the session know of names; asked for the type of a phrase."""

    def __init__(self, ontology: Ontology, known: Iterable[Mention] = ()) -> None:
        self.names: dict[str, str] = {}
        self.nouns: dict[str, str] = {}
        for kind in ontology.types:
            self.names.update(dict.fromkeys((name.lower() for name in kind.names), kind.name))
            self.nouns.update(dict.fromkeys((noun.lower() for noun in kind.nouns), kind.name))
        self.groups = {
            name: (frozenset(nouns), tuple(n[1:] for n in nouns if n[0] == "*"))
            for name, nouns in ontology.groups.items()
        }
        self.session: dict[str, str] = {}
        for mention in known:
            self.session.update(dict.fromkeys((n.lower() for n in (mention.name, *mention.aliases)), mention.type))

    def type_of(self, word: Word, sentence: Sentence) -> str | None:
        """The type of the thing that a noun stands for, or none when nothing says it."""
        name = phrase(word, sentence).lower()
        if STRETCHED.search(word.text):
            return None
        if kind := self._listed(name, word):
            return kind
        if not proper(word, sentence):
            return self.nouns.get(word.lemma) or self.nouns.get(word.lower) or self.nouns.get(name)
        if (kind := self.nouns.get(word.lower)) and kind != "person":
            return kind
        if word.ent in DATES and (word.lower in words.TIMES or not LETTERS.search(word.text)):
            return "time"
        return NER.get(word.ent)

    def _listed(self, name: str, word: Word) -> str | None:
        """The type of a name that the session or the ontology lists; of a person, the first name is enough."""
        for candidate in (name, word.lower):
            kind = self.session.get(candidate) or self.named(candidate, word)
            if kind and (kind != "person" or candidate == name):
                return kind
        first = name.split(" ", 1)[0]
        called = first != name and word.text[:1].isupper() and self.names.get(first) == "person"
        return "person" if called else None

    def fits(self, word: Word, sentence: Sentence, types: Iterable[str], *, strict: bool = False) -> str | None:
        """The type under which a noun can be one of ``types``, or none when it cannot; ``strict`` takes no unknown noun."""
        wanted = tuple(types)
        if len(wanted) == 1 and wanted[0] in self.groups:
            return "concept" if self.in_group(word, wanted[0]) else None
        if word.pos in ("PRON", "DET") or word.lower in words.LIGHT_NOUNS or word.lower in words.TIMES:
            return None
        kind = self.type_of(word, sentence)
        if kind == "time":
            return None
        if kind in wanted or not wanted:
            return kind or "concept"
        if kind is not None and not (proper(word, sentence) and kind == NER.get(word.ent)):
            return "concept" if kind in ("tool", "project", "event") and "concept" in wanted else None
        return self._unknown(word, sentence, wanted, strict=strict)

    def _unknown(self, word: Word, sentence: Sentence, wanted: tuple[str, ...], *, strict: bool) -> str | None:
        """The type that an unknown noun is given where one of ``wanted`` is expected."""
        if proper(word, sentence) and word.pos == "PROPN":
            product = word.ent in ("PRODUCT", "ORG") or any(char.isdigit() for char in word.text)
            if strict and wanted == ("tool",) and not product:
                return None
            return next(each for each in (*NAMED_TYPES, *wanted) if each in wanted)
        if "concept" in wanted:
            return "concept" if not strict or wanted == ("concept",) else None
        if strict:
            return None
        if "tool" in wanted:
            return "tool"
        return wanted[0] if {"place", "company"} & set(wanted) and self._bare(word, sentence) else None

    def named(self, name: str, word: Word) -> str | None:
        """The type of a name of the ontology; one that is also a word, or a person's, has to be written as a name."""
        kind = self.names.get(name)
        small = not word.text[:1].isupper()
        return None if small and (kind == "person" or name in words.ALSO_WORDS) else kind

    def in_group(self, word: Word, group: str) -> bool:
        """Whether a noun is one of a group of the ontology, by itself or by its ending."""
        nouns, endings = self.groups[group]
        return word.lemma in nouns or word.lower in nouns or (bool(endings) and word.lemma.endswith(endings))

    def _bare(self, word: Word, sentence: Sentence) -> bool:
        """Whether a small-letter noun stands where only a name can: "in porto", "at siemens"."""
        lone = not any(sentence.words[i].dep in ("det", "poss", "nummod", "amod") for i in word.children)
        before = sentence.words[word.i - 1] if word.i else None
        plain = word.lower in words.BARE or word.tag == "VBG" or word.lower.endswith(("ing", "tion", "ment", "ness"))
        return lone and not plain and before is not None and before.pos == "ADP" and len(word.text) > 2


def proper(word: Word, sentence: Sentence) -> bool:
    """Whether a word is a name, by its tag or by a capital that is not the sentence's."""
    if not word.text[:1].isupper():
        return word.pos == "PROPN" and bool(word.ent) and word.ent not in DATES
    if word.lower in words.GREETING or word.lower in words.FILLER:
        return False
    first = next((each.i for each in sentence.words if each.pos not in ("PUNCT", "SPACE")), 0)
    return word.pos == "PROPN" or (word.i != first and word.pos in ("NOUN", "ADJ", "X", "INTJ", "VERB"))


def deictic(word: Word, sentence: Sentence) -> bool:
    """Whether a noun only points: "these", "this pic", "the taste of these"."""
    if word.lower in words.POINTING:
        return True
    for i in word.children:
        child = sentence.words[i]
        if child.dep == "det" and child.lower in words.POINTING and word.lower not in words.TIMES:
            return True
        if child.lower == "of" and any(deictic(sentence.words[k], sentence) for k in child.children):
            return True
    return False


def phrase(word: Word, sentence: Sentence, *, of: bool = True) -> str:
    """A noun with what belongs to it: its adjectives and compounds, and an "of" behind a name's first half."""
    text = _text(sentence, _span(word, sentence))
    if of and (tail := _of(word, sentence)) is not None and (tail.text[:1].isupper() or not word.text[:1].isupper()):
        joint = sentence.words[tail.head]
        text += f" {joint.text} {_text(sentence, _span(tail, sentence))}"
    return text


def name_span(word: Word, sentence: Sentence) -> tuple[int, int]:
    """The characters of a phrase."""
    span = _span(word, sentence)
    return sentence.words[span[0]].start, sentence.words[span[-1]].end


def _span(word: Word, sentence: Sentence) -> list[int]:
    """The places of a noun and of the modifiers right before it, without articles and possessives of persons."""
    every = sentence.words
    first = word.i
    left = sorted((i for i in word.children if i < word.i and every[i].dep in BEFORE), reverse=True)
    for i in left:
        below = sentence.below(i)
        if below[-1] + 1 != first or _stops(every[i], word):
            break
        first = below[0]
    while first < word.i and (every[first].dep in ("det", "punct", "advmod", "case") or every[first].pos == "PUNCT"):
        first += 1
    last = word.i
    for i in sorted(word.children):  # "Node 20", "St Thomas'"
        if i == last + 1 and (
            every[i].dep == "nummod" or (every[i].dep == "case" and every[i].text in ("'", "\u2019"))
        ):
            last = i
    return list(range(first, last + 1))


def _stops(left: Word, word: Word) -> bool:
    if left.tag == "PRP$" or left.lower in QUANTITIES:
        return True
    if word.text[:1].isupper() and left.dep in ("amod", "compound") and left.text[:1].islower() and left.pos != "PROPN":
        return True
    if left.dep == "det":
        return not (left.text == "The" and word.text[:1].isupper() and left.i > 0)
    return left.dep == "poss" and not (left.text[:1].isupper() and word.text[:1].isupper())


def _of(word: Word, sentence: Sentence) -> Word | None:
    """The noun behind "of" that makes one name or one thing with this one: University of Lisbon, smell of rain."""
    for i in word.children:
        joint = sentence.words[i]
        if joint.dep == "prep" and joint.lower == "of" and i <= word.i + 2:
            return next((sentence.words[k] for k in joint.children if sentence.words[k].dep == "pobj"), None)
    return None


def _text(sentence: Sentence, span: list[int]) -> str:
    return joined([sentence.words[i] for i in span])


def joined(found: list[Word]) -> str:
    """Words with the blanks that stood between them, one at most."""
    parts: list[str] = []
    for before, word in zip([None, *found], found, strict=False):
        if before is not None and word.start > before.end:
            parts.append(" ")
        parts.append(word.text)
    return "".join(parts).strip()


def conjuncts(word: Word, sentence: Sentence) -> list[Word]:
    """A noun and those joined to it by "and" or "or"."""
    found, todo = [], [word]
    while todo:
        each = todo.pop(0)
        found.append(each)
        todo.extend(
            sentence.words[i]
            for i in sorted(each.children)
            if sentence.words[i].dep == "conj" and not _clausal(sentence.words[i], sentence)
        )
    return found


def _clausal(word: Word, sentence: Sentence) -> bool:
    return word.pos in ("VERB", "AUX") and any(sentence.words[i].dep in ("nsubj", "aux") for i in word.children)


def given_name(word: Word, sentence: Sentence) -> Word | None:
    """The name that a noun is given: "my sister Clara", "a dog named Rex", "our CTO, Viktor Lindqvist"."""
    for i in sorted(word.children):
        child = sentence.words[i]
        if child.dep in ("appos", "flat") and child.text[:1].isupper() and i > word.i:
            return child
        if child.lower in NAMED and child.dep in ("acl", "relcl", "amod", "advcl", "vmod"):
            return next((sentence.words[k] for k in sorted(child.children) if sentence.words[k].dep in
                         ("oprd", "dobj", "attr", "npadvmod", "nsubj", "appos", "acomp", "ccomp", "xcomp")), None)  # fmt: skip
    after = sentence.words[word.i + 1] if word.i + 1 < len(sentence.words) else None
    close = after is not None and after.text[:1].isupper() and after.pos == "PROPN" and word.pos == "NOUN"
    return _head_of_name(after, sentence) if close and after is not None else None


def _head_of_name(word: Word, sentence: Sentence) -> Word:
    """The last word of a name that begins here."""
    at = word
    while at.i + 1 < len(sentence.words):
        following = sentence.words[at.i + 1]
        if not (following.pos == "PROPN" and following.text[:1].isupper()):
            break
        at = following
    return at

"""Clauses: who does what, said in which way. A sentence of a chat often has several, and they differ in how they are meant."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from graphmem.models.parser import Sentence, Word
from graphmem.write.extract import lexicon as words

SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "expl"})
OWN_CLAUSE = frozenset({"ccomp", "advcl", "relcl", "parataxis", "conj", "csubj"})


class Clause(Struct, kw_only=True):
    """A verb with its subject. ``top`` is the first of the verbs that lead to it ("plan" in "I plan to move").

    ``members`` are the places of its words, without those of the clauses inside it.
    """

    sentence: Sentence
    verb: Word
    top: Word
    chain: tuple[Word, ...]
    subject: Word | None
    members: list[int]
    parent: Clause | None = None
    elided: bool = False
    verbless: bool = False

    def child(self, *deps: str, of: Word | None = None) -> Word | None:
        """The first child of the verb with one of these dependencies."""
        return next((word for word in self.children(*deps, of=of)), None)

    def children(self, *deps: str, of: Word | None = None) -> list[Word]:
        """The children of the verb (or of another word) with one of these dependencies; all when none is given."""
        every = (self.sentence.words[i] for i in sorted((of or self.verb).children))
        return [word for word in every if not deps or word.dep in deps]

    def auxiliaries(self) -> list[Word]:
        """The auxiliaries of all verbs of the chain."""
        return [aux for verb in self.chain for aux in self.children("aux", "auxpass", of=verb)]

    def shared(self) -> list[Word]:
        """The auxiliaries that a second verb shares with the first: "I can juggle and ride a unicycle"."""
        if not self.sharing:
            return []
        return [aux for aux in self.parent.auxiliaries() if aux.lower != "to"] if self.parent else []

    def lent(self) -> tuple[Word, ...]:
        """The verbs that stand before both: "I need to call Bob and buy milk"."""
        if not self.sharing or self.parent is None or self.top.head != self.parent.verb.i:
            return ()
        before = self.parent.chain[:-1]
        return before if before and before[0].lemma in words.PLANNING | words.DECIDING | {"want"} else ()

    @property
    def sharing(self) -> bool:
        """Whether this verb is joined to one whose subject and auxiliaries are its own too."""
        own = any(word.dep in ("aux", "auxpass", *SUBJECTS) for word in self.children(of=self.top))
        return self.top.dep == "conj" and self.top.tag in ("VB", "VBG", "VBN") and self.parent is not None and not own


def clauses(sentence: Sentence) -> list[Clause]:
    """The clauses of a sentence, the main one first."""
    found: list[Clause] = []
    todo: list[tuple[Word, Clause | None]] = [(sentence.root, None)]
    while todo:
        top, parent = todo.pop(0)
        clause = _clause(sentence, top, parent)
        if clause is not None:
            found.append(clause)
        below = clause or parent
        todo.extend((head, below) for head in _inner(sentence, clause.top if clause else top, clause))
    return found


def _clause(sentence: Sentence, top: Word, parent: Clause | None) -> Clause | None:
    if top.pos not in ("VERB", "AUX"):
        return _verbless(sentence, top, parent)
    chain = tuple(_chain(sentence, top))
    verb = chain[-1]
    subject = next((word for each in chain if (word := _subject(sentence, each))), None)
    if subject is not None and top.dep == "relcl" and subject.lower in ("who", "which", "that"):
        near = sentence.words[subject.i - 1] if subject.i else subject
        subject = near if near.pos == "PROPN" else sentence.words[top.head]
    elided = False
    if subject is None:
        subject, elided = _inherited(top, parent)
    return Clause(
        sentence=sentence, verb=verb, top=top, chain=chain, subject=subject, parent=parent, elided=elided,
        members=own_words(sentence, top, subject),
    )  # fmt: skip


def _verbless(sentence: Sentence, top: Word, parent: Clause | None) -> Clause | None:
    """ "Big fan of jazz", "Allergic to nuts": a sentence that leaves out "I am". It is given the verb."""
    if parent is not None or top.pos not in ("NOUN", "ADJ", "PROPN") or top.dep != "ROOT":
        return None
    if any(sentence.words[i].lower in words.DEFINITE for i in top.children):
        return None  # "the best song ever": something is meant that was not said
    deny = [i for i in top.children if sentence.words[i].lower in ("not", "never") and i < top.i]
    be = Word(
        i=len(sentence.words), text="", lower="", lemma="be", tag="VBP", pos="AUX", dep="ROOT", head=len(sentence.words),
        start=top.start, end=top.start, ent="", children=[*deny, top.i],
    )  # fmt: skip
    for i in deny:
        sentence.words[i].dep, sentence.words[i].head = "neg", be.i
        top.children.remove(i)
    top.dep, top.head = ("acomp" if top.pos == "ADJ" else "attr"), be.i
    sentence.words.append(be)
    members = [i for i in own_words(sentence, be, None) if i != be.i]
    return Clause(
        sentence=sentence, verb=be, top=be, chain=(be,), subject=None, parent=None, elided=True, verbless=True,
        members=members,
    )  # fmt: skip


def _chain(sentence: Sentence, top: Word) -> Iterator[Word]:
    """The verbs from the first to the one that says what is done: plan, start, work in "I plan to start working"."""
    verb: Word | None = top
    seen = 0
    while verb is not None and seen < 5:
        yield verb
        seen += 1
        inner: Word | None = None
        if verb.lemma in words.CONTROLLING or (verb.lemma == "be" and verb is top):
            inner = _governed(sentence, verb)
        verb = inner


def _governed(sentence: Sentence, verb: Word) -> Word | None:
    for i in sorted(verb.children):
        word = sentence.words[i]
        if word.dep == "xcomp" and word.pos in ("VERB", "AUX") and verb.lemma != "be":
            return word
        if word.dep == "acomp" and word.lemma in ("able", "about", "suppose", "supposed"):
            return next((w for w in map(sentence.words.__getitem__, sorted(word.children)) if w.dep == "xcomp"), None)
    return None


def _subject(sentence: Sentence, verb: Word) -> Word | None:
    found = next((word for i in sorted(verb.children) if (word := sentence.words[i]).dep in SUBJECTS), None)
    # "Had my wisdom teeth out": what follows the first word is no subject, whatever the parser says.
    return None if found is not None and verb.i == 0 and found.i > 0 and verb.tag == "VBD" else found


def _inherited(top: Word, parent: Clause | None) -> tuple[Word | None, bool]:
    """The subject of a clause that names none: of its first half, of its noun; or left out ("Moved to Rome!")."""
    if top.dep == "conj" and parent is not None:
        return parent.subject, parent.elided
    if top.dep in ("advcl", "ccomp") and top.tag in ("VBG", "VBN", "VBD") and parent is not None and parent.subject:
        return parent.subject, False
    return None, top.dep in ("ROOT", "ccomp", "parataxis", "conj") or (top.dep in ("advcl", "dep") and top.i <= 2)


def _inner(sentence: Sentence, top: Word, clause: Clause | None) -> list[Word]:
    """The words below ``top`` that begin a clause of their own; those of the chain do not."""
    chain = {word.i for word in clause.chain} if clause else {top.i}
    found, todo = [], [top.i]
    while todo:
        at = todo.pop(0)
        for i in sorted(sentence.words[at].children):
            word = sentence.words[i]
            if i in chain:
                todo.append(i)
            elif word.dep in OWN_CLAUSE and _verbal(sentence, word):
                found.append(word)
            else:
                todo.append(i)
    return found


def _verbal(sentence: Sentence, word: Word) -> bool:
    if word.pos not in ("VERB", "AUX"):
        return False
    if word.dep == "conj":
        return sentence.words[word.head].pos in ("VERB", "AUX")
    return True


def own_words(sentence: Sentence, top: Word, subject: Word | None) -> list[int]:
    """The places of the words of the clause of ``top``, without the clauses that stand in or beside it."""
    found, todo = [top.i], list(top.children)
    while todo:
        at = todo.pop()
        word = sentence.words[at]
        if _apart(sentence, word, top):
            continue
        found.append(at)
        todo.extend(word.children)
    if subject is not None and subject.i not in found and top.dep != "relcl":
        found.extend(i for i in sentence.below(subject.i))
    return sorted(set(found))


def _apart(sentence: Sentence, word: Word, top: Word) -> bool:
    """Whether a word begins something that can be left out or stands for itself."""
    if word.dep in ("parataxis", "intj", "discourse", "meta", "dep"):
        return True
    if word.dep == "conj":
        return _verbal(sentence, word)
    if word.dep in ("cc", "punct") and word.head == top.i:
        following = [i for i in top.children if sentence.words[i].dep == "conj" and i > word.i]
        return bool(following) or word.dep == "punct"
    if word.dep == "advcl":
        return not (word.tag == "VB" and any(sentence.words[i].lower == "to" for i in word.children))
    return word.dep == "ccomp" and word.pos in ("VERB", "AUX") and bool(_subject(sentence, word))

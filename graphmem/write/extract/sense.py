"""Whether a clause can stand for itself: a verb of its own that agrees with somebody, and more than pointing words."""

from __future__ import annotations

from collections.abc import Collection

from graphmem.dates import Found
from graphmem.models.parser import Word
from graphmem.write.extract import lexicon as words
from graphmem.write.extract.clauses import Clause
from graphmem.write.extract.things import deictic

FINITE = frozenset({"VBD", "VBP", "VBZ", "MD"})
POINTED = frozenset({"dobj", "pobj", "attr", "nsubj", "dative", "oprd", "appos", "det"})


def finite(clause: Clause) -> bool:
    """Whether its verb is a sentence's verb: not "for me to show", "dreaming of it", or a verb that only follows "let's"."""
    first = clause.chain[0]
    auxiliaries = clause.children("aux", "auxpass", of=first)
    if clause.verbless or clause.elided or clause.shared() or clause.lent():
        return not _urging(clause)
    if any(word.tag == "TO" for word in auxiliaries):
        return False
    if any(word.tag in FINITE or word.tag == "POS" for word in (first, *auxiliaries)):
        return True
    return first.tag == "VB" and clause.top.dep in ("ROOT", "conj", "ccomp") and _plain_form(clause)


def beside(clause: Clause) -> bool:
    """ "Growing up in Cork, I …": something else that the same person did, of which only a pattern tells."""
    return (
        clause.top.dep == "advcl"
        and clause.top.tag == "VBG"
        and clause.subject is not None
        and not clause.auxiliaries()
    )


def _plain_form(clause: Clause) -> bool:
    """ "I love it and play it", "we live here" are finite too, though the tagger may not say so."""
    subject = clause.subject
    return subject is not None and subject.lower in words.FIRST and subject.lower not in ("me", "us")


def _urging(clause: Clause) -> bool:
    """ "Let's bake": said of nobody yet."""
    every = [clause, clause.parent] if clause.top.dep in ("conj", "ccomp") and clause.parent else [clause]
    return any(each.top.lemma == "let" for each in every)


def hollow(clause: Clause, content: Collection[Word], dated: Collection[Found]) -> bool:
    """Whether what a clause tells hangs on a word that only points ("had a blast with it", "took this pic")."""
    if dated or any(word.pos in ("PROPN", "NUM") for word in content):
        return False
    every = clause.sentence.words
    thing = clause.child("dobj")
    if thing is not None and thing.pos == "NOUN" and deictic(thing, clause.sentence):
        return True
    if any(clause.children("compound", of=word) or _mine(word, clause) for word in content):
        return False
    own = (
        set(clause.sentence.below(clause.subject.i))
        if clause.subject is not None and clause.top.dep != "relcl"
        else set()
    )
    near = [every[i] for i in clause.members if i not in own and _of_the_clause(every[i], clause)]
    return any(word.lower in words.POINTING and word.dep in POINTED and _points(word, clause) for word in near)


def _mine(word: Word, clause: Clause) -> bool:
    return any(each.lower in words.FIRST for each in clause.children("poss", of=word))


def _points(word: Word, clause: Clause) -> bool:
    if word.dep != "det":
        return True
    return clause.sentence.words[word.head].lower not in words.TIMES


def _of_the_clause(word: Word, clause: Clause) -> bool:
    """Whether a word belongs to the clause itself and not to one that describes a noun in it."""
    every = clause.sentence.words
    at = word
    chain = {verb.i for verb in clause.chain}
    while at.i not in chain and at.head != at.i:
        if at.dep in ("relcl", "acl", "advcl"):
            return False
        at = every[at.head]
    return True

"""Say a clause in the third person, so that it can be read without the conversation around it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from graphmem.dates import Found
from graphmem.models.parser import Word
from graphmem.write.extract import lexicon as words
from graphmem.write.extract.clauses import Clause
from graphmem.write.extract.sense import beside
from graphmem.write.extract.times import PREPOSITIONS, say

SUBJECTIVE = frozenset({"i", "we", "im", "i'm"})
POSSESSIVE = frozenset({"my", "our", "mine", "ours"})
REFLEXIVE = frozenset({"myself", "ourselves"})
IRREGULAR = {"am": "is", "are": "is", "'m": "is", "\u2019m": "is", "m": "is", "'re": "is", "\u2019re": "is", "have": "has",
             "'ve": "has", "\u2019ve": "has", "ve": "has", "do": "does", "go": "goes", "were": "was", "be": "is",
             "'ll": "will", "\u2019ll": "will", "wo": "will", "ca": "can", "'d": "would", "\u2019d": "would"}  # fmt: skip
SPOKEN = {"n't": "not", "n\u2019t": "not", "nt": "not", "'ll": "will", "\u2019ll": "will", "wo": "will", "ca": "can", "'d": "would",
          "gon": "going", "na": "to", "'s": "is", "\u2019s": "is", "'ve": "have", "\u2019ve": "have", "'re": "are",
          "\u2019re": "are", "'m": "am", "\u2019m": "am", "n": "and", "cant": "cannot"}  # fmt: skip
# Told in the past as a rule: "I quit smoking".
UNCHANGED = frozenset({"quit", "put", "set", "cut", "hit", "split", "shut", "hurt"})
DANGLING = re.compile(
    r"(?:[ ,;:-]+(?:and|or|but|so|because|that|which|if|when|while|yet|called|named|unsurprisingly))+$"
)
NameOf = Callable[[Word], str | None]


def say_clause(
    clause: Clause, members: Collection[int], *, subject: str, listener: str, speaker: str, name_of: NameOf,
    dates: Collection[Found],
) -> str:  # fmt: skip
    """The clause as a sentence about ``subject``; ``name_of`` gives names for pronouns and "my sister"."""
    every = clause.sentence.words
    own = _subject_words(clause)
    kept = [i for i in sorted(members) if i not in own and not _idle(every[i], clause)]
    pieces = _pieces([every[i] for i in kept], clause, listener, speaker, name_of, dates, subject)
    if pieces and pieces[0] == subject:
        pieces = pieces[1:]  # "my cousin Bram", of whom only one half is the parser's subject
    text = " ".join([subject, *_shared(clause, dated=bool(dates)), *pieces])
    if any(i + 1 not in kept for i in kept if every[i].lower in ("a", "an")):
        text = _with_articles(text)
    for wrong, right in ((" ,", ","), (" 's", "'s"), ("can not", "cannot"), (" gotta ", " has to "), (" gotto ", " has to "), (" is been ", " has been "), (" - ", ", "), (" \u2013 ", ", "), ("( ", "("), (" )", ")"), ("$ ", "$"),
                         ("£ ", "£"), ("€ ", "€"), (" %", "%"), (" \u2019s", "'s"), (",,", ","), ("# ", "#"), (" / ", "/")):  # fmt: skip
        text = text.replace(wrong, right)
    text = DANGLING.sub("", " ".join(text.split()).strip(" ,;:-\u2013\u2014.!"))
    return text[:1].upper() + text[1:]


def _with_articles(text: str) -> str:
    """ "A interesting" and "an better" put right, where a word between them was left out."""
    text = re.sub(r"\ba (?=[aeio][a-z]|u(?!ni|se|su))", "an ", text)
    return re.sub(r"\ban (?=(?!hour|hono|heir)[b-df-hj-np-tv-z][a-z])", "a ", text)


def _subject_words(clause: Clause) -> set[int]:
    if clause.subject is None:
        return set()
    below = set(clause.sentence.below(clause.subject.i))
    if clause.top.i in below:  # the noun that a relative clause hangs on
        below -= set(clause.members)
        below |= {i for i in clause.members if clause.sentence.words[i].lower in ("who", "which", "that")}
    return below


def _idle(word: Word, clause: Clause) -> bool:
    """Whether a word only greets, links or hesitates."""
    if word.pos in ("SPACE", "INTJ", "SYM") and word.text not in "£$€%#&+/-":
        return True
    if word.dep in ("intj", "cc", "mark", "preconj") and word.head == clause.top.i and word.i < clause.verb.i:
        return True
    if not word.text[0].isalnum() and word.pos == "PUNCT" and word.text not in "-',&/#":
        return True
    if (word.dep == "cc" and word.head != clause.top.i) or (word.lower == "well" and _after_as(word, clause)):
        return False
    if word.lower in ("man", "dude", "god", "gosh", "guys") and word.i < clause.verb.i and word is not clause.subject:
        return True
    return word.lower in words.FILLER and word.dep in ("advmod", "cc", "intj", "dep", "npadvmod") and not word.children


def _after_as(word: Word, clause: Clause) -> bool:
    return word.i > 0 and clause.sentence.words[word.i - 1].lower == "as"


def _shared(clause: Clause, *, dated: bool) -> list[str]:
    """What a clause has from elsewhere: "I'll bring wine and (will) cook", "(I am) allergic to nuts"."""
    if clause.verbless:
        return ["has" if dated else "is"]
    top = clause.top
    own = any(clause.sentence.words[i].dep in ("aux", "auxpass") for i in top.children)
    if clause.sharing:
        auxiliaries = [_spoken(aux, third=True) for aux in clause.shared()]
        lent = [_spoken(verb, third=not auxiliaries) if at == 0 else verb.text for at, verb in enumerate(clause.lent())]
        return [*auxiliaries, *(f"{verb} to" for verb in lent)]
    if beside(clause) and clause.parent is not None:
        return ["was" if clause.parent.chain[0].tag == "VBD" else "is"]
    been = any(aux.lower == "been" for aux in clause.auxiliaries())
    if clause.elided and top.lemma == "use":
        return []
    if clause.elided and (been or (not own and top.tag in ("VBG", "VBN"))):
        return ["has" if been or (top.tag == "VBN" and (top.lemma == "be" or clause.child("dobj"))) else "is"]
    return []


def _pieces(
    kept: list[Word], clause: Clause, listener: str, speaker: str, name_of: NameOf, dates: Collection[Found], subject: str
) -> list[str]:  # fmt: skip
    pieces: list[str] = []
    fronted: list[str] = []
    begins = _begins(clause)
    finite = _finite(clause)
    done: set[int] = set()
    said = subject in (speaker, _shown(speaker))
    before: Word | None = None
    for word in kept:
        date = next((each for each in dates if each.begin <= word.start < each.finish), None)
        if date is not None:
            if id(date) not in done:
                done.add(id(date))
                place = fronted if word.i < max(begins, 0 if pieces else clause.verb.i) else pieces
                place.append(_dated(date, pieces))
            before = word
            continue
        agrees = word if _inner_first(word, clause) else finite
        spoken = _word(word, agrees, listener, speaker, name_of, said=said)
        place = fronted if word.i < begins else pieces
        if before is not None and place and word.start == before.end and _tight(word, before):
            place[-1] += spoken
        elif spoken:
            place.append(spoken)
        said = said or spoken.startswith(speaker)
        before = word
    return [*pieces, *fronted]


def _inner_first(word: Word, clause: Clause) -> bool:
    """Whether a verb further inside has "I" before it: "the snacks I have been trying"."""
    if word.tag not in ("VBP", "VBD") or word is clause.verb or word.pos not in ("VERB", "AUX"):
        return False
    heads = (word, clause.sentence.words[word.head]) if word.dep in ("aux", "auxpass") else (word,)
    if word.tag == "VBD" and word.lemma != "be":
        return False
    return any(each.lower in words.FIRST for head in heads for each in clause.children("nsubj", "nsubjpass", of=head))


def _begins(clause: Clause) -> int:
    """Where the subject stands: what is said before it ("After college I …") is told at the end."""
    if clause.subject is None or clause.top.dep == "relcl" or clause.subject.i > clause.top.i or clause.sharing:
        return 0
    return clause.sentence.below(clause.subject.i)[0]


def _tight(word: Word, before: Word) -> bool:
    """Whether two words that touched in the text still do: "3.12", "well-known", but not "do" and "not"."""
    return not (word.lower in SPOKEN or word.lower in IRREGULAR or before.lower in IRREGULAR) or word.text == ","


def _dated(date: Found, pieces: list[str]) -> str:
    spoken = say(date)
    last = pieces[-1].lower() if pieces else ""
    first, _, rest = spoken.partition(" ")
    if last in PREPOSITIONS and first in PREPOSITIONS and rest:
        return rest
    return spoken


def _finite(clause: Clause) -> Word | None:
    """The verb that has to agree with the subject, when it does not do so yet."""
    first = clause.chain[0]
    if clause.sharing and first.tag == "VB" and (clause.shared() or clause.lent()):
        return None
    heads = [*clause.children("aux", "auxpass", of=first), first]
    head = min(heads, key=lambda word: word.i)
    subject = clause.subject
    plural = subject is None or subject.lower in words.FIRST or subject.lower in words.SECOND or subject.lower == "they"
    return head if plural and head.tag in ("VBP", "VB", "VBD", "MD") else None


def _word(
    word: Word, finite: Word | None, listener: str, speaker: str, name_of: NameOf, *, said: bool
) -> str:  # fmt: skip
    lower = word.lower
    if finite is not None and word.i == finite.i:
        return _spoken(word, third=True)
    if lower in POSSESSIVE:
        return "their" if said and lower in ("my", "our") else f"{_shown(speaker)}'s"
    if lower in REFLEXIVE:
        return "themselves"
    if lower in ("me", "us", "i", "we"):
        return "them" if lower in ("me", "us") and said else _shown(speaker)
    if lower in ("your", "yours"):
        return f"{listener}'s"
    if lower == "you":
        return listener
    if name := name_of(word):
        return name
    return _spoken(word, third=False)


def _shown(name: str) -> str:
    return "User" if name == "user" else name


def _spoken(word: Word, *, third: bool) -> str:
    lower = word.lower
    opens = word.pos not in ("PROPN", "NUM") and word.text[1:].islower()
    if third:
        if lower in IRREGULAR:
            return IRREGULAR[lower]
        if word.tag == "VBP" or (word.tag == "VB" and word.dep not in ("xcomp", "ccomp")):
            return third_person(lower)
    if word.dep in ("aux", "auxpass", "neg", "ROOT", "cc") or lower in ("na", "n't", "n\u2019t"):
        return SPOKEN.get(lower, lower if opens else word.text)
    return lower if word.i == 0 and opens else word.text


def third_person(verb: str) -> str:
    """The form of a verb that goes with "she"."""
    if verb in IRREGULAR or verb in UNCHANGED:
        return IRREGULAR.get(verb, verb)
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"

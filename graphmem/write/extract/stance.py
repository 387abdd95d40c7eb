"""How a clause is meant: as a fact, a plan, a question, a supposition, or somebody else's words."""

from __future__ import annotations

import re

from msgspec import Struct

from graphmem.models.parser import Sentence, Word
from graphmem.write.claims import Modality
from graphmem.write.extract import lexicon as words
from graphmem.write.extract.clauses import Clause

WH = frozenset({"what", "where", "when", "who", "whom", "whose", "why", "how", "which"})
INVERTED = frozenset({"do", "does", "did", "is", "are", "was", "were", "am", "have", "has", "had", "can", "could",
                      "will", "would", "should", "shall", "may", "might"})  # fmt: skip
JOKE = re.compile(
    r"\b(?:just kidding|jk|only joking|just joking|kidding|said no one ever|yeah,? right|as if|secretly (?:a|an|the)|all the best)\b|"
    r"🙃|🙄|😏|/s\b|\bqueen of sheba\b|\bqueen of england\b",
    re.IGNORECASE,
)
PRETEND = re.compile(
    r"\b(?:imagine|pretend|suppose|let's say|let's pretend|hypothetically|in (?:the|a|my) (?:story|game|dream|novel|movie|film)|"
    r"i (?:dreamt|dreamed|had a dream)|what if|if only|as an example|for example|e\.g\.|my character|role-?play|"
    r"ignore (?:all|any|the|your|previous)|disregard (?:all|any|previous))\b",
    re.IGNORECASE,
)
PROMISING = words.PLANNING | words.DECIDING
SPEECH = frozenset({"say", "tell", "ask", "claim", "hear", "read", "write", "reply", "answer", "wonder", "argue", "insist", "explain",
                    "go", "shout", "joke", "doubt", "dream", "pretend"})  # fmt: skip
GOVERNING = words.TRANSPARENT | words.HEDGES | words.WISHING | SPEECH
WOULD_LIKE = frozenset({"prefer", "rather"})
DUTIES = frozenset({"have", "need"})
INTENTIONS = frozenset({"plan", "intend", "hope", "want"})


class Stance(Struct, frozen=True, kw_only=True):
    """``ended`` is said of what stopped to hold, ``began`` of what has begun, ``hedged`` of what is not quite sure."""

    modality: Modality = "asserted"
    negated: bool = False
    ended: bool = False
    began: bool = False
    past: bool = False
    hedged: bool = False
    decided: bool = False
    wished: bool = False
    can: bool = False


def is_question(sentence: Sentence) -> bool:
    """Whether a sentence asks, with its mark or by its order of words."""
    every = [word for word in sentence.words if word.pos != "SPACE"]
    if any(word.lower.startswith("?") or word.lower.endswith("?") for word in every[-3:]):
        return True
    start = [word for word in every[:6] if word.pos not in ("PUNCT", "INTJ") and word.lower not in words.FILLER]
    if len(start) < 2:
        return False
    first, second = start[0], start[1]
    if first.lower in INVERTED and first.tag != "VB" and second.dep in ("nsubj", "nsubjpass", "expl"):
        return True
    return first.lower in WH and (second.lower in INVERTED or second.lower in ("'s", "'d")) and first.dep != "mark"


def is_unreal(text: str) -> bool:
    """Whether a whole sentence is a joke or make-believe."""
    return bool(JOKE.search(text) or PRETEND.search(text))


def read_stance(clause: Clause, *, asked: bool) -> Stance:
    """How a clause is meant, by its verbs, their auxiliaries, and the clauses above it."""
    auxiliaries = [*clause.auxiliaries(), *clause.shared()]
    negated, ended = _negation(clause)
    chain = {verb.lemma for verb in (*clause.lent(), *clause.chain[:-1])}
    modals = {aux.lemma for aux in auxiliaries if aux.tag == "MD" or aux.lemma in ("would", "will")}
    used = any(verb.lemma == "use" and verb.tag in ("VBD", "VBN") for verb in clause.chain[:-1])
    past = clause.chain[0].tag == "VBD"
    if past and clause.chain[0].lemma in DUTIES:
        chain.discard(clause.chain[0].lemma)  # "I had to move" tells of what was
    modality: Modality = "asserted"
    if asked:
        modality = "asked"
    elif _unreal(clause, modals, chain, negated=negated) or (past and clause.chain[0].lemma in INTENTIONS):
        modality = "hypothetical"
    elif _quoted(clause):
        modality = "quoted"
    elif _hedged(clause) and "will" in modals:
        modality = "hypothetical"
    elif (
        "will" in modals
        or chain & words.PLANNING
        or _going(clause)
        or any(verb.lower == "got" for verb in clause.chain[:-1])
        or _progressive_plan(clause)
    ):
        modality = "planned"
    return Stance(
        modality=modality,
        negated=(negated != bool(chain & words.REFUSING)) and not (ended and used),
        ended=ended or used or bool(chain & words.ENDING),
        began=bool(chain & words.BEGINNING),
        past=_finite_past(clause, auxiliaries) or used,
        hedged=_hedged(clause),
        decided=bool(chain & words.DECIDING),
        wished="want" in chain or "hope" in chain or bool(modals & {"would"}),
        can="can" in modals,
    )


def _negation(clause: Clause) -> tuple[bool, bool]:
    """Whether it is denied, and whether it is said to have stopped."""
    negated = ended = False
    for verb in clause.chain:
        for word in clause.children(of=verb):
            if word.dep == "neg" or word.lower in ("never", "hardly", "barely", "neither"):
                negated = True
            elif word.lower in words.ENDED or (word.lower == "more" and word.dep == "advmod"):
                before = clause.sentence.words[word.i - 1].lower if word.i else ""
                ended = ended or word.lower in ("anymore", "longer") or before == "any"
                negated = negated or before == "no"
    for i in clause.members:
        word = clause.sentence.words[i]
        if (
            word.lower == "no"
            and word.dep in ("det", "neg")
            and clause.sentence.words[word.head].dep in ("dobj", "attr")
        ):
            negated = True
    return negated, ended


def _unreal(clause: Clause, modals: set[str], chain: set[str], *, negated: bool) -> bool:
    if negated and modals <= {"could"}:
        modals = set()  # "I couldn't sleep" tells of what was
    if "must" in modals and any(aux.lemma == "have" for aux in clause.auxiliaries()):
        return True
    if modals & words.UNREAL_MODALS and not _would_like(clause, modals):
        return True
    if chain & {"wish", "try", "consider", "expect"}:
        return True
    if _marked(clause) or any(_marked(below) for below in _conditions(clause)):
        return True
    return any(word.lower in words.HEDGING_ADVERBS for word in clause.children())


def _would_like(clause: Clause, modals: set[str]) -> bool:
    """ "I'd rather" and "I'd prefer" are no suppositions; "I'd love to" is a wish."""
    adverbs = {word.lower for word in clause.children("advmod")}
    return modals <= {"would"} and (
        clause.verb.lemma in WOULD_LIKE or clause.top.lemma in WOULD_LIKE or "rather" in adverbs
    )


def _marked(clause: Clause) -> bool:
    """Whether a clause stands under "if" or the like, itself or above it."""
    at: Clause | None = clause
    while at is not None:
        if any(word.dep in ("mark", "advmod") and word.lower in words.UNREAL_MARKS for word in at.children(of=at.top)):
            return True
        at = at.parent if at.top.dep in ("advcl", "conj", "ccomp", "relcl", "xcomp") else None
    return False


def _conditions(clause: Clause) -> list[Clause]:
    """The clauses that say under which condition this one holds."""
    return [
        Clause(sentence=clause.sentence, verb=word, top=word, chain=(word,), subject=None, members=[])
        for verb in clause.chain
        for word in clause.children("advcl", of=verb)
        if not any(child.lower in ("even", "whether") for child in clause.children(of=word))
    ]


def _quoted(clause: Clause) -> bool:
    """Whether it is what somebody else says, asks, thinks or hopes."""
    if clause.top.dep != "ccomp" or clause.parent is None:
        return False
    above = clause.parent
    verb, who = above.verb.lemma, above.subject
    if (verb not in GOVERNING and (clause.top.i < above.top.i or verb == "let")) or (
        verb == "be" and clause.top.i < above.top.i
    ):
        return False  # two sentences run together
    if verb in SPEECH and who is not None and who.pos in ("NOUN", "PROPN") and _of_himself(clause):
        return False
    mine = who is None or who.lower in words.FIRST or who.lower in ("it", "that", "thing", "fact", "truth")
    if mine and verb in words.HEDGES:
        return any(word.dep == "neg" for word in above.children())
    return not (mine and (verb in words.TRANSPARENT or verb in PROMISING or above.chain[0].lemma in words.DECIDING))


def _of_himself(clause: Clause) -> bool:
    """ "My neighbour says he's moving": he may know."""
    return (
        clause.subject is not None
        and clause.subject.lower in ("he", "she")
        and not clause.children("mark", of=clause.top)
    )


def _hedged(clause: Clause) -> bool:
    above = clause.parent
    return clause.top.dep == "ccomp" and above is not None and above.verb.lemma in words.HEDGES


def _going(clause: Clause) -> bool:
    """ "I am going to" and "I'm gonna"; not "I go to work"."""
    return any(verb.lemma in ("go", "gon") and verb.tag in ("VBG", "VB", "VBP") for verb in clause.chain[:-1])


def _progressive_plan(clause: Clause) -> bool:
    verb = clause.verb
    return (
        verb.lemma
        in (
            "fly",
            "meet",
            "see",
            "throw",
            "host",
            "attend",
            "leave",
            "visit",
            "plan",
            "organise",
            "organize",
            "arrange",
        )
        and verb.tag == "VBG"
    )


def _finite_past(clause: Clause, auxiliaries: list[Word]) -> bool:
    first = clause.chain[0]
    if first.tag == "VBD":
        return True
    if first.tag == "VBN":
        return any(aux.lower in ("was", "were", "had") for aux in auxiliaries)
    return any(aux.lower in ("was", "were", "did", "had") for aux in auxiliaries)

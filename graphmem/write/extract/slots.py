"""The words that may fill a slot of a pattern, and of which type they are."""

from __future__ import annotations

from graphmem.models.parser import Word
from graphmem.ontology import Part
from graphmem.write.extract.clauses import Clause
from graphmem.write.extract.lexicon import LIGHT_NOUNS
from graphmem.write.extract.things import Things, proper

NOMINAL = frozenset({"dobj", "attr", "oprd", "pobj", "dative", "npadvmod", "appos", "nsubjpass"})
DOING = frozenset({"xcomp", "pcomp", "ccomp", "dobj", "acomp"})
QUALITY = frozenset({"acomp", "attr", "oprd", "advmod"})
FREE = frozenset({"value", "quality", "doing", "number", "name", "bare"})
IDLE = frozenset({"see", "hear", "know", "go", "come", "do", "try", "say", "help", "be", "have", "get"})
SHARES = frozenset(
    {"bit", "lot", "lots", "little", "kind", "type", "sort", "couple", "bunch", "plenty", "loads", "tons"}
)
VAGUE = frozenset({"anything", "everything", "something", "stuff", "things"})
JOINTS = frozenset({"prep", "agent", "dative", "prt", "mark"})


def fillers(part: Part, clause: Clause, last: Word, things: Things) -> list[Word]:
    """The words that may fill a slot behind the last word: its own, or those of the verb when it is a particle."""
    if last.dep == "prt":
        last = clause.sentence.words[last.head]
    allowed = {"doing": DOING, "quality": QUALITY, "value": NOMINAL | DOING | QUALITY}.get(part.form, NOMINAL)
    found = [word for word in clause.children(*allowed, of=last) if word.i > last.i]
    if part.slot == "any":
        return [word for word in found if not part.form or things.fits(word, clause.sentence, (part.form,))]
    if last.dep in JOINTS:
        found += [word for other in _again(last, clause) for word in clause.children(*allowed, of=other)]
    if part.form == "doing":
        return [
            word for word in found if word.tag in ("VBG", "VB") or (word.tag == "NN" and word.lower.endswith("ing"))
        ]
    return found


def further_names(filler: Word, clause: Clause) -> list[Word]:
    """What stands beside the first noun after "I'm": "Noor, 34, a structural engineer"."""
    if filler.dep != "attr":
        return []
    found: list[Word] = []
    todo = [filler]
    while todo:
        each = todo.pop()
        beside = [word for word in clause.children("appos", of=each) if word.i > filler.i]
        found += beside
        todo += beside
    return found


def idle_doing(word: Word, clause: Clause) -> bool:
    """ "I'd love to see": to do what is not said."""
    return (
        word.dep == "xcomp"
        and word.lemma in IDLE
        and not any(each.pos in ("NOUN", "PROPN", "ADJ", "VERB") for each in clause.children(of=word))
    )


def inside(word: Word, clause: Clause) -> Word:
    """Garlic, in "anything with too much garlic"."""
    if word.lower not in VAGUE and word.lower not in SHARES:
        return word
    wanted = ("of",) if word.lower in SHARES else ("with", "about", "from", "containing")
    joints = [each for each in clause.children("prep", of=word) if each.lower in wanted]
    return next((each for joint in joints for each in clause.children("pobj", of=joint)), word)


def _again(joint: Word, clause: Clause) -> list[Word]:
    """The same preposition once more: "to penicillin and, weirdly, to kiwi fruit"."""
    every = clause.sentence.words
    return [
        word for word in every[joint.i + 1 :]
        if word.lower == joint.lower and word.dep in ("conj", "prep") and word.i - 1 >= 0
        and any(every[i].lower in ("and", "or", "but") for i in range(joint.i, word.i))
        and word.head in (joint.i, joint.head, *(k for i in joint.children for k in (i, *every[i].children)))
    ]  # fmt: skip


def kind_of(word: Word, form: str, types: tuple[str, ...], clause: Clause, things: Things) -> str | None:
    """The type of a word that has the form that a slot asks for; none when it has not."""
    if form not in FREE:
        return things.fits(word, clause.sentence, (form,) if form else types, strict=bool(form))
    named = word.pos == "PROPN" and word.ent in ("", "PERSON", "ORG")
    has = {
        "number": word.pos == "NUM",
        "bare": word.pos in ("NOUN", "PROPN", "VERB")
        and word.lower not in LIGHT_NOUNS
        and not clause.children("det", "poss", of=word),
        "name": named and proper(word, clause.sentence),
        "value": word.pos not in ("PRON", "DET") and bool(word.text.strip(".,!")),
    }.get(form, True)
    return (things.type_of(word, clause.sentence) or "concept") if has else None

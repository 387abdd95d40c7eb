"""Corrections: "sorry, the 14th, not the 12th" takes the place of what was said before."""

from __future__ import annotations

import re

from msgspec import structs

from graphmem.models.parser import Sentence
from graphmem.write.claims import Claim
from graphmem.write.extract.passages import Passage
from graphmem.write.extract.scene import Scene, shown

OPENER = re.compile(
    r"^\W*(?:(?:oh|wait|no|nope|sorry|hmm|ah|well|my (?:bad|mistake))[\s,.!-]+)*(?:actually|oops|whoops|correction|scratch that|"
    r"i (?:meant|mean)|i misspoke|sorry|no|my mistake|let me correct|to correct|i was wrong|wait)\b[\s,:.-]*",
    re.IGNORECASE,
)
STRONG = re.compile(
    r"\b(?:actually|oops|whoops|correction|meant|mean|misspoke|scratch|correct|mistake|wrong|sorry|no)\b", re.IGNORECASE
)
NOT_BUT = [
    re.compile(r"(?P<new>[\w.'-]+(?: [\w.'-]+){0,3}),? (?:and )?not (?P<old>(?:on |in |at )?(?:the )?[\w.'-]+(?: [A-Z][\w.'-]+)*)[\s.!]*$"),
    re.compile(r"\bnot (?P<old>[\w.'-]+(?: [\w.'-]+){0,2}),? but (?P<new>[\w.'-]+(?: [\w.'-]+){0,3})", re.IGNORECASE),
    re.compile(r"(?P<new>[\w.'-]+(?: [\w.'-]+){0,3}),? (?:instead of|rather than) (?P<old>[\w.'-]+(?: [A-Z][\w.'-]+)*)"),
]  # fmt: skip
ITS = re.compile(r"^\W*(?:no[\s,]+)?(?:it's|it is|that's|its) ", re.IGNORECASE)
INSTEAD = re.compile(
    r"^\W*(?:(?:no|nope|oh|wait|sorry|oops)[\s,.!-]+)*(?:actually[\s,]+(?:it's|it is|that's)\s+(?P<new>[\w.+#-]+(?: [\w.+#-]+){0,2}?)"
    r"(?:,? sorry)?|(?:it's|it is|that's)\s+(?P<after>[\w.+#-]+(?: [\w.+#-]+){0,2}?),?\s+(?:actually|sorry))[\s.!]*$",
    re.IGNORECASE,
)


ACTUALLY = re.compile(
    r"^\W*(?:(?:no|oh|wait|sorry|oops)[\s,.!-]+)*actually,? (?P<new>[\w.+#-]+(?: [\w.+#-]+){0,2})[\s.!]*$",
    re.IGNORECASE,
)


def corrected(claims: list[Claim], sentence: Sentence, passage: Passage, scene: Scene) -> list[Claim]:
    """The claims of a sentence, turned into corrections when it corrects something said before."""
    text = " ".join(passage.text[sentence.start : sentence.end].split())
    opener = OPENER.match(text)
    old = _old(text)
    corrects = passage.correcting or (opener and STRONG.search(opener.group()) and (old or _changes(claims, scene)))
    its = bool(opener and old and ITS.match(text[opener.end() :]))
    if (its or not claims) and old and (opener or (ITS.match(text) and ", not " in text)):
        return _bare(text, old, sentence, passage, scene)
    if not claims and (bare := ACTUALLY.match(text)) and _called(bare.group("new"), scene):
        return _instead(bare.group("new").rstrip("."), sentence, passage, scene)
    if not claims and (told := INSTEAD.search(text)):
        return _instead(told.group("new") or told.group("after"), sentence, passage, scene)
    if not corrects:
        instead = NOT_BUT[-1].search(text)
        return [_chosen(claim, instead.group("old").rstrip(".")) for claim in claims] if instead else claims
    return [
        structs.replace(claim, type="correction", replaces=claim.replaces or old, text=_without(claim.text, old))
        if claim.type == "fact" else claim
        for claim in claims
    ]  # fmt: skip


def _called(new: str, scene: Scene) -> bool:
    """Whether something of the same first word was spoken of, with another value."""
    first = new.split(maxsplit=1)[0].lower()
    return any(each.object and each.object.lower().split()[0] == first and each.object != new for each in scene.claims)


def _chosen(claim: Claim, old: str) -> Claim:
    """A decision for one thing "instead of" another knows what it was taken against."""
    return structs.replace(claim, replaces=old) if claim.type == "decision" and not claim.replaces else claim


def _without(text: str, old: str | None) -> str:
    """A correction tells what holds; the old value is kept apart."""
    return (
        re.sub(
            rf",? (?:and )?not {re.escape(old)}\b(?: (?:oops|sorry|whoops|wrong) ?.*)?[\s.]*$",
            "",
            text,
            flags=re.IGNORECASE,
        )
        if old
        else text
    )


def _old(text: str) -> str | None:
    for pattern in NOT_BUT:
        if match := pattern.search(text):
            return match.group("old").rstrip(".")
    return None


def _changes(claims: list[Claim], scene: Scene) -> bool:
    """Whether a claim gives another value than an earlier one of the same subject and predicate."""
    return any(
        claim.predicate and claim.subject == before.subject and claim.predicate == before.predicate and claim.object != before.object
        for claim in claims
        for before in scene.claims
        if before is not claim
    )  # fmt: skip


def _instead(new: str, sentence: Sentence, passage: Passage, scene: Scene) -> list[Claim]:
    """ "Actually it's Python 3.12": it takes the place of the last thing that was called so."""
    first = new.split(maxsplit=1)[0].lower()
    if not (new[:1].isupper() or any(char.isdigit() for char in new)):
        return []
    before = next(
        (each for each in reversed(scene.claims) if each.object and each.object.lower().split()[0] == first), None
    )
    me = scene.speaker(passage)
    old = before.object if before else None
    said = before.text.replace(old, new) if before and old else f"Correction by {shown(me)}: it is {new}"
    return [
        Claim(
            type="correction", text=said, subject=before.subject if before else me, predicate=before.predicate if before else None,
            object=new, replaces=old, sources=(passage.source(sentence.start, sentence.end),),
            speaker=passage.turn.speaker, confidence=0.75 if before else 0.5,
        )
    ]  # fmt: skip


def _bare(text: str, old: str, sentence: Sentence, passage: Passage, scene: Scene) -> list[Claim]:
    """ "It's 3.12, not 3.11": what it is about is what the old value was said of."""
    new = next((match.group("new") for pattern in NOT_BUT if (match := pattern.search(text))), "")
    new = re.sub(r"^.*\b(?:it's|it is|is|was|meant|are)\s+", "", new, flags=re.IGNORECASE)
    new = re.sub(r",? (?:that )?(?:i|we)(?:'re|'m|'ve| are| am| have)?(?: \w+)?$", "", new, flags=re.IGNORECASE)
    before = next((each for each in reversed(scene.claims) if old.lower() in each.text.lower()), None)
    me = scene.speaker(passage)
    said = re.sub(re.escape(old), new, before.text, flags=re.IGNORECASE) if before else f"Correction: {new}, not {old}"
    return [
        Claim(
            type="correction", text=said, subject=before.subject if before else me, predicate=before.predicate if before else None,
            object=new or None, replaces=old, sources=(passage.source(sentence.start, sentence.end),),
            speaker=passage.turn.speaker, confidence=0.75 if before else 0.6,
        )
    ]  # fmt: skip

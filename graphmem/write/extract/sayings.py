"""What is said in a set phrase, or in so few words that no clause is left of it: "team tea", "no mushrooms for me"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphmem.models.parser import Sentence
from graphmem.write.claims import Claim
from graphmem.write.extract import lexicon as words
from graphmem.write.extract.passages import Passage
from graphmem.write.extract.phrases import SAYINGS, Saying
from graphmem.write.extract.scene import Scene, shown
from graphmem.write.extract.times import read_dates

LEAD = re.compile(
    r"^\W*(?:(?:ugh|oh|well|yeah|yes|yep|nah|nope|ok|okay|so|and|but|also|lol|haha|hmm|honestly|definitely|perfect|great|right|fine|"
    r"cool|sure|agreed|good call|sounds good|deal|alright|personally|then|actually|no(?=[,.!]))\b[\s,.!:;-]*)+",
    re.IGNORECASE,
)
EMPTY = (
    words.POINTING | words.FIRST | words.SECOND | words.THIRD.keys() | words.GENERIC | words.FILLER | words.GREETING | words.NO_THING
)  # fmt: skip
# What has a verb is a sentence and no set phrase.
VERBAL = frozenset({"VBD", "VBP", "VBZ", "MD"})
LISTED = re.compile(r"(?: first)?, (?:and |then )*| and ")
MODIFIER = re.compile(r"^(?:the|a|an|my|our|some|any) ", re.IGNORECASE)


def sayings(sentence: Sentence, passage: Passage, scene: Scene) -> tuple[list[Claim], bool]:
    """What the set phrases of a sentence claim, and whether there is nothing else to read in it."""
    text = " ".join(passage.text[sentence.start : sentence.end].replace("\u2019", "'").split())
    lead = LEAD.match(text)
    plain = (text[lead.end() :] if lead else text).strip(" .!,;:")
    found: list[Claim] = []
    for saying in SAYINGS:
        match = saying.said.search(plain)
        if match and _meant(saying, match, sentence, scene, led=bool(lead), asks=text.endswith("?")):
            found += _claims(saying, match, sentence, passage, scene)
            if saying.alone:
                return found, True
    return found, False


def _meant(saying: Saying, match: re.Match[str], sentence: Sentence, scene: Scene, *, led: bool, asks: bool) -> bool:
    """Whether a phrase is used as one: with a thing in it, and to somebody who can be told."""
    thing = match.group("o").lower().split()
    if (saying.told and not scene.assisted) or (saying.leads and not led):
        return False
    if asks and "remind me" not in match.group().lower():
        return False
    if EMPTY.issuperset(thing) or thing[0] in EMPTY - {"the", "no", "all", "some", "to", "about", "that"}:
        return False
    return _fits(saying, thing, sentence)


def _fits(saying: Saying, thing: list[str], sentence: Sentence) -> bool:
    every = [word for word in sentence.words if word.lower in thing]
    if saying.named and not any(word.text[:1].isupper() for word in every):
        return False
    if saying.text.endswith("person"):
        return any(word.dep == "compound" or word.pos in ("NOUN", "PROPN") for word in every)
    if saying.leads:
        spoken = any(word.pos in ("VERB", "PRON") for word in every)
        return not spoken and any(word.pos in ("PROPN", "NUM") for word in every)
    if "{h}: {o}" in saying.text:
        verbless = not any(word.tag in VERBAL for word in sentence.words)
        return verbless and any(word.lower in words.STYLE for word in sentence.words)
    if saying.text.startswith("{me} prefers {o}") and len(thing) > 1 and saying.predicate:
        return not any(word.tag in VERBAL for word in every)
    return not (saying.type == "preference" and any(word.tag in VERBAL for word in every if word.dep == "ROOT"))


def _claims(
    saying: Saying, match: re.Match[str], sentence: Sentence, passage: Passage, scene: Scene
) -> Iterator[Claim]:  # fmt: skip
    me = scene.speaker(passage)
    dated = read_dates(scene.dates(passage), passage.text, sentence.start, sentence.end)
    groups = {key: (value or "") for key, value in match.groupdict().items()}
    several = LISTED.split(groups["o"]) if saying.listed or "{h}: {o}" in saying.text else [groups["o"]]
    for each in several:
        thing = MODIFIER.sub("", each) if saying.predicate else each
        thing = thing.lower() if thing.lower() in scene.things.nouns else thing
        predicate = scene.ontology.predicate(saying.predicate or "")
        yield Claim(
            type=saying.type, text=saying.text.format(me=shown(me), **{**groups, "o": each, "h": _told(groups.get("h", ""), me)}),
            subject=thing if groups.get("old") and saying.named else me, negated=saying.denied,
            object=thing if saying.predicate or saying.type == "decision" else None,
            predicate=predicate.name if predicate else None, sources=(passage.source(sentence.start, sentence.end),),
            speaker=passage.turn.speaker, replaces=groups["old"] if saying.named and "old" in groups else None, confidence=0.75, happened=dated.at,
            modality="planned" if "reminded" in saying.text else "asserted", identity=saying.health,
            importance=0.85 if saying.health else predicate.importance if predicate else 0.65,
            tags=("health",) if saying.health else ("reminder",) if "reminded" in saying.text else (),
        )  # fmt: skip


def _told(text: str, me: str) -> str:
    """What follows, as it is told of somebody."""
    swaps = (
        (r"\bi'm\b", f"{shown(me)} is"),
        (r"\bi get\b", f"{shown(me)} gets"),
        (r"\bi\b", shown(me)),
        (r"\bmy\b", "their"),
        (r"\bme\b", "them"),
    )
    for mine, theirs in swaps:
        text = re.sub(mine, theirs, text, flags=re.IGNORECASE)
    return text

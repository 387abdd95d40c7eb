"""Set phrases of a chat and what they come to, as data: ``sayings`` finds them in a sentence."""

from __future__ import annotations

import re

from msgspec import Struct

from graphmem.types import EntryType

THING = r"(?P<o>[\w][\w'\u2019.+#&-]*(?: [\w'\u2019.+#&-]+){0,4}?)"
OTHER = r"(?P<old>[\w][\w'\u2019.+#&-]*(?: [\w'\u2019.+#&-]+){0,4}?)"
ILL = (
    r"cramps?|migraines?|headaches?|hives|rash(?:es)?|heartburn|reflux|bloat\w*|sick|ill|sneez\w*|itch\w*|nausea\w*|swell\w*|"
    r"stomach ?aches?|breathe|wheez\w*|dizzy|throw up|acne|eczema"
)
TESTED = r"results?|tests?|scans?|biopsy|mri|x-rays?|bloods|bloodwork|checkup|check-up|screening|smear"


class Saying(Struct, frozen=True, kw_only=True):
    """A set phrase: ``text`` is what it comes to, with ``{me}`` and the groups of the pattern."""

    said: re.Pattern[str]
    text: str
    type: EntryType
    predicate: str | None = None
    told: bool = False  # only to an assistant
    leads: bool = False  # only behind "ok" and the like
    health: bool = False
    denied: bool = False
    named: bool = False  # only of a name
    listed: bool = False  # of several things
    alone: bool = True  # nothing else is read of the sentence


def _saying(pattern: str, text: str, type: EntryType, predicate: str | None = None, **more: bool) -> Saying:
    return Saying(said=re.compile(pattern, re.IGNORECASE), text=text, type=type, predicate=predicate, **more)


SAYINGS = [
    _saying(rf"^(?:i'm|i am|im|we're)? ?(?:(?:more of|very much|definitely|totally|always been|such|really) )*(?:an? )?{THING} "
            r"(?:person|guy|girl|addict|fanatic)(?: (?:through and through|at heart|all the way|rather than .*|tbh))?(?:$| and i\b)",
            "{me} is a {o} person", "preference", "likes", alone=False),
    _saying(rf"^team {THING}(?: (?:all the way|forever|always|here|for life))?$", "{me} is team {o}", "preference", "likes"),
    _saying(rf"^(?:give me |i(?:'d| would)? (?:take|pick|choose) )?{THING} over {OTHER},? (?:any day|every time|always|any ?time|all day)\b.*$",
            "{me} prefers {o} over {old}", "preference", "likes"),
    _saying(rf"^(?:i|we)? ?(?:just |simply )?can(?:'t|\u2019t|not| not|t) get enough of {THING}$", "{me} cannot get enough of {o}", "preference", "likes"),
    _saying(rf"^my go-? ?to (?P<k>[\w ]+? )?(?:is|are|has always been) (?:always )?{THING}$", "{me}'s go-to {k}is {o}", "preference", "likes"),
    _saying(rf"^{THING} (?:is|are) (?:totally |so |really |definitely )?my (?:jam|thing|fave|favou?rites?|go-?to|guilty pleasure|comfort food)$",
            "{me} likes {o}", "preference", "likes"),
    _saying(rf"\bi(?:'d| would|'ll| will)? never say no to {THING}$", "{me} never says no to {o}", "preference", "likes", alone=False),
    _saying(rf"^i live for {THING}$", "{me} lives for {o}", "preference", "likes"),
    _saying(r"^(?P<k>i (?:always |usually )?(?:take|like|drink|have|prefer) my) (?P<o>coffee|tea|eggs|steak|toast|porridge|pizza|burgers?) (?P<h>[\w ,-]+)$",
            "{me} takes their {o} {h}", "preference", "likes"),
    _saying(rf"(?:^|, |\b(?:and|but|n) )(?:i )?hate {THING}(?=,|$)", "{me} hates {o}", "preference", "dislikes", alone=False),
    _saying(rf"(?:^|, |\b(?:and|but|n) )(?:a )?(?:big|huge|massive) fan of {THING}(?=,|$)", "{me} is a fan of {o}", "preference", "likes", alone=False),
    _saying(r"^(?P<o>[\w-]+(?: (?:and )?[\w-]+){0,3}) (?:yes|yes please)$", "{me} likes {o}", "preference", "likes", listed=True),
    _saying(r"^(?P<o>[\w -]+ first, (?:and )?then [\w -]+)$", "{me} is interested in {o}", "preference", "likes", told=True, listed=True),
    _saying(r"^my (?P<o>[\w]+)(?:'s| is) (?P<h>(?:pretty |a bit |quite |very |rather )?(?:rusty|fluent|decent|terrible|basic|shaky|passable))\b",
            "{me}'s {o} is {h}", "skill", "speaks", named=True),
    _saying(r"\brenamed (?:the )?(?:\w+ )?(?P<old>[A-Z][\w.-]+) (?:to|as|into) (?P<o>[A-Z][\w.-]+)", "{old} was renamed to {o}", "fact", named=True),
    _saying(rf"^{THING} (?:all the way|every time|always|any day|for the win|ftw)$", "{me} prefers {o}", "preference", "likes", told=True),
    _saying(rf"^no {THING} for me(?:,? (?:please|thanks|thank you))?$", "{me} wants no {o}", "preference", "dislikes"),
    _saying(rf"^{THING} (?:(?:is|are) (?:just |really )?not|(?:is|are)n['\u2019]?t) (?:really )?(?:for me|my (?:thing|jam|cup of tea|style))$",
            "{me} does not like {o}", "preference", "dislikes"),
    _saying(rf"(?:^|\b(?:and|n|but) |, ){THING} (?:puts?|bores?|sends?|drives?|makes?) me (?P<h>to sleep|to tears|to death|crazy|nuts|mad|insane|up the wall|gag)\b",
            "{me} dislikes {o}: it drives them {h}", "preference", "dislikes", alone=False),
    _saying(rf"^(?:if|when|whenever|every time) i (?:eat|have|drink|touch|take|use) (?:any )?{THING},? (?P<h>(?:i|my|it)\b.*\b(?:{ILL})\b.*)$",
            "{h} from {o}", "fact", health=True),
    _saying(rf"^{THING} (?:always |really )?(?P<k>gives?|makes?|triggers?) (?:me|my) (?P<h>(?:[\w-]+ )*(?:{ILL})\b.*)$", "{o} {k} {me} {h}", "fact", health=True),
    _saying(rf"^{THING} (?:is|are) off[- ]limits(?: for me)?\b", "{me} cannot have {o}", "fact", health=True, denied=True),
    _saying(r"^(?:i'm|i am|im|we're|we are) (?P<o>(?:gluten|dairy|lactose|sugar|nut|meat|alcohol|caffeine|wheat|egg|soy)[ -]free)(?: (?:here|at home|now|these days))?\b",
            "{me} is {o}", "fact", health=True),
    _saying(r"\b(?:i(?:'d| would) love|i (?:love|want|like)) (?:a |an )?(?P<o>[\w-]+),? but (?:i'm|i am|im) (?:very |super |badly )?allergic\b(?! to \w{5})",
            "{me} is allergic to {o}", "fact", "allergic_to", health=True),
    _saying(rf"(?:^|, |\b(?:and|but) )(?:my |the |our )?(?P<o>(?:[\w-]+ )?(?:{TESTED}))(?: have| has|'ve|'s)?(?: just| finally)? (?:came|come|were|was) back (?P<h>(?:all |completely )?\w+)",
            "{me}'s {o} came back {h}", "fact", health=True),
    _saying(r"^(?P<o>[A-Z][\w-]+) said yes\b", "{me} and {o} got engaged", "relationship", "partner_of"),
    _saying(rf"\blet['\u2019]?s (?:just |all )?(?:go|stick|run|proceed|roll) with {THING}(?: then| instead)?$", "{me} chose {o}", "decision"),
    _saying(r"^(?P<o>(?:the )?[\w'.-]+(?: [\w'.-]+){0,5}) then$", "{me} settled on {o}", "decision", leads=True),
    _saying(rf"^no {THING},? (?:please|pls|thanks)\b", "{me}'s instruction: no {o}", "instruction", told=True, alone=False, denied=True),
    _saying(r"^no (?P<o>[\w.+#-]+)$", "{me} does not use {o}", "fact", "uses", told=True, denied=True, named=True),
    _saying(r"(?:^|\bso |, )(?P<o>[\w-]+(?: [\w-]+){0,4} only),? ?(?:please|pls)?$", "{me}'s instruction: {o}", "instruction", told=True, alone=False),
    _saying(r"^(?P<h>(?:for|in) (?:this|the|my|our|all|every) [\w ]+?)[:,] (?P<o>.+)$", "{me}'s instruction {h}: {o}", "instruction", told=True),
    _saying(r"(?:^|, |\band |\bso |\bplease )(?:(?:can|could|would|will) you )?(?:please )?remind me (?P<o>\w.{4,}?)\??$",
            "{me} wants to be reminded {o}", "instruction", told=True, alone=False),
]  # fmt: skip

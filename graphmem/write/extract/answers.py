"""Read an answer with its question: "Where do you work?" "At Northstar" says "I work at Northstar"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphmem.types import Turn
from graphmem.write.claims import Source
from graphmem.write.extract import lexicon as words
from graphmem.write.extract.passages import Passage

LONGEST = 140
LONGEST_CLOSED = 12
OF_YOU = re.compile(r"\b(?:you|your|u|ur|you're|you've|you'll)\b", re.IGNORECASE)
SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
YOURS = {"you": "I", "your": "my", "yours": "mine", "yourself": "myself", "are": "am", "u": "I", "ur": "my", "you're": "I'm",
         "you've": "I've", "were": "was", "me": "you", "i": "you", "my": "your"}  # fmt: skip
WH = r"(?:where|what|which|who|when|how long|how many|how much|how often|how far|how old|since when)"
OPEN = [
    (re.compile(rf"^{WH}\b(?P<of>[^?]*?)\b(?:do|did|does) you (?P<verb>[^?]*)\?*$", re.IGNORECASE), "I {verb} {answer}"),
    (re.compile(rf"^{WH}\b(?P<of>[^?]*?)\b(?:are|were) you (?P<verb>[^?]*)\?*$", re.IGNORECASE), "I am {verb} {answer}"),
    (re.compile(rf"^{WH}\b(?P<of>[^?]*?)\bhave you (?P<verb>[^?]*)\?*$", re.IGNORECASE), "I have {verb} {answer}"),
    (re.compile(r"^(?:what|who|when|where|how old|which)(?:'s| is| are|s) your (?P<verb>[^?]*)\?*$", re.IGNORECASE), "My {verb} is {answer}"),
    (re.compile(r"^(?:and )?(?:what(?:'s| is)|any) (?P<verb>allergies)[^?]*\?*$", re.IGNORECASE), "I am allergic to {answer}"),
]  # fmt: skip
CLOSED = [
    (re.compile(r"^(?:do|did) you (?P<verb>[^?]*)\?*$", re.IGNORECASE), "I {verb}", "I do not {verb}"),
    (re.compile(r"^(?:are|were) you (?P<verb>[^?]*)\?*$", re.IGNORECASE), "I am {verb}", "I am not {verb}"),
    (re.compile(r"^have you (?P<verb>[^?]*)\?*$", re.IGNORECASE), "I have {verb}", "I have not {verb}"),
    (re.compile(r"^(?:shall|should) we (?P<verb>[^?]*)\?*$", re.IGNORECASE), "I decided to {verb}", ""),
    (re.compile(r"^can you (?P<verb>[^?]*)\?*$", re.IGNORECASE), "I can {verb}", "I can not {verb}"),
    (re.compile(r"^is your (?P<verb>\w+) (?P<rest>[^?]*)\?*$", re.IGNORECASE), "My {verb} is {rest}", "My {verb} is not {rest}"),
    (re.compile(r"^(?:so |then |and )*(?P<verb>(?:you|your)\b[^?]*?)(?:,? (?:right|correct|yes|no|huh|is that right|don't you|aren't you))?\?*$", re.IGNORECASE), "{verb}", ""),
]  # fmt: skip
OWN_SUBJECT = re.compile(
    r"^(?:hey|hi|hello|thanks|thank|good|great|fine|wow|oh|not|nothing|what|how|why|i|i'm|i've|i'd|we|we're|my|he|she|it|it's|they|that|that's|there|this|you|the \w+ is)\b",
    re.IGNORECASE,
)
LEADING = re.compile(
    rf"^(?:(?P<yes>{'|'.join(sorted(words.YES))})|(?P<no>{'|'.join(sorted(words.NO))}))\b[\s,.!:;-]*", re.IGNORECASE
)
HEDGE = re.compile(r"^(?:just|well|um|uh|hmm|oh|so|mostly|currently|actually|ah)[\s,.]+", re.IGNORECASE)


def answers(turns: Sequence[Turn], fresh_from: int) -> list[tuple[int, Passage]]:
    """What short answers say together with the question before them, each with the number of its turn."""
    found = []
    for number in range(max(1, fresh_from), len(turns)):
        asker, turn = turns[number - 1], turns[number]
        if turn.role != "user" or (asker.role == turn.role and asker.speaker == turn.speaker):
            continue
        question = _question(asker.text)
        said = answer(question, turn.text) if question else None
        if said:
            text, correcting, length = said
            whole = Source(turn=turn.id, start=0, end=length)
            found.append((number, Passage(turn=turn, text=text, fresh=True, whole=whole, correcting=correcting)))
    return found


def answer(question: str, text: str) -> tuple[str, bool, int] | None:
    """The statement that an answer makes, whether it corrects, and how much of the turn it is."""
    first = SENTENCE.match(text.strip())
    if not first or len(first.group()) > LONGEST:
        return None
    said = HEDGE.sub("", first.group().strip())
    lead = LEADING.match(said)
    rest = said[lead.end() :].strip(" .!,") if lead else said.strip(" .!")
    if (
        OWN_SUBJECT.match(rest)
        or re.match(r"(?!let)\S+(?:'s|\u2019s| is| are| was| were) ", rest)
        or said.endswith("?")
    ):
        return None
    made = _closed(question, lead, rest) or _choice(question, rest) or (_open(question, rest) if not lead else None)
    return (made[0], made[1], len(first.group())) if made else None


def _choice(question: str, rest: str) -> tuple[str, bool] | None:
    """ "Kafka or NATS?" "Kafka.": one of the two that were asked about."""
    thing = re.sub(
        r"^(?:the|a|an|definitely|probably|let's do|let's go with|i'd say)\s+", "", rest, flags=re.IGNORECASE
    )
    thing = re.sub(r",? (?:please|i think|for sure|definitely|all the way)$", "", thing, flags=re.IGNORECASE)
    chosen = f"{'the ' if rest.lower().startswith('the ') else ''}{thing}"
    halves = re.split(r"\bor\b", question, flags=re.IGNORECASE)
    if len(halves) != 2 or not 0 < len(thing.split()) <= 4:
        return None
    if not any(re.search(rf"\b{re.escape(thing)}(?!\w)", half, re.IGNORECASE) for half in halves):
        return None
    if re.search(r"\b(?:prefer|like|rather|favou?rite|fan)\b", question, re.IGNORECASE):
        return f"I prefer {chosen}", False
    if re.search(r"\b(?:do|did|have|are|were) you\b", question, re.IGNORECASE):
        return None
    return f"I chose {chosen}", False


def _question(text: str) -> str | None:
    last = [match.group().strip() for match in SENTENCE.finditer(text) if match.group().strip()][-1:]
    return last[0] if last and last[0].endswith("?") and len(last[0]) <= LONGEST else None


def _open(question: str, rest: str) -> tuple[str, bool] | None:
    if not rest:
        return None
    for pattern, form in OPEN:
        if match := pattern.match(question):
            verb = _turned(match.group("verb"))
            if (
                re.match(r"(?:what|which|who)\b", question, re.IGNORECASE)
                and "answer" in form
                and not _adds(rest)
                and form.startswith("I")
            ):
                first, _, after = verb.partition(" ")
                did = "did " if re.search(r"\bdid you\b", question, re.IGNORECASE) else ""
                return _joined(f"I {did}{first} {_lower(rest)} {after}"), False
            return _joined(form.format(verb=verb, answer=_lower(rest))), False
    if (match := CLOSED[0][0].match(question)) and _fragment(rest):  # "Do you have pets?" "Two cats"
        return f"I {_verb(match.group('verb'))} {_lower(rest)}", False
    return None


def _closed(question: str, lead: re.Match[str] | None, rest: str) -> tuple[str, bool] | None:
    if not lead or len(OF_YOU.findall(question)) > 1 or len(question.split()) > LONGEST_CLOSED:
        return None
    for pattern, yes, no in CLOSED:
        match = pattern.match(question)
        if not match:
            continue
        parts = {key: _turned(value.strip(" ,")) for key, value in match.groupdict().items()}
        if lead.group("yes"):
            if rest and yes.startswith("I {") and _thing(rest):
                return f"I {_verb(parts['verb'])} {_lower(rest)}", False
            tail = f" {_lower(rest)}" if rest and _adds(rest) else ""
            return _joined(yes.format(**parts) + tail), False
        if rest and _fragment(rest):
            return _corrected(yes.format(**parts), rest), True
        return (_joined(no.format(**parts)), False) if no else None
    return None


def _corrected(statement: str, rest: str) -> str:
    """The statement with its last name or noun replaced by what was said instead."""
    at = re.search(
        r"\b(?:in|at|on|to|for|from|as|is|with|a|an|the)\s+(?!.*\b(?:in|at|on|to|for|from|as|with)\s)[^,]*$",
        statement,
        re.IGNORECASE,
    )
    if not at:
        return f"{statement}, {rest}"
    joint = at.group().split()[0]
    return f"{statement[: at.start()]}{joint} {rest}"


def _turned(text: str) -> str:
    """What is said of you, as you would say it."""
    kept = (word for word in text.split() if word.lower() not in ("ever", "any", "yet"))
    return " ".join(YOURS.get(word.lower(), word) for word in kept)


def _verb(text: str) -> str:
    """The verb of a question without its object: have, out of "have any pets"."""
    return text.split(maxsplit=1)[0] if text.split() else "have"


def _thing(rest: str) -> bool:
    return bool(re.match(r"(?:a|an|two|three|four|five|six|one|some|\d+|the|my)\b", rest, re.IGNORECASE))


def _adds(rest: str) -> bool:
    return bool(re.match(r"(?:since|for|in|at|from|until|on|with|and|every|near|by|as|to)\b", rest, re.IGNORECASE))


def _fragment(rest: str) -> bool:
    return 0 < len(rest.split()) <= 10 and not re.search(
        r"\b(?:i|i'm|you|we|he|she|they|it|that|is|are|was)\b", rest, re.IGNORECASE
    )


def _lower(rest: str) -> str:
    first = rest.split(maxsplit=1)[0]
    small = first.lower() in {
        "at",
        "in",
        "on",
        "since",
        "with",
        "for",
        "a",
        "an",
        "the",
        "two",
        "three",
        "my",
        "by",
        "as",
        "to",
        "from",
    }
    return rest[0].lower() + rest[1:] if small else rest


def _joined(text: str) -> str:
    return " ".join(text.split())

"""What is read of a turn: its own words, without what was pasted, quoted or put there by memory itself.

What is cut out is replaced by blanks of the same length, so that every character keeps its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from graphmem.types import Turn
from graphmem.write.claims import Source

CAP = 64 * 1024
"""Characters of a turn that are read; of a longer one, the tail."""
INJECTED = [
    re.compile(r"<(memory|memories|context|recalled|memory_context|relevant_memories)\b[^>]*>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE),
    re.compile(r"\[(memory|memories)\].*?(?:\[/\1\]|\n\s*\n|\Z)", re.DOTALL | re.IGNORECASE),
    re.compile(
        r"^[#*\s]*(?:known facts about this conversation|what you know about this user|relevant memories"
        r"|what you remember about (?:this|the) user|memories about (?:this|the) user)\b[^\n]*\n"
        r"(?:[ \t]*(?:\d+[.)]|[-*•]|##)[^\n]*(?:\n|\Z)|[ \t]*\n(?=[ \t]*(?:\d+[.)]|[-*•])))*",
        re.MULTILINE | re.IGNORECASE,
    ),
]  # fmt: skip
PASTED = [
    re.compile(r"```.*?(?:```|\Z)", re.DOTALL),
    re.compile(r"~~~.*?(?:~~~|\Z)", re.DOTALL),
    re.compile(r"<(pre|code|blockquote|document|article|quote)\b[^>]*>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE),
    re.compile(r"^[ \t]*>[^\n]*", re.MULTILINE),
    re.compile(r"^(?:[ \t]*[\[(]?\d{1,4}[-:/.]\d{2}(?:[-:/.]\d{2,4})?[\])]?[ T,:][^\n]*(?:\n|\Z)){2,}", re.MULTILINE),
    re.compile(r"^[^\n]*\b(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|Traceback|Exception)\b(?=[\s:\]|-])[^\n]*", re.MULTILINE),
    re.compile(r"^(?:    |\t)[^\n]*(?:\n|\Z)(?:(?:    |\t)[^\n]*(?:\n|\Z))*", re.MULTILINE),
    re.compile(r"^[ \t]*(?:\$|>>>|#!|//|import |from \w+ import|def |class |SELECT |INSERT |\{|\}|\w+ ?= ?[\w\"'\[{(]+.*;?$)[^\n]*", re.MULTILINE),
    re.compile(r"[♪♫🎵🎶][^\n]*?(?:[♪♫🎵🎶]|\n|\Z)"),
    re.compile(r"`[^`\n]*[(){}=<>/;][^`\n]*`"),
    re.compile(r"https?://\S+|www\.\S+"),
    re.compile(r"^(?:From|To|Subject|Date|Sent|Cc): [^\n]*", re.MULTILINE),
]  # fmt: skip
# Work on a text that is given: what follows is that text and not what the person says.
GIVEN = re.compile(
    r"\b(?:translate|proofread|summari[sz]e|rewrite|rephrase|paraphrase|edit|fix|correct|improve|shorten|review|check|"
    r"polish|analy[sz]e|classify|explain|convert|reword|copyedit|transcript|export|article|email|e-mail|letter|"
    r"message|lyrics|poem|excerpt|quote|passage|paragraph|review|abstract|bio|text|log|logs|output|sentence|"
    r"sentences|story|script|dialogue|essay|draft|says|said|reads|read|wrote|writes|goes|went)\b[^\n:.!?]{0,60}:(?=\s)",
    re.IGNORECASE,
)
QUOTED = re.compile(r"\"[^\"\n]{3,}\"|“[^”\n]{3,}”|«[^»\n]{3,}»|(?<![\w'])'[^'\n]+ [^'\n]+ [^\n']*'(?!\w)|\*[^*\n]+\*")
TITLE = re.compile(r"^[\"“«'][A-Z0-9]")
VERBISH = re.compile(
    r"\b(?:i|you|we|he|she|they|it|is|are|was|were|am|do|don't|have|has|had|will|can|can't|be|i'm|love|hate|want)\b",
    re.IGNORECASE,
)


# Laughter and emoji end a sentence in a chat, where they do not stand in its middle.
NOISE = re.compile(
    r"[\U0001F000-\U0001FAFF\u2600-\u27BF\u2B00-\u2BFF\uFE0F\u200D]+|"
    r"(?<![\w'])(?:lol|lmao|lmfao|rofl|ha(?:ha)+h?|he(?:he)+|omg|wtf|smh|xd|xoxo|tbh|ngl|imo|imho|idk|fr|btw)(?![\w'])|"
    r"(?<!\S)[:;]-?[)(DPpo/](?!\S)|<3",
    re.IGNORECASE,
)


MAIL = re.compile(r"^(?:Dear|Hi|Hello) [A-Z\w][\w ]{0,30},\s*\n?|^(?:From|Subject|Sent): [^\n]*\n", re.MULTILINE)
BELOW = re.compile(
    r"\b(?:below|following|this|attached)\b[^\n]{0,60}\n(?=\s*\S)|^\s*-{3,}\s*$", re.IGNORECASE | re.MULTILINE
)
TASK = re.compile(
    r"\b(?:summari[sz]e|translate|proofread|rewrite|rephrase|edit|review|explain|fix|shorten|reply|respond|check)\b",
    re.IGNORECASE,
)


# What only leads over to what is said, with the comma behind it.
ASIDE = re.compile(
    r"(?<!\w)(?:(?:and|but|oh|so|well|yeah|hey),? )?(?:by the way|as for (?:me|us)|on (?:another|a different|a lighter|a side|a happier) note|"
    r"funny thing(?: is)?|speaking of which|to be honest|to be fair|long story short|in other news|guess what|fun fact|believe it or not|"
    r"as a matter of fact|in case you (?:were )?wonder(?:ed|ing)|if you must know|needless to say|not gonna lie)\b[,:!\u2014-]*",
    re.IGNORECASE,
)
SMALL_I = re.compile(r"(?<![\w.'\u2019-])i(?=[\s'\u2019,]|$)")


class Passage(Struct, frozen=True, kw_only=True):
    """One turn, or something put together from a question and its answer, as it goes to the parser.

    ``shift`` is where its text begins in the turn's. ``whole`` is set when its words are not in the turn as they stand:
    then what it says has that one place as its source.
    """

    turn: Turn
    text: str
    fresh: bool
    shift: int = 0
    whole: Source | None = None
    listener: str | None = None
    correcting: bool = False

    def verbatim(self, start: int, end: int) -> str:
        """What stands in the turn at a place of this text, with a little behind it: an emoji may turn a claim into a joke."""
        if self.whole:
            return self.text[start:end]
        return self.turn.text[self.shift + start : self.shift + end + 4]

    def source(self, start: int, end: int) -> Source:
        """The place in the turn of two characters of this text."""
        if self.whole:
            return self.whole
        return Source(turn=self.turn.id, start=self.shift + start, end=self.shift + end)


def passages(turns: Sequence[Turn], fresh_from: int) -> list[Passage]:
    """One passage for each turn."""
    found = []
    names = _addresses(turns)
    for number, turn in enumerate(turns):
        shift = max(0, len(turn.text) - CAP)
        text = _unaddressed(clean(turn.text[shift:]), names)
        shift += len(text) - len(text.lstrip())
        text = text.strip()
        found.append(
            Passage(turn=turn, text=text, fresh=number >= fresh_from, shift=shift, listener=_listener(turns, number))
        )
    return found


def _addresses(turns: Sequence[Turn]) -> re.Pattern[str] | None:
    """The names of the speakers, and what they may be shortened to, where they call each other."""
    short = {name[:n] for turn in turns for name in (turn.speaker or "").split()[:1] for n in range(3, len(name) + 1)}
    if not short:
        return None
    one = "|".join(sorted(map(re.escape, short), key=len, reverse=True))
    calls = r"hey|hi|hello|thanks|thank you|thx|wow|yeah|yep|yes|yup|no|oh|ok|okay|bye|congrats|sure|aw+|well|so|sorry|dear|haha|cool|alright|great|nice|absolutely|definitely|totally|right|exactly"
    return re.compile(
        rf"(?:(?<=, )|(?<=^)|(?<=[.!?] )|\b(?:{calls}),? )(?:{one})\b(?=\s*(?:[,.!?;:\-\u2013\u2014~]|$))",
        re.IGNORECASE | re.MULTILINE,
    )


def _unaddressed(text: str, names: re.Pattern[str] | None) -> str:
    """``text`` without the name of whom it is said to: "I agree, Melanie" says nothing about agreeing Melanies."""
    return names.sub(_blank, text) if names else text


def clean(text: str) -> str:
    """``text`` with blanks where it is not what the person says."""
    for pattern in INJECTED:
        text = pattern.sub(_blank, text)
    for pattern in PASTED:
        text = pattern.sub(_blank, text)
    for start in (MAIL.search(text), BELOW.search(text) if TASK.search(text[:200]) else None):
        if start and (start.end() > 40 or start.re is MAIL):
            text = text[: start.start()] + _blank_text(text[start.start() :])
    given = GIVEN.search(text)
    if given and (rest := text[given.end() :]).strip() and _pasted(rest):
        text = text[: given.end()] + _blank_text(rest)
    text = NOISE.sub(_stop, ASIDE.sub(_blank, QUOTED.sub(_quote, text)))
    return SMALL_I.sub("I", text)  # the parser knows "I" better than "i"


def _pasted(rest: str) -> bool:
    """Whether what follows a colon is a text of its own: a new line, a quotation, or more than one sentence."""
    return rest.lstrip(" ").startswith(("\n", '"', "“", "'", "«")) or len(rest) > 200


def _quote(match: re.Match[str]) -> str:
    """A quotation is somebody else's words; the title of a book or a nickname is not."""
    words = match.group()
    titled = TITLE.match(words) and len(words.split()) <= 6 and not VERBISH.search(words)
    return words if titled or len(words.split()) == 1 else _blank_text(words)


def _stop(match: re.Match[str]) -> str:
    rest = match.string[match.end() :].lstrip(" ")
    before = match.string[: match.start()].rstrip()
    emoji = ord(match.group()[0]) > 0x2000
    ends = (emoji or not rest or rest[0].isupper() or rest[0] == "\n") and before[-1:].isalnum()
    return ("." + " " * (len(match.group()) - 1)) if ends else _blank_text(match.group())


def _blank(match: re.Match[str]) -> str:
    return _blank_text(match.group())


def _blank_text(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _listener(turns: Sequence[Turn], number: int) -> str | None:
    """Who "you" is: the other speaker nearest before, else after; nobody by name when there is none."""
    me = turns[number].speaker
    near = [*reversed(turns[:number][-6:]), *turns[number + 1 :][:6]]
    return next((turn.speaker for turn in near if turn.speaker and turn.speaker != me), None)

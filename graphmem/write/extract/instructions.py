"""Standing instructions to the assistant, and what is settled or noted in so few words that no clause is left of it."""

from __future__ import annotations

import re

from graphmem.models.parser import Sentence, Word
from graphmem.types import EntryType
from graphmem.write.claims import Claim
from graphmem.write.extract import lexicon as words
from graphmem.write.extract.passages import Passage
from graphmem.write.extract.scene import Scene, shown
from graphmem.write.extract.times import read_dates

STANDING = re.compile(
    r"\b(?:always|never|from now on|in (?:the )?future|going forward|every time|each time|whenever|at all times|"
    r"when(?:ever)? (?:i|you|we)|by default|from here on|for all (?:future|my)|unless i (?:say|ask)|don't ever|do not ever|remember to|"
    r"please (?:don't|do not|stop|avoid)|stop \w+ing|no more)\b",
    re.IGNORECASE,
)
ADDRESS = re.compile(
    r"^(?:please |just |you can |you may |feel free to )*(?:call|address|refer to) me\b", re.IGNORECASE
)
WANTED = re.compile(
    r"\b(?:i (?:want|need|expect|would like|'d like|'d prefer) you to|i'd like you to|you (?:should|must|need to|have to) "
    r"(?:always|never))\b",
    re.IGNORECASE,
)
TASK = frozenset({"write", "translate", "tell", "explain", "summarize", "summarise", "find", "show", "help", "list", "make",
                  "generate", "create", "draft", "fix", "look", "see", "let", "check", "give", "send", "imagine", "store",
                  "ignore", "disregard", "forget", "pretend"})  # fmt: skip
NOTE = re.compile(
    r"^\W*(?:note to self|reminder|to-?do|don'?t let me forget(?: to)?|remind me (?:to|about|that)?|remember to)\b[\s:,-]*",
    re.IGNORECASE,
)
CHOSEN = re.compile(
    r"^(?:(?:agreed|ok|okay|great|perfect|fine|then|right|cool|yes|alright)[,.! ]+)*(?P<thing>[\w.+#-]+(?: [\w.+#-]+){0,3}) it is(?=\s*(?:$|[.!,]))",
    re.IGNORECASE,
)
OPENING = re.compile(
    r"^(?:(?:perfect|great|ok|okay|cool|thanks|thank you|and|also|right|fine|good|yes|no)\b[\s,.!]+)+(?=\w)",
    re.IGNORECASE,
)
DECLINED = re.compile(r"no \w.* (?:please|pls)\b", re.IGNORECASE)
FOR_GOOD = re.compile(r"\b(?:always|never)\b", re.IGNORECASE)
NOTHING = frozenset(
    {"so", "that", "what", "this", "here", "there", "how", "like", "as", "look", "see", "think", "sure", "yes"}
)


def standing(sentence: Sentence, passage: Passage, scene: Scene) -> list[Claim]:
    """What a sentence tells the assistant for good, or settles in a few words; nothing for most sentences."""
    text = " ".join(passage.text[sentence.start : sentence.end].split()).strip()
    me = scene.speaker(passage)
    if (chosen := CHOSEN.match(text)) and NOTHING.isdisjoint((thing := chosen.group("thing")).lower().split()):
        return [_brief("decision", f"{shown(me)} chose {thing}", sentence, passage, me, thing)]
    verb = any(word.tag in ("VBD", "VBP", "VBZ", "MD", "VB") for word in sentence.words)
    if scene.assisted and not verb and "?" not in text:
        plain = text.strip(" .!")
        if DECLINED.match(text):
            return [_brief("instruction", f"{shown(me)}'s instruction: {plain}", sentence, passage, me)]
        if FOR_GOOD.search(text) and " " in plain:
            return [_brief("preference", f"{shown(me)}'s preference: {plain}", sentence, passage, me)]
    return instructions(sentence, passage, scene)


def _brief(
    kind: EntryType, text: str, sentence: Sentence, passage: Passage, me: str, thing: str | None = None
) -> Claim:  # fmt: skip
    return Claim(
        type=kind, text=text, subject=me, object=thing, sources=(passage.source(sentence.start, sentence.end),),
        speaker=passage.turn.speaker, confidence=0.7, importance=0.65,
    )  # fmt: skip


def instructions(sentence: Sentence, passage: Passage, scene: Scene) -> list[Claim]:
    """How the assistant is told to behave from now on; one task done once is no instruction."""
    text = " ".join(passage.text[sentence.start : sentence.end].split())
    lead = OPENING.match(text)
    plain = (text[lead.end() :] if lead else text).strip(" .!,;:")
    if NOTE.match(plain) and not plain.endswith("?"):
        return _note(plain, sentence, passage, scene)
    if not scene.assisted or plain.endswith("?") or text.endswith("?"):
        return []
    strength = _strength(sentence, plain)
    if not strength:
        return []
    me = scene.speaker(passage)
    return [
        Claim(
            type="instruction", text=_instruction(plain, me), subject=me, negated=False, confidence=strength, importance=0.9,
            sources=(passage.source(sentence.start, sentence.end),), speaker=passage.turn.speaker, tags=("standing",),
        )
    ]  # fmt: skip


def _strength(sentence: Sentence, plain: str) -> float:
    """How surely a sentence is an instruction; 0 when it is none."""
    verb = _imperative(sentence)
    if ADDRESS.match(plain):
        return 0.9
    if WANTED.search(plain):
        return 0.85 if STANDING.search(plain) or _style(sentence) else 0.0
    if verb is None:
        return 0.0
    if STANDING.search(plain):
        return 0.9
    styled = _style(sentence) and verb.lemma in words.DIRECTING and verb.lemma not in TASK
    return 0.75 if styled else 0.0


def _imperative(sentence: Sentence) -> Word | None:
    """The verb of a sentence that tells somebody to do something."""
    root = sentence.root
    start = [
        word for word in sentence.words if word.pos not in ("PUNCT", "SPACE", "INTJ") and word.lower not in words.FILLER
    ]
    if start and start[0].dep in ("nsubj", "poss", "nsubjpass") and sentence.words[start[0].head].dep != "advcl":
        return None
    candidates = [
        root,
        *(sentence.words[i] for i in root.children if sentence.words[i].dep in ("ccomp", "conj", "xcomp")),
    ]
    for verb in candidates:
        if any(sentence.words[i].dep in ("nsubj", "nsubjpass", "expl") for i in verb.children):
            continue
        if verb.tag in ("VB", "VBP") and verb.pos in ("VERB", "AUX") and not _to(verb, sentence):
            return verb
    first = next((word for word in sentence.words if word.pos not in ("PUNCT", "SPACE", "INTJ")), root)
    return (
        first if first.lower in ("use", "keep", "always", "never", "answer", "reply", "avoid", "stop", "be") else None
    )


def _to(verb: Word, sentence: Sentence) -> bool:
    return any(
        sentence.words[i].dep == "aux" and sentence.words[i].lower in ("to", "will", "can", "ll") for i in verb.children
    )


def _style(sentence: Sentence) -> bool:
    return any(word.lower in words.STYLE for word in sentence.words)


def _instruction(plain: str, me: str) -> str:
    text = re.sub(r"^(?:and|so|but|ok|okay|also|hey|oh|btw|by the way)[\s,]+", "", plain, flags=re.IGNORECASE)
    name = "the user" if me == "user" else me
    swaps = (("i'm", f"{name} is"), ("i am", f"{name} is"), ("me", name), ("my", f"{name}'s"), ("i", name))
    for mine, theirs in swaps:
        text = re.sub(rf"\b{mine}\b", theirs, text, flags=re.IGNORECASE)
    text = re.sub(r"^(?:please|pls)\s+", "", text, flags=re.IGNORECASE)
    return f"{shown(me)}'s instruction: {text[:1].lower()}{text[1:]}"


def _note(plain: str, sentence: Sentence, passage: Passage, scene: Scene) -> list[Claim]:
    """A note to self is a thing to do."""
    me = scene.speaker(passage)
    rest = NOTE.sub("", plain)
    if not rest:
        return []
    dated = read_dates(scene.dates(passage), passage.text, sentence.start, sentence.end)
    reminding = bool(re.match(r"remind me", plain, re.IGNORECASE))
    text = f"{shown(me)} {'wants to be reminded' if reminding else 'has to remember'}: {rest}"
    return [
        Claim(
            type="instruction" if reminding else "commitment", text=text, subject=me, modality="planned", happened=dated.at,
            sources=(passage.source(sentence.start, sentence.end),), speaker=passage.turn.speaker, confidence=0.8,
            importance=0.6, tags=("reminder",) if reminding else (),
        )
    ]  # fmt: skip

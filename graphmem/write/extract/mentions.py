"""The things that a session speaks of, each once, under its fullest name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from graphmem.models.parser import Sentence, Word
from graphmem.write.claims import USER, Claim, Mention, Source
from graphmem.write.extract import lexicon as words
from graphmem.write.extract.passages import Passage
from graphmem.write.extract.scene import Scene
from graphmem.write.extract.things import name_span, phrase, proper

IDLE = words.GREETING | words.TIMES | words.FILLER | words.FIRST | words.SECOND
JUNK = re.compile(r"^.*([a-z])\1\1|^[\W\d_]*$|^(?:https?|www)\b|^[a-z]$", re.IGNORECASE)
PLACE_BEFORE = frozenset({"in", "near", "around", "outside"})
MOTION = frozenset(
    {"go", "move", "travel", "fly", "drive", "come", "relocate", "return", "head", "trip", "visit", "emigrate"}
)
PERSONAL = frozenset({"say", "tell", "ask", "think", "know", "love", "like", "hate", "prefer", "want", "promise", "live", "go", "marry",
                      "invite", "help", "call", "text", "cook", "laugh", "cry", "feel", "believe", "agree", "quit", "enjoy", "get",
                      "teach", "visit", "bring", "meet", "move", "need", "hope", "decide", "graduate", "turn", "study", "have"})  # fmt: skip
HEADING = frozenset({"nsubj", "nsubjpass", "poss", "appos", "conj"})
# What somebody plays or reads is a work; what he tries out is a tool.
TITLED = frozenset({"play", "read", "watch", "finish", "reread", "rewatch", "stream"})
TRIED = frozenset({"try", "use", "install", "deploy", "pick", "run", "adopt", "configure"})
ADDRESSED = frozenset({"tell", "ask", "meet", "call", "text", "send", "invite", "marry", "thank", "promise", "visit", "date", "miss",
                       "sister", "brother", "wife", "husband", "mother", "mom", "mum", "dad", "father", "son", "daughter",
                       "birthday", "wedding", "boss", "friend", "girlfriend", "boyfriend", "house", "place", "party", "job"})  # fmt: skip


class Seen(Struct, kw_only=True):
    """A thing while its mentions are being gathered."""

    name: str
    type: str
    aliases: list[str]
    sources: list[Source]


def mentions_of(
    read: Sequence[tuple[Passage, list[Sentence]]], claims: Iterable[Claim], scene: Scene
) -> tuple[Mention, ...]:
    """Everything that the fresh turns mention: speakers, names, and what claims are about."""
    seen: dict[str, Seen] = {}
    for passage, sentences in read:
        if passage.turn.speaker:
            _add(seen, passage.turn.speaker, "person", None)
        if passage.fresh and passage.turn.role in ("user", "assistant"):
            for name, kind, word, sentence in _names(sentences, scene):
                _add(seen, name, kind, passage.source(*name_span(word, sentence)))
    for claim in claims:
        _from_claim(seen, claim, scene)
    for person in scene.people.by_role.values():
        if person.name in seen and person.role != person.name:
            seen[person.name].aliases.append(person.role)
    return tuple(_finished(each) for each in _merged(seen))


def _names(sentences: list[Sentence], scene: Scene) -> Iterator[tuple[str, str, Word, Sentence]]:
    """The names in some sentences with their types; only heads, so that "Clara Lopez" is one."""
    for sentence in sentences:
        for word in sentence.words:
            if _may_name(word, sentence, scene) and (kind := _kind(word, sentence, scene)) is not None:
                yield phrase(word, sentence, of=word.text[:1].isupper()), kind, word, sentence


def _may_name(word: Word, sentence: Sentence, scene: Scene) -> bool:
    """Whether a word is the head of a name, by its capital or because it is known."""
    if word.dep in ("compound", "flat") and word.pos == "PROPN" and sentence.words[word.head].text[:1].isupper():
        return False
    if word.lower in IDLE or JUNK.match(word.text) or word.lower in scene.people.roles:
        return False
    if word.pos in ("PROPN", "NOUN", "X", "ADJ", "INTJ") and proper(word, sentence):
        return word.pos == "PROPN" or word.lower not in words.ALSO_WORDS
    known = scene.things.named(word.lower, word) or scene.things.session.get(word.lower)
    return known is not None and word.lower not in words.ALSO_WORDS


def _kind(word: Word, sentence: Sentence, scene: Scene) -> str | None:
    """The type of a name: as the session or ontology knows it, as its place in the sentence says, or as the model guessed."""
    known = scene.things.type_of(word, sentence)
    if known == "time":
        return None
    name = phrase(word, sentence).lower()
    if name in scene.things.session or word.lower in scene.things.session or scene.things.named(name, word):
        return known
    if known == "person" and word.i == _first_word(sentence) and word.dep not in HEADING and " " not in name:
        return None  # "Lesson learned!": a capital and nothing else
    return _by_place(word, sentence, known, scene) or _guessed(word, sentence, known)


def _by_place(word: Word, sentence: Sentence, known: str | None, scene: Scene) -> str | None:
    """What the words around a name say: "in" a place, "at" a firm, and only people promise and prefer."""
    head = sentence.words[word.head]
    joint = head.lower if word.dep == "pobj" else ""
    if joint in PLACE_BEFORE:
        return "place"
    if joint == "at" and word.ent != "PERSON":
        return known if known in ("place", "event") else "company"
    if joint == "to" and sentence.words[head.head].lemma in MOTION and word.ent != "ORG":
        return "place"
    if word.dep == "dobj" and known in ("person", "place") and not scene.things.named(word.lower, word):
        if head.lemma in TITLED:
            return "concept"
        if head.lemma in TRIED:
            return "tool"
    if word.dep in ("nsubj", "nsubjpass") and head.lemma in PERSONAL and not _inner(word, sentence):
        return "person"
    human = (word.dep == "poss" or word.dep in ("dative", "dobj")) and head.lemma in ADDRESSED
    return "person" if human and known not in ("company", "place") else None


def _first_word(sentence: Sentence) -> int:
    return next((each.i for each in sentence.words if each.pos not in ("PUNCT", "SPACE")), 0)


def _guessed(word: Word, sentence: Sentence, known: str | None) -> str | None:
    """The model's own guess; without one, a capitalised name inside a sentence is a concept of some kind."""
    if known is not None and not (word.text.isupper() and len(word.text) <= 3 and known in ("place", "company")):
        return None if word.ent == "NORP" and word.dep in ("amod", "compound") else known
    first = _first_word(sentence)
    if word.i == first or (word.text.isupper() and len(word.text) <= 4) or word.pos != "PROPN":
        return None
    return "concept" if word.text[:1].isupper() and len(word.text) > 2 else None


def _inner(word: Word, sentence: Sentence) -> bool:
    """Whether a noun has an article or an owner: "the Atlas" promises nothing."""
    return any(sentence.words[i].dep in ("det", "poss") for i in word.children)


def _add(seen: dict[str, Seen], name: str, kind: str, source: Source | None) -> None:
    name = name.strip(" '\"\u2019.,-\u2013")
    if not name or JUNK.match(name):
        return
    each = seen.setdefault(name, Seen(name=name, type=kind, aliases=[], sources=[]))
    if source is not None:
        each.sources.append(source)


def _from_claim(seen: dict[str, Seen], claim: Claim, scene: Scene) -> None:
    """Subject and object of a claim are things too; its predicate says of which type."""
    predicate = scene.ontology.predicate(claim.predicate) if claim.predicate else None
    if claim.subject != USER and claim.subject not in seen:
        _add(seen, claim.subject, "person", claim.sources[0])
    if predicate is None or claim.object is None:
        return
    kind = scene.things.session.get(claim.object.lower()) or scene.things.names.get(claim.object.lower())
    if claim.object == USER:
        return
    if claim.object in seen:
        if kind is None and seen[claim.object].type not in predicate.range and len(predicate.range) == 1:
            seen[claim.object].type = predicate.range[0]
        return
    if len(claim.object.split()) <= 4 and not _clausal(claim.object):
        fallback = "concept" if "concept" in predicate.range else predicate.range[0]
        _add(seen, claim.object, kind or fallback, claim.sources[0])


def _clausal(name: str) -> bool:
    """Whether an object is rather something done, or points: "seeing them win", "their support"."""
    said = name.lower().split()
    pointing = words.POINTING | words.FIRST | words.SECOND | words.THIRD.keys()
    return not pointing.isdisjoint(said) or (len(said) > 2 and said[0].endswith("ing"))


def _merged(seen: dict[str, Seen]) -> list[Seen]:
    """Short names joined to the full name that they are part of: Clara to Clara Lopez."""
    full: list[Seen] = []
    by_word: dict[tuple[str, str], Seen] = {}
    for each in sorted(seen.values(), key=lambda item: -len(item.name.split())):
        key = (each.name.lower(), each.type if each.type == "person" else "")
        whole = by_word.get(key)
        if whole is not None and whole.name.lower() != each.name.lower() and not (each.type == "person" == whole.type):
            whole = None
        whole = whole or next((other for other in full if other.name.lower() == each.name.lower()), None)
        if whole is not None:
            whole.aliases.extend(alias for alias in (each.name, *each.aliases) if alias != whole.name)
            whole.sources.extend(each.sources)
            continue
        full.append(each)
        if each.type == "person":
            for word in each.name.split():
                by_word.setdefault((word.lower(), "person"), each)
    order = {name: at for at, name in enumerate(seen)}
    return sorted(full, key=lambda item: order[item.name])


def _finished(seen: Seen) -> Mention:
    sources = sorted(set(seen.sources), key=lambda each: (each.turn, each.start))
    aliases = dict.fromkeys(alias for alias in seen.aliases if alias != seen.name)
    return Mention(name=seen.name, type=seen.type, aliases=tuple(aliases), sources=tuple(sources))

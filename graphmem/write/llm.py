"""What a language model found, as a Draft. Nothing is believed that the turns do not bear out.

A claim needs a turn that is new and a user's; its quotation is looked for there. What is of an unknown type, predicate
or form is mapped or dropped. Times are those that the model wrote, as fine as it wrote them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import timedelta, timezone
from typing import TYPE_CHECKING, cast, get_args

from graphmem.models.llm.exchange import Question
from graphmem.models.llm.moments import moment_of
from graphmem.models.llm.questions import Spoken, questions_of
from graphmem.models.llm.vocabulary import entity_type_of, entry_type_of, predicate_of
from graphmem.ontology import Ontology, Predicate
from graphmem.types import Turn
from graphmem.words import fold, terms
from graphmem.write.claims import USER, Claim, Digest, Draft, Mention, Modality, Source, When
from graphmem.write.extract.passages import INJECTED
from graphmem.write.worker import Request

if TYPE_CHECKING:
    from graphmem.models.llm.shapes import Answer, ClaimShape

SHORTEST, LONGEST = 3, 500
# A quotation this long says by itself which turn it is from, whatever number the model wrote.
TELLING = 12
LISTED, LONGEST_ITEM, LONGEST_SUMMARY, LONGEST_NAME = 12, 200, 1000, 80
MOST_SOURCES = 50
SELF = frozenset({"", "user", "the user", "i", "me", "myself", "my", "we", "us", "speaker", "the speaker", "human",
                  "narrator", "assistant", "the assistant", "you"})  # fmt: skip
PRONOUNS = SELF | {"he", "she", "it", "they", "him", "her", "them", "this", "that", "his", "their", "its", "our",
                   "your"}  # fmt: skip
# A claim in the words of its turn with one of these among them is a copy, and says nothing to who does not know the turn.
FIRST_PERSON = re.compile(r"\b(?:i|im|i'm|i've|i'll|i'd|me|my|mine|we|we're|us|our|you|your|you're)\b", re.IGNORECASE)
COPIED = 0.8
# What stands in front of a turn where it is shown to a model.
STAMP = r"\w{3} \d{4}-\d\d-\d\d \d\d:\d\d"
HEAD = re.compile(
    rf"^\s*(?:\[\d+\]\s*)?[^:\n]{{0,80}}?(?:\((?:user|assistant|system|tool)\)(?:, {STAMP})?|{STAMP}):\s*|^\s*\[\d+\]\s*"
)
PRESENT = re.compile(r"\b(?:today|tonight|now|just|morning|afternoon|evening|noon|\d)", re.IGNORECASE)
QUOTES = "\"'\u201c\u201d\u2018\u2019"


def ask_about(request: Request, ontology: Ontology, most_tokens: int) -> list[Question]:
    """Return the questions that a request comes down to."""
    spoken = [
        Spoken(number=number, turn=turn, text=own_words(turn.text), fresh=number > request.fresh_from)
        for number, turn in enumerate(request.turns, start=1)
    ]
    return questions_of([each for each in spoken if each.text.strip()], ontology, most_tokens)


def own_words(text: str) -> str:
    """Return a text with blanks where memory itself put something in; every character keeps its place."""
    for pattern in INJECTED:
        text = pattern.sub(lambda found: re.sub(r"\S", " ", found.group()), text)
    return text


def draft_of(answers: Sequence[Answer], request: Request, ontology: Ontology, extractor: str) -> Draft:
    """Return what the answers to all questions about a request come down to."""
    reading = _Reading(request, ontology)
    for answer in answers:
        for entity in answer.entities.root:
            reading.hear(entity.name, entity.type, entity.aliases)
        for shape in answer.claims.root:
            reading.take(shape)
    mentions, claims = reading.mentions(), reading.claims()
    return Draft(extractor=extractor, digest=_digest(answers, claims, mentions), mentions=mentions, claims=claims)


class _Reading:
    """Goes through what was answered with the turns beside it."""

    def __init__(self, request: Request, ontology: Ontology) -> None:
        self._turns, self._ontology, self._fresh_from = request.turns, ontology, request.fresh_from
        self._texts = {turn.id: own_words(turn.text) for turn in request.turns}
        spoken = (f"{self._shown(turn)} {turn.speaker or ''}" for turn in request.turns)
        known = (name for each in request.known for name in (each.name, *each.aliases))
        self._words = {word for text in (*spoken, *known) for word in terms(text)}
        self._claims: dict[tuple[str, str], Claim] = {}
        self._named: dict[str, Mention] = {}
        self._used: set[str] = set()
        for turn in request.turns:
            if turn.speaker and turn.role == "user":
                self._named[fold(turn.speaker)] = Mention(name=turn.speaker, type="person")
                self._used.add(fold(turn.speaker))

    def hear(self, name: str, type: str, aliases: Iterable[str] = ()) -> None:
        """Take note of a thing; a name that is known already is of the type that it was."""
        name, kind = name.strip(), entity_type_of(type, self._ontology)
        if fold(name) in PRONOUNS or not kind or not 1 < len(name) <= LONGEST_NAME or fold(name) in self._named:
            return
        others = dict.fromkeys(each.strip() for each in aliases)
        kept = tuple(each for each in others if fold(each) not in {fold(name), *PRONOUNS} and self._places(each))
        self._named[fold(name)] = Mention(name=name, type=kind, aliases=kept)

    def take(self, shape: ClaimShape) -> None:
        """Take a claim, if the turns bear it out."""
        said = self._said(shape)
        predicate = predicate_of(shape.predicate, self._ontology)
        type = entry_type_of(shape.type, predicate)
        if not said or type is None:
            return
        turn, sources = said
        subject = self._subject(shape.subject, turn)
        text = _sentence(shape.text, turn)
        if len(text) < SHORTEST or not re.search(r"[^\W\d_]", text) or _copied(text, self._texts[turn.id]):
            return
        if subject != USER and not self._words.intersection(terms(subject)):
            return
        object = _short(shape.object)
        predicate = self._fitting(predicate, object)
        valid_from, valid_to = _when(shape.valid_from, turn), _when(shape.valid_to, turn)
        if valid_from and valid_to and valid_to.end and valid_from.start and valid_to.end <= valid_from.start:
            valid_to = None
        self._use(subject, object, predicate)
        importance = predicate.importance if predicate and shape.importance is None else shape.importance
        claim = Claim(
            type=type, text=text, subject=subject, sources=sources, predicate=predicate.name if predicate else None,
            object=object, negated=shape.negated, modality=_modality(shape.modality), speaker=turn.speaker,
            ends=shape.ends, replaces=_short(shape.replaces), valid_from=valid_from, valid_to=valid_to,
            happened=_when(shape.happened, turn), confidence=0.7 if shape.confidence is None else shape.confidence,
            importance=0.5 if importance is None else importance,
            identity=shape.identity or bool(predicate and predicate.identity),
        )  # fmt: skip
        self._claims.setdefault((type, fold(text)), claim)

    def _said(self, shape: ClaimShape) -> tuple[Turn, tuple[Source, ...]] | None:
        """Return the turn that says so and all places that do; ``None`` when no new turn of a user does."""
        cited = [self._turns[at - 1] for at in dict.fromkeys(shape.turns) if 1 <= at <= len(self._turns)]
        quoted = self._quoted(shape.quote, cited)
        turns = [turn for turn in cited if turn.role == "user" and self._texts[turn.id].strip()]
        if quoted and quoted[0] not in turns:
            turns.append(quoted[0])
        fresh = [turn for turn in turns if self._turns.index(turn) >= self._fresh_from]
        if not fresh or not (quoted or self._meant(shape, cited)):
            return None
        places = {turn.id: Source(turn=turn.id, start=0, end=len(turn.text)) for turn in turns}
        if quoted:
            places[quoted[0].id] = quoted[1]
        first = quoted[0] if quoted and quoted[0] in fresh else fresh[0]
        return first, tuple(places.values())

    def _meant(self, shape: ClaimShape, cited: Iterable[Turn]) -> bool:
        """Say whether a claim whose quotation is not to be found has at least a word in common with its turns."""
        about = set(terms(shape.text)) - set(terms(shape.subject))
        return not about.isdisjoint(term for turn in cited for term in terms(self._shown(turn)))

    def _shown(self, turn: Turn) -> str:
        return f"{self._texts[turn.id]} {turn.caption or ''}"

    def _quoted(self, quote: str | None, cited: Sequence[Turn]) -> tuple[Turn, Source] | None:
        """Return where a quotation stands: in a turn that was cited, or else in a new one that can hardly be mistaken."""
        words = HEAD.sub("", quote or "").strip().strip(QUOTES).rstrip(".…").strip()
        if len(words) < SHORTEST:
            return None
        fresh = self._turns[self._fresh_from :] if len(words) >= TELLING else ()
        for turn in dict.fromkeys([*cited, *fresh]):
            if turn.role == "user" and (place := _find(words, self._texts[turn.id])):
                return turn, Source(turn=turn.id, start=place[0], end=place[1])
        return None

    def _subject(self, name: str, turn: Turn) -> str:
        """Return whom a claim is about: the speaker by name, ``USER`` when the turn names none, or who was mentioned."""
        name = name.strip()[:LONGEST_NAME]
        if fold(name) in SELF:
            return turn.speaker or USER
        known = self._named.get(fold(name)) or next(
            (each for each in self._named.values() if fold(name) in map(fold, each.aliases)), None
        )
        return known.name if known else name

    def _fitting(self, predicate: Predicate | None, object: str | None) -> Predicate | None:
        """Return a predicate if it has an object, and of a type that it can have as far as that is known."""
        if predicate is None or object is None:
            return None
        known = self._named.get(fold(object))
        return predicate if known is None or known.type in predicate.range else None

    def _use(self, subject: str, object: str | None, predicate: Predicate | None) -> None:
        """Things that a claim names are mentioned by it, whether the model listed them or not."""
        if subject != USER:
            self.hear(subject, predicate.domain[0] if predicate else "person")
        if object and predicate:
            self.hear(object, "concept" if "concept" in predicate.range else predicate.range[0])
        self._used |= {fold(subject), fold(object or "")}

    def mentions(self) -> tuple[Mention, ...]:
        """Return the things that stand in the turns or are used by a claim, and where."""
        found = []
        for key, each in self._named.items():
            sources = [place for name in (each.name, *each.aliases) for place in self._places(name)]
            if sources or key in self._used:
                first = {place.turn: place for place in reversed(sources)}
                places = sorted(first.values(), key=lambda place: place.turn)[:MOST_SOURCES]
                found.append(Mention(name=each.name, type=each.type, aliases=each.aliases, sources=tuple(places)))
        return tuple(found)

    def _places(self, name: str) -> list[Source]:
        """Return where a name stands, once for each turn."""
        if not 1 < len(name) <= LONGEST_NAME:
            return []
        found = ((turn.id, _find(name, self._texts[turn.id])) for turn in self._turns)
        return [Source(turn=id, start=place[0], end=place[1]) for id, place in found if place]

    def claims(self) -> tuple[Claim, ...]:
        """Return the claims, each once."""
        return tuple(self._claims.values())


def _find(words: str, text: str) -> tuple[int, int] | None:
    """Return where words stand in a text: as they are, or else in other capitals or with other blanks; never inside a word."""
    if not words.strip():
        return None
    loosely = r"\s+".join(map(re.escape, words.split()))
    exactly, anyhow = (re.compile(rf"(?<!\w){each}(?!\w)") for each in (re.escape(words), f"(?i:{loosely})"))
    found = exactly.search(text) or anyhow.search(text)
    return found.span() if found else None


def _sentence(text: str, turn: Turn) -> str:
    """Return the text of a claim: about the speaker by name, and not longer than may be stored."""
    text = re.sub(r"^(?:The )?[Uu]ser\b", lambda _: turn.speaker or "User", " ".join(text.split())).rstrip(".")
    return text if len(text) <= LONGEST else text[: LONGEST + 1].rsplit(" ", 1)[0][:LONGEST]


def _copied(text: str, said: str) -> bool:
    """Say whether a claim is what was said, word for word, and not what it means."""
    if HEAD.match(text):
        return True
    words, known = re.findall(r"\w+", fold(text)), set(re.findall(r"\w+", fold(said)))
    return bool(FIRST_PERSON.search(text)) and sum(word in known for word in words) >= COPIED * len(words)


def _short(text: str | None) -> str | None:
    text = " ".join((text or "").split()).rstrip(".")
    return text[:LONGEST_ITEM] or None


def _modality(word: str) -> Modality:
    word = fold(word.strip())
    return cast(Modality, word) if word in get_args(Modality) else "asserted"


def _when(text: str | None, turn: Turn) -> When | None:
    moment = moment_of(text, turn.offset)
    said = turn.at.astimezone(timezone(timedelta(minutes=turn.offset)))
    day = moment and moment[2] == "day" and moment[0].date() == said.date()
    if moment and (day or (moment[2] in ("minute", "second") and moment[0] <= turn.at < moment[1])):
        # the time of the turn, which the model was shown: somebody must have said so
        moment = moment if PRESENT.search(turn.text) else None
    return When(text=str(text).strip(), start=moment[0], end=moment[1], granularity=moment[2]) if moment else None


def _digest(answers: Sequence[Answer], claims: Sequence[Claim], mentions: Sequence[Mention]) -> Digest:
    """Put the digests of all parts of a session together. It matters as much as what was claimed in it."""
    episodes = [answer.episode for answer in answers]
    summary = " ".join(" ".join(each.summary.split()) for each in episodes if each.summary.strip())
    total = sum(claim.importance * claim.confidence for claim in claims)
    return Digest(
        summary=(summary or " ".join(f"{claim.text}." for claim in claims[:3]))[:LONGEST_SUMMARY],
        topics=_listed(topic for each in episodes for topic in each.topics),
        entities=tuple(each.name for each in mentions),
        decisions=_listed(decision for each in episodes for decision in each.decisions),
        key_dates=_listed(date for each in episodes for date in each.key_dates),
        action_items=_listed(item for each in episodes for item in each.action_items),
        salience=round(0.05 + 0.9 * (1 - 0.75**total), 3),
    )


def _listed(texts: Iterable[str]) -> tuple[str, ...]:
    each_once = {fold(text): " ".join(text.split())[:LONGEST_ITEM] for text in texts if text.strip()}
    return tuple(each_once.values())[:LISTED]

"""What a session was about, in its own words: a summary of its most telling claims, topics, dates and things to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from graphmem.models.parser import Sentence
from graphmem.words import terms
from graphmem.write.claims import Claim, Digest, Mention
from graphmem.write.extract import lexicon as words
from graphmem.write.extract.passages import Passage
from graphmem.write.extract.scene import Scene
from graphmem.write.extract.things import phrase, proper

SENTENCES, TOPICS, ENTITIES, LISTED = 3, 8, 12, 8
LONGEST = 600


def digest_of(
    read: Sequence[tuple[Passage, list[Sentence]]], claims: Sequence[Claim], mentions: Sequence[Mention], scene: Scene
) -> Digest:
    """The digest of all turns that were read, context included."""
    topics = _topics(read)
    every = [*scene.claims] or [*claims]
    return Digest(
        summary=_summary(every, topics, read),
        topics=tuple(topics),
        entities=tuple(each.name for each in sorted(mentions, key=lambda m: -len(m.sources))[:ENTITIES]),
        decisions=tuple(dict.fromkeys(each.text for each in every if each.type == "decision"))[:LISTED],
        key_dates=_key_dates(every),
        action_items=tuple(dict.fromkeys(each.text for each in every if each.type == "commitment"))[:LISTED],
        salience=_salience(every),
    )


def _topics(read: Sequence[tuple[Passage, list[Sentence]]]) -> list[str]:
    """The nouns that come up most, those of many turns before those of one."""
    counts: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for passage, sentences in read:
        if passage.whole:
            continue
        for key, text in {key: text for sentence in sentences for key, text in _nouns(sentence)}.items():
            counts[key] += 1
            shown.setdefault(key, text)
    order = {key: at for at, key in enumerate(shown)}
    best = sorted(counts, key=lambda key: (-counts[key] - 0.5 * (" " in shown[key]), order[key]))
    return [shown[key] for key in best[:TOPICS]]


def _nouns(sentence: Sentence) -> list[tuple[str, str]]:
    found = []
    for word in sentence.words:
        if word.pos not in ("NOUN", "PROPN") or word.dep == "compound" or len(word.text) < 3 or word.ent == "PERSON":
            continue
        if word.lower in words.LIGHT_NOUNS or word.lower in words.TIMES or word.lower in words.GREETING:
            continue
        text = phrase(word, sentence, of=False)
        key = " ".join(terms(text))
        if key and len(text) <= 40 and not any(char.isdigit() for char in text):
            found.append((key, text if proper(word, sentence) else text.lower()))
    return found


def _summary(claims: Sequence[Claim], topics: Sequence[str], read: Sequence[tuple[Passage, list[Sentence]]]) -> str:
    """Up to three claims that weigh most and share most with the rest, in the order in which they were made."""
    weight: Counter[str] = Counter()
    for claim in claims:
        weight.update(set(terms(claim.text)))
    best = sorted(range(len(claims)), key=lambda at: (-_weight(claims[at], weight), at))
    chosen: list[int] = []
    said: set[str] = set()
    for at in best:
        mine = set(terms(claims[at].text))
        if claims[at].text not in said and not any(
            len(mine & set(terms(claims[o].text))) > 0.6 * len(mine) for o in chosen
        ):
            chosen.append(at)
            said.add(claims[at].text)
        if len(chosen) == SENTENCES:
            break
    if not chosen:
        return f"Small talk about {', '.join(topics[:3])}." if topics and len(read) > 1 else ""
    return " ".join(f"{claims[at].text.rstrip('.')}." for at in sorted(chosen))[:LONGEST]


def _weight(claim: Claim, weight: Counter[str]) -> float:
    mine = set(terms(claim.text))
    central = sum(min(weight[term], 5) for term in mine) / (len(mine) + 4)
    return claim.importance + 0.5 * claim.confidence + 0.25 * central + 0.02 * min(len(mine), 10) + 0.2 * claim.identity


def _key_dates(claims: Sequence[Claim]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for claim in claims:
        when = claim.happened or claim.valid_from or claim.valid_to
        moment = (when.start or when.end) if when else None
        if when and moment and when.granularity not in ("year", "decade", "century"):
            day = moment.date().isoformat()
            found.setdefault(f"{day[:7] if when.granularity == 'month' else day}: {claim.text}")
    return tuple(sorted(found))[:LISTED]


def _salience(claims: Sequence[Claim]) -> float:
    """From 0.05 for chatter up towards 1 for a session that says much that matters."""
    total = sum(claim.importance * claim.confidence for claim in claims)
    return round(0.05 + 0.9 * (1 - 0.6**total), 3)

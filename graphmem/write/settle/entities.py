"""Which thing in the world is meant: exact name, alias, normalised name, part of a person's name, near spelling, meaning.

Each step takes what the one before left over, and only among entities of a type that fits. Candidates come from the
register of names, so that the work grows with the mentions and not with the memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from typing import Any

import msgspec

from graphmem.types import Entity
from graphmem.words import fold, keys_of
from graphmem.write.claims import USER, Mention
from graphmem.write.settle.board import Board

Embed = Callable[[Sequence[str]], Any]
# Near spellings and near meanings below these are different things.
LEAST_RATIO, LEAST_COSINE = 0.88, 0.82
SHORTEST_FUZZY = 6
# Types whose names are words rather than names: only these are compared by meaning.
COMMON = ("concept", "event", "tool")
_LEGAL = re.compile(r"\b(inc|ltd|llc|gmbh|corp|corporation|company|co|plc|ag|sa)\b\.?")
_SPARE = re.compile(r"^(the|a|an|my|our|his|her|their) |[^\w\s]")


class Entities:
    """Finds or makes the entity behind each name of a Draft."""

    def __init__(self, board: Board, embed: Embed | None, user: str | None) -> None:
        self._board, self._embed, self._user = board, embed, user or USER
        self._made: dict[str, Entity] = {}
        self._by_name: dict[str, Entity] = {}

    def take(self, mention: Mention) -> Entity:
        """Return the entity that a mention means, with the mention's other names and turns added to it."""
        name = self._user if mention.name == USER else mention.name
        found = self._find(name, mention.type, mention.aliases)
        turns = tuple(dict.fromkeys(source.turn for source in mention.sources))
        if found is None:
            entity = Entity(
                id=self._board.new_id("entity"),
                space=self._board.view.space,
                type=mention.type,
                name=name,
                recorded_at=self._board.now,
                aliases=mention.aliases,
                evidence=turns,
            )
            self._board.put(entity, "created", "mentioned", next(iter(turns), None))
        else:
            entity = self._enriched(found, name, mention.aliases, turns)
        self._made[entity.id] = entity
        for each in (mention.name, *mention.aliases):
            self._by_name[fold(each)] = entity
        return entity

    def of(self, name: str, type: str = "person") -> Entity:
        """Return the entity behind a name that a claim uses."""
        known = self._by_name.get(fold(name))
        return known or self.take(Mention(name=name, type=type))

    def known(self, name: str | None) -> Entity | None:
        """Return the entity behind a name, if the Draft mentions it."""
        return self._by_name.get(fold(name)) if name else None

    def _find(self, name: str, type: str, aliases: Sequence[str]) -> Entity | None:
        if name in (USER, self._user):
            candidates = self._board.named([fold(name)], self._same(name))
            return next((each for each in candidates if each.name == name and each.type == "person"), None)
        keys = list(dict.fromkeys(key for each in (name, *aliases) for key in keys_of(each)))
        candidates = [each for each in self._board.named(keys, list(self._made.values())) if each.type == type]
        for same in (_exact, _normalised, _part_of_name, _near):
            found = [each for each in candidates if same(name, each)]
            if found and (same is not _part_of_name or (type == "person" and len({e.id for e in found}) == 1)):
                return found[0]
        return self._by_meaning(name, candidates) if type in COMMON else None

    def _same(self, name: str) -> list[Entity]:
        return [each for each in self._made.values() if each.name == name]

    def _by_meaning(self, name: str, candidates: Sequence[Entity]) -> Entity | None:
        others = list({each.id: each for each in candidates}.values())[:20]
        if not others or self._embed is None:
            return None
        vectors = self._embed([name, *(each.name for each in others)])
        scores = vectors[1:] @ vectors[0]
        best = int(scores.argmax())
        return others[best] if float(scores[best]) >= LEAST_COSINE else None

    def _enriched(self, entity: Entity, name: str, aliases: Sequence[str], turns: Sequence[str]) -> Entity:
        names = {fold(entity.name), *map(fold, entity.aliases)}
        more = [each for each in dict.fromkeys((name, *aliases)) if fold(each) not in names]
        # A hub such as the speaker of half of all turns need not name each of them.
        fresh = [turn for turn in turns if turn not in entity.evidence][: max(0, MOST_EVIDENCE - len(entity.evidence))]
        if not more and not fresh:
            return entity
        fuller = _is_part(fold(entity.name).split(), fold(name).split()) and entity.type == "person"
        title = name if fuller and name in more else entity.name
        others = [each for each in (entity.name, *entity.aliases, *more) if fold(each) != fold(title)]
        changed = msgspec.structs.replace(
            entity, name=title, aliases=tuple(dict.fromkeys(others)), evidence=(*entity.evidence, *fresh)
        )
        if more:
            self._board.put(changed, "updated", f"also called {', '.join(more)}", next(iter(turns), None))
        else:
            self._board.put(changed)
        return changed


MOST_EVIDENCE = 50


def _exact(name: str, entity: Entity) -> bool:
    return fold(name) in {fold(entity.name), *map(fold, entity.aliases)}


def _normalised(name: str, entity: Entity) -> bool:
    return bool(plain(name)) and plain(name) in {plain(entity.name), *map(plain, entity.aliases)}


def plain(name: str) -> str:
    """Return a name without article, punctuation and legal form."""
    return " ".join(_LEGAL.sub(" ", _SPARE.sub("", fold(name))).split())


def _part_of_name(name: str, entity: Entity) -> bool:
    """ "Clara" is "Clara Lopez"; two people with a common first name are told apart by the caller."""
    mine = fold(name).split()
    return any(_is_part(mine, theirs) or _is_part(theirs, mine) for theirs in [fold(entity.name).split()])


def _is_part(short: Sequence[str], long: Sequence[str]) -> bool:
    return 0 < len(short) < len(long) and long[: len(short)] == list(short)


def _near(name: str, entity: Entity) -> bool:
    mine, theirs = plain(name), plain(entity.name)
    if min(len(mine), len(theirs)) < SHORTEST_FUZZY or _digits(mine) != _digits(theirs):
        return False
    return SequenceMatcher(None, mine, theirs).ratio() >= LEAST_RATIO


def _digits(text: str) -> list[str]:
    return re.findall(r"\d+", text)

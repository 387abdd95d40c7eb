"""Which words of an item can be found, and which text is embedded."""

from __future__ import annotations

from graphmem.types import Dispute, Entity, Entry, Episode, Item, Kind, Profile, Relation, Session, Turn
from graphmem.words import terms

CODES: dict[str, int] = {
    "turn": 1, "episode": 2, "entity": 3, "relation": 4, "entry": 5, "session": 6, "profile": 7, "dispute": 0,
}  # fmt: skip
SEARCHABLE: tuple[Kind, ...] = ("turn", "episode", "entry", "relation")


def kind_of_item(item: Item) -> Kind:
    """Return the kind of an item by its type."""
    return _KINDS[type(item)]


def text_of(item: Item) -> str:
    """Return the text that is embedded. Speakers stay out: their names would dominate the vector."""
    match item:
        case Turn():
            return f"{item.text}\n{item.caption}" if item.caption else item.text
        case Episode():
            return item.summary
        case Entry() | Relation():
            return item.text
    return ""


def aside_of(item: Item) -> str:
    """Return the words around an item: who said it, and under which title."""
    if isinstance(item, Turn):
        return " ".join(filter(None, (item.speaker, item.title)))
    return " ".join(item.topics) if isinstance(item, Episode) else ""


def part_of(space: int, kind: str) -> int:
    """Return the number under which a space's items of one kind are indexed together."""
    return space * 8 + CODES[kind]


def kind_of_part(part: int) -> str:
    """Return the kind whose items a part holds."""
    return _NAMES[part % 8]


def word_row(part: int, item: Item) -> tuple[str, str]:
    """Return the two columns of an item in the word index; each term carries its part, so that spaces cannot meet."""
    return tagged(part, terms(text_of(item))), tagged(part, terms(aside_of(item)))


def tagged(part: int, found: list[str]) -> str:
    """Return terms as they stand in the index."""
    return " ".join(f"{part}_{term}" for term in found)


_NAMES = {code: kind for kind, code in CODES.items()}
_KINDS: dict[type, Kind] = {
    Turn: "turn", Session: "session", Episode: "episode", Entity: "entity",
    Relation: "relation", Entry: "entry", Profile: "profile", Dispute: "dispute",
}  # fmt: skip

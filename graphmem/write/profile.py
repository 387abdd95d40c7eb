"""The profile of a space: who it is about, written from what is held to be true, the same text for the same knowledge."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from datetime import datetime

from msgspec import Struct

from graphmem.store import View
from graphmem.types import Entity, Entry, Profile
from graphmem.write.claims import USER
from graphmem.write.settle.board import Board
from graphmem.write.settle.verdicts import is_live

# What a profile says of one person under one heading, most important first.
MOST_LINES = 12
MOST_PEOPLE = 6
HEADINGS: tuple[tuple[str, Callable[[Entry], bool]], ...] = (
    ("Identity", lambda entry: entry.identity),
    ("Instructions", lambda entry: entry.type == "instruction"),
    ("People", lambda entry: entry.type == "relationship"),
    ("Facts", lambda entry: entry.type in ("fact", "correction")),
    ("Preferences", lambda entry: entry.type == "preference"),
    ("Skills", lambda entry: entry.type == "skill"),
    ("Plans and promises", lambda entry: entry.type == "commitment"),
    ("Decisions", lambda entry: entry.type == "decision"),
)


class Contributions(Struct, frozen=True, kw_only=True):
    """What a profile is written from: live entries, and the names of those whom they are about."""

    entries: tuple[Entry, ...]
    names: dict[str, str]


def gather(view: View, now: datetime) -> Contributions:
    """Return what holds now."""
    live = [entry for entry in view.all("entry") if is_live(entry, now)]
    people: list[Entity] = view.all("entity")
    return Contributions(entries=tuple(live), names={each.id: each.name for each in people})


def due(latest: Profile | None, entries: int, every: int) -> bool:
    """Say whether enough is new since the last version, by the number of entries now and then."""
    return entries - (latest.contributions if latest else 0) >= every


def write(contributions: Contributions) -> str:
    """Return the profile's text: a paragraph for each person, the one most is known about first."""
    by_person: dict[str, list[Entry]] = {}
    # What was written by hand about nobody in particular is about the user.
    user = next((id for id, name in contributions.names.items() if name == USER), "")
    for entry in contributions.entries:
        by_person.setdefault(entry.subject or user, []).append(entry)
    order = sorted(by_person, key=lambda each: (-len(by_person[each]), contributions.names.get(each, ""), each))
    parts = [_person(contributions.names.get(id, USER), by_person[id]) for id in order[:MOST_PEOPLE]]
    return "\n\n".join(parts)


def _person(name: str, entries: Sequence[Entry]) -> str:
    lines = [f"# {'The user' if name == USER else name}"]
    left = list(entries)
    for heading, belongs in HEADINGS:
        mine = sorted((each for each in left if belongs(each)), key=lambda each: (-each.importance, each.id))
        left = [each for each in left if each not in mine]
        if mine:
            texts = dict.fromkeys(each.text.rstrip(".") for each in mine)
            lines += [f"## {heading}", *(f"- {text}" for text in list(texts)[:MOST_LINES])]
    return "\n".join(lines)


def version(board: Board, latest: Profile | None, text: str, count: int) -> Profile | None:
    """Write the next version, unless it would say the same."""
    if not text or (latest and latest.text == text):
        return None
    profile = Profile(
        id=board.new_id("profile"), space=board.view.space, version=latest.version + 1 if latest else 1, text=text,
        recorded_at=board.now, contributions=count,
    )  # fmt: skip
    board.put(profile, "created", f"version {profile.version}, after {count} contributions")
    return profile


def difference(old: Profile | None, new: Profile) -> str:
    """Return what changed between two versions, line by line, as a person reads it."""
    before = old.text.splitlines() if old else []
    lines = difflib.unified_diff(before, new.text.splitlines(), lineterm="", n=1)
    return "\n".join(line for line in list(lines)[2:] if not line.startswith("@@"))

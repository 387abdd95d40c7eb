"""The language that patterns are written in: ``{subject} work at|for {object}``.

Words stand in their dictionary form, ``|`` separates alternatives, articles do not count, and ``+with`` stands right behind the word before it. Braces are slots: who it is
about (``{subject}``, or ``{owner's}`` for "my"), what about it (``{object}``), what it was before (``{old}``), and
``{any}`` for whatever stands there. A slot may ask for a form after a colon: a type or a group of nouns of the ontology, ``doing`` for an
activity, ``quality`` for an adjective, ``number``, ``name`` for a name that is no common noun, ``bare`` for a noun without an article ("into pottery", not "into a ditch"), or ``value`` for anything.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import get_args

from graphmem.ontology.values import Part, SlotName

SLOT = re.compile(r"\{([a-z]+)('s)?(?::([a-z_]+))?\}")
WORDS = re.compile(r"[^\s{}|]+(?:\|[^\s{}|]+)*")
ARTICLES = frozenset({"a", "an", "the"})
FORMS_OF_BE = frozenset({"am", "is", "are", "was", "were", "been", "being"})
FORMS = frozenset({"doing", "name", "value", "quality", "number", "bare"})


class TemplateError(ValueError):
    """A pattern that cannot be read; the message says why."""


def compile_template(text: str, types: Collection[str]) -> tuple[Part, ...]:
    """Read a pattern; ``types`` are the forms that a slot may ask for beside the fixed ones."""
    parts = [each for piece in text.split() if (each := _part(piece, types)) is not None]
    if not parts or parts[0].slot not in ("subject", "owner"):
        raise TemplateError("a pattern begins with {subject} or {owner's}")
    if not any(part.words for part in parts):
        raise TemplateError("a pattern needs at least one word beside its slots")
    slots = [part.slot for part in parts if part.slot and part.slot != "any"]
    if len(slots) != len(set(slots)):
        raise TemplateError("a slot stands in a pattern twice")
    if parts[0].slot == "subject" and not parts[1].words:
        raise TemplateError("{subject} is followed by a verb")
    return tuple(parts)


def _part(piece: str, types: Collection[str]) -> Part | None:
    if piece.startswith("{"):
        return _slot(piece, types)
    if not WORDS.fullmatch(piece):
        raise TemplateError(f"{piece!r} is neither words joined by | nor a slot in braces")
    close = piece.startswith("+")
    words = tuple(dict.fromkeys("be" if word in FORMS_OF_BE else word for word in piece.lower().lstrip("+").split("|")))
    return None if ARTICLES.issuperset(words) else Part(words=words, close=close)


def _slot(piece: str, types: Collection[str]) -> Part:
    match = SLOT.fullmatch(piece)
    if not match:
        raise TemplateError(f"{piece!r} is not a slot; write {{object}} or {{object:place}}")
    name, owner, form = match.groups()
    if (name == "owner") != bool(owner):
        raise TemplateError("the owner is written {owner's}, the other slots without 's")
    known: tuple[SlotName, ...] = get_args(SlotName)
    slot = next((each for each in known if each == name), None)
    if slot is None:
        raise TemplateError(f"there is no slot {name!r}; there are: {', '.join(known)}")
    if form and form not in FORMS and form not in types:
        raise TemplateError(f"{form!r} is neither a type nor one of: {', '.join(sorted(FORMS))}")
    return Part(slot=slot, form=form or "")

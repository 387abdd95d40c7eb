"""What two extractors made of the same sessions, as a table to be judged by eye."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from graphmem.types import Turn
from graphmem.write.claims import Claim, Draft

Kind = Literal["entry", "relation"]


class Row(Struct, frozen=True, kw_only=True):
    """One claim as it would be an entry, or a relation of the graph, with what was said."""

    extractor: str
    session: str
    kind: Kind
    claim: str
    said: str


def rows_of(draft: Draft, turns: Sequence[Turn]) -> list[Row]:
    """Return a row for each claim that would be stored, and a second one when it is an edge of the graph."""
    texts = {turn.id: turn for turn in turns}
    things = {name.casefold() for mention in draft.mentions for name in (mention.name, *mention.aliases)}
    rows = []
    for claim in draft.claims:
        if claim.modality not in ("asserted", "planned"):
            continue
        said = " / ".join(_said(texts[source.turn], source.start, source.end) for source in claim.sources)
        shared = {"extractor": draft.extractor, "session": turns[0].session, "said": said}
        rows.append(Row(kind="entry", claim=_entry(claim), **shared))
        if claim.predicate and claim.object and not claim.negated and claim.object.casefold() in things:
            rows.append(Row(kind="relation", claim=f"{claim.subject} -{claim.predicate}-> {claim.object}", **shared))
    return rows


def _said(turn: Turn, start: int, end: int) -> str:
    return f"{turn.speaker or turn.role} ({turn.at:%Y-%m-%d}): {turn.text[start:end]}"


def _entry(claim: Claim) -> str:
    times = (("from", claim.valid_from), ("to", claim.valid_to), ("happened", claim.happened))
    told = [f"{name} {when.start:%Y-%m-%d} ({when.granularity})" for name, when in times if when and when.start]
    marks = ["not" if claim.negated else "", "ends" if claim.ends else "", *told]
    return f"[{claim.type}] {claim.text}" + "".join(f"; {mark}" for mark in marks if mark)


def sample(rows: Sequence[Row], kind: Kind, most: int, seed: int) -> list[Row]:
    """Return so many rows of a kind, drawn by a seed, in the order in which they were found."""
    mine = [row for row in rows if row.kind == kind]
    chosen = random.Random(seed).sample(range(len(mine)), min(most, len(mine)))
    return [mine[at] for at in sorted(chosen)]


def table(rows: Sequence[Row]) -> str:
    """Return rows as a table of Markdown with an empty column for the verdict."""
    lines = ["| # | verdict | extractor | session | kind | claim | said |", "|--:|---|---|---|---|---|---|"]
    for number, row in enumerate(rows, start=1):
        cells = (str(number), "", row.extractor, row.session, row.kind, row.claim, row.said)
        lines.append("| " + " | ".join(" ".join(cell.replace("|", "/").split()) for cell in cells) + " |")
    return "\n".join(lines) + "\n"

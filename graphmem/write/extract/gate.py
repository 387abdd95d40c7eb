"""What may leave the extractor: claims that can be read, and each of them once."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import structs

from graphmem.words import terms
from graphmem.write.claims import Claim, Source

SHORTEST, LONGEST = 3, 500


def admitted(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """The claims that are neither too short nor too long, without repetitions, in the order of the text."""
    found: dict[tuple[object, ...], Claim] = {}
    for claim in claims:
        if not SHORTEST <= len(claim.text) <= LONGEST or len(terms(claim.text)) < 2:
            continue
        key = _key(claim)
        known = found.get(key)
        if known is None or (known.confidence < claim.confidence and known.sources != claim.sources):
            sources = claim.sources if known is None else (*known.sources, *claim.sources)
            found[key] = _with_sources(claim if known is None or len(claim.text) >= len(known.text) else known, sources)
    return tuple(_told_once(found.values()))


def _told_once(claims: Iterable[Claim]) -> list[Claim]:
    """Of claims that read the same, the first that relates something; two that relate different things are both kept."""
    every = [*claims]
    return [
        claim for at, claim in enumerate(every)
        if not any(_same(claim, other) and _before(other, claim, nearer=i < at) for i, other in enumerate(every) if i != at)
    ]  # fmt: skip


def _same(one: Claim, other: Claim) -> bool:
    alike = one.text.lower() == other.text.lower() and one.subject == other.subject
    return alike and not (one.predicate and other.predicate and one.object != other.object)


def _before(one: Claim, other: Claim, *, nearer: bool) -> bool:
    """Whether ``one`` is kept rather than ``other``."""
    return bool(one.predicate) > bool(other.predicate) or (bool(one.predicate) == bool(other.predicate) and nearer)


def _with_sources(claim: Claim, sources: tuple[Source, ...]) -> Claim:
    return structs.replace(claim, sources=tuple(dict.fromkeys(sources)))


def _key(claim: Claim) -> tuple[object, ...]:
    """What makes two claims the same: what they relate, or else the words they use."""
    if claim.predicate and claim.object:
        return (claim.subject, claim.predicate, claim.object.lower(), claim.negated, claim.ends, claim.modality)
    return (claim.subject, claim.negated, claim.ends, *sorted(set(terms(claim.text))))

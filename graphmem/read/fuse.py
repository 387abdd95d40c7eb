"""Bring the scores of the channels onto one scale from 0 to 1 and add them up.

Ranks alone (reciprocal rank fusion) let a channel that found nothing but a speaker's name vote as loudly as one that
found the answer, so scores count: a BM25 score ``s`` as ``s / (s + half)``, a cosine as it is, if it is positive.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from graphmem.settings import ReadSettings


def fuse(scores: Mapping[str, Mapping[str, float]], settings: ReadSettings) -> list[tuple[str, float]]:
    """Return ids with their fused scores, best first; ties go by id, and what no channel likes is left out."""
    shares: dict[str, list[float]] = {}
    for id, score in scores.get("words", {}).items():
        shares.setdefault(id, []).append(settings.words_weight * score / (score + settings.words_half))
    for id, score in scores.get("vectors", {}).items():
        shares.setdefault(id, []).append((1 - settings.words_weight) * max(0.0, score))
    fused = [(id, math.fsum(terms)) for id, terms in shares.items()]
    return sorted((pair for pair in fused if pair[1] > 0), key=lambda pair: (-pair[1], pair[0]))

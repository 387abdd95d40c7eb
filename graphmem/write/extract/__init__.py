"""The local extractor: what the turns of a session claim, found without a language model or a network."""

from graphmem.write.extract.pipeline import EXTRACTOR, extract

__all__ = ["EXTRACTOR", "extract"]

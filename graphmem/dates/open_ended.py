"""What is open at one end: since, as of, until, by, before and after."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace

from graphmem.dates.found import Kind
from graphmem.dates.scene import Match, Scene
from graphmem.dates.spans import Span, rank
from graphmem.dates.written import made_by

_STARTING = frozenset(["starting", "beginning", "commencing", "effective"])
_PHRASES: dict[tuple[str, ...], Kind] = {
    **{("as", link): "since" for link in ("of", "from")},
    **{(word, link): "since" for word in _STARTING for link in ("from", "in", "on")},
    **{("up", word): "until" for word in ("until", "till", "til", "to")},
    **{(word, "later", "than"): "until" for word in ("no", "not")},
    **{(word, "earlier", "than"): "since" for word in ("no", "not")},
    **{(word, "sooner", "than"): "since" for word in ("no", "not")},
    ("on", "or", "before"): "until",
    ("on", "or", "after"): "since",
    ("prior", "to"): "before",
    ("not", "before"): "since",
}
_OWNERS = frozenset(["new", "valentine", "mother", "father", "year", "month"])
_FIRST = frozenset(words[0] for words in _PHRASES)
_PLAIN: dict[str, Kind] = {"before": "before", "after": "after"}
_PREFIXES: dict[str, Kind] = {"pre": "before", "post": "after"}
_UNTIL = frozenset(["until", "till", "til", "untill", "through", "thru", "by"])


def opened(scene: Scene, at: int) -> Match | None:
    """Read since, as of, until, by, before and after with the moment that they open."""
    kind, start = _opening(scene, at)
    if kind is None or (scene.at(start).full.endswith("'s") and scene.word(start) not in _OWNERS):
        return None
    view = scene.after(scene.now)
    view.spoken = "past" if kind == "since" and scene.word(at) == "since" else scene.tense(at, start)
    if kind == "until" and view.spoken != "past":
        view.spoken = "future"
    found = view.inner(start)
    if found is None or found[1].kind != "point" or found[1].recurring:
        return None
    upto, span = found
    if scene.at(upto - 1).full.endswith("'s") and scene.at(upto - 1).shape == "word" and scene.word(upto):
        return None
    if kind == "since":
        upto = scene.skip(upto, ("onwards", "onward", "on", "forward"))
    return upto, _open(kind, span)


def _opening(scene: Scene, at: int) -> tuple[Kind | None, int]:
    word, after = scene.word(at), scene.word(at + 1)
    if word in _UNTIL:
        return (None, at) if made_by(scene, at) else ("until", at + 1)
    for words, kind in _PHRASES.items() if word in _FIRST else ():
        if scene.says(at, *words):
            return kind, at + len(words)
    if word == "since" or (word in _STARTING and after not in ("in", "on", "from", "of", "to")):
        return "since", at + 1
    if word in _PREFIXES and scene.at(at + 1).shape in ("number", "decade"):
        return _PREFIXES[word], at + 1
    if word in _PLAIN:
        return _PLAIN[word], at + 1
    if word == "from" and _onward(scene, at + 1):
        return "since", at + 1
    return None, at


def _onward(scene: Scene, at: int) -> bool:
    found = scene.inner(at)
    return found is not None and scene.word(found[0]) in ("on", "onwards", "onward", "forward")


def _open(kind: Kind, span: Span) -> Span:
    fine = rank(span.grain) < rank("part_of_day")
    start: datetime | None = None
    end: datetime | None = None
    if kind == "since":
        start = span.start
    elif kind == "after":
        start = span.start if fine else span.end
    elif kind == "before" or fine:
        end = span.start
    else:
        end = span.end
    return replace(span, start=start, end=end, kind=kind)

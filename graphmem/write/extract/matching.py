"""Find the patterns of an ontology in a clause, by its words and by what hangs on what."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, structs

from graphmem.models.parser import Word
from graphmem.ontology import Ontology, Part, Pattern, Predicate
from graphmem.write.extract.clauses import Clause
from graphmem.write.extract.lexicon import FIRST
from graphmem.write.extract.slots import JOINTS, fillers, further_names, idle_doing, inside, kind_of
from graphmem.write.extract.things import Things, conjuncts, deictic

AUXILIARY = frozenset({"be", "can", "will", "would", "do", "have", "get", "not", "never", "always", "should", "must"})


class Match(Struct, frozen=True, kw_only=True):
    """A pattern that a clause has, and the words that fill its slots; ``type`` is that of the object."""

    pattern: Pattern
    object: Word | None = None
    type: str | None = None
    old: Word | None = None
    owner: Word | None = None
    denies: bool = False


class Grammar:
    """The patterns of an ontology, sorted by the verbs that they hang on."""

    def __init__(self, ontology: Ontology) -> None:
        self.predicates: dict[str, Predicate] = {each.name: each for each in ontology.predicates}
        self.by_verb: dict[str, list[tuple[Pattern, int]]] = {}
        for pattern in ontology.patterns:
            for at in _verbs_at(pattern):
                for word in pattern.parts[at].words:
                    self.by_verb.setdefault(word, []).append((pattern, at))

    def matches(self, clause: Clause, things: Things) -> Iterator[Match]:
        """All patterns in a clause, in the order of the ontology, one match for each object."""
        found = [*self.by_verb.get(clause.verb.lemma, ()), *self.by_verb.get(clause.verb.lower, ())]
        seen: set[tuple[str, int]] = set()
        for pattern, at in found:
            for match in _match(pattern, at, clause, things, self.types(pattern)):
                key = (pattern.text, match.object.i if match.object else -1)
                if key not in seen:
                    seen.add(key)
                    yield match

    def types(self, pattern: Pattern) -> tuple[str, ...]:
        """The types that the object of a pattern may have when the pattern itself asks for none."""
        predicate = self.predicates.get(pattern.predicate or "")
        return predicate.range if predicate else ()


def _verbs_at(pattern: Pattern) -> list[int]:
    """Where in a pattern its verb may stand: behind auxiliaries; behind the noun that an owner has."""
    parts = pattern.parts
    if parts[0].slot == "owner":
        at = _noun_ends(pattern)
        return [at, at + 1] if at + 1 < len(parts) and "be" in parts[at].words and parts[at + 1].words else [at]
    found = [1]
    at = 1
    while AUXILIARY.issuperset(parts[at].words) and at + 1 < len(parts) and parts[at + 1].words:
        at += 1
        found.append(at)
    return found


def _noun_ends(pattern: Pattern) -> int:
    """Where the verb stands in a pattern that begins with what somebody has: at "be", or at the second words."""
    places = [at for at, part in enumerate(pattern.parts) if part.words and at >= 2]
    return next((at for at in places if "be" in pattern.parts[at].words), places[0] if places else 1)


def _match(pattern: Pattern, at: int, clause: Clause, things: Things, types: tuple[str, ...]) -> Iterator[Match]:
    owned = _noun_ends(pattern) if pattern.parts[0].slot == "owner" else 1
    before = pattern.parts[owned:at]
    owner: Word | None = None
    if pattern.parts[0].slot == "owner":
        owner = _owned(pattern.parts[1:owned], clause)
        if owner is None:
            return
    if not all(_has_auxiliary(part, clause) for part in before):
        return
    denies = any("not" in part.words or "never" in part.words for part in before)
    for bound in _walk(pattern.parts[at + 1 :], clause, clause.verb, {}, things):
        found = Match(pattern=pattern, owner=owner, denies=denies, old=bound.get("old"))
        yield from _filled(pattern, found, bound.get("object"), clause, things, types)


def _together(clause: Clause) -> Word | None:
    """The other one in "Clara and I got married", however the parser hangs the two together."""
    subject = clause.subject
    if subject is None:
        return None
    others = [word for word in conjuncts(subject, clause.sentence) if word.lower not in FIRST]
    if others and len(conjuncts(subject, clause.sentence)) > 1:
        return others[-1] if others[-1].text[:1].isupper() else None
    before = clause.sentence.words[max(0, subject.i - 2) : subject.i]
    joined = len(before) == 2 and before[1].lower in ("and", "&") and before[0].text[:1].isupper()
    return before[0] if joined else None


def _has_auxiliary(part: Part, clause: Clause) -> bool:
    every = [*clause.auxiliaries(), *clause.children("neg", "advmod")]
    return any(word.lemma in part.words or word.lower in part.words for word in every)


def _owned(parts: tuple[Part, ...], clause: Clause) -> Word | None:
    """The possessive before the subject, when the subject's words are those of the pattern."""
    subject = clause.subject
    if subject is None:
        return None
    children = [clause.sentence.words[i] for i in subject.children]
    owner = next((word for word in children if word.dep == "poss"), None)
    here = {subject.lemma, subject.lower}
    around = {word.lemma for word in children} | {word.lower for word in children} | here
    for part in parts:
        wanted = here if part is parts[-1] else around
        if part.words and not wanted.intersection(part.words):
            return None
    return owner


def _walk(
    parts: tuple[Part, ...], clause: Clause, last: Word, bound: dict[str, Word], things: Things
) -> Iterator[dict[str, Word]]:  # fmt: skip
    """Follow a pattern through the words of a clause; each way of doing so gives the words in its slots."""
    if not parts:
        yield bound
        return
    part = parts[0]
    if part.words:
        for word in _steps(part, clause, last):
            yield from _walk(parts[1:], clause, word, bound, things)
        return
    for word in fillers(part, clause, last, things):
        yield from _walk(parts[1:], clause, word, {**bound, part.slot or "any": word}, things)


def _steps(part: Part, clause: Clause, last: Word) -> list[Word]:
    """The words after the last one that a part names: those that hang on it first, then prepositions further down."""
    every = clause.sentence.words
    fitting = [
        every[i] for i in clause.members
        if i != last.i and (not part.close or i == last.i + 1) and (every[i].lemma in part.words or every[i].lower in part.words)
    ]  # fmt: skip
    close = [word for word in fitting if word.head in (last.i, clause.verb.i)]
    loose = [word for word in fitting if word not in close and word.dep in JOINTS and word.i > last.i]
    return close + loose


def _filled(
    pattern: Pattern, found: Match, filler: Word | None, clause: Clause, things: Things, types: tuple[str, ...]
) -> Iterator[Match]:
    """A match for each of the things that stand in the object's slot."""
    if filler is None:
        if all(part.slot != "object" for part in pattern.parts):
            yield structs.replace(found, object=_together(clause), type="person")
        return
    form = next(part.form for part in pattern.parts if part.slot == "object")
    for each in (*conjuncts(filler, clause.sentence), *further_names(filler, clause)):
        word = inside(each, clause)
        if deictic(word, clause.sentence) or idle_doing(word, clause):
            continue
        kind = kind_of(word, form, types, clause, things)
        if kind is not None:
            yield structs.replace(found, object=word, type=kind)

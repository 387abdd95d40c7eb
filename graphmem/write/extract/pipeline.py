"""From the turns of a session to what they claim, step by step. Start here."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.models.parser import DEFAULT_PARSER, Sentence, read
from graphmem.ontology import Ontology
from graphmem.types import Turn
from graphmem.write.claims import Claim, Draft, Mention
from graphmem.write.extract.answers import answers
from graphmem.write.extract.claiming import sentence_claims
from graphmem.write.extract.corrections import corrected
from graphmem.write.extract.digest import digest_of
from graphmem.write.extract.gate import admitted
from graphmem.write.extract.instructions import standing
from graphmem.write.extract.kinship import introductions
from graphmem.write.extract.matching import Grammar
from graphmem.write.extract.mentions import mentions_of
from graphmem.write.extract.passages import Passage, passages
from graphmem.write.extract.people import People, roles_of
from graphmem.write.extract.sayings import sayings
from graphmem.write.extract.scene import Scene
from graphmem.write.extract.stance import is_question, is_unreal
from graphmem.write.extract.things import Things
from graphmem.write.extract.times import holidays_of

EXTRACTOR = "local/1"


def extract(
    turns: Sequence[Turn],
    ontology: Ontology,
    *,
    fresh_from: int = 0,
    known: Sequence[Mention] = (),
    model: str = DEFAULT_PARSER,
) -> Draft:
    """Return what the turns of one session claim, those before ``fresh_from`` serving as context only.

    ``known`` are mentions of earlier sessions, whose types hold here too. The same turns give the same Draft.
    """
    spoken = _with_answers(turns, fresh_from)
    read_turns = list(zip(spoken, read([each.text for each in spoken], model), strict=True))
    scene = _scene(turns, ontology, known)
    claims: list[Claim] = []
    for passage, sentences in read_turns:
        claims.extend(_claims(passage, sentences, scene))
    kept = admitted(claims)
    mentions = mentions_of(read_turns, kept, scene)
    return Draft(
        extractor=EXTRACTOR,
        digest=digest_of(read_turns, kept, mentions, scene),
        mentions=mentions,
        claims=kept,
    )


def _with_answers(turns: Sequence[Turn], fresh_from: int) -> list[Passage]:
    """All turns as they are read, each answer followed by what it says together with its question."""
    spoken = [(number, 0, each) for number, each in enumerate(passages(turns, fresh_from))]
    spoken += [(number, 1, each) for number, each in answers(turns, fresh_from)]
    return [each for _, _, each in sorted(spoken, key=lambda item: item[:2])]


def _scene(turns: Sequence[Turn], ontology: Ontology, known: Sequence[Mention]) -> Scene:
    speakers = {turn.speaker for turn in turns if turn.speaker}
    assisted = any(turn.role == "assistant" for turn in turns) or len(speakers) < 2
    return Scene(
        ontology, Things(ontology, known), Grammar(ontology), People(roles_of(ontology)),
        holidays_of(ontology.holidays), assisted=assisted,
    )  # fmt: skip


def _claims(passage: Passage, sentences: list[Sentence], scene: Scene) -> list[Claim]:
    """What one passage claims. What an assistant says, or a tool puts out, claims nothing."""
    found: list[Claim] = []
    for sentence in sentences if passage.turn.role == "user" else ():
        unreal = is_unreal(passage.verbatim(sentence.start, sentence.end))
        scene.people.next_sentence()
        met = list(introductions(sentence, passage, scene, asserted=not (unreal or is_question(sentence))))
        said = [] if unreal else _said(sentence, passage, scene)
        made = [*met, *corrected([*said], sentence, passage, scene)]
        found.extend(made)
        scene.claims.extend(made)
    return found if passage.fresh else []


def _said(sentence: Sentence, passage: Passage, scene: Scene) -> list[Claim]:
    """What one sentence claims: in a set phrase, as an instruction, or by its clauses."""
    set_phrases, alone = sayings(sentence, passage, scene)
    if alone:
        return set_phrases
    told = standing(sentence, passage, scene)
    if set_phrases and any(each.type == "instruction" for each in told):
        return set_phrases
    return [*set_phrases, *(told or sentence_claims(sentence, passage, scene))]

"""What the local extractor takes from plain sentences: facts, tastes, decisions, plans, people, and the dates in them."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache

import pytest

from graphmem.ontology import load
from graphmem.types import Turn
from graphmem.write.claims import USER, Claim, Draft
from graphmem.write.extract import extract

AT = datetime(2024, 5, 14, 12, tzinfo=UTC)


@cache
def core():
    return load("core")


def turn(text: str, number: int = 0, *, speaker: str | None = None, role: str = "user") -> Turn:
    return Turn(
        id=f"t{number}", space="s", session="x", session_id="x", text=text, at=AT, recorded_at=AT, role=role, speaker=speaker
    )  # fmt: skip


def draft(*texts: str, speaker: str | None = None) -> Draft:
    return extract([turn(text, number, speaker=speaker) for number, text in enumerate(texts)], core())


def claims(*texts: str, speaker: str | None = None) -> tuple[Claim, ...]:
    return draft(*texts, speaker=speaker).claims


def relations(text: str, speaker: str | None = None) -> set[tuple[str, str | None, str | None]]:
    return {(each.subject, each.predicate, each.object) for each in claims(text, speaker=speaker)}


@pytest.mark.parametrize(
    ("text", "predicate", "object"),
    [
        ("I live in Lisbon.", "lives_in", "Lisbon"),
        ("i live in porto with my wife", "lives_in", "porto"),
        ("I moved to Berlin last May.", "lives_in", "Berlin"),
        ("I was born in Cork.", "born_in", "Cork"),
        ("I work at Siemens as a controls engineer.", "works_at", "Siemens"),
        ("I work at Siemens as a controls engineer.", "works_as", "controls engineer"),
        ("I'm a midwife at St Thomas'.", "works_as", "midwife"),
        ("I'm studying marine biology.", "studies", "marine biology"),
        ("I founded Pinemarten in 2019.", "founded", "Pinemarten"),
        ("I love ramen.", "likes", "ramen"),
        ("I'm a big fan of lo-fi beats.", "likes", "lo-fi beats"),
        ("My favourite colour is blue.", "likes", "blue"),
        ("I can't stand cilantro.", "dislikes", "cilantro"),
        ("I avoid dairy.", "dislikes", "dairy"),
        ("I'm allergic to peanuts.", "allergic_to", "peanuts"),
        ("I use Neovim.", "uses", "Neovim"),
        ("Our CI runs on GitLab.", "uses", "GitLab"),
        ("I speak Portuguese.", "speaks", "Portuguese"),
        ("I bought a Pentax K1000.", "owns", "Pentax K1000"),
        ("I ran a charity race last Saturday.", "attended", "charity race"),
    ],
)
def test_a_pattern_gives_subject_predicate_and_object(text, predicate, object):
    assert (USER, predicate, object) in relations(text)


def test_each_of_several_objects_is_a_claim_of_its_own():
    texts = [each.text for each in claims("I love ramen, dim sum and anything with too much garlic.")]

    assert {each.object for each in claims("I love ramen, dim sum and anything with too much garlic.")} == {
        "ramen", "dim sum", "garlic",
    }  # fmt: skip
    assert "User loves ramen" in texts


def test_a_named_speaker_is_the_subject():
    (claim,) = claims("I moved to Berlin in May 2023.", speaker="Ana")

    assert (claim.subject, claim.speaker) == ("Ana", "Ana")
    assert claim.text == "Ana moved to Berlin in May 2023"


def test_a_relative_date_is_written_out_and_kept_as_it_was_said():
    (claim,) = claims("I moved to Berlin last May.", speaker="Ana")

    assert claim.text == "Ana moved to Berlin in May 2023"
    assert claim.valid_from.text.endswith("May")
    assert claim.valid_from.start == datetime(2023, 5, 1, tzinfo=UTC)
    assert claim.valid_from.granularity == "month"


def test_since_says_from_when_it_holds():
    (claim,) = claims("I've been working at Northstar since 2019.")

    assert (claim.predicate, claim.valid_from.start.year, claim.happened) == ("works_at", 2019, None)


def test_an_event_has_the_day_on_which_it_happened():
    (claim,) = claims("I ran a charity race yesterday.")

    assert claim.happened.start == datetime(2024, 5, 13, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "object"),
    [
        ("I left Acme.", "Acme"),
        ("I no longer live in Paris.", "Paris"),
        ("I used to live in Rome.", "Rome"),
        ("I quit smoking.", "smoking"),
        ("I sold my camera.", "camera"),
    ],
)
def test_what_stopped_is_told_as_ended(text, object):
    assert [(each.object, each.ends) for each in claims(text)] == [(object, True)]


@pytest.mark.parametrize(
    ("text", "new", "old"),
    [
        ("I moved from Rome to Berlin.", "Berlin", "Rome"),
        ("We switched from vim to emacs.", "emacs", "vim"),
        ("it's 3.12, not 3.11", "3.12", "3.11"),
    ],
)
def test_a_new_value_knows_the_old_one(text, new, old):
    assert [(each.object, each.replaces) for each in claims(text)] == [(new, old)]


def test_a_correction_takes_the_place_of_what_was_said_before():
    *_, correction = claims("The service runs on Python 3.11.", "Actually it's Python 3.12, sorry.")

    assert (correction.type, correction.replaces) == ("correction", "Python 3.11")
    assert correction.text == "The service runs on Python 3.12"


@pytest.mark.parametrize(
    ("text", "type"),
    [
        ("I live in Lisbon.", "fact"),
        ("I prefer film cameras.", "preference"),
        ("I've decided to turn down the Zurich offer.", "decision"),
        ("We went with Postgres.", "decision"),
        ("I need to file my tax return by the end of January.", "commitment"),
        ("I'll send Dana the revised budget.", "commitment"),
        ("My sister Clara works at Siemens.", "relationship"),
        ("I can juggle five balls.", "skill"),
        ("I know how to sail.", "skill"),
        ("Always answer in French.", "instruction"),
        ("Call me Al.", "instruction"),
        ("Please stop using emojis.", "instruction"),
        ("Sorry, I meant the launch is on the 14th, not the 12th.", "correction"),
    ],
)
def test_every_type_of_entry_is_found(text, type):
    assert type in {each.type for each in claims(text)}


def test_a_plan_is_a_commitment_and_says_when():
    (claim,) = claims("I'm going to visit Rome next week.")

    assert (claim.type, claim.modality) == ("commitment", "planned")
    assert claim.happened is not None


def test_negation_is_kept():
    (claim,) = claims("I don't like Python.")

    assert (claim.type, claim.predicate, claim.negated) == ("preference", "likes", True)
    assert claim.text == "User does not like Python"


def test_an_allergy_is_part_of_who_somebody_is():
    (claim,) = claims("I'm allergic to peanuts.")

    assert claim.identity
    assert claim.importance > 0.9


def test_a_standing_instruction_matters_and_a_task_is_none():
    (claim,) = claims("From now on, keep your answers under five sentences please.")

    assert claim.importance >= 0.9
    assert not any(each.type == "instruction" for each in claims("Write me a poem about autumn."))


def test_a_sister_is_somebody_else():
    named = claims("My sister Clara works at Siemens.", speaker="Ana")
    unnamed = claims("My sister works at Siemens.", speaker="Ana")

    assert ("Ana", "sibling_of", "Clara") in {(each.subject, each.predicate, each.object) for each in named}
    assert ("Clara", "works_at", "Siemens") in {(each.subject, each.predicate, each.object) for each in named}
    assert [(each.subject, each.predicate) for each in unnamed] == [("Ana's sister", "works_at")]
    assert max(each.confidence for each in unnamed) < max(each.confidence for each in claims("I work at Siemens."))


def test_she_is_the_last_woman_who_was_named():
    found = claims("My sister Clara is a nurse.", "She lives in Rome.", speaker="Ana")

    assert ("Clara", "lives_in", "Rome") in {(each.subject, each.predicate, each.object) for each in found}


def test_a_pet_has_a_name():
    assert (USER, "owns", "Rex") in relations("I have a dog named Rex.")


def test_who_married_whom_is_read_from_both():
    (claim,) = claims("Clara and I got married in 2018.", speaker="Hugo")

    assert (claim.subject, claim.predicate, claim.object) == ("Hugo", "married_to", "Clara")


def test_a_claim_points_at_its_words():
    text = "Hello there! I moved to Berlin last May."
    (claim,) = claims(text)
    (source,) = claim.sources

    assert text[source.start : source.end].startswith("I moved to Berlin")


def test_mentions_are_typed_and_merged():
    found = {each.name: each for each in draft("My sister Clara works at Siemens in Porto.", speaker="Ana").mentions}

    assert {name: each.type for name, each in found.items()} == {
        "Ana": "person", "Clara": "person", "Siemens": "company", "Porto": "place",
    }  # fmt: skip
    assert found["Clara"].aliases == ("Ana's sister",)


def test_what_is_known_from_earlier_sessions_keeps_its_type():
    from graphmem.write.claims import Mention

    known = [Mention(name="Kestrel", type="project")]
    made = extract([turn("Kestrel is late again, sadly.")], core(), known=known)

    assert [(each.name, each.type) for each in made.mentions] == [("Kestrel", "project")]


def test_the_same_turns_give_the_same_draft():
    turns = [turn("I moved to Berlin last May.", 0), turn("My sister Clara works at Siemens.", 1)]

    assert extract(turns, core()) == extract(turns, core())

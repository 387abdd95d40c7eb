"""What the local extractor reads across turns: answers with their questions, context, and the digest of a session."""

from __future__ import annotations

import pytest

from graphmem.write.extract import extract
from tests.unit.test_extract_claims import core, draft, turn


def exchange(question: str, answer: str):
    return extract([turn(question, 0, role="assistant"), turn(answer, 1)], core()).claims


@pytest.mark.parametrize(
    ("question", "answer", "predicate", "object"),
    [
        ("Where do you work now?", "At Northstar, since May.", "works_at", "Northstar"),
        ("So you live in Oslo, right?", "Yes, since 2021.", "lives_in", "Oslo"),
        ("What's your favourite colour?", "Green", "likes", "Green"),
        ("Do you like sushi?", "yes!", "likes", "sushi"),
    ],
)
def test_an_answer_is_read_with_its_question(question, answer, predicate, object):
    assert (predicate, object) in {(each.predicate, each.object) for each in exchange(question, answer)}


def test_an_answer_may_list_things():
    texts = [each.text for each in exchange("Do you have any pets?", "Two cats")]

    assert texts == ["User has two cats"]


def test_a_no_denies_what_was_asked():
    (claim,) = exchange("Do you like sushi?", "No")

    assert (claim.predicate, claim.object, claim.negated) == ("likes", "sushi", True)


def test_a_no_with_a_value_corrects():
    (claim, *_) = exchange("So you live in Leeds?", "no, Bradford")

    assert (claim.type, claim.object) == ("correction", "Bradford")


def test_the_words_of_an_answer_are_its_source():
    (claim,) = exchange("Where do you work now?", "At Northstar.")

    assert claim.sources[0].turn == "t1"


def test_only_fresh_turns_claim_and_the_older_ones_explain():
    turns = [turn("My sister Clara is a nurse.", 0), turn("She lives in Rome.", 1)]
    found = extract(turns, core(), fresh_from=1).claims

    assert [(each.subject, each.object) for each in found] == [("Clara", "Rome")]


def test_you_is_the_other_one():
    turns = [turn("How is your dad?", 0, speaker="Ayo"), turn("My dad works at Siemens.", 1, speaker="Jun")]

    assert [each.subject for each in extract(turns, core()).claims] == ["Jun's dad"]


def test_the_digest_tells_what_a_session_was_about():
    digest = draft(
        "Hi! How are you?",
        "I moved to Berlin last May.",
        "I have a dentist appointment tomorrow.",
        "We decided to use Postgres for the billing service.",
        "I need to call the landlord by Friday.",
        speaker="Ana",
    ).digest

    assert "Ana moved to Berlin in May 2023." in digest.summary
    assert any("Postgres" in each for each in digest.decisions)
    assert any("landlord" in each for each in digest.action_items)
    assert any(each.startswith("2024-05-15: ") and "dentist" in each for each in digest.key_dates)
    assert "Berlin" in digest.entities
    assert digest.salience > 0.5


def test_small_talk_is_hardly_salient():
    made = draft("hey", "lol ok", "just bored tbh", "good night!")

    assert made.claims == ()
    assert made.digest.salience < 0.1


def test_no_turns_give_an_empty_draft():
    made = extract([], core())

    assert (made.claims, made.mentions) == ((), ())

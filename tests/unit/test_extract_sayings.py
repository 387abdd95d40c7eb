"""Set phrases and fragments: tastes, instructions, choices and news in few words."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graphmem.ontology import load
from graphmem.types import Turn
from graphmem.write.claims import Claim
from graphmem.write.extract import extract

AT = datetime(2024, 5, 14, 12, tzinfo=UTC)


def told(*said: str) -> tuple[Claim, ...]:
    """What a user tells an assistant, whose own turns begin with ``A:``."""
    turns = [
        Turn(id=f"t{at}", space="s", session="x", session_id="x", text=text.removeprefix("A: "), at=AT, recorded_at=AT,
             role="assistant" if text.startswith("A: ") else "user")
        for at, text in enumerate(said)
    ]  # fmt: skip
    return extract(turns, load("core")).claims


@pytest.mark.parametrize(
    ("text", "predicate", "object"),
    [
        ("I'm more of a ferret person.", "likes", "ferret"),
        ("can't get enough of rhubarb", "likes", "rhubarb"),
        ("My go-to snack is popcorn.", "likes", "popcorn"),
        ("Rye over wheat any day.", "likes", "Rye"),
        ("I take my tea with honey.", "likes", "tea"),
        ("no olives for me, thanks", "dislikes", "olives"),
        ("Musicals are not for me.", "dislikes", "Musicals"),
        ("oysters make me gag", "dislikes", "oysters"),
        ("ugh i hate fennel", "dislikes", "fennel"),
        ("I'm allergic to shellfish.", "allergic_to", "shellfish"),
    ],
)
def test_a_taste_in_few_words(text, predicate, object):
    assert (predicate, object) in {(claim.predicate, claim.object) for claim in told(text)}


@pytest.mark.parametrize(
    "text",
    [
        "no tables please",
        "Remind me to water the ferns tomorrow.",
        "For this project: American spelling, no emojis.",
        "Perfect, and always give me the sources.",
        "ground-floor rooms only please",
    ],
)
def test_an_instruction_in_few_words(text):
    assert "instruction" in {claim.type for claim in told(text)}


@pytest.mark.parametrize(
    ("said", "object"),
    [
        (("A: Kafka or NATS?", "Kafka."), "Kafka"),
        (("A: I would take Polars.", "ok let's go with Polars"), "Polars"),
        (("A: Which day?", "OK, Tuesday then."), "Tuesday"),
    ],
)
def test_a_choice_is_a_decision(said, object):
    assert ("decision", object) in {(claim.type, claim.object) for claim in told(*said)}


@pytest.mark.parametrize("said", ["Ok, see you Friday then.", "No worries please.", "Look how cute it is."])
def test_small_talk_in_the_form_of_a_choice_is_none(said):
    assert told("A: Anything else?", said) == ()


def test_yes_to_a_long_question_about_something_else_claims_nothing():
    assert told("A: Did you find any neat ideas that you'll use in your own work at your own company?", "Yeah!") == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("My scan came back clear.", "scan came back clear"),
        ("Gluten gives me a rash.", "gives User a rash"),
        ("If I eat cheese I get a migraine.", "gets a migraine from cheese"),
        ("we're gluten free at home", "is gluten free"),
        ("My parents split when I was ten.", "parents split"),
    ],
)
def test_news_in_few_words(text, words):
    assert any(words in claim.text for claim in told(text))


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("We renamed Falcon to Heron.", "Falcon"),
        ("The project formerly known as Robin is called Wren now.", "Robin"),
        ("I moved from Vim to Emacs.", "Vim"),
        ("We switched from Slack to Teams.", "Slack"),
        ("We went with NATS instead of RabbitMQ.", "RabbitMQ"),
    ],
)
def test_the_old_value_is_replaced(text, old):
    assert old in {claim.replaces for claim in told(text)}


def test_a_bare_correction_takes_the_place_of_what_was_called_so():
    (_, claim) = told("I use Python 3.11.", "Actually Python 3.12.")

    assert (claim.type, claim.object, claim.replaces) == ("correction", "Python 3.12", "Python 3.11")


def test_who_used_to_be_ones_boss_is_no_more():
    (claim,) = told("Ulla used to be my boss.")

    assert (claim.predicate, claim.ends) == ("manages", True)

"""What is not worth a claim, and how what is worth one reads: fragments, pointing words, asides, praise."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from graphmem.ontology import load
from graphmem.types import Turn
from graphmem.write.claims import Draft
from graphmem.write.extract import extract

AT = datetime(2024, 5, 14, 12, tzinfo=UTC)


def chat(*said: tuple[str, str]) -> Draft:
    """What a chat of two claims, from pairs of who said what."""
    turns = [
        Turn(id=f"t{at}", space="s", session="x", session_id="x", text=text, at=AT, recorded_at=AT, speaker=who)
        for at, (who, text) in enumerate(said)
    ]
    return extract(turns, load("core"))


def texts(*said: str) -> list[str]:
    return [claim.text for claim in chat(*(("Ana", each) for each in said)).claims]


@pytest.mark.parametrize(
    "text",
    [
        "Let's have a barbecue sometime!",
        "Let's keep cheering each other on.",
        "I'd love to join the choir.",
        "We took this photo.",
        "I had a ball with it.",
        "I enjoyed the smell of these.",
        "It took a while for me to show my paintings.",
        "The best concert of the year!",
        "I had a great time.",
        "I'm on such a high.",
        "Here's a pic of a barn from last year.",
    ],
)
def test_what_only_points_or_urges_or_gushes_claims_nothing(text):
    assert texts(text) == []


def test_praise_is_no_fact_about_either():
    assert chat(("Ana", "Your patience is admirable, Bo."), ("Bo", "You did great, Ana!")).claims == ()


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("By the way, I joined a chess club in March 2024.", "Ana joined a chess club in March 2024"),
        ("As for me, I adopted a beagle.", "Ana adopted a beagle"),
        ("I bought a really interesting atlas.", "Ana bought an interesting atlas"),
        ("I\u2019ve sold the boat that I\u2019ve been repairing.", "Ana has sold the boat that Ana has been repairing"),
        ("My aunt Vera works at Siemens.", "Vera works at Siemens"),
        ("I sold my canoe.", "Ana sold their canoe"),
        ("My heart rate's been high since March 2024.", "Ana's heart rate has been high since March 2024"),
    ],
)
def test_a_claim_reads_like_a_sentence(text, claim):
    assert claim in texts(text)


def test_what_one_had_to_do_is_a_fact_and_no_plan():
    (claim,) = chat(("Ana", "I had to sell my canoe last week.")).claims

    assert (claim.type, claim.ends) == ("fact", True)


@pytest.mark.parametrize("text", ["I don't smoke anymore.", "I no longer eat meat.", "I cancelled my gym membership."])
def test_what_has_stopped_ends(text):
    assert [claim.ends for claim in chat(("Ana", text)).claims] == [True]


def test_the_same_sentence_is_claimed_once():
    said = texts("I was passionate about painting.", "I got into pottery, and I got into a little scrape on the way.")

    assert len(said) == len(set(said))


def test_a_plan_with_a_past_form_lies_ahead():
    (claim,) = chat(("Ana", "I've got an exam on 3 June.")).claims

    assert claim.happened.start.year == 2024


def test_it_was_my_cousin_ends_no_kinship():
    assert not any(claim.ends for claim in chat(("Ana", "It was my cousin Bram.")).claims)


def test_getting_married_does_not_end_a_marriage():
    assert not any(claim.ends for claim in chat(("Ana", "My sister got married to Jon in 2023.")).claims)


def test_waterfalls_are_places_and_works_are_no_people():
    mentions = {each.name: each.type for each in chat(("Ana", "I hiked to Angel Falls. I tried Fivetran.")).mentions}

    assert mentions["Angel Falls"] == "place"
    assert mentions.get("Fivetran") in (None, "tool", "company")

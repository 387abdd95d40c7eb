"""What a model wrote becomes a Draft as far as the turns bear it out, and no further."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from graphmem.models.llm.moments import moment_of
from graphmem.models.llm.shapes import Answer, ClaimShape, EpisodeShape
from graphmem.ontology import load
from graphmem.types import Turn
from graphmem.write.claims import USER, Source
from graphmem.write.llm import ask_about, draft_of, own_words
from graphmem.write.worker import Request

AT = datetime(2024, 5, 1, 12, tzinfo=UTC)
ONTOLOGY = load("core")


def turn(number, text, **fields):
    return Turn(
        id=f"turn_{number}", space="s", session="a", session_id="x", text=text, at=AT, recorded_at=AT, **fields
    )  # fmt: skip


def request(*texts, fresh_from=0, **fields):
    turns = tuple(
        text if isinstance(text, Turn) else turn(number, text, **fields) for number, text in enumerate(texts, start=1)
    )
    return Request(turns=turns, ontology=("core",), parser="none", fresh_from=fresh_from)


def answer(*claims, entities=(), **episode):
    return Answer.model_validate({
        "episode": {"summary": "s", **episode}, "entities": list(entities), "claims": list(claims),
    })  # fmt: skip


def draft(asked, *claims, **fields):
    return draft_of([answer(*claims, **fields)], asked, ONTOLOGY, "llm/x")


def one(asked, /, **claim):
    (found,) = draft(asked, {"text": "User has a boat", "turns": [1], **claim}).claims
    return found


def none(asked, /, **claim):
    return draft(asked, {"text": "User has a boat", "turns": [1], **claim}).claims == ()


BOAT = request("Well, I have  a Boat now.")


@pytest.mark.parametrize(
    ("quote", "span"),
    [
        ("I have  a Boat", (6, 20)),
        ("i have a boat", (6, 20)),
        ('"I have a boat."', (6, 20)),
        ("I own a boat", (0, 25)),
        ("ave  a Bo", (0, 25)),
        (None, (0, 25)),
        ("", (0, 25)),
    ],
)
def test_the_source_is_the_quotation_where_it_stands_or_else_the_whole_turn(quote, span):
    assert one(BOAT, quote=quote).sources == (Source(turn="turn_1", start=span[0], end=span[1]),)


@pytest.mark.parametrize("turns", [[], [0], [2], [99], None, "none"])
def test_a_claim_without_a_turn_is_dropped(turns):
    assert none(BOAT, turns=turns)


@pytest.mark.parametrize("turns", [[], [7], [2]])
def test_a_telling_quotation_corrects_the_number_of_the_turn(turns):
    asked = request("I have a boat in the harbour", "Lovely weather")
    found = one(asked, turns=turns, quote="a boat in the harbour")

    assert Source(turn="turn_1", start=7, end=28) in found.sources


@pytest.mark.parametrize("role", ["assistant", "system", "tool"])
def test_what_only_others_than_users_say_is_no_claim(role):
    asked = request(turn(1, "You have a boat, I hear", role=role), "Nice weather")

    assert none(asked)
    assert none(asked, quote="You have a boat, I hear", turns=[])
    assert one(asked, turns=[1, 2]).sources == (Source(turn="turn_2", start=0, end=12),)


def test_claims_come_from_new_turns_only_and_others_support_them():
    asked = request("I have a boat", "It is red", fresh_from=1)

    assert none(asked)
    assert [source.turn for source in one(asked, turns=[1, 2]).sources] == ["turn_1", "turn_2"]


def test_what_memory_itself_put_into_a_turn_is_not_read():
    text = "<memory>User has a boat</memory> What shall I do today?"
    asked = request(text, "<memory>User has a boat</memory>")
    (question,) = ask_about(asked, ONTOLOGY, 5000)

    assert "boat" not in question.turns
    assert "[2]" not in question.turns
    assert len(own_words(text)) == len(text)
    assert none(asked, turns=[2])
    assert none(asked, quote="User has a boat")


@pytest.mark.parametrize("name", ["user", "User", "I", "the speaker", "", "assistant"])
def test_who_speaks_is_the_user_or_has_a_name(name):
    assert one(BOAT, subject=name).subject == USER
    named = one(request("I have a boat", speaker="Ana"), subject=name)

    assert (named.subject, named.speaker, named.text) == ("Ana", "Ana", "Ana has a boat")


def test_an_alias_of_a_subject_is_the_thing_itself():
    asked = request("Clara Lopez, I call her Lala, has a boat")
    found = draft(asked, {"text": "Clara has a boat", "turns": [1], "subject": "lala"},
                  entities=[{"name": "Clara Lopez", "type": "person", "aliases": ["Lala", "her", "Lulu"]}])  # fmt: skip

    assert found.claims[0].subject == "Clara Lopez"
    assert [(each.name, each.aliases) for each in found.mentions] == [("Clara Lopez", ("Lala",))]


@pytest.mark.parametrize(
    ("written", "type"), [("fact", "fact"), ("Preference", "preference"), ("goal", "commitment"), ("skill", "skill")]
)
def test_a_type_is_one_of_the_eight(written, type):
    assert one(BOAT, type=written).type == type


def test_an_unknown_type_is_the_predicates_or_none():
    assert none(BOAT, type="gossip")
    assert one(BOAT, type="gossip", predicate="likes", object="boats").type == "preference"


@pytest.mark.parametrize(
    ("predicate", "object", "found"),
    [
        ("owns", "a boat", "owns"),
        ("Lives In", "Porto", "lives_in"),
        ("lives_in(person -> place)", "Porto", "lives_in"),
        ("sails", "a boat", None),
        ("owns", None, None),
        ("owns", "null", None),
        (None, "a boat", None),
        ("works_at", "Porto", None),
    ],
)
def test_a_predicate_is_the_ontologys_and_fits_its_object(predicate, object, found):
    place = [{"name": "Porto", "type": "city"}]
    (claim,) = draft(
        BOAT, {"text": "User has a boat", "turns": [1], "predicate": predicate, "object": object}, entities=place
    ).claims

    assert claim.predicate == found


@pytest.mark.parametrize(
    ("text", "start", "end", "granularity"),
    [
        ("2023", "2023-01-01T00:00", "2024-01-01T00:00", "year"),
        ("2023-12", "2023-12-01T00:00", "2024-01-01T00:00", "month"),
        ("2024-02-29", "2024-02-29T00:00", "2024-03-01T00:00", "day"),
        ("2024-05-01T10:30", "2024-05-01T08:30", "2024-05-01T08:31", "minute"),
        ("2024-05-01 10:30:00", "2024-05-01T08:30", "2024-05-01T08:31", "minute"),
        ("2024-05-01T10:30:15Z", "2024-05-01T10:30:15", "2024-05-01T10:30:16", "second"),
        ("2024-05-01T10:30+02:00", "2024-05-01T08:30", "2024-05-01T08:31", "minute"),
    ],
)
def test_a_time_is_as_fine_as_it_was_written(text, start, end, granularity):
    """The speaker's clock is two hours ahead."""
    found = moment_of(text, 120)

    assert found == (
        datetime.fromisoformat(start).replace(tzinfo=UTC), datetime.fromisoformat(end).replace(tzinfo=UTC), granularity
    )  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["yesterday", "", None, "2023-02-30", "2023-13", "0000", "9999-12-31", "9999", "05/01/2024", "2024-05-01T25:00", "2024-W10"],
)  # fmt: skip
def test_what_is_no_time_is_none(text):
    assert moment_of(text, 0) is None


@given(st.text(max_size=30) | st.from_regex(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?", fullmatch=True))
def test_a_time_is_an_interval_or_none(text):
    found = moment_of(text, 0)

    assert found is None or found[0] < found[1]


def test_an_end_before_the_beginning_is_no_end():
    found = one(BOAT, valid_from="2023", valid_to="2022", happened="soon")

    assert (found.valid_from.start.year, found.valid_to, found.happened) == (2023, None, None)


@pytest.mark.parametrize(
    ("written", "share"),
    [(0.9, 0.9), (1.7, 0.017), (95, 0.95), (-3, 0.0), (1e9, 1.0), ("80%", 0.8), ("High", 0.8), ("so so", 0.7), (None, 0.7), (float("nan"), 0.7)],
)  # fmt: skip
def test_confidence_is_a_share(written, share):
    assert one(BOAT, confidence=written).confidence == pytest.approx(share)


def test_texts_are_neither_shorter_nor_longer_than_may_be_stored():
    assert none(BOAT, text="ok")
    assert none(BOAT, text="?!?!")
    assert len(one(BOAT, text="boat " * 300).text) <= 500
    assert len(one(BOAT, text="b" * 900, quote="a boat now").text) == 500


@pytest.mark.parametrize(
    "text",
    [
        "I have a boat now",
        "user (user): I have a boat",
        "[1] Ana, Wed 2024-05-01 12:00: I have a boat",
        "[1] I have a boat",
    ],
)
def test_a_turn_that_was_merely_copied_is_no_claim(text):
    assert none(request("I have a boat now"), text=text)
    assert one(request("I have a boat now"), text="User has a boat now").text == "User has a boat now"


@pytest.mark.parametrize(
    "head", ["", "[1] ", "[1] Ana, Wed 2024-05-01 12:00: ", "Ana (user): ", "Ana (user), Wed 2024-05-01 12:00: "]
)
def test_a_quotation_is_found_with_what_stood_before_it(head):
    asked = request("Well at 10:30: I have a boat", speaker="Ana")

    assert one(asked, text="Ana has a boat", quote=f"{head}I have a boat").sources[0].start == 15
    assert one(asked, text="Ana has a boat", quote="at 10:30: I have a boat").sources[0].start == 5


@pytest.mark.parametrize("written", ["2024-05-01", "2024-05-01T12:00"])
def test_the_time_of_a_turn_is_not_what_it_says_unless_it_says_so(written):
    silent, said = request("I have a boat"), request("I got a boat today")

    assert one(silent, happened=written, valid_from=written).happened is None
    assert one(said, happened=written).happened is not None
    assert one(silent, happened="2024-04-30").happened.granularity == "day"


def test_nothing_is_claimed_twice_not_even_by_two_parts():
    said = {"text": "User has a boat", "turns": [1]}
    parts = [answer(said, {**said, "text": "User has a  Boat."}), answer(said, topics=["boats"])]

    assert len(draft_of(parts, BOAT, ONTOLOGY, "llm/x").claims) == 1


def test_parts_are_joined():
    parts = [answer(topics=["boats", "tea"], decisions=["buy"]), answer(topics=["Tea"], summary="t")]
    digest = draft_of(parts, BOAT, ONTOLOGY, "llm/x").digest

    assert (digest.summary, digest.topics, digest.decisions) == ("s t", ("boats", "Tea"), ("buy",))


def test_things_are_mentioned_where_they_stand_and_invented_ones_not_at_all():
    asked = request("I met Bo Derek in Porto", "Porto again")
    entities = [
        {"name": "Bo Derek", "type": "human"}, {"name": "Porto", "type": "city"}, {"name": "Atlantis", "type": "place"},
        {"name": "yesterday", "type": "date"}, {"name": "I", "type": "person"},
    ]  # fmt: skip
    found = draft(asked, entities=entities).mentions

    assert [(each.name, each.type, [s.turn for s in each.sources]) for each in found] == [
        ("Bo Derek", "person", ["turn_1"]),
        ("Porto", "place", ["turn_1", "turn_2"]),
    ]


def test_what_a_claim_relates_is_mentioned_even_if_it_was_not_listed():
    found = draft(
        request("I sold the old boat"),
        {"text": "User owned a boat", "turns": [1], "predicate": "owns", "object": "old boat"},
    )

    assert [(each.name, each.type) for each in found.mentions] == [("old boat", "concept")]


def test_a_claim_about_somebody_who_is_not_there_or_about_something_else_is_dropped():
    assert none(BOAT, text="Ilka has a boat", subject="Ilka")
    assert none(BOAT, text="User is allergic to sushi")
    assert one(BOAT, text="User is a sailor", quote="a boat now")
    assert one(request("Ilka has a boat"), text="Ilka has a boat", subject="Ilka").subject == "Ilka"


def test_what_a_picture_shows_may_be_claimed():
    asked = request(turn(1, "Look at this!", caption="a photo of a red canoe"))

    assert one(asked, text="User has a red canoe").sources == (Source(turn="turn_1", start=0, end=13),)


def test_modality_and_polarity_are_kept():
    found = one(BOAT, modality="planned", negated="yes", ends=True, replaces="a canoe")

    assert (found.modality, found.negated, found.ends, found.replaces) == ("planned", True, True, "a canoe")
    assert one(BOAT, modality="perhaps").modality == "asserted"


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(ClaimShape.model_fields, anything)))
def test_whatever_a_claim_looks_like_it_is_mended_or_dropped(claim):
    try:
        made = answer(claim)
    except ValidationError:
        return
    for found in draft_of([made], BOAT, ONTOLOGY, "llm/x").claims:
        assert 3 <= len(found.text) <= 500
        assert 0 <= found.confidence <= 1
        assert 0 <= found.importance <= 1
        found.text.encode()


@pytest.mark.parametrize("value", ["They spoke.", {"summary": "They spoke."}])
def test_an_episode_may_be_its_summary(value):
    assert EpisodeShape.model_validate(value).summary == "They spoke."


def test_a_list_without_anything_of_the_right_shape_is_refused():
    assert Answer.model_validate({"episode": "s", "claims": None, "entities": "none"}).claims.root == []
    with pytest.raises(ValidationError):
        Answer.model_validate({"episode": "s", "claims": ["no", 1]})


def test_one_turn_that_is_longer_than_a_call_is_shown_in_pieces():
    text = " ".join(f"word{number}" for number in range(20_000))
    questions = ask_about(request(text), ONTOLOGY, 4000)
    shown = "".join(
        line.split(": ", 1)[1] for each in questions for line in each.turns.splitlines() if line.startswith("[")
    )

    assert len(questions) > 5
    assert shown == text
    assert max(map(len, questions)) / 4 < 4000


def test_turns_before_the_new_ones_stand_above_the_line():
    (question,) = ask_about(request("I have a boat", "It is red", fresh_from=1), ONTOLOGY, 5000)
    above, below = question.turns.split("=== new turns ===")

    assert "boat" in above
    assert "red" in below
    assert question.reference_time == "Wed 2024-05-01 12:00"

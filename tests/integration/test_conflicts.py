"""Every path that a contradiction can take, from a turn to the entry, its history and what is read."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from graphmem import Memory, Settings
from graphmem.errors import Conflict, InvalidInput, NotFound
from graphmem.testing import FixedClock, HashEmbedder, ScriptedExtractor
from graphmem.write.claims import Claim, Mention, When

MAY = datetime(2024, 5, 7, 12, tzinfo=UTC)
# when all of it is recorded and read
NOW = datetime(2026, 1, 1, tzinfo=UTC)
PLACES = ("Berlin", "Porto", "Rome", "Acme", "Northstar", "Lisbon", "Helsinki")
MENTIONS = [
    Mention(name="Ana", type="person"), Mention(name="Ben", type="person"), Mention(name="Plan", type="project"),
    *(Mention(name=name, type="company" if name in ("Acme", "Northstar") else "place") for name in PLACES),
]  # fmt: skip


def claim(text, **fields):
    given = {"type": "fact", "subject": "Ana", "sources": (), "confidence": 0.8, **fields}
    return Claim(text=text, **given)


def lives(place, **fields):
    return claim(f"Ana lives in {place}", predicate="lives_in", object=place, **fields)


def when(year, month=1, months=1):
    end = datetime(year + (month - 1 + months) // 12, (month - 1 + months) % 12 + 1, 1, tzinfo=UTC)
    return When(text="then", start=datetime(year, month, 1, tzinfo=UTC), end=end, granularity="month")


@pytest.fixture
def remember(tmp_path):
    """Gives a function that adds turns in one session after the other, each with the claims that it makes."""
    script = {}
    settings = Settings.build({"distil": {"debounce_seconds": 3600}})
    extractor = ScriptedExtractor(script, mentions=MENTIONS)
    memory = Memory(
        tmp_path / "memory", settings=settings, embedder=HashEmbedder(), extractor=extractor, clock=FixedClock(NOW)
    )

    def add(*claims, at=MAY, **fields):
        text = f"turn {len(script)}: {' and '.join(each.text for each in claims)}"
        script[text] = claims
        turn = memory.add(text, at=at, session=f"session {len(script)}", speaker="Ana", **fields)
        memory.flush()
        return turn

    add.memory = memory
    yield add
    assert memory.verify().problems == ()
    memory.close()


def texts(memory, **fields):
    return sorted(entry.text for entry in memory.entries(**fields))


def actions(memory, text):
    (entry,) = [each for each in memory.entries(active=None) if each.text == text]
    return [step.change.action for step in memory.history(entry.id)]


def test_a_newer_value_supersedes_the_older_one_which_gets_an_end_and_stays(remember):
    remember(lives("Berlin"))
    turn = remember(lives("Porto"), at=MAY + timedelta(days=30))
    memory = remember.memory

    assert texts(memory) == ["Ana lives in Porto"]
    (old,) = memory.entries(active=False)
    (new,) = memory.entries()
    assert (old.text, old.validity.valid_to, old.superseded_by) == ("Ana lives in Berlin", turn.at, new.id)
    assert new.supersedes == old.id
    assert old.validity.retracted_at is None
    assert actions(memory, old.text) == ["created", "superseded"]


def test_the_relation_ends_with_its_entry(remember):
    remember(lives("Berlin"))
    remember(lives("Porto", valid_from=when(2024, 6)), at=MAY + timedelta(days=60))

    (now,) = remember.memory.relations()
    (before,) = remember.memory.relations(active=False)
    assert (now.text, before.text) == ("Ana lives in Porto", "Ana lives in Berlin")
    assert before.validity.valid_to == now.validity.valid_from == datetime(2024, 6, 1, tzinfo=UTC)


def test_what_is_said_again_is_one_entry_with_more_support(remember):
    first = remember(lives("Berlin"))
    second = remember(lives("Berlin"), at=MAY + timedelta(days=1))

    (entry,) = remember.memory.entries(active=None)
    assert entry.evidence == (first.id, second.id)
    assert (entry.source_count, entry.said_at) == (2, second.at)
    assert actions(remember.memory, entry.text) == ["created", "repeated"]


def test_what_is_said_with_more_is_merged_into_what_is_known(remember):
    remember(lives("Berlin"))
    fuller = claim(
        "Ana lives in a small flat in Berlin since May 2020",
        predicate="lives_in",
        object="Berlin",
        valid_from=when(2020, 5),
    )
    remember(fuller)

    (entry,) = remember.memory.entries(active=None)
    assert entry.text == fuller.text
    assert entry.validity.valid_from == datetime(2020, 5, 1, tzinfo=UTC)
    assert actions(remember.memory, fuller.text) == ["created", "merged"]
    assert remember.memory.history(entry.id)[0].item.text == "Ana lives in Berlin"


def test_a_much_weaker_claim_is_refused_and_the_known_one_says_so(remember):
    remember(lives("Berlin", confidence=0.9))
    remember(lives("Rome", confidence=0.5))

    assert texts(remember.memory, active=None) == ["Ana lives in Berlin"]
    assert actions(remember.memory, "Ana lives in Berlin") == ["created", "kept"]
    (refusal,) = remember.memory.refusals()
    assert (refusal.text, refusal.level) == ("Ana lives in Rome", "duplicate")


def test_many_valued_facts_stand_beside_each_other(remember):
    likes = [
        claim(f"Ana likes {each} very much", type="preference", predicate="likes", object=each)
        for each in ("tea", "coffee", "boats")
    ]
    for each in likes:
        remember(each)

    assert texts(remember.memory) == sorted(each.text for each in likes)
    assert "kept" in actions(remember.memory, likes[0].text)


def test_an_earlier_time_that_is_told_later_does_not_retire_what_holds_now(remember):
    remember(lives("Berlin", valid_from=when(2020)))
    remember(
        claim(
            "Ana lived in Rome in 2015",
            predicate="lives_in",
            object="Rome",
            valid_from=when(2015, 1),
            valid_to=when(2015, 12),
        )
    )
    remember(claim("Ana moved to Lisbon in 2017", predicate="lives_in", object="Lisbon", valid_from=when(2017)))

    assert texts(remember.memory) == ["Ana lives in Berlin"]
    lisbon = next(each for each in remember.memory.entries(active=None) if each.object == "Lisbon")
    assert lisbon.validity.valid_to == datetime(2020, 1, 1, tzinfo=UTC)


def test_what_ended_is_closed_and_the_ending_is_known(remember):
    remember(claim("Ana works at Acme", predicate="works_at", object="Acme"))
    turn = remember(claim("Ana left Acme", predicate="works_at", object="Acme", ends=True), at=MAY + timedelta(days=9))

    closed = next(each for each in remember.memory.entries(active=None) if each.text == "Ana works at Acme")
    assert closed.validity.valid_to == turn.at
    assert texts(remember.memory) == ["Ana left Acme"]
    assert remember.memory.relations() == ()
    assert actions(remember.memory, closed.text) == ["created", "closed"]


def test_what_ended_may_begin_again(remember):
    remember(claim("Ana works at Acme", predicate="works_at", object="Acme"))
    remember(claim("Ana left Acme", predicate="works_at", object="Acme", ends=True))
    remember(claim("Ana works at Acme again", predicate="works_at", object="Acme"))

    assert "Ana works at Acme again" in texts(remember.memory)


def test_a_liking_that_turns_round_supersedes(remember):
    remember(claim("Ana likes tea", type="preference", predicate="likes", object="tea"))
    remember(claim("Ana does not like tea any more", type="preference", predicate="likes", object="tea", negated=True))

    assert texts(remember.memory) == ["Ana does not like tea any more"]


def test_likes_and_dislikes_are_one_family(remember):
    remember(claim("Ana likes tea", type="preference", predicate="likes", object="tea"))
    remember(claim("Ana hates tea", type="preference", predicate="dislikes", object="tea"))

    assert texts(remember.memory) == ["Ana hates tea"]


def test_a_correction_retracts_what_never_held(remember):
    remember(claim("Ana uses Python 3.11", predicate="uses", object="Python 3.11"))
    remember(
        claim("Ana uses Python 3.12", type="correction", predicate="uses", object="Python 3.12", replaces="Python 3.11")
    )

    (old,) = remember.memory.entries(active=False)
    assert old.text == "Ana uses Python 3.11"
    assert old.validity.retracted_at is not None
    assert old.validity.valid_to is None
    assert texts(remember.memory) == ["Ana uses Python 3.12"]


def test_only_the_value_that_was_named_is_replaced(remember):
    for editor in ("vim", "nano"):
        remember(claim(f"Ana uses {editor}", predicate="uses", object=editor))
    remember(claim("Ana switched from vim to emacs", predicate="uses", object="emacs", replaces="vim"))

    assert texts(remember.memory) == ["Ana switched from vim to emacs", "Ana uses nano"]


def test_unrelated_facts_survive_any_number_of_contradictions(remember):
    """Candidates are limited to the same subject and family: a graph that asks all of its facts retires true ones."""
    kept = [
        claim("Ben lives in Helsinki", subject="Ben", predicate="lives_in", object="Helsinki"),
        claim("Ana works at Acme in Berlin", predicate="works_at", object="Acme"),
        claim("Ana likes Berlin", type="preference", predicate="likes", object="Berlin"),
        claim("Ana was born in Rome", predicate="born_in", object="Rome"),
        claim("Ana visited Porto and Berlin", predicate="visited", object="Porto"),
        claim("Ana has a flat with a view", object="a flat with a view"),
    ]
    for each in kept:
        remember(each)
    for place in ("Berlin", "Porto", "Rome", "Berlin", "Lisbon"):
        remember(lives(place))

    assert texts(remember.memory) == sorted([*(each.text for each in kept), "Ana lives in Lisbon"])


def test_what_cannot_change_is_asked_about_on_the_next_read(remember):
    remember(claim("Ana was born in Rome", predicate="born_in", object="Rome"))
    remember(claim("Ana was born in Porto", predicate="born_in", object="Porto"))
    memory = remember.memory

    (dispute,) = memory.conflicts()
    assert dispute.kind == "clarify"
    assert memory.search("where was Ana born").clarifications == (dispute,)
    assert texts(memory) == ["Ana was born in Porto", "Ana was born in Rome"]

    memory.resolve(dispute.id, keep=dispute.entries[0])
    assert texts(memory) == ["Ana was born in Rome"]
    assert memory.conflicts() == ()
    assert memory.conflicts(open=False)[0].resolution == dispute.entries[0]
    assert memory.search("where was Ana born").clarifications == ()
    assert actions(memory, "Ana was born in Porto")[-1] == "resolved"


@pytest.mark.parametrize(("keep", "left"), [("both", 2), ("neither", 0)])
def test_a_conflict_may_keep_both_or_neither(remember, keep, left):
    remember(claim("Ana was born in Rome", predicate="born_in", object="Rome"))
    remember(claim("Ana was born in Porto", predicate="born_in", object="Porto"))
    remember.memory.resolve(remember.memory.conflicts()[0].id, keep=keep)

    assert len(remember.memory.entries()) == left


def test_a_conflict_is_settled_once_and_with_one_of_its_entries(remember):
    remember(claim("Ana was born in Rome", predicate="born_in", object="Rome"))
    remember(claim("Ana was born in Porto", predicate="born_in", object="Porto"))
    (dispute,) = remember.memory.conflicts()

    with pytest.raises(InvalidInput, match="keep"):
        remember.memory.resolve(dispute.id, keep="ey_other")
    with pytest.raises(NotFound):
        remember.memory.resolve("di_nothing", keep="both")
    remember.memory.resolve(dispute.id, keep="both")
    with pytest.raises(Conflict, match="settled before"):
        remember.memory.resolve(dispute.id, keep="neither")


def located(place, **fields):
    return claim(f"Plan is located in {place}", subject="Plan", predicate="located_in", object=place, **fields)


def test_another_users_much_newer_claim_weakens_the_older_one(remember):
    remember(lives("Berlin"), user="u1")
    remember(lives("Porto"), user="u2", at=MAY + timedelta(days=90))

    confidence = {each.text: each.confidence for each in remember.memory.entries()}
    assert confidence == {"Ana lives in Berlin": pytest.approx(0.4), "Ana lives in Porto": 0.8}
    assert actions(remember.memory, "Ana lives in Berlin") == ["created", "weakened"]


@pytest.mark.parametrize(("first", "second", "weaker"), [(0.5, 0.9, "Berlin"), (0.9, 0.5, "Porto")])
def test_the_less_sure_of_two_users_is_weakened(remember, first, second, weaker):
    remember(lives("Berlin", confidence=first), user="u1")
    remember(lives("Porto", confidence=second), user="u2")

    confidence = {each.object: each.confidence for each in remember.memory.entries()}
    assert confidence[weaker] == pytest.approx(0.25)
    assert "weakened" in actions(remember.memory, f"Ana lives in {weaker}")


def test_two_users_who_are_equally_sure_about_a_person_are_asked(remember):
    remember(lives("Berlin"), user="u1")
    remember(lives("Porto"), user="u2")

    assert [each.kind for each in remember.memory.conflicts()] == ["clarify"]


def test_two_users_who_disagree_about_the_work_go_to_review(remember):
    remember(located("Berlin"), user="u1")
    remember(located("Porto"), user="u2")
    (dispute,) = remember.memory.conflicts()

    assert dispute.kind == "review"
    assert remember.memory.search("where is Plan").clarifications == ()


def test_what_was_pinned_by_hand_always_wins(remember):
    remember(lives("Berlin"))
    memory = remember.memory
    pinned = memory.pin("Ana lives in Berlin")
    remember(lives("Porto"), at=MAY + timedelta(days=400))

    assert memory.get(pinned.id).text == "Ana lives in Berlin"
    assert memory.get(pinned.id).validity.valid_to is None
    assert "Ana lives in Porto" not in texts(memory, active=None)


@pytest.mark.parametrize("modality", ["asked", "hypothetical", "quoted"])
def test_what_was_not_said_to_hold_is_refused_with_its_reason(remember, modality):
    remember(lives("Berlin", modality=modality))

    assert remember.memory.entries(active=None) == ()
    assert [each.level for each in remember.memory.refusals()] == ["quality"]


@pytest.mark.parametrize("bad", [{"text": "x"}, {"text": "y" * 501}, {"text": "12345"}, {"confidence": 0.1}])
def test_the_gate_refuses_what_is_not_worth_keeping(remember, bad):
    remember(claim(**{"text": "Ana is tall", **bad}))

    assert remember.memory.entries(active=None) == ()
    assert remember.memory.refusals()[0].level == "quality"


def test_a_session_stores_no_more_than_its_share(tmp_path):
    many = [claim(f"Ana owns boat number {n}", predicate="owns", object=f"boat {n}") for n in range(10)]
    settings = Settings.build({"distil": {"most_claims": 4, "debounce_seconds": 3600}})
    with Memory(
        tmp_path, settings=settings, embedder=HashEmbedder(), extractor=ScriptedExtractor({"boats": many})
    ) as memory:
        memory.add("boats")
        memory.flush()

        assert len(memory.entries()) == 4
        assert {each.level for each in memory.refusals()} == {"rate"}


def test_a_full_space_takes_only_what_is_more_important(tmp_path):
    settings = Settings.build({"distil": {"most_entries": 2, "debounce_seconds": 3600}})
    script = {
        "first": [claim("Ana owns a boat", importance=0.5), claim("Ana has a red car", importance=0.6)],
        "second": [claim("Ana saw a gull", importance=0.2), claim("Ana is allergic to nuts", importance=0.9)],
    }
    with Memory(tmp_path, settings=settings, embedder=HashEmbedder(), extractor=ScriptedExtractor(script)) as memory:
        for text in script:
            memory.add(text)
            memory.flush()

        assert texts(memory) == ["Ana has a red car", "Ana is allergic to nuts", "Ana owns a boat"]
        assert [(each.text, each.level) for each in memory.refusals()] == [("Ana saw a gull", "budget")]


def test_what_was_superseded_or_corrected_is_no_answer_any_more(remember):
    remember(lives("Berlin"))
    remember(lives("Porto"), at=MAY + timedelta(days=30))

    found = {hit.text for hit in remember.memory.search("where does Ana live", kinds=("entry",)).hits}
    assert found == {"Ana lives in Porto"}


def test_a_hit_says_when_it_holds(remember):
    remember(lives("Berlin", valid_from=when(2020)))

    (hit,) = remember.memory.search("Berlin", kinds=("entry",)).hits
    assert hit.validity.valid_from == hit.at == datetime(2020, 1, 1, tzinfo=UTC)


def test_users_of_one_space_do_not_see_each_others_words(remember):
    remember(lives("Berlin"), user="u1")
    remember(lives("Berlin"), user="u2", at=MAY + timedelta(days=1))
    shared = remember.memory.save("The office in Berlin opens at nine")
    memory = remember.memory
    hits = memory.search("Berlin", user="u1", limit=50).hits
    shown = [memory.get(hit.id) for hit in hits]

    assert {getattr(item, "user", None) for item in shown} == {"u1", None}
    assert shared.id in {hit.id for hit in hits}
    assert {memory.get(each).user for hit in hits for each in (piece.turn for piece in hit.evidence)} <= {"u1"}
    assert len(memory.entries(user="u2")) == 1


def test_what_has_expired_is_no_answer_and_does_not_hold(remember):
    saved = remember.memory.save("The door code is 4711", expires_at="2025-12-31T00:00:00Z")

    assert remember.memory.search("door code", kinds=("entry",)).hits == ()
    assert remember.memory.entries() == ()
    assert remember.memory.get(saved.id).text == "The door code is 4711"


def test_a_pin_that_was_never_said_wins_all_the_same(tmp_path):
    script = {
        "Ana works at Acme": [claim("Ana works at Acme", predicate="works_at", object="Acme")],
        "I work at Northstar": [claim("Ana works at Northstar", predicate="works_at", object="Northstar")],
    }
    settings = Settings.build({"distil": {"debounce_seconds": 3600}})
    with Memory(
        tmp_path, settings=settings, embedder=HashEmbedder(), extractor=ScriptedExtractor(script, mentions=MENTIONS)
    ) as memory:
        memory.pin("Ana works at Acme")
        memory.add("I work at Northstar", speaker="Ana")
        memory.flush()

        assert texts(memory, active=None) == ["Ana works at Acme"]
        assert [each.reason for each in memory.refusals()] == ["pinned by hand, which always wins"]


def test_what_was_saved_by_hand_is_not_doubled_when_it_is_said(remember):
    saved = remember.memory.save("Ana lives in Berlin")
    remember(lives("Berlin"))

    assert [each.id for each in remember.memory.entries(active=None)] == [saved.id]


def test_a_conflict_is_over_when_one_side_is_deleted(remember):
    remember(claim("Ana was born in Rome", predicate="born_in", object="Rome"))
    remember(claim("Ana was born in Porto", predicate="born_in", object="Porto"))
    memory = remember.memory
    memory.delete(memory.conflicts()[0].entries[1])

    assert memory.conflicts() == ()
    assert memory.search("born").clarifications == ()


def test_only_the_users_themselves_are_asked_and_what_fits_the_question_comes_first(remember):
    for place in ("Rome", "Porto"):
        remember(claim(f"Ana was born in {place}", predicate="born_in", object=place), user="u1")
    for place in ("Berlin", "Lisbon"):
        remember(claim(f"Ben was born in {place}", subject="Ben", predicate="born_in", object=place))
    asked = [each.question for each in remember.memory.search("Where was Ben born?").clarifications]

    assert ["Ben" in each for each in asked] == [True, False]
    assert len(remember.memory.search("Where was Ana born?", user="u2").clarifications) == 1


def test_a_dated_ending_is_known_from_then_on(remember):
    remember(claim("Ana works at Acme", predicate="works_at", object="Acme"))
    left = claim("Ana left Acme in March 2025", predicate="works_at", object="Acme", ends=True, happened=when(2025, 3))
    remember(left, at=MAY + timedelta(days=400))

    (entry,) = remember.memory.entries()
    assert (entry.text, entry.validity.valid_from, entry.validity.valid_to) == (
        left.text,
        datetime(2025, 3, 1, tzinfo=UTC),
        None,
    )
    assert remember.memory.entries(active=False)[0].validity.valid_to == datetime(2025, 3, 1, tzinfo=UTC)

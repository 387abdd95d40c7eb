"""What is committed can be read back: added, replaced, deleted, in order, along relations."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest

from graphmem.errors import Conflict, InvalidInput
from graphmem.types import Entity, Entry, Episode, Profile, Relation, Session, Turn
from tests.contract.samples import START, delta, entity, entry, episode, new_id, one_of_each, relation, session, turn

KINDS = (Turn, Session, Episode, Entity, Relation, Entry, Profile)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__.lower())
def test_an_item_of_every_kind_comes_back_as_it_was_committed(store, kind):
    commit = one_of_each()
    store.commit(commit)
    written = [item for item in commit.items() if isinstance(item, kind)]
    assert written
    assert [store.view("ana").get(item.id) for item in written] == written


def test_an_item_with_nothing_but_its_required_fields_comes_back_as_it_was_committed(store):
    sitting = session()
    bare = (sitting, turn(sitting), entity(), entry(), episode(sitting))
    store.commit(delta(*bare))
    assert store.view("ana").get_many([item.id for item in bare]) == {item.id: item for item in bare}


def test_get_many_returns_what_is_there_and_leaves_out_the_rest(store):
    likes = entry()
    store.commit(delta(likes))
    found = store.view("ana").get_many([likes.id, new_id("entry"), "", "ey_", "nonsense", "_", "xx_12345"])
    assert found == {likes.id: likes}


def test_commit_numbers_grow(store):
    numbers = [store.commit(delta(entry())) for _ in range(3)]
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize("kind", ["entry", "entity", "relation", "episode"])
def test_an_item_with_a_known_id_replaces_the_one_that_is_there(store, kind):
    commit = one_of_each()
    store.commit(commit)
    old = {"entry": commit.entries, "entity": commit.entities, "relation": commit.relations, "episode": commit.episodes}
    changed = {
        "entry": {"text": "Ana likes mountains", "importance": 0.1, "tags": ()},
        "entity": {"name": "Oporto", "aliases": ("Porto",)},
        "relation": {"text": "Ana lived in Porto", "confidence": 0.1},
        "episode": {"summary": "They spoke about boats", "topics": ("boats",)},
    }
    new = msgspec.structs.replace(old[kind][0], **changed[kind])
    store.commit(delta(new))
    assert store.view("ana").get(new.id) == new
    assert store.verify().problems == ()


def test_an_entity_replaced_many_times_leaves_the_words_of_others_alone(store):
    """Entities have no words of their own: replacing one must not be booked as taking words away."""
    porto, likes = entity(), entry("Ana likes lighthouses")
    store.commit(delta(porto, likes))
    for number in range(5):
        store.commit(delta(msgspec.structs.replace(porto, name=f"Porto {number}")))
    store.commit(delta(entry("a lighthouse in the fog")))
    assert len(store.view("ana").by_words(["lighthous"], limit=10, kinds=("entry",))) == 2
    assert store.verify().problems == ()


def test_a_validity_that_ends_later_replaces_the_open_one(store):
    ana, porto = entity("Ana"), entity()
    lives = relation(ana, porto)
    store.commit(delta(ana, porto, lives))
    ended = msgspec.structs.replace(
        lives, validity=msgspec.structs.replace(lives.validity, valid_to=START + timedelta(1))
    )
    store.commit(delta(ended))
    assert store.view("ana").get(lives.id).validity.valid_to == START + timedelta(1)


def test_a_relation_that_gets_another_object_links_to_that_one_only(store):
    ana, porto, lisbon = entity("Ana"), entity("Porto"), entity("Lisbon")
    lives = relation(ana, porto)
    store.commit(delta(ana, porto, lisbon, lives))
    store.commit(delta(msgspec.structs.replace(lives, object=lisbon.id)))
    assert store.view("ana").neighbours(ana.id) == [lisbon.id]
    assert store.verify().problems == ()


@pytest.mark.parametrize("kind", ["turns", "entries", "relations", "episodes", "entities", "profiles"])
def test_a_deleted_item_is_gone_from_get(store, kind):
    commit = one_of_each()
    store.commit(commit)
    [*_, item] = getattr(commit, kind)
    store.commit(delta(deleted=(item.id,)))
    assert store.view("ana").get(item.id) is None
    assert store.view("ana").get_many([item.id]) == {}
    assert store.verify().problems == ()


def test_a_deleted_turn_is_gone_from_its_session(store):
    sitting = session()
    first, second = turn(sitting, "one"), turn(sitting, "two")
    store.commit(delta(sitting, first, second))
    store.commit(delta(deleted=(first.id,)))
    assert store.view("ana").turns(sitting.id) == [second]


def test_a_ref_names_its_turn_until_that_is_deleted(store):
    sitting = session()
    said = turn(sitting, ref="message 7")
    store.commit(delta(sitting, said))
    assert store.turn_by_ref("ana", "message 7") == said.id
    store.commit(delta(deleted=(said.id,)))
    assert store.turn_by_ref("ana", "message 7") is None


def test_a_ref_can_be_used_again_after_its_turn_was_deleted(store):
    sitting = session()
    first, second = turn(sitting, ref="message 7"), turn(sitting, ref="message 7")
    store.commit(delta(sitting, first))
    store.commit(delta(deleted=(first.id,)))
    store.commit(delta(second))
    assert store.turn_by_ref("ana", "message 7") == second.id
    assert store.verify().problems == ()


def test_deleting_twice_is_deleting_once(store):
    likes = entry()
    store.commit(delta(likes))
    for _ in range(2):
        store.commit(delta(deleted=(likes.id,)))
    assert store.view("ana").get(likes.id) is None
    assert store.verify().problems == ()


def test_an_item_that_is_committed_again_after_its_deletion_is_back(store):
    likes = entry("Ana likes lighthouses")
    store.commit(delta(likes))
    store.commit(delta(deleted=(likes.id,)))
    store.commit(delta(likes))
    assert store.view("ana").get(likes.id) == likes
    assert [id for id, _ in store.view("ana").by_words(["lighthous"], limit=10, kinds=("entry",))] == [likes.id]
    assert store.verify().problems == ()


@pytest.mark.parametrize("id", ["tn_0000000000000000", "nonsense", ""])
def test_a_commit_that_deletes_what_was_never_there_is_refused_and_leaves_nothing(store, id):
    likes = entry()
    with pytest.raises(InvalidInput, match=id or "to be deleted"):
        store.commit(delta(likes, deleted=(id,)))
    assert store.view("ana").get(likes.id) is None
    assert store.verify().problems == ()


def test_a_commit_that_brings_a_known_turn_again_is_refused_and_leaves_nothing(store):
    sitting = session()
    said, likes = turn(sitting), entry()
    store.commit(delta(sitting, said))
    with pytest.raises(Conflict):
        store.commit(delta(said, likes))
    assert store.view("ana").get(likes.id) is None
    assert store.verify().problems == ()


@pytest.mark.parametrize(
    "points_at_nothing",
    [
        lambda: turn(session("ana", "never committed")),
        lambda: episode(session("ana", "never committed")),
        lambda: entry(evidence=(new_id("turn"),)),
        lambda: entry(supersedes=new_id("entry")),
        lambda: relation(entity("Ana"), entity("Porto")),
    ],
)
def test_a_commit_that_points_at_what_is_not_there_is_refused_and_leaves_nothing(store, points_at_nothing):
    likes = entry()
    with pytest.raises(InvalidInput):
        store.commit(delta(likes, points_at_nothing()))
    assert store.view("ana").get(likes.id) is None
    assert store.spaces() == []
    assert store.verify().problems == ()


def test_a_session_name_and_a_ref_stand_for_one_thing_in_a_space(store):
    sitting = session(name="main")
    store.commit(delta(sitting, turn(sitting, ref="r")))
    with pytest.raises(Conflict):
        store.commit(delta(session(name="main")))
    with pytest.raises(Conflict):
        store.commit(delta(turn(sitting, ref="r")))
    assert store.stats("ana").counts == {"turn": 1, "session": 1}
    assert store.verify().problems == ()


def test_sessions_come_oldest_first_and_each_once(store):
    old, new = session(name="old"), session(name="new")
    store.commit(delta(new, turn(new)))
    store.commit(delta(old, turn(old)))
    assert store.view("ana").sessions() == [old, new]


def test_a_session_is_found_by_its_name(store):
    sitting = session(name="Monday's call")
    store.commit(delta(sitting))
    assert store.session_id("ana", "Monday's call") == sitting.id
    assert store.session_id("ana", "monday's call") is None


def test_turns_come_in_the_order_in_which_they_came_whatever_their_times(store):
    sitting = session()
    turns = [turn(sitting, f"number {n}", at=START - timedelta(days=n)) for n in range(5)]
    for said in turns:
        store.commit(delta(*([sitting] if said is turns[0] else []), said))
    assert store.view("ana").turns(sitting.id) == turns


def test_neighbours_are_the_entities_at_both_ends_of_a_relation(store):
    ana, porto, rui, far = entity("Ana"), entity("Porto"), entity("Rui"), entity("far")
    store.commit(delta(ana, porto, rui, far, relation(ana, porto), relation(rui, ana), relation(porto, far)))
    view = store.view("ana")
    assert view.neighbours(ana.id) == sorted([porto.id, rui.id])
    assert view.neighbours(far.id) == [porto.id]
    assert view.neighbours(new_id("entity")) == []


def test_a_deleted_entity_is_no_neighbour_and_has_none(store):
    ana, porto = entity("Ana"), entity("Porto")
    store.commit(delta(ana, porto, relation(ana, porto)))
    store.commit(delta(deleted=(porto.id,)))
    assert store.view("ana").neighbours(ana.id) == []
    assert store.view("ana").neighbours(porto.id) == []


def test_a_deleted_relation_links_nothing(store):
    ana, porto = entity("Ana"), entity("Porto")
    lives = relation(ana, porto)
    store.commit(delta(ana, porto, lives))
    store.commit(delta(deleted=(lives.id,)))
    assert store.view("ana").neighbours(ana.id) == []


def test_a_batch_of_many_turns_is_all_there(store):
    """Above some hundreds a store may take another way, such as a bulk load."""
    sitting = session()
    turns = [turn(sitting, f"turn w{n}", ref=f"r{n}") for n in range(700)]
    store.commit(delta(sitting, *turns))
    store.commit(delta(turn(sitting, "and one more")))
    view = store.view("ana")
    assert view.turns(sitting.id)[:700] == turns
    assert [view.by_words([f"w{n}"], limit=5, kinds=("turn",))[0][0] for n in (0, 699)] == [turns[0].id, turns[699].id]
    assert store.verify().problems == ()


@pytest.mark.parametrize("number", [float("inf"), float("nan"), -0.1, 1.1])
def test_a_share_that_an_export_could_not_carry_is_refused(store, number):
    with pytest.raises(InvalidInput, match="cannot be kept"):
        store.commit(delta(entry(confidence=number)))
    assert store.stats(None).commits == 0

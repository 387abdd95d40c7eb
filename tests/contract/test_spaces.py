"""A space sees nothing of another one."""

from __future__ import annotations

import pytest

from graphmem.errors import InvalidInput
from graphmem.types import Delta
from tests.contract.samples import ALL_KINDS, EMBEDDER, delta, embed_pending, entity, entry, one_of_each, relation, turn

TERMS = ("ana", "move", "porto", "spring", "photo", "bridg", "live", "sea", "like", "spoke", "harbour", "mountain")


def test_an_unknown_space_is_empty(store):
    commit = one_of_each()
    store.commit(commit)
    embed_pending(store)
    view = store.view("nobody")
    assert view.space == "nobody"
    assert view.get_many([item.id for item in commit.items()]) == {}
    assert (view.sessions(), view.turns(commit.sessions[0].id)) == ([], [])
    assert view.neighbours(commit.entities[0].id) == []
    assert view.by_words(TERMS, limit=50, kinds=ALL_KINDS) == []
    assert view.by_vector(EMBEDDER.embed(["Ana"])[0], limit=50, kinds=ALL_KINDS) == []
    assert (store.session_id("nobody", "main"), store.turn_by_ref("nobody", "message 1")) == (None, None)


def test_asking_for_a_space_does_not_make_it(store):
    store.view("nobody").sessions()
    assert store.spaces() == []


def test_spaces_are_listed_once_each_in_the_order_in_which_they_came(store):
    for name in ("ben", "ana", "ben", "Ana"):
        store.commit(delta(entry(space=name), space=name))
    assert store.spaces() == ["ben", "ana", "Ana"]


def test_ids_sessions_turns_and_neighbours_of_another_space_are_not_returned(store):
    ana, ben = one_of_each("ana"), one_of_each("ben")
    store.commit(ana)
    store.commit(ben)
    view = store.view("ben")
    assert view.get_many([item.id for item in ana.items()]) == {}
    assert all(view.get(item.id) is None for item in ana.items())
    assert view.turns(ana.sessions[0].id) == []
    assert view.sessions() == list(ben.sessions)
    assert view.neighbours(ana.entities[0].id) == []


def test_words_and_vectors_of_another_space_are_not_returned(store):
    ana, ben = one_of_each("ana"), one_of_each("ben")
    store.commit(ana)
    store.commit(ben)
    embed_pending(store)
    view, own = store.view("ben"), {item.id for item in ben.items()}
    words = {id for id, _ in view.by_words(TERMS, limit=50, kinds=ALL_KINDS)}
    vectors = {id for id, _ in view.by_vector(EMBEDDER.embed(["Ana Porto"])[0], limit=50, kinds=ALL_KINDS)}
    assert words == vectors == own & {i.id for i in (*ben.turns, *ben.episodes, *ben.entries, *ben.relations)}


def test_the_same_ref_and_session_name_mean_another_turn_in_another_space(store):
    ana, ben = one_of_each("ana"), one_of_each("ben")
    store.commit(ana)
    store.commit(ben)
    assert store.turn_by_ref("ana", "message 1") == ana.turns[0].id
    assert store.turn_by_ref("ben", "message 1") == ben.turns[0].id
    assert store.session_id("ana", "main") == ana.sessions[0].id
    assert store.session_id("ben", "main") == ben.sessions[0].id
    store.commit(delta(deleted=(ana.turns[0].id,)))
    assert store.turn_by_ref("ben", "message 1") == ben.turns[0].id


def crossings() -> dict[str, tuple[Delta, Delta]]:
    """Commits of ben that reach into what ana has committed before."""
    ana = one_of_each("ana")
    said, secret, [lives] = ana.turns[0], ana.entries[0], ana.relations
    ben = entity("Ben", "ben")
    return {
        "a turn in its session": (ana, delta(turn(ana.sessions[0], space="ben"), space="ben")),
        "evidence": (ana, delta(entry("about Ben", "ben", evidence=(said.id,)), space="ben")),
        "a relation to its entity": (ana, delta(ben, relation(ben, ana.entities[0]), space="ben")),
        "replacing its item": (ana, delta(entry("taken over", "ben", id=secret.id), space="ben")),
        "replacing it under its own name": (ana, delta(entry("taken over", "ana", id=secret.id), space="ben")),
        "deleting its item": (ana, delta(deleted=(lives.id,), space="ben")),
        "writing to it": (ana, delta(entry("written for Ana", space="ana"), space="ben")),
    }


@pytest.mark.parametrize("way", crossings())
def test_a_commit_that_reaches_into_another_space_is_refused_and_leaves_nothing(store, way):
    ana, attack = crossings()[way]
    store.commit(ana)
    with pytest.raises(InvalidInput):
        store.commit(attack)
    assert store.spaces() == ["ana"]
    assert store.view("ana").get_many([item.id for item in ana.items()]) == {item.id: item for item in ana.items()}
    assert list(store.deltas()) == [ana]
    assert store.verify().problems == ()


def test_an_imported_commit_that_reaches_into_another_space_is_refused_too(store):
    ana, attack = crossings()["replacing its item"]
    store.commit(ana)
    with pytest.raises(InvalidInput):
        store.take_over(attack)
    assert store.view("ana").get(ana.entries[0].id) == ana.entries[0]


def test_counts_of_a_space_leave_out_the_others(store):
    store.commit(one_of_each("ana"))
    store.commit(delta(entry(space="ben"), space="ben"))
    assert store.stats("ben").counts == {"entry": 1}
    assert store.stats("ana").counts["entry"] == 2
    assert store.stats(None).counts["entry"] == 3
    assert store.stats("nobody").counts == {}


def test_exporting_one_space_leaves_out_the_others(store):
    ana, ben = one_of_each("ana"), one_of_each("ben")
    store.commit(ana)
    store.commit(ben)
    assert list(store.deltas("ben")) == [ben]

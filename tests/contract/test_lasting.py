"""What was committed lasts: over closing, rebuilding, and moving to another store."""

from __future__ import annotations

import msgspec
import pytest

from graphmem.errors import InvalidInput, StoreClosed
from graphmem.settings import StoreSettings
from tests.contract.samples import (
    ALL_KINDS,
    EMBEDDER,
    delta,
    embed_pending,
    entity,
    entry,
    one_of_each,
    relation,
    session,
    turn,
)

TERMS = ("ana", "move", "porto", "boat", "gull", "harbour", "sea", "live", "spoke", "word")


def fill(store):
    """A life in commits: additions, replacements, deletions, two spaces, vectors for most."""
    ana, ben = one_of_each("ana"), one_of_each("ben")
    store.commit(ana)
    store.commit(ben)
    store.commit(delta(msgspec.structs.replace(ana.entries[0], text="Ana likes boats")))
    store.commit(delta(msgspec.structs.replace(ana.entities[0], name="Ana Maria")))
    store.commit(delta(msgspec.structs.replace(ana.relations[0], text="Ana lived in Porto", confidence=0.2)))
    late = session("ana", "late")
    said = [turn(late, f"harbour word {n}", ref=f"late {n}", speaker="Rui") for n in range(6)]
    store.commit(delta(late, *said))
    store.commit(delta(deleted=(said[0].id, said[3].id)))
    rui = entity("Rui")
    store.commit(delta(rui, relation(rui, ana.entities[1], "Rui works in Porto", evidence=(said[1].id,))))
    store.commit(delta(deleted=(ben.entries[0].id,), space="ben"))
    embed_pending(store)
    store.commit(delta(entry("not embedded yet, a gull")))


def content(store, vectors=True):
    """All that can be seen from outside, except numbers of the store's own."""
    seen = {}
    ids = [item.id for commit in store.deltas() for item in commit.items()]
    for space in store.spaces():
        view = store.view(space)
        sessions = view.sessions()
        seen[space] = {
            "items": view.get_many(ids),
            "sessions": sessions,
            "turns": [view.turns(sitting.id) for sitting in sessions],
            "neighbours": {id: view.neighbours(id) for id in ids},
            "words": view.by_words(TERMS, limit=100, kinds=ALL_KINDS),
            "refs": [store.turn_by_ref(space, ref) for ref in ("message 1", *(f"late {n}" for n in range(6)))],
            "names": [store.session_id(space, name) for name in ("main", "late")],
            "counts": store.stats(space).counts,
        }
        if vectors:
            question = EMBEDDER.embed(["Ana and the boats of the harbour"])[0]
            seen[space]["vectors"] = view.by_vector(question, limit=100, kinds=ALL_KINDS)
            seen[space]["pending"] = sorted(text for _, text in store.pending(100, space))
    return seen


def test_all_is_the_same_after_closing_and_opening_again(open_store):
    store = open_store()
    fill(store)
    before, commits = content(store), list(store.deltas())
    store.close()
    again = open_store()
    assert content(again) == before
    assert list(again.deltas()) == commits
    assert again.verify().problems == ()


def test_commit_numbers_go_on_where_they_stopped(open_store):
    store = open_store()
    number = store.commit(delta(entry()))
    store.close()
    assert open_store().commit(delta(entry())) == number + 1


def test_verify_is_clean_and_says_what_it_compared(store):
    fill(store)
    report = store.verify()
    assert report.problems == ()
    assert report.ok
    assert sum(report.compared.values()) > 50


@pytest.mark.parametrize("part", ["graph", "words", "vectors", "all"])
def test_a_rebuilt_part_gives_the_same_answers(store, part):
    fill(store)
    before = content(store)
    store.rebuild(part)
    assert content(store) == before
    assert store.verify().problems == ()
    store.commit(delta(entry("written after the rebuild")))
    assert len(store.view("ana").by_words(["rebuild"], limit=5, kinds=("entry",))) == 1


def test_a_view_made_before_a_rebuild_still_answers(store):
    fill(store)
    view, ids = store.view("ana"), [item.id for commit in store.deltas("ana") for item in commit.items()]
    before = view.get_many(ids)
    store.rebuild("all")
    assert view.get_many(ids) == before


def test_an_unknown_part_is_refused(store):
    with pytest.raises(InvalidInput, match="part"):
        store.rebuild("everything; DROP TABLE item")


def test_what_is_exported_and_taken_over_is_the_same_in_another_store(open_store):
    store, other = open_store("one"), open_store("two")
    fill(store)
    assert all(other.take_over(commit) for commit in store.deltas())
    assert content(other, vectors=False) == content(store, vectors=False)
    embed_pending(store)
    embed_pending(other)
    assert content(other) == content(store)
    assert other.verify().problems == ()


def test_taking_over_again_changes_nothing(open_store):
    store, other = open_store("one"), open_store("two")
    fill(store)
    commits = list(store.deltas())
    for commit in commits:
        other.take_over(commit)
    before, number = content(other), other.stats(None).commits
    assert [other.take_over(commit) for commit in commits] == [False] * len(commits)
    assert (content(other), other.stats(None).commits) == (before, number)


def test_taking_over_goes_on_where_it_was_broken_off(open_store):
    store, other = open_store("one"), open_store("two")
    fill(store)
    commits = list(store.deltas())
    for commit in commits[:4]:
        other.take_over(commit)
    assert [other.take_over(commit) for commit in commits] == [False] * 4 + [True] * (len(commits) - 4)
    assert content(other, vectors=False) == content(store, vectors=False)


def test_commits_survive_being_written_as_json(open_store):
    store, other = open_store("one"), open_store("two")
    fill(store)
    for commit in store.deltas():
        other.take_over(msgspec.json.decode(msgspec.json.encode(commit), type=type(commit)))
    assert content(other, vectors=False) == content(store, vectors=False)


def test_stats_count_what_is_live(store):
    fill(store)
    found = store.stats("ana")
    assert found.counts == {
        "turn": 5, "session": 2, "episode": 1, "entity": 3, "relation": 2, "entry": 3, "profile": 1,
    }  # fmt: skip
    assert (found.space, found.spaces, found.pending_vectors, found.embedding) == ("ana", 2, 1, EMBEDDER.signature)
    assert found.commits == len(list(store.deltas()))
    assert found.bytes_on_disk > 0


def test_a_view_sees_all_that_was_committed_before_it_was_made(open_store):
    store = open_store(settings=StoreSettings(checkpoint_every=2))
    for number in range(60):
        likes = entry(f"number w{number}")
        store.commit(delta(likes))
        assert store.view("ana").get(likes.id) == likes


def test_a_closed_store_says_so(open_store):
    store = open_store()
    sitting = session()
    store.commit(delta(sitting, turn(sitting, ref="r")))
    store.close()
    store.close()
    calls = {
        "commit": lambda: store.commit(delta(entry())),
        "view": lambda: store.view("ana"),
        "spaces": store.spaces,
        "session_id": lambda: store.session_id("ana", "main"),
        "turn_by_ref": lambda: store.turn_by_ref("ana", "r"),
        "pending": lambda: store.pending(1),
        "embedded": lambda: store.embedded([], EMBEDDER.signature),
        "expect_model": lambda: store.expect_model("other"),
        "take_over": lambda: store.take_over(delta(entry())),
        "stats": lambda: store.stats(None),
        "verify": store.verify,
        "rebuild": lambda: store.rebuild("all"),
        "deltas": lambda: list(store.deltas()),
    }
    outcomes = {}
    for name, call in calls.items():
        try:
            outcomes[name] = repr(call())
        except Exception as error:  # noqa: BLE001 - whichever it is, it is compared
            outcomes[name] = type(error)
    assert outcomes == dict.fromkeys(calls, StoreClosed)


def test_a_view_of_a_store_that_was_closed_meanwhile_says_so(open_store):
    store = open_store()
    likes = entry()
    store.commit(delta(likes))
    view = store.view("ana")
    store.close()
    with pytest.raises(StoreClosed):
        view.get(likes.id)
    with pytest.raises(StoreClosed):
        view.by_words(["sea"], limit=5, kinds=("entry",))

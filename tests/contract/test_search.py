"""Words are found at once, vectors once they are made; what is deleted or replaced is found no more."""

from __future__ import annotations

import msgspec
import numpy as np

from graphmem.settings import StoreSettings
from graphmem.testing import HashEmbedder
from tests.contract.samples import ALL_KINDS, EMBEDDER, delta, embed_pending, entry, episode, one_of_each, session, turn


def words(store, *terms, space="ana", limit=50, kinds=ALL_KINDS):
    return [id for id, _ in store.view(space).by_words(terms, limit=limit, kinds=kinds)]


def nearest(store, text, space="ana", limit=50, kinds=ALL_KINDS, embedder=EMBEDDER):
    return [id for id, _ in store.view(space).by_vector(embedder.embed([text])[0], limit=limit, kinds=kinds)]


def test_words_are_found_as_soon_as_commit_returns(store):
    sitting = session()
    for number in range(20):
        said = turn(sitting, f"the harbour w{number}")
        store.commit(delta(*([] if number else [sitting]), said))
        assert words(store, f"w{number}") == [said.id]


def test_a_turn_is_found_by_its_text_caption_speaker_and_title(store):
    sitting = session()
    said = turn(sitting, "one boat", caption="two gulls", speaker="Rui", title="Harbour")
    store.commit(delta(sitting, said))
    assert [words(store, term) for term in ("boat", "gull", "rui", "harbour")] == [[said.id]] * 4


def test_words_are_found_in_the_kinds_that_were_asked_for(store):
    commit = one_of_each()
    store.commit(commit)
    said, likes = commit.turns[0], commit.entries[0]
    assert words(store, "ana", kinds=("turn",)) == [said.id]
    assert words(store, "ana", kinds=("entry",)) == [likes.id]
    assert set(words(store, "ana", kinds=("turn", "entry"))) == {said.id, likes.id}
    assert words(store, "ana", kinds=()) == []


def test_the_better_match_comes_first_and_scores_fall(store):
    often, once = entry("boat boat harbour"), entry("a boat among very many other things that were said")
    store.commit(delta(once, often, entry("nothing of the kind")))
    found = store.view("ana").by_words(["boat", "harbour"], limit=10, kinds=("entry",))
    assert [id for id, _ in found] == [often.id, once.id]
    assert found[0][1] > found[1][1] > 0


def test_no_more_words_hits_come_than_were_asked_for(store):
    store.commit(delta(*(entry(f"a boat {n}") for n in range(30))))
    assert len(words(store, "boat", limit=7)) == 7


def test_questions_without_a_term_or_with_operators_find_nothing_and_raise_nothing(store):
    store.commit(delta(entry("boat")))
    for terms in ([], [""], ['"'], ['boat"'], ["*"], ["NEAR("], ["boat OR sea"], ['x" OR "boat'], ["_"], ["'"]):
        assert words(store, *terms) == []


def test_a_deleted_item_is_not_found_by_words(store):
    gone, kept = entry("old boat"), entry("new boat")
    store.commit(delta(gone, kept))
    store.commit(delta(deleted=(gone.id,)))
    assert words(store, "boat") == [kept.id]


def test_a_replaced_item_is_found_by_its_new_words_only(store):
    likes = entry("Ana likes boats")
    store.commit(delta(likes))
    store.commit(delta(msgspec.structs.replace(likes, text="Ana likes gulls")))
    assert words(store, "gull") == [likes.id]
    assert words(store, "boat") == []


def test_what_is_written_is_pending_until_it_is_embedded(store):
    commit = one_of_each()
    store.commit(commit)
    texts = {text for _, text in store.pending(50)}
    assert texts == {
        "Ana moved to Porto in spring\na photo of a bridge",
        "They spoke about moving",
        "Ana lives in Porto",
        "Ana likes the sea",
        "mountains, as was said before",
    }
    assert store.stats("ana").pending_vectors == 5
    assert nearest(store, "Ana likes the sea") == []
    embed_pending(store)
    assert store.pending(50) == []
    assert store.stats("ana").pending_vectors == 0
    assert nearest(store, "Ana likes the sea")[0] == commit.entries[0].id


def test_pending_returns_no_more_than_the_limit_oldest_first(store):
    store.commit(delta(*(entry(f"number {n}") for n in range(5))))
    assert [text for _, text in store.pending(2)] == ["number 0", "number 1"]


def test_pending_can_be_asked_of_one_space(store):
    store.commit(delta(entry("of ana")))
    store.commit(delta(entry("of ben", space="ben"), space="ben"))
    assert [text for _, text in store.pending(50, "ben")] == ["of ben"]
    assert store.pending(50, "nobody") == []
    embed_pending(store, "ben")
    assert [text for _, text in store.pending(50)] == ["of ana"]


def test_vectors_score_by_cosine_best_first(store):
    same, near, far = entry("boats in the harbour"), entry("boats in the fog"), entry("mountains covered with snow")
    store.commit(delta(far, near, same))
    embed_pending(store)
    found = store.view("ana").by_vector(EMBEDDER.embed([same.text])[0], limit=10, kinds=("entry",))
    assert [id for id, _ in found] == [same.id, near.id, far.id]
    expected = EMBEDDER.embed([same.text]) @ EMBEDDER.embed([same.text, near.text, far.text]).T
    assert np.allclose([score for _, score in found], expected[0], atol=1e-5)


def test_a_deleted_item_is_not_found_by_its_vector(store):
    gone, kept = entry("old boat"), entry("new boat")
    store.commit(delta(gone, kept))
    embed_pending(store)
    assert set(nearest(store, "old boat")) == {gone.id, kept.id}
    store.commit(delta(deleted=(gone.id,)))
    assert nearest(store, "old boat") == [kept.id]
    assert store.verify().problems == ()


def test_an_item_deleted_while_it_was_being_embedded_gets_no_vector(store):
    gone = entry("old boat")
    store.commit(delta(gone))
    [(label, text)] = store.pending(50)
    store.commit(delta(deleted=(gone.id,)))
    store.embedded([(label, EMBEDDER.embed([text])[0])], EMBEDDER.signature)
    assert nearest(store, "old boat") == []
    assert store.verify().problems == ()


def test_a_replaced_item_is_found_by_its_new_vector_only_and_once(store):
    likes = entry("Ana likes boats")
    store.commit(delta(likes, entry("something else entirely")))
    embed_pending(store)
    nearest(store, "warm the index")
    store.commit(delta(msgspec.structs.replace(likes, text="mountains covered with snow")))
    assert likes.id not in nearest(store, "Ana likes boats"), "the old text's vector must not answer for the new text"
    embed_pending(store)
    found = store.view("ana").by_vector(EMBEDDER.embed(["mountains covered with snow"])[0], limit=9, kinds=("entry",))
    assert [id for id, _ in found].count(likes.id) == 1
    assert dict(found)[likes.id] > 0.99
    assert store.verify().problems == ()


def test_vectors_of_another_model_are_forgotten_and_made_anew(store):
    other = HashEmbedder(32)
    likes = entry("Ana likes boats")
    store.commit(delta(likes, entry("and gulls")))
    embed_pending(store)
    assert nearest(store, "boats")
    store.expect_model(EMBEDDER.signature)
    assert store.pending(50) == []
    store.expect_model(other.signature)
    assert len(store.pending(50)) == 2
    assert nearest(store, "boats", embedder=other) == []
    embed_pending(store, embedder=other)
    assert nearest(store, "Ana likes boats", embedder=other)[0] == likes.id
    assert store.stats(None).embedding == other.signature
    assert store.verify().problems == ()


def test_a_question_of_another_length_than_the_vectors_finds_nothing(store):
    store.commit(delta(entry("Ana likes boats")))
    embed_pending(store)
    assert nearest(store, "boats", embedder=HashEmbedder(8)) == []


def test_a_large_space_answers_as_a_small_one_does(open_store):
    """Above a threshold a store may use an approximate index; deletions and additions must still count."""
    store = open_store(settings=StoreSettings(hnsw_threshold=100, hnsw_save_every=100))
    sitting = session()
    turns = [turn(sitting, f"w{n} x{n * 7 % 40} y{n % 11}") for n in range(260)]
    store.commit(delta(sitting, *turns))
    embed_pending(store)
    assert all(said.id in nearest(store, said.text, limit=10) for said in turns[::20])
    store.commit(delta(deleted=tuple(said.id for said in turns[:120:20])))
    late = turn(sitting, "a late arrival")
    store.commit(delta(late))
    embed_pending(store)
    assert nearest(store, "a late arrival", limit=1) == [late.id]
    gone = {said.id for said in turns[:120:20]}
    assert not gone & {id for said in turns[:120:20] for id in nearest(store, said.text, limit=300)}
    assert store.verify().problems == ()
    store.close()
    again = open_store(settings=StoreSettings(hnsw_threshold=100, hnsw_save_every=100))
    assert nearest(again, "a late arrival", limit=1) == [late.id]
    assert not gone & {id for said in turns[:120:20] for id in nearest(again, said.text, limit=300)}
    assert again.verify().problems == ()


def test_asking_for_more_than_there_is_returns_all(open_store):
    store = open_store(settings=StoreSettings(hnsw_threshold=100, hnsw_save_every=100))
    sitting = session()
    turns = [turn(sitting, f"w{n}") for n in range(150)]
    store.commit(delta(sitting, *turns, episode(sitting, "an episode of its own")))
    embed_pending(store)
    assert len(nearest(store, "w3", limit=1000)) == 151

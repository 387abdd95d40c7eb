"""One writer and many readers at once: nobody fails, nobody sees time run backwards."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from graphmem.settings import StoreSettings
from tests.contract.samples import EMBEDDER, delta, embed_pending, entry, session, turn

COMMITS = 300


@pytest.mark.parametrize("checkpoint_every", [1, 5])
def test_readers_see_the_data_grow_while_one_writes_with_many_checkpoints(open_store, checkpoint_every):
    store = open_store(
        settings=StoreSettings(checkpoint_every=checkpoint_every, hnsw_threshold=100, hnsw_save_every=100)
    )
    sitting = session()
    store.commit(delta(sitting))
    acknowledged, stop = [0], threading.Event()

    def write():
        try:
            for number in range(COMMITS):
                store.commit(delta(turn(sitting, f"boat w{number}")))
                acknowledged[0] = number + 1
                if number % 25 == 24:
                    embed_pending(store)
        finally:
            stop.set()

    def read():
        rounds, seen, found = 0, 0, 0
        question = EMBEDDER.embed(["boat"])[0]
        while not stop.is_set() or not rounds:
            at_least = acknowledged[0]
            view = store.view("ana")
            turns = view.turns(sitting.id)
            assert len(turns) >= max(seen, at_least)
            assert [said.text for said in turns] == [f"boat w{n}" for n in range(len(turns))]
            seen = len(turns)
            assert len(view.by_words(["boat"], limit=1000, kinds=("turn",))) >= at_least
            near = [id for id, _ in view.by_vector(question, limit=1000, kinds=("turn",))]
            assert len(near) == len(set(near)), "a vector was found twice"
            assert len(near) >= found
            found = len(near)
            if turns:
                assert view.get(turns[-1].id) == turns[-1]
            assert store.stats("ana").counts.get("turn", 0) >= at_least
            rounds += 1
        return rounds

    with ThreadPoolExecutor(5) as pool:
        readers = [pool.submit(read) for _ in range(4)]
        pool.submit(write).result()
        assert all(reader.result() for reader in readers)
    assert len(store.view("ana").turns(sitting.id)) == COMMITS
    assert store.verify().problems == ()


def test_several_writers_take_turns(store):
    def write(name):
        for number in range(40):
            store.commit(delta(entry(f"{name} w{number}", space=name), space=name))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, ("ana", "ben", "cem", "dia")))
    assert store.stats(None).counts == {"entry": 160}
    assert store.stats(None).commits == 160
    assert store.verify().problems == ()


def test_readers_go_on_while_parts_are_rebuilt_and_compared(open_store):
    store = open_store(settings=StoreSettings(checkpoint_every=3))
    likes = [entry(f"boat w{n}") for n in range(120)]
    store.commit(delta(*likes))
    embed_pending(store)
    stop = threading.Event()

    def read():
        while not stop.is_set():
            view = store.view("ana")
            assert len(view.get_many([each.id for each in likes])) == len(likes)
            assert len(view.by_vector(EMBEDDER.embed(["boat"])[0], limit=500, kinds=("entry",))) == len(likes)
            assert len(view.by_words(["boat"], limit=500, kinds=("entry",))) == len(likes)

    def rebuild():
        try:
            for part in ("graph", "vectors", "words", "all"):
                store.rebuild(part)
                assert store.verify().problems == ()
        finally:
            stop.set()

    with ThreadPoolExecutor(3) as pool:
        readers = [pool.submit(read) for _ in range(2)]
        pool.submit(rebuild).result()
        for reader in readers:
            reader.result()


def test_closing_right_after_a_write_never_hangs(open_store):
    """The thread that follows with the graph must hear of it whatever it is doing just then."""
    for number in range(12):
        store = open_store(f"memory {number}")
        store.commit(delta(entry(f"boat w{number}")))
        threading.Event().wait(0.045 + number / 1000)
        closing = threading.Thread(target=store.close, daemon=True)
        closing.start()
        closing.join(20)
        assert not closing.is_alive()

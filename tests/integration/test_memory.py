"""The front door: what a caller of Memory can rely on."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta, timezone

import pytest

from graphmem import Memory, Settings
from graphmem.errors import Conflict, InvalidInput, ModelError, NotFound
from graphmem.testing import FixedClock, HashEmbedder

NOON = datetime(2024, 6, 1, 12, tzinfo=UTC)


@pytest.fixture
def memory(tmp_path):
    with Memory(tmp_path / "memory", embedder=HashEmbedder(), clock=FixedClock(NOON)) as memory:
        yield memory


class Unloadable:
    signature, dimension = "none", 1

    def embed(self, texts):
        raise ModelError("no such model")


def test_words_are_found_as_soon_as_add_returns(memory):
    turn = memory.add("I moved to Berlin last May.", speaker="Ana", session="chat-7", ref="msg-1")

    (hit,) = memory.search("Who moved to Berlin?").hits

    assert (hit.id, hit.kind, hit.session, hit.speaker, hit.ref) == (turn.id, "turn", "chat-7", "Ana", "msg-1")
    assert hit.evidence[0].quote == "I moved to Berlin last May."
    assert set(hit.channels) == {"words"}


def test_vectors_are_found_after_flush(memory):
    memory.add("I moved to Berlin")
    assert memory.flush() == 1

    assert set(memory.search("moved Berlin").hits[0].channels) == {"words", "vectors"}


def test_vectors_are_made_in_the_background(memory):
    memory.add("I moved to Berlin")
    waiting = threading.Event()
    for _ in range(100):
        if memory.stats().pending_vectors == 0:
            break
        waiting.wait(0.05)

    assert memory.stats().pending_vectors == 0


def test_a_question_that_nothing_answers_has_no_hits(memory):
    memory.add("I moved to Berlin")
    memory.flush()

    assert memory.search("xylophone").hits == ()


def test_a_time_with_another_offset_is_the_same_instant(memory):
    turn = memory.add("tea", at=datetime(2024, 5, 7, 14, tzinfo=timezone(timedelta(hours=2))))

    assert turn.at == datetime(2024, 5, 7, 12, tzinfo=UTC)
    assert memory.get(turn.id) == turn


def test_what_was_said_when_is_kept_apart_from_when_it_was_recorded(memory):
    turn = memory.add("tea", at="1999-12-31T23:59:59Z")

    assert turn.at == datetime(1999, 12, 31, 23, 59, 59, tzinfo=UTC)
    assert turn.recorded_at == NOON


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59.999999+00:00"])
def test_the_ends_of_the_calendar_can_be_remembered(memory, at):
    turn = memory.add("long ago or far ahead", at=at)

    assert memory.get(turn.id).at == datetime.fromisoformat(at)
    assert memory.verify().ok


def test_the_same_ref_with_the_same_content_is_the_same_turn(memory):
    first = memory.add("I moved", ref="m1", session="s", speaker="Ana")
    again = memory.add("I moved", ref="m1", session="s", speaker="Ana")

    assert again == first
    assert memory.stats().counts["turn"] == 1


@pytest.mark.parametrize(
    "other", [{"text": "I stayed"}, {"speaker": "Ben"}, {"session": "t"}, {"at": NOON - timedelta(1)}]
)
def test_the_same_ref_with_other_content_is_a_conflict(memory, other):
    given = {"text": "I moved", "ref": "m1", "session": "s", "speaker": "Ana", "at": NOON}
    memory.add(given.pop("text"), **given)
    changed = {"text": "I moved", **given, **other}

    with pytest.raises(Conflict, match="'m1' is already used"):
        memory.add(changed.pop("text"), **changed)


def test_a_ref_is_free_again_after_its_turn_was_deleted(memory):
    memory.delete(memory.add("I moved", ref="m1").id)

    assert memory.add("I stayed", ref="m1").text == "I stayed"


def test_a_deleted_turn_is_nowhere_to_be_read(memory):
    turn = memory.add("I moved to Berlin")
    memory.flush()
    memory.delete(turn.id, reason="asked to")

    with pytest.raises(NotFound):
        memory.get(turn.id)
    assert memory.search("Berlin").hits == ()
    assert memory.turns("main") == ()
    assert "turn" not in memory.stats().counts


def test_a_batch_with_one_bad_turn_is_refused_whole_and_says_which(memory):
    with pytest.raises(InvalidInput, match=r"turn 1: text: is empty"):
        memory.add_many([{"text": "good"}, {"text": " "}, {"text": "fine"}])

    assert memory.spaces() == []


def test_a_batch_can_skip_its_bad_turns_and_lists_them(memory):
    added = memory.add_many(
        [{"text": "good"}, {"text": ""}, {"text": "x", "colour": "red"}, {"txt": "y"}, 5, {"text": "fine", "ref": "r"},
         {"text": "other", "ref": "r"}],
        on_error="skip",
    )  # fmt: skip

    assert [turn.text for turn in added.stored] == ["good", "fine"]
    assert [refused.index for refused in added.refused] == [1, 2, 3, 4, 6]
    assert "colour" in added.refused[1].error


def test_a_batch_of_thousands_keeps_its_order_and_its_sessions(memory):
    seen = []
    turns = ({"text": f"turn number {i}", "session": f"s{i % 3}"} for i in range(2500))

    added = memory.add_many(turns, progress=seen.append)

    assert [turn.text for turn in added.stored] == [f"turn number {i}" for i in range(2500)]
    assert seen == [1000, 2000, 2500]
    assert [turn.text for turn in memory.turns("s1")][:2] == ["turn number 1", "turn number 4"]
    assert memory.stats().counts == {"turn": 2500, "session": 3}
    assert memory.verify().ok


def test_many_threads_may_write_and_search_at_once(memory):
    failures = []

    def work(number):
        try:
            for i in range(20):
                memory.add(f"thread {number} says number {i}", space=f"space {number % 2}", ref=f"{number}-{i}")
                memory.search(f"thread {number}", space=f"space {number % 2}")
        except Exception as error:  # noqa: BLE001 - reported below
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failures == []
    assert memory.stats().counts["turn"] == 120
    assert memory.verify().ok


def test_everything_is_there_after_closing_and_opening_again(tmp_path):
    with Memory(tmp_path, embedder=HashEmbedder()) as memory:
        turn = memory.add("I moved to Berlin", metadata={"k": [1, None]}, title="t", caption="a map", role="assistant")
        memory.flush()
    with Memory(tmp_path, embedder=HashEmbedder()) as memory:
        assert memory.get(turn.id) == turn
        assert set(memory.search("Berlin").hits[0].channels) == {"words", "vectors"}
        assert memory.verify().ok


def test_a_memory_opened_by_a_relative_path_stays_where_it_is(tmp_path, monkeypatch):
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "here")
    with Memory("memory", embedder=HashEmbedder()) as memory:
        turn = memory.add("I moved to Berlin")
        monkeypatch.chdir(tmp_path / "there")
        found = []
        thread = threading.Thread(target=lambda: found.append(memory.search("Berlin").hits[0].id))
        thread.start()
        thread.join()

    assert found == [turn.id]
    assert list((tmp_path / "there").iterdir()) == []


def test_another_model_makes_all_vectors_anew(tmp_path):
    with Memory(tmp_path, embedder=HashEmbedder(64)) as memory:
        memory.add("I moved to Berlin")
        memory.flush()
    with Memory(tmp_path, embedder=HashEmbedder(32)) as memory:
        memory.add("I like tea")
        assert memory.flush() == 2
        assert memory.stats().embedding == "hash/32"
        assert "vectors" in memory.search("moved Berlin").hits[0].channels
        assert memory.verify().ok


def test_without_a_model_words_answer_and_a_note_says_so(tmp_path):
    with Memory(
        tmp_path, settings=Settings.build({"distil": {"extractor": "none"}, "models": {"embedding": "none"}})
    ) as memory:
        memory.add("I moved to Berlin")
        recall = memory.search("Berlin")

    assert recall.hits[0].text == "I moved to Berlin"
    assert recall.notes == ("words only: no embedding model is configured",)


def test_a_model_that_fails_costs_no_turn(tmp_path):
    with Memory(tmp_path, embedder=Unloadable()) as memory:
        memory.add("I moved to Berlin")
        with pytest.raises(ModelError):
            memory.flush()
        assert memory.search("Berlin").hits[0].text == "I moved to Berlin"
        assert memory.stats().pending_vectors == 1


def test_an_export_can_be_imported_elsewhere_and_again(memory, tmp_path):
    memory.add("I moved to Berlin", space="ana", ref="m1")
    memory.delete(memory.add("I like tea", space="ana").id, space="ana")
    memory.add("secret", space="ben")
    file = tmp_path / "export.jsonl"
    with file.open("w", encoding="utf-8") as stream:
        assert memory.export(stream, space="ana") == 3

    with Memory(tmp_path / "copy", embedder=HashEmbedder()) as copy:
        for expected in (3, 0):
            with file.open(encoding="utf-8") as stream:
                assert copy.import_(stream) == expected
        assert copy.spaces() == ["ana"]
        assert [turn.text for turn in copy.turns("main", space="ana")] == ["I moved to Berlin"]
        assert copy.verify().ok


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nonsense", "line 2"),
        ('{"space": 5}', "line 2"),
        ('{"space": "a", "at": "2024-01-01T00:00:00Z", "deletions": [{"id": "tn_x", "at": "2024-01-01T00:00:00Z"}]}', "tn_x"),
        ('{"space": "a", "at": "2024-01-01T00:00:00Z", "turns": [{"id": "tn_xyz", "space": "b", "session": "s", '
         '"session_id": "se_x", "text": "hi", "at": "2024-01-01T00:00:00Z", "recorded_at": "2024-01-01T00:00:00Z"}]}', "space 'b'"),
    ],
)  # fmt: skip
def test_a_line_that_is_no_export_is_named_and_what_came_before_it_is_kept(memory, tmp_path, line, message):
    memory.add("I moved to Berlin", space="ana")
    file = tmp_path / "export.jsonl"
    with file.open("w", encoding="utf-8") as stream:
        memory.export(stream)

    with Memory(tmp_path / "copy", embedder=HashEmbedder()) as copy:
        with pytest.raises(InvalidInput, match=message):
            copy.import_([*file.read_text(encoding="utf-8").splitlines(), line])
        assert copy.search("Berlin", space="ana").hits
        assert copy.verify().ok

"""Bad input gets a named error that says what to do, and leaves nothing behind."""

from __future__ import annotations

from datetime import datetime
from io import StringIO

import pytest

from graphmem import Memory, Settings
from graphmem.errors import GraphmemError, InvalidInput, NotFound, StoreClosed, StoreError
from graphmem.testing import HashEmbedder


@pytest.fixture(scope="module")
def memory(tmp_path_factory):
    settings = Settings.build(
        {"distil": {"extractor": "none"}, "write": {"text_limit": 1000, "name_limit": 20, "metadata_limit": 50}}
    )
    with Memory(tmp_path_factory.mktemp("bad"), embedder=HashEmbedder(), settings=settings) as memory:
        memory.add("I moved to Berlin", session="chat")
        yield memory


@pytest.fixture(autouse=True)
def _nothing_is_left_behind(memory):
    before = memory.stats()
    yield
    assert memory.stats().counts == before.counts
    assert memory.spaces() == ["default"]


@pytest.mark.parametrize(
    ("given", "field", "says"),
    [
        ({"text": ""}, "text", "empty"),
        ({"text": " \n\t"}, "text", "empty"),
        ({"text": "x" * 1001}, "text", "at most 1000"),
        ({"text": None}, "text", "expected text, got NoneType"),
        ({"text": b"bytes"}, "text", "expected text, got bytes"),
        ({"text": "a\x00b"}, "text", "control character"),
        ({"text": "a\x1b[31mb"}, "text", "control character"),
        ({"text": "broken \ud800"}, "text", "not valid Unicode at character 7"),
        ({"text": "x", "at": datetime(2024, 1, 1)}, "at", "no time zone"),  # noqa: DTZ001 - naive on purpose
        ({"text": "x", "at": "2024-01-01"}, "at", "no time zone"),
        ({"text": "x", "at": "2024-02-30T00:00:00Z"}, "at", "not a time"),
        ({"text": "x", "at": "yesterday"}, "at", "ISO 8601"),
        ({"text": "x", "at": 1700000000}, "at", "expected a datetime"),
        ({"text": "x", "at": "0001-01-01T00:00:00+14:00"}, "at", "calendar"),
        ({"text": "x", "role": "robot"}, "role", "is not one of user"),
        ({"text": "x", "role": ["user"]}, "role", "is not one of user"),
        ({"text": "x", "space": ""}, "space", "empty"),
        ({"text": "x", "space": 5}, "space", "expected text, got int"),
        ({"text": "x", "space": "a\nb"}, "space", "control characters"),
        ({"text": "x", "space": "s" * 21}, "space", "at most 20"),
        ({"text": "x", "session": ""}, "session", "empty"),
        ({"text": "x", "session": ["s"]}, "session", "expected text, got list"),
        ({"text": "x", "speaker": 7}, "speaker", "expected text"),
        ({"text": "x", "ref": ""}, "ref", "empty"),
        ({"text": "x", "ref": "\ud800"}, "ref", "not valid Unicode"),
        ({"text": "x", "title": "a\x07"}, "title", "control characters"),
        ({"text": "x", "caption": "a\x07"}, "caption", "control character"),
        ({"text": "x", "metadata": [1]}, "metadata", "expected a mapping"),
        ({"text": "x", "metadata": {"a": object()}}, "metadata", "cannot be written as JSON"),
        ({"text": "x", "metadata": {"a": "b" * 60}}, "metadata", "at most 50"),
    ],
)
def test_a_turn_that_cannot_be_kept_names_the_field(memory, given, field, says):
    with pytest.raises(InvalidInput, match=says) as raised:
        memory.add(given.pop("text"), **given)

    assert raised.value.field == field


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda m: m.search(""), InvalidInput, "question"),
        (lambda m: m.search("  "), InvalidInput, "question"),
        (lambda m: m.search(None), InvalidInput, "question"),
        (lambda m: m.search("x", limit=0), InvalidInput, "limit: 0"),
        (lambda m: m.search("x", limit=10**9), InvalidInput, "limit"),
        (lambda m: m.search("x", limit=2.5), InvalidInput, "limit: 2.5"),
        (lambda m: m.search("x", limit=True), InvalidInput, "limit: True"),
        (lambda m: m.search("x", kinds=["nonsense"]), InvalidInput, "'nonsense' is not one of turn"),
        (lambda m: m.search("x", kinds="turn"), InvalidInput, "not a list of kinds"),
        (lambda m: m.search("x", kinds=5), InvalidInput, "not a list of kinds"),
        (lambda m: m.search("x", kinds=[]), InvalidInput, "not a list of kinds"),
        (lambda m: m.search("x", space="nowhere"), NotFound, "no space 'nowhere'"),
        (lambda m: m.search("x", space=5), InvalidInput, "space: expected text"),
        (lambda m: m.get("tn_nothing"), NotFound, "no item 'tn_nothing'"),
        (lambda m: m.get("'; DROP TABLE item; --"), NotFound, "no item"),
        (lambda m: m.get(""), NotFound, "no item"),
        (lambda m: m.get(None), NotFound, "no item"),
        (lambda m: m.get("x", space="nowhere"), NotFound, "no space"),
        (lambda m: m.turns("nowhere"), NotFound, "no session 'nowhere'"),
        (lambda m: m.turns([]), InvalidInput, "session: expected text"),
        (lambda m: m.delete("tn_nothing"), NotFound, "no item"),
        (lambda m: m.delete(m.turns("chat")[0].id, reason=5), InvalidInput, "reason: expected text"),
        (lambda m: m.delete(m.turns("chat")[0].id, reason="\ud800"), InvalidInput, "surrogates|Unicode"),
        (lambda m: m.delete(m.turns("chat")[0].session_id), InvalidInput, "is a session"),
        (lambda m: m.stats("nowhere"), NotFound, "no space"),
        (lambda m: m.stats(5), InvalidInput, "space"),
        (lambda m: m.flush("nowhere"), NotFound, "no space"),
        (lambda m: m.rebuild("everything"), InvalidInput, "part"),
        (lambda m: m.add_many(None), InvalidInput, "turns"),
        (lambda m: m.add_many("text"), InvalidInput, "turns"),
        (lambda m: m.add_many({"text": "x"}), InvalidInput, "turns"),
        (lambda m: m.add_many([{"text": "x"}], on_error="ignore"), InvalidInput, "on_error"),
    ],
)  # fmt: skip
def test_a_call_that_cannot_be_answered_says_why(memory, call, error, says):
    with pytest.raises(error, match=says):
        call(memory)


@pytest.mark.parametrize(
    "question", ['" OR *', "NEAR(a b)", "text: x", "'; DROP TABLE words", "MATCH (n) DETACH DELETE n", "\ud800", "\x00", "🙂",
                 "a" * 5000, " ".join(f"word{i}" for i in range(3000))],
)  # fmt: skip
def test_no_question_is_an_error(memory, question):
    assert memory.search(question).hits is not None


def test_a_folder_that_is_a_file_is_refused(tmp_path):
    file = tmp_path / "file"
    file.write_text("x")

    with pytest.raises(StoreError, match="is a file; graphmem needs a folder"):
        Memory(file)


@pytest.mark.parametrize(
    "call", [lambda m: m.add("x"), lambda m: m.search("x"), lambda m: m.get("x"), lambda m: m.turns("main"), lambda m: m.delete("x"),
             lambda m: m.stats(), lambda m: m.spaces(), lambda m: m.flush(), lambda m: m.verify(), lambda m: m.rebuild(),
             lambda m: m.add_many([{"text": "x"}]), lambda m: m.export(StringIO())],
)  # fmt: skip
def test_a_closed_memory_says_so(tmp_path, call):
    closed = Memory(tmp_path, embedder=HashEmbedder())
    closed.add("x")
    closed.close()
    closed.close()

    with pytest.raises(StoreClosed, match="open"):
        call(closed)


def test_every_error_is_one_tree():
    from graphmem import errors

    classes = [each for each in vars(errors).values() if isinstance(each, type) and each.__module__ == errors.__name__]

    assert all(issubclass(each, GraphmemError) for each in classes)

"""Sessions are distilled by themselves, once, behind the caller's back, whatever happens meanwhile."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime

import pytest

from graphmem import Memory, Settings
from graphmem.errors import GraphmemError, InvalidInput, ModelError, NotFound, OntologyError
from graphmem.testing import HashEmbedder, ScriptedExtractor
from graphmem.write.claims import Claim, Mention
from graphmem.write.worker import Request, Worker


def claim(text, **fields):
    return Claim(**{"type": "fact", "text": text, "subject": "user", "sources": (), **fields})


SCRIPT = {
    "I have a boat": [claim("User has a boat", object="a boat")],
    "I like tea": [claim("User likes tea", type="preference", predicate="likes", object="tea")],
    "I live in Porto": [claim("User lives in Porto", predicate="lives_in", object="Porto", identity=True)],
}


def settings(**distil):
    return Settings.build({"distil": {"debounce_seconds": 3600, **distil}})


def open_memory(folder, extractor, **distil):
    return Memory(folder, settings=settings(**distil), embedder=HashEmbedder(), extractor=extractor)


@pytest.fixture
def extractor():
    return ScriptedExtractor(dict(SCRIPT), mentions=[Mention(name="Porto", type="place")])


@pytest.fixture
def memory(tmp_path, extractor):
    with open_memory(tmp_path / "memory", extractor) as memory:
        yield memory


def wait_for(condition, seconds=10.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.01)


def texts(memory, **fields):
    return sorted(entry.text for entry in memory.entries(**fields))


def test_nothing_is_distilled_while_the_session_goes_on(memory, extractor):
    memory.add("I have a boat")
    time.sleep(0.1)

    assert extractor.requests == []
    assert [job.state for job in memory.jobs()] == ["waiting"]
    assert memory.stats().pending_jobs == 1


def test_a_session_is_distilled_after_its_rest(tmp_path, extractor):
    with open_memory(tmp_path, extractor, debounce_seconds=0.2) as memory:
        memory.add("I have a boat")
        memory.add("I like tea")
        wait_for(lambda: memory.stats().pending_jobs == 0)

        assert len(extractor.requests) == 1
        assert texts(memory) == ["User has a boat", "User likes tea"]


def test_a_session_that_another_follows_is_distilled_at_once(memory, extractor):
    memory.add("I have a boat", session="first")
    memory.add("I like tea", session="second")
    wait_for(lambda: memory.jobs(state="done"))

    assert texts(memory) == ["User has a boat"]


def test_flush_distils_all_that_waits_once_per_session(memory, extractor):
    for session in ("first", "second"):
        memory.add("I have a boat", session=session)
        memory.add("I like tea", session=session)
    memory.flush()

    assert len(extractor.requests) == 2
    assert {job.state for job in memory.jobs()} == {"done"}
    assert memory.stats().pending_vectors == 0


def test_a_batch_is_distilled_at_once(memory, extractor):
    memory.add_many([{"text": "I have a boat"}, {"text": "I like tea"}])
    wait_for(lambda: memory.jobs(state="done"))

    assert len(extractor.requests) == 1


def test_a_batch_can_skip_extraction_and_be_distilled_later(memory, extractor):
    memory.add_many([{"text": "I have a boat"}], skip_extraction=True)
    memory.flush()
    assert (memory.jobs(), memory.entries()) == ((), ())

    memory.redistil()
    assert texts(memory) == ["User has a boat"]


def test_nothing_happens_by_itself_in_manual_mode(tmp_path, extractor):
    with open_memory(tmp_path, extractor, mode="manual", debounce_seconds=0) as memory:
        memory.add("I have a boat", session="first")
        memory.add_many([{"text": "I like tea", "session": "second"}])
        time.sleep(0.2)
        assert extractor.requests == []

        assert memory.distil() == ()
        assert texts(memory) == ["User has a boat", "User likes tea"]


def test_without_an_extractor_turns_are_kept_and_distilled_once_there_is_one(tmp_path, extractor):
    with Memory(tmp_path, settings=settings(extractor="none"), embedder=HashEmbedder()) as memory:
        memory.add("I have a boat")
        assert memory.flush() == 1
        assert memory.jobs() == ()
    with open_memory(tmp_path, extractor) as memory:
        memory.redistil()
        assert texts(memory) == ["User has a boat"]


def test_what_a_crash_left_waiting_is_distilled_on_opening(tmp_path, extractor):
    with open_memory(tmp_path, extractor) as memory:
        memory.add("I have a boat")
    with open_memory(tmp_path, extractor) as memory:
        wait_for(lambda: memory.stats().pending_jobs == 0)

        assert texts(memory) == ["User has a boat"]


def test_new_turns_go_on_with_the_episode_and_claim_nothing_twice(memory, extractor):
    memory.add("I have a boat")
    memory.flush()
    memory.add("I like tea")
    memory.flush()

    assert [request.fresh_from for request in extractor.requests] == [0, 1]
    assert [turn.text for turn in extractor.requests[1].turns] == ["I have a boat", "I like tea"]
    assert memory.stats().counts["episode"] == 1
    assert texts(memory) == ["User has a boat", "User likes tea"]


def test_a_long_session_becomes_several_episodes(tmp_path, extractor):
    with open_memory(tmp_path, extractor, episode_turns=10) as memory:
        memory.add_many({"text": f"word {n}"} for n in range(25))
        memory.flush()

        assert [len(request.turns) for request in extractor.requests] == [10, 10, 5]
        assert memory.stats().counts["episode"] == 3


def test_a_job_says_how_it_went(memory):
    memory.add("I have a boat")
    memory.flush()
    (job,) = memory.jobs()

    assert memory.job(job.id) == job
    assert (job.state, job.attempts, job.space) == ("done", 1, "default")
    assert job.result["turns"] == 1
    assert job.result["new"] == 1


def test_a_job_that_fails_is_tried_again_then_parked_and_blocks_nobody(tmp_path):
    extractor = ScriptedExtractor({**SCRIPT, "poison": GraphmemError("cannot read this")})
    with open_memory(tmp_path, extractor, attempts=2) as memory:
        memory.add("poison", session="bad")
        memory.add("I have a boat", session="good")
        memory.flush()
        wait_for(lambda: memory.jobs(state="parked"))
        (parked,) = memory.jobs(state="parked")

        assert (parked.attempts, parked.error) == (2, "cannot read this")
        assert texts(memory) == ["User has a boat"]
        assert memory.turns("bad")[0].text == "poison"


def test_a_parked_job_is_done_when_asked_for_again(tmp_path):
    script = {"poison": GraphmemError("cannot read this")}
    with open_memory(tmp_path, ScriptedExtractor(script), attempts=1) as memory:
        memory.add("poison")
        memory.flush()
        assert memory.distil() == ("cannot read this",)
        script["poison"] = [claim("User knows better now")]

        assert memory.distil() == ()
        assert texts(memory) == ["User knows better now"]


def test_a_missing_model_parks_at_once_and_costs_no_turn(tmp_path):
    with open_memory(tmp_path, ScriptedExtractor({"hello": ModelError("no such pipeline")})) as memory:
        memory.add("hello")
        memory.flush()

        assert [(job.state, job.attempts) for job in memory.jobs()] == [("parked", 1)]
        assert memory.search("hello").hits[0].text == "hello"


def test_adding_never_waits_for_distilling(tmp_path):
    gate = threading.Event()

    class Slow(ScriptedExtractor):
        def extract(self, request):
            gate.wait(10)
            return super().extract(request)

    with open_memory(tmp_path, Slow(SCRIPT), debounce_seconds=0) as memory:
        memory.add("I have a boat", session="first")
        time.sleep(0.1)
        began = time.monotonic()
        for n in range(20):
            memory.add(f"word {n}", session="second")
            memory.search("word", limit=3)
        elapsed = time.monotonic() - began
        gate.set()

    assert elapsed < 5


def test_a_turn_that_is_deleted_while_it_is_being_read_claims_nothing(tmp_path):
    class Deleting(ScriptedExtractor):
        def extract(self, request):
            for turn in request.turns:
                if turn.text == "I like tea":
                    memory.delete(turn.id)
            return super().extract(request)

    with open_memory(tmp_path, Deleting(SCRIPT)) as memory:
        memory.add("I have a boat")
        memory.add("I like tea")
        memory.flush()

        assert texts(memory) == ["User has a boat"]
        assert memory.search("tea").hits == ()


def test_deleting_a_turn_takes_along_what_is_known_from_it_alone(memory):
    first = memory.add("I have a boat")
    second = memory.add("I have a boat ", session="later")
    other = memory.add("I live in Porto")
    memory.flush()
    memory.delete(other.id)

    assert texts(memory) == ["User has a boat"]
    assert memory.relations() == ()
    memory.delete(first.id)
    assert second
    memory.flush()
    assert texts(memory) == []
    assert memory.verify().problems == ()


def test_the_digest_of_a_session_forgets_a_deleted_turn(memory):
    memory.add("I have a boat")
    secret = memory.add("my secret is xyzzy")
    memory.flush()
    assert {hit.kind for hit in memory.search("xyzzy").hits} == {"episode", "turn"}
    memory.delete(secret.id)
    assert memory.search("xyzzy").hits == ()
    memory.flush()

    assert memory.search("xyzzy").hits == ()
    assert memory.stats().counts["episode"] == 1
    assert texts(memory) == ["User has a boat"]


def test_distilling_again_keeps_ids_adds_and_retracts(tmp_path):
    old = {"I have a boat and live in Porto": [claim("User has a boat", object="a boat"), claim("User owns a hat")]}
    with open_memory(tmp_path, ScriptedExtractor(old)) as memory:
        memory.add("I have a boat and live in Porto")
        memory.flush()
        boat = next(each for each in memory.entries() if each.object)
    new = {next(iter(old)): [claim("User has a red boat", object="a boat"), SCRIPT["I live in Porto"][0]]}
    better = ScriptedExtractor(new, mentions=[Mention(name="Porto", type="place")], name="better/1")
    with open_memory(tmp_path, better) as memory:
        dry = memory.redistil(dry_run=True)
        assert dry.dry_run
        assert texts(memory) == ["User has a boat", "User owns a hat"]
        done = memory.redistil()

        assert (dry.added, dry.changed, dry.retracted) == (done.added, done.changed, done.retracted)
        assert done.added == ("User lives in Porto",)
        assert done.changed == (("User has a boat", "User has a red boat"),)
        assert done.retracted == ("User owns a hat",)
        assert memory.get(boat.id).text == "User has a red boat"
        assert [step.change.action for step in memory.history(boat.id)] == ["created", "updated"]
        assert memory.redistil().unchanged == 2
        assert memory.verify().problems == ()


def test_a_space_may_choose_its_own_ontologies(memory, extractor):
    memory.use_ontology("core", "education")
    memory.add("I have a boat")
    memory.add("I have a boat", space="other")
    memory.flush()

    asked = {request.turns[0].space: request.ontology for request in extractor.requests}
    assert asked == {"default": ("core", "education"), "other": ("core",)}
    with pytest.raises(OntologyError):
        memory.use_ontology("nonsense")


def test_the_profile_is_written_after_enough_is_new_and_says_the_same_for_the_same(tmp_path):
    script = {f"fact {n}": [claim(f"User knows thing {n}", object=f"thing {n}")] for n in range(7)}
    with open_memory(tmp_path, ScriptedExtractor(script), profile_every=3) as memory:
        for n, text in enumerate(script):
            memory.add(text, session=f"s{n}")
            memory.flush()
        profile = memory.profile()

        assert profile.version == 2
        assert "User knows thing 5" in profile.text
        assert memory.rebuild_profile().version == 3
        assert memory.rebuild_profile().version == 3
        assert "+- User knows thing 6" in memory.profile_difference(2, 3)
        with pytest.raises(NotFound, match="profile version"):
            memory.profile(version=9)


def test_the_identity_block_is_small_and_has_overrides_first(memory):
    memory.add("I live in Porto")
    memory.add("I have a boat")
    memory.flush()
    memory.pin("Always answer in French")

    assert memory.identity() == "- Always answer in French\n- User lives in Porto"


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("User prefers responses in bullet points", "preference"),
        ("Always include code examples in Python", "instruction"),
        ("The project deadline is March 15, 2026", "fact"),
        ("We decided to use Postgres", "decision"),
        ("Alice is Bob's sister", "relationship"),
        ("User is fluent in Danish", "skill"),
        ("User will call the dentist by Friday", "commitment"),
    ],
)
def test_saving_infers_the_category(memory, text, category):
    assert memory.save(text).type == category
    assert memory.save(f"{text}!", category="fact", space="other").type == "fact"


def test_saving_the_same_again_returns_what_is_there(memory):
    first = memory.save("User prefers responses in bullet points", source="model")
    memory.flush()
    again = memory.save("User prefers responses in bullet points.")

    assert again.id == first.id
    assert len(memory.entries()) == 1
    assert memory.save("User prefers responses in 3 bullet points").id != first.id


def test_an_entry_can_be_changed_and_remembers_what_it_was(memory):
    entry = memory.save("The deadline is March 15")
    changed = memory.update(entry.id, text="The deadline is April 1", reason="it was moved")

    assert (changed.id, changed.text) == (entry.id, "The deadline is April 1")
    assert [(step.change.action, step.change.reason, step.item.text) for step in memory.history(entry.id)] == [
        ("created", "saved by the user", "The deadline is March 15"),
        ("updated", "it was moved", "The deadline is April 1"),
    ]
    assert memory.search("April deadline").hits[0].text == "The deadline is April 1"
    assert memory.verify().problems == ()


def test_a_deleted_entry_has_its_history_still(memory):
    entry = memory.save("The deadline is March 15")
    memory.delete(entry.id, reason="wrong project")

    assert [step.change.action for step in memory.history(entry.id)] == ["created", "deleted"]
    assert memory.entries(active=None) == ()


def test_entities_can_be_merged_and_split_again(tmp_path):
    script = {
        "one": [claim("Bob works at Acme", subject="Bob", predicate="works_at", object="Acme")],
        "two": [claim("Robert likes tea", subject="Robert", predicate="likes", object="tea")],
    }
    mentions = [Mention(name="Acme", type="company"), Mention(name="tea", type="concept")]
    with open_memory(tmp_path, ScriptedExtractor(script, mentions=mentions)) as memory:
        for text in script:
            memory.add(text, session=text)
        memory.flush()
        ids = {each.name: each.id for each in memory.entities(type="person")}
        before = {each.text: each.subject for each in memory.entries()}
        memory.merge(ids["Bob"], ids["Robert"])

        assert [each.name for each in memory.entities(type="person")] == ["Bob"]
        assert {each.subject for each in memory.entries(subject="Robert")} == {ids["Bob"]}
        assert {each.text for each in memory.relations(entity="Bob")} == {"Bob works at Acme", "Robert likes tea"}
        memory.split(ids["Robert"])
        assert {each.text: each.subject for each in memory.entries()} == before
        assert [each.text for each in memory.relations(entity="Robert")] == ["Robert likes tea"]
        assert memory.verify().problems == ()


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda m: m.save(""), InvalidInput), (lambda m: m.save("x"), InvalidInput), (lambda m: m.save(5), InvalidInput),
        (lambda m: m.save("y" * 501), InvalidInput), (lambda m: m.save("fine text", category="secret"), InvalidInput),
        (lambda m: m.save("fine text", source="robot"), InvalidInput), (lambda m: m.save("a\x00b c"), InvalidInput),
        (lambda m: m.save("fine text", evidence=["tn_nothing"]), InvalidInput),
        (lambda m: m.update("ey_nothing", text="fine"), NotFound), (lambda m: m.update(m.save("some text").id, text=""), InvalidInput),
        (lambda m: m.update(m.save("some text").id, importance=7), InvalidInput),
        (lambda m: m.entries(category="secret"), InvalidInput), (lambda m: m.entries(limit=0), InvalidInput),
        (lambda m: m.entries(subject="Nobody"), NotFound), (lambda m: m.entries(space="nowhere"), NotFound),
        (lambda m: m.relations(entity="Nobody"), NotFound), (lambda m: m.entities(offset=-1), InvalidInput),
        (lambda m: m.history("ey_nothing"), NotFound), (lambda m: m.job("jb_nothing"), NotFound),
        (lambda m: m.jobs(state="lost"), InvalidInput), (lambda m: m.merge("en_a", "en_b"), NotFound),
        (lambda m: m.split("en_a"), InvalidInput), (lambda m: m.redistil(sessions=["nowhere"]), NotFound),
        (lambda m: m.ingest("nowhere.jsonl"), InvalidInput),
    ],
)  # fmt: skip
def test_a_call_that_cannot_be_done_says_why_and_changes_nothing(memory, call, error):
    memory.add("I have a boat")
    before = memory.stats().counts
    with pytest.raises(error):
        call(memory)
    after = memory.stats().counts
    assert after.get("turn") == before.get("turn")


def test_jsonl_and_locomo_files_are_ingested(memory, tmp_path):
    lines = tmp_path / "turns.jsonl"
    lines.write_text(
        '{"text": "I have a boat", "speaker": "Ana", "space": "ana", "ref": "1"}\n\n{"text": "I like tea"}\n'
    )
    other = tmp_path / "chat.json"
    other.write_text(
        '[{"sample_id": "conv-1", "conversation": {"speaker_a": "A", "session_2_date_time": "9:00 am on 9 May, 2023",'
        '"session_2": [{"speaker": "A", "dia_id": "D2:1", "text": "I like tea"}],'
        '"session_1_date_time": "1:56 pm on 8 May, 2023", "session_1": [{"speaker": "A", "dia_id": "D1:1", "text": "I have a boat", "blip_caption": "a boat"}]}}]'
    )
    done = {**memory.ingest(lines), **memory.ingest(other)}
    memory.flush()

    assert {space: len(added.stored) for space, added in done.items()} == {"ana": 1, "default": 1, "conv-1": 2}
    (turn,) = memory.turns("session_1", space="conv-1")
    assert (turn.at, turn.ref, turn.caption) == (datetime(2023, 5, 8, 13, 56, tzinfo=UTC), "D1:1", "a boat")
    assert texts(memory, space="conv-1") == ["User has a boat", "User likes tea"]


@pytest.mark.parametrize(
    "content", ["nonsense", "[5]", '[{"a": 1}]', '{"conversation": {"session_1": [{"text": "x"}]}}']
)
def test_a_file_that_is_no_conversation_is_refused_and_nothing_of_it_is_kept(memory, tmp_path, content):
    file = tmp_path / "chat.json"
    file.write_text(content)
    with pytest.raises(InvalidInput):
        memory.ingest(file)
    assert memory.spaces() == []


@pytest.mark.distils
def test_the_process_that_reads_is_started_anew_when_it_was_killed(tmp_path):
    with Memory(tmp_path, embedder=HashEmbedder(), settings=settings()) as memory:
        memory.add("I moved to Berlin.", speaker="Ana")
        memory.flush()
        memory._extractors._worker._process.kill()
        memory.add("I work at Siemens.", speaker="Ana", session="next")
        memory.flush()
        wait_for(lambda: memory.stats().pending_jobs == 0, 20)

        assert len(memory.entries()) == 2


@pytest.mark.distils
def test_a_process_that_hangs_is_killed_and_says_so():
    worker = Worker(timeout=0.01)
    turns = ()
    with pytest.raises(GraphmemError, match="took longer than"):
        worker.extract(Request(turns=turns, ontology=("core",), parser="en_core_web_sm"))
    worker.close()


@pytest.mark.distils
def test_a_missing_pipeline_says_what_to_install(tmp_path):
    with Memory(tmp_path, embedder=HashEmbedder(), settings=settings(parser="no_such_pipeline")) as memory:
        memory.add("I moved to Berlin.")
        memory.flush()
        (job,) = memory.jobs()

    assert job.state == "parked"
    assert "no_such_pipeline" in job.error

"""Language models over a real connection: whatever their servers do, a session ends up distilled, by them or by the rules."""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from graphmem import Memory, Settings
from graphmem.errors import GraphmemError, SettingsError
from graphmem.testing import HashEmbedder, ScriptedExtractor
from graphmem.types import Turn
from graphmem.write.claims import Claim
from graphmem.write.extractors import Llm, Local, extractors_of
from graphmem.write.worker import Request
from tests.integration.loopback import (
    Loopback,
    answers,
    drips,
    fails,
    hangs_up,
    raw,
    says,
    slowly,
)

KEY = "sk-very-secret-0123456789"
AT = datetime(2024, 5, 1, 12, tzinfo=UTC)
GOOD = {
    "episode": {"summary": "The user told where they live.", "topics": ["Porto"]},
    "entities": [{"name": "Porto", "type": "place", "aliases": []}],
    "claims": [
        {
            "type": "fact", "text": "User lives in Porto", "subject": "user", "predicate": "lives_in", "object": "Porto",
            "turns": [1], "quote": "I live in Porto", "confidence": 0.9, "importance": 0.8, "identity": True,
        }
    ],
}  # fmt: skip
BY_RULES = Claim(type="fact", text="User dwells in Porto", subject="user", sources=())


def turn(text, number=1, **fields):
    return Turn(
        id=f"turn_{number}", space="s", session="a", session_id="x", text=text, at=AT, recorded_at=AT, **fields
    )  # fmt: skip


def request(*texts):
    turns = tuple(turn(text, number) for number, text in enumerate(texts or ("I live in Porto",), start=1))
    return Request(turns=turns, ontology=("core",), parser="none")


def settings(*bases, key="", **llm):
    providers = ", ".join(f"openai/model-{at} base={base}{key}" for at, base in enumerate(bases, start=1))
    quick = {"backoff_seconds": 0.01, "timeout_seconds": 5.0, "retries": 3, **llm}
    return Settings.build({"distil": {"extractor": "llm"}, "llm": {"providers": providers, **quick}})


class Ticks:
    """A clock that stands still until it is moved."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def llm(*servers, clock=time.monotonic, **fields):
    rules = ScriptedExtractor({"I live in Porto": [BY_RULES]}, name="local/1")
    return Llm(settings(*(server.base for server in servers), **fields), clock=clock, local=rules)


def texts(extracted):
    return [claim.text for claim in extracted.draft.claims]


@pytest.fixture
def server():
    with Loopback(says(GOOD)) as server:
        yield server


@pytest.fixture
def next_server():
    with Loopback(says(GOOD)) as server:
        yield server


def test_one_call_makes_the_draft_of_a_session(server):
    extracted = llm(server).extract(request())

    assert len(server.asked) == 1
    assert (texts(extracted), extracted.again) == (["User lives in Porto"], False)
    assert extracted.draft.extractor == "llm/openai/model-1"
    assert [(each.name, each.type) for each in extracted.draft.mentions] == [("Porto", "place")]
    assert extracted.draft.digest.summary == "The user told where they live."


def test_a_model_is_shown_the_turns_the_ontology_and_the_time(server):
    llm(server).extract(request("I live in Porto", "And I like tea"))
    shown = server.asked[0]["messages"][-1]["content"]

    for each in (
        "[1] user, Wed 2024-05-01 12:00: I live in Porto",
        "[2] ",
        "lives_in(person -> place)",
        "person: ",
    ):
        assert each in shown


BROKEN = {
    "429": fails(429, headers={"Retry-After": "0"}),
    "500": fails(500),
    "503": fails(503),
    "hung up before the answer": hangs_up(0),
    "hung up in the middle": hangs_up(200),
}
LASTING = {
    "400": fails(400),
    "401": fails(401),
    "404": fails(404),
    "429 for a day": fails(429, headers={"Retry-After": "86400"}),
    "no JSON at all": raw("<html>good evening</html>"),
    "half an object": says('{"episode": {"summ'),
    "another shape": says({"weather": "fine"}),
    "claims of another shape": says({**GOOD, "claims": ["yes", 7]}),
    "a list": says([1, 2]),
    "nothing": says(""),
    "null": says(None),
    "far too much": says("x" * 3_000_000),
    "no choices": raw("{}"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_may_pass_is_tried_again_and_then_the_next_provider_is_asked(name, server, next_server):
    server.script(BROKEN[name])
    extracted = llm(server, next_server).extract(request())

    assert (len(server.asked), len(next_server.asked)) == (4, 1)
    assert (texts(extracted), extracted.again) == (["User lives in Porto"], False)
    assert extracted.draft.extractor == "llm/openai/model-2"


@pytest.mark.parametrize("name", LASTING)
def test_what_will_not_pass_goes_to_the_next_provider_at_once(name, server, next_server):
    server.script(LASTING[name])
    extracted = llm(server, next_server).extract(request())

    assert (len(server.asked), len(next_server.asked)) == (1, 1)
    assert (texts(extracted), extracted.again) == (["User lives in Porto"], False)


@pytest.mark.parametrize("name", [*BROKEN, *LASTING])
def test_when_nobody_answers_rules_read_the_session_and_it_is_marked(name, server):
    server.script({**BROKEN, **LASTING}[name])
    extracted = llm(server).extract(request())

    assert (texts(extracted), extracted.again) == ([BY_RULES.text], True)
    assert extracted.draft.extractor == "local/1"
    assert extracted.cost["llm_fallbacks"] == 1


CUT_OFF = json.dumps({"claims": GOOD["claims"], "entities": GOOD["entities"]})


@pytest.mark.parametrize(
    "text", [CUT_OFF[:-5], CUT_OFF[: CUT_OFF.index('"entities"')], f"Here it is:\n```json\n{CUT_OFF}\n```"],
    ids=["cut off", "cut off earlier", "wrapped"],
)  # fmt: skip
def test_claims_are_taken_when_the_rest_of_an_answer_is_missing(text, server):
    server.script(says(text, finish="length"))
    extracted = llm(server).extract(request())

    assert (texts(extracted), extracted.again) == (["User lives in Porto"], False)
    assert extracted.draft.digest.summary == "User lives in Porto."


def test_a_server_is_asked_for_our_shape_if_the_settings_say_so(server):
    llm(server, key=" format=schema").extract(request())
    llm(server, key=" format=json").extract(request())
    schema, loose = (asked["response_format"] for asked in server.asked)

    assert schema["json_schema"]["schema"]["required"] == ["claims", "entities", "episode"]
    assert loose == {"type": "json_object"}


@pytest.mark.parametrize("name", BROKEN)
def test_an_answer_after_failures_is_taken(name, server):
    server.script(BROKEN[name], BROKEN[name], says(GOOD))
    extracted = llm(server).extract(request())

    assert (len(server.asked), texts(extracted)) == (3, ["User lives in Porto"])


def test_a_server_that_is_not_there_is_passed_over(next_server):
    gone = Loopback(says(GOOD))
    gone.__exit__()
    extracted = llm(gone, next_server).extract(request())

    assert (texts(extracted), extracted.draft.extractor) == (["User lives in Porto"], "llm/openai/model-2")


@pytest.mark.parametrize("act", [slowly(3, says(GOOD)), drips(3)], ids=["slow to begin", "a byte now and then"])
def test_a_slow_server_is_left_behind(act, server, next_server):
    llm(next_server).extract(request())  # DSPy is imported here, if it was not
    server.script(act)
    began = time.monotonic()
    extracted = llm(server, next_server, timeout_seconds=0.3, retries=1).extract(request())

    assert time.monotonic() - began < 2
    assert (texts(extracted), extracted.cost["llm_failures"]) == (["User lives in Porto"], 2)


def test_waiting_doubles_and_heeds_what_the_server_asks_for(server):
    server.script(fails(500), fails(500), fails(429, headers={"Retry-After": "0.5"}), says(GOOD))
    extractor = llm(server, backoff_seconds=0.1)
    began = time.monotonic()
    extractor.extract(request())

    assert time.monotonic() - began >= 0.1 + 0.2 + 0.5


def test_a_session_takes_no_longer_than_it_may(server):
    server.script(fails(500))
    limited = Settings.build({
        "distil": {"extractor": "llm", "timeout_seconds": 1.0},
        "llm": {"providers": f"openai/m base={server.base}", "retries": 10, "backoff_seconds": 0.6, "breaker_failures": 100},
    })  # fmt: skip
    rules = ScriptedExtractor({"I live in Porto": [BY_RULES]})

    assert Llm(limited, local=rules).extract(request()).again
    assert len(server.asked) <= 3


def test_a_provider_that_fails_again_and_again_is_left_alone_and_tried_once_later(server, next_server):
    clock = Ticks()
    server.script(fails(500))
    extractor = llm(server, next_server, clock=clock, retries=1)

    for _ in range(4):
        assert texts(extractor.extract(request())) == ["User lives in Porto"]
    assert len(server.asked) == 5  # the fifth failure opened it

    clock.now = 59.0
    extractor.extract(request())
    assert len(server.asked) == 5

    clock.now = 60.0
    extractor.extract(request())
    assert len(server.asked) == 6  # one probe, which failed

    clock.now = 119.0
    extractor.extract(request())
    assert len(server.asked) == 6

    clock.now = 120.0
    server.script(says(GOOD))
    assert extractor.extract(request()).draft.extractor == "llm/openai/model-1"
    assert extractor.extract(request()).draft.extractor == "llm/openai/model-1"
    assert len(server.asked) == 8


def test_calls_tokens_and_retries_are_counted(server, next_server):
    server.script(fails(500), says("no JSON", usage=(1000, 7)))
    next_server.script(says(GOOD, usage=(2000, 30)))
    extracted = llm(server, next_server).extract(request())

    assert extracted.cost == {
        "llm_calls": 3, "llm_retries": 1, "llm_failures": 2, "prompt_tokens": 3000, "completion_tokens": 37,
        "answers of openai/model-2": 1, "unpriced_calls": 2,
    }  # fmt: skip


def test_what_a_model_costs_is_known_where_its_price_is(server):
    server.script(says(GOOD, usage=(1_000_000, 100_000)))
    priced = Settings.build({
        "distil": {"extractor": "llm"}, "llm": {"providers": f"openai/gpt-4o-mini base={server.base}"},
    })  # fmt: skip
    cost = Llm(priced).extract(request()).cost

    assert 100_000 < cost["micro_usd"] < 1_000_000
    assert "unpriced_calls" not in cost


def test_a_long_session_takes_several_calls_and_loses_no_claim(server):
    def each_turn(asked):
        new = asked["messages"][-1]["content"].split("=== new turns ===")[1]
        numbers = re.findall(r"^\[(\d+)\]", new, re.MULTILINE)
        claims = [
            {"type": "fact", "text": f"User has {number} boats", "turns": [int(number)], "quote": f"I have {number} boats"}
            for number in numbers
        ]  # fmt: skip
        return {"episode": {"summary": f"Boats from {numbers[0]}."}, "entities": [], "claims": claims}

    server.script(answers(each_turn))
    said = [f"I have {number} boats. " + "They are all quite nice to look at. " * 20 for number in range(1, 41)]
    extracted = llm(server, max_prompt_tokens=4000).extract(request(*said))

    assert len(server.asked) > 3
    assert texts(extracted) == [f"User has {number} boats" for number in range(1, 41)]
    assert extracted.draft.digest.summary.startswith("Boats from 1. Boats from ")
    for asked in server.asked:
        assert sum(len(message["content"]) for message in asked["messages"]) / 4 <= 4000


def test_a_part_that_nobody_answers_leaves_the_whole_session_to_the_rules(server):
    server.script(says(GOOD), fails(401))
    extracted = llm(server, max_prompt_tokens=3000).extract(request("I live in Porto", *["Well. " * 600] * 4))

    assert (texts(extracted), extracted.again) == ([BY_RULES.text], True)
    assert extracted.cost["prompt_tokens"] == 100


def test_closing_interrupts_a_call(server):
    llm(server).extract(request())
    server.script(slowly(30, says(GOOD)))
    extractor = llm(server, timeout_seconds=60)
    threading.Timer(0.3, extractor.stop).start()
    began = time.monotonic()

    with pytest.raises(GraphmemError, match="interrupted"):
        extractor.extract(request())
    assert time.monotonic() - began < 2


def test_a_key_is_sent_to_its_provider_and_is_seen_nowhere_else(server, next_server, monkeypatch, caplog, capfd):
    monkeypatch.setenv("FIRST_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-somebody-else")
    server.script(fails(401, f"the key {KEY} is wrong"))
    providers = f"openai/one base={server.base} key=FIRST_KEY, openai/two base={next_server.base}"
    with_key = Settings.build({"distil": {"extractor": "llm"}, "llm": {"providers": providers}})
    with caplog.at_level(logging.DEBUG):
        extractor = Llm(with_key)
        extracted = extractor.extract(request())
    out, err = capfd.readouterr()

    assert server.keys == [f"Bearer {KEY}"]
    assert next_server.keys == ["Bearer none"]
    assert "the key *** is wrong" in caplog.text
    assert KEY not in caplog.text + out + err + repr(with_key) + repr(extracted) + repr(vars(extractor))
    assert out == ""


def test_a_session_is_in_no_log(server, caplog):
    server.script(fails(500), says('{"claims": "I live in Porto"'))
    with caplog.at_level(logging.DEBUG, logger="graphmem"):
        llm(server).extract(request())

    assert "gave no answer" in caplog.text
    assert "Porto" not in caplog.text


PROGRAM = """
import os, socket, sys
real = socket.socket.connect
def only_here(self, address):
    if address[0] not in ("127.0.0.1", "::1"):
        print("CALLED", address, flush=True)
    return real(self, address)
socket.socket.connect = only_here
look_up = socket.getaddrinfo
def looked_up(host, *rest, **named):
    if host not in ("127.0.0.1", "localhost"):
        print("LOOKED UP", host, flush=True)
    return look_up(host, *rest, **named)
socket.getaddrinfo = looked_up
from graphmem import Settings
from tests.integration.test_llm import Llm, request
for model in ("openai/gpt-4o-mini", "lm_studio/x", "a_provider/that-is-unknown"):
    tree = {"distil": {"extractor": "llm"}, "llm": {"providers": f"{model} base=BASE", "retries": 0}}
    cost = Llm(Settings.build(tree), local=__import__("graphmem.testing").testing.ScriptedExtractor({})).extract(request()).cost
    print(sorted(cost))
import dspy
print(len(dspy.clients.base_lm.GLOBAL_HISTORY), dspy.settings.lm, dspy.settings.trace, "dspy.cache" in vars(dspy))
"""


@pytest.mark.slow
def test_nothing_is_fetched_kept_or_printed_behind_the_callers_back(server, tmp_path):
    """In a process of its own, where DSPy and LiteLLM are as they are when they come out of the box."""
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / ".env").write_text("OPENAI_API_KEY=sk-from-a-file\n")
    environ = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "PYTHONPATH": str(Path.cwd())}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("BASE", server.base)], cwd=tmp_path / "work", env=environ,
        capture_output=True, text=True,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    priced, through_litellm, unknown, state = done.stdout.splitlines()
    assert "micro_usd" in priced
    assert "answers of lm_studio/x" in through_litellm
    assert "llm_fallbacks" in unknown
    assert state.startswith("0 None ")
    assert sorted(path.name for path in tmp_path.rglob("*")) == [".env", "work"]


def test_the_settings_say_who_extracts():
    assert isinstance(extractors_of(Settings.build({})), Local)
    assert isinstance(extractors_of(settings("http://127.0.0.1:1/v1")), Llm)
    with pytest.raises(SettingsError, match=r"llm\.providers is empty; name a model"):
        extractors_of(Settings.build({"distil": {"extractor": "llm"}}))


def open_memory(folder, server, **llm):
    tree = {
        "distil": {"extractor": "llm", "debounce_seconds": 3600},
        "llm": {"providers": f"openai/scripted base={server.base}", "retries": 0, "breaker_seconds": 0.1, **llm},
    }  # fmt: skip
    return Memory(folder, settings=Settings.build(tree), embedder=HashEmbedder())


@pytest.mark.distils
def test_a_memory_holds_what_the_model_found(tmp_path, server):
    with open_memory(tmp_path / "memory", server) as memory:
        said = memory.add("I live in Porto", session="first")
        memory.flush()
        (entry,) = memory.entries()
        (job,) = memory.jobs()

        assert (entry.text, entry.predicate, entry.evidence) == ("User lives in Porto", "lives_in", (said.id,))
        assert (job.state, job.result["prompt_tokens"], job.result["llm_calls"]) == ("done", 100, 1)
        assert [hit.id for hit in memory.search("Porto", kinds=["entry"]).hits] == [entry.id]


def marks(memory):
    view = memory._store.view("default")
    return [(mark.extractor, mark.again) for session in view.sessions() if (mark := view.distilled(session.id))]


@pytest.mark.distils
def test_while_the_server_is_down_rules_extract_and_later_the_model_sets_it_right(tmp_path, server):
    server.script(fails(503))
    with open_memory(tmp_path / "memory", server) as memory:
        memory.add("I live in Porto. I like green tea.", session="first")
        memory.flush()
        before = {entry.text: entry.id for entry in memory.entries()}
        assert set(before) == {"User lives in Porto", "User likes green tea"}
        assert marks(memory) == [("local/1", True)]

        tea = {
            "type": "preference",
            "text": "User likes green tea very much",
            "turns": [1],
            "predicate": "likes",
            "object": "green tea",
        }
        server.script(says({**GOOD, "claims": [*GOOD["claims"], tea]}))
        time.sleep(0.2)
        memory.redistil()

        assert {entry.text: entry.id for entry in memory.entries()} == {
            "User lives in Porto": before["User lives in Porto"],
            "User likes green tea very much": before["User likes green tea"],
        }
        assert marks(memory) == [("llm/openai/scripted", False)]


@pytest.mark.distils
def test_a_memory_closes_while_a_model_is_thinking_and_goes_on_later(tmp_path, server):
    server.script(slowly(30, says(GOOD)))
    with open_memory(tmp_path / "memory", server) as memory:
        memory.add_many([{"text": "I live in Porto", "session": "first"}])
        while not server.asked:
            time.sleep(0.01)
        began = time.monotonic()
    assert time.monotonic() - began < 3

    server.script(says(GOOD))
    with open_memory(tmp_path / "memory", server) as memory:
        memory.flush()
        assert [entry.text for entry in memory.entries()] == ["User lives in Porto"]


@pytest.mark.distils
def test_hostile_answers_store_only_what_the_turns_bear_out(tmp_path, server):
    nonsense = [
        {"text": "User lives in Porto \ud83d\x00", "turns": "1", "confidence": "very high", "importance": 95, "predicate": "LIVES IN",
         "object": ["Porto"], "valid_from": "yesterday", "valid_to": "2024-13-45", "happened": "9999-12-31"},
        {"text": "User is the king", "turns": [7]},
        {"text": "Assistant is kind", "turns": [2], "quote": "I am kind"},
        {"text": "x" * 2000, "turns": [1]},
        {"text": "?!", "turns": [1]},
        {"turns": [1]},
        "no claim at all",
    ]  # fmt: skip
    server.script(
        says({"episode": "They spoke.", "entities": [{"name": "Atlantis", "type": "place"}, 3], "claims": nonsense})
    )
    with open_memory(tmp_path / "memory", server) as memory:
        memory.add("I live in Porto", session="first")
        memory.add("I am kind", session="first", role="assistant")
        memory.flush()
        found = [entry for entry in memory.entries() if not entry.text.startswith("xxx")]

        assert [entry.text for entry in found] == ["User lives in Porto"]
        assert (found[0].predicate, found[0].object, found[0].confidence) == ("lives_in", "Porto", 0.95)
        assert (
            found[0].validity.valid_from == datetime(9999, 12, 31, tzinfo=UTC) or found[0].validity.valid_from is None
        )
        assert [entity.name for entity in memory.entities() if entity.name == "Atlantis"] == []
        assert json.dumps([entry.text for entry in memory.entries()])


def test_a_profile_is_written_by_the_model_from_what_is_known(server, tmp_path):
    server.script(
        answers(
            lambda asked: (
                {"profile": "User has lived in Porto for years."}
                if "profile" in asked["messages"][-1]["content"] and "facts" in asked["messages"][-1]["content"]
                else GOOD
            )
        )
    )
    chosen = settings(server.base)
    with Memory(tmp_path, settings=chosen, embedder=HashEmbedder()) as memory:
        memory.add("I live in Porto")
        memory.flush()
        profile = memory.rebuild_profile()
    asked = server.asked[-1]["messages"][-1]["content"]

    assert profile.text == "User has lived in Porto for years."
    assert "- User lives in Porto" in asked


def test_a_profile_that_no_model_writes_is_what_the_rules_write(server, tmp_path):
    server.script(says(GOOD), fails(401))
    with Memory(tmp_path, settings=settings(server.base), embedder=HashEmbedder()) as memory:
        memory.add("I live in Porto")
        memory.flush()

        assert "- User lives in Porto" in memory.rebuild_profile().text


@pytest.mark.distils
def test_settings_that_do_not_fit_lock_no_folder(tmp_path):
    with pytest.raises(SettingsError, match=r"llm\.providers"):
        Memory(tmp_path, settings=Settings.build({"distil": {"extractor": "llm"}}))
    Memory(tmp_path, embedder=HashEmbedder()).close()

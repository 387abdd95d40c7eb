"""Which models are asked, as the settings say it; and when a failing one is left alone."""

from __future__ import annotations

import threading
import time

import pytest

from graphmem.errors import SettingsError
from graphmem.models.llm.attempt import within
from graphmem.models.llm.bill import Bill
from graphmem.models.llm.breaker import Breaker
from graphmem.models.llm.exchange import Failure, Question, Reply, Spent
from graphmem.models.llm.order import Order
from graphmem.models.llm.providers import Provider, providers_of
from graphmem.models.llm.shapes import Answer, EpisodeShape
from graphmem.settings import LlmSettings

KEYS = {"A_KEY": "sk-a", "B_KEY": "sk-b"}
QUESTION = Question(turns="", types="", predicates="", reference_time="")
ANSWER = Answer(episode=EpisodeShape(summary="s"))


def providers(text, **fields):
    return providers_of(LlmSettings(providers=text, **fields), lambda name: KEYS.get(name, ""))


def test_providers_come_in_their_order_each_with_its_own_address_and_key():
    found = providers("openai/a key=A_KEY, openai/b base=http://localhost:1/v1 key=B_KEY format=schema,,ollama/c:7b")

    assert [(each.model, each.base, each.key, each.form) for each in found] == [
        ("openai/a", "", "sk-a", ""),
        ("openai/b", "http://localhost:1/v1", "sk-b", "schema"),
        ("ollama/c:7b", "", "", ""),
    ]


def test_what_a_provider_does_not_say_is_the_settings():
    found = providers("openai/a, openai/b base= key=B_KEY", api_base="https://proxy/v1", api_key_env="A_KEY")

    assert [(each.base, each.key) for each in found] == [("https://proxy/v1", "sk-a"), ("", "sk-b")]


def test_an_address_of_ones_own_gets_no_key_that_was_not_named_for_it():
    assert [each.key for each in providers("openai/a base=http://localhost:1/v1, openai/a")] == ["none", ""]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "llm.providers is empty"),
        (" , ,", "llm.providers is empty"),
        ("gpt-4o", "not a model of the form 'provider/name'"),
        ("openai/a url=http://x", "known are base=URL"),
        ("openai/a base=localhost:1", "does not begin with http"),
        ("openai/a format=xml", "not one of json, schema"),
        ("openai/a key=NO_SUCH", "NO_SUCH, which is to hold the key of openai/a, is not set"),
        ("openai/a key=sk-proj-abcdefghijkl", "is not the name of a variable"),
        ("openai/a sk-proj-abcdefghijkl", "known are base=URL"),
        ("sk-proj-abcdefghijkl", "not a model"),
    ],
)
def test_what_cannot_be_a_provider_is_refused_and_a_key_gone_astray_not_repeated(text, message):
    with pytest.raises(SettingsError, match=message) as caught:
        providers(text)
    assert "abcdefghijkl" not in str(caught.value)


def test_a_provider_shows_its_model_and_nothing_else():
    (provider,) = providers("openai/a base=http://user:pass@host/v1 key=A_KEY")

    assert repr(provider) == str(provider) == "Provider('openai/a')"
    assert provider.hide("sk-a at http://user:pass@host/v1") == "*** at ***"


class Ticks:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Ticks()


def test_a_breaker_opens_after_failures_in_a_row_only(clock):
    breaker = Breaker(3, 60, clock)
    for end in (breaker.failed, breaker.failed, breaker.succeeded, breaker.failed, breaker.failed):
        assert breaker.lets()
        end()
    assert not breaker.open

    breaker.failed()
    assert breaker.open
    assert not breaker.lets()


def test_an_open_breaker_lets_one_call_through_after_its_rest(clock):
    breaker = Breaker(1, 60, clock)
    breaker.failed()
    clock.now = 60.0

    assert breaker.lets()
    assert not breaker.lets()
    breaker.failed()
    clock.now = 119.9
    assert not breaker.lets()
    clock.now = 120.0
    assert breaker.lets()
    breaker.succeeded()
    assert breaker.lets()
    assert breaker.lets()


def test_a_probe_that_was_interrupted_leaves_room_for_another(clock):
    breaker = Breaker(1, 60, clock)
    breaker.failed()
    clock.now = 60.0
    assert breaker.lets()
    breaker.left()

    assert breaker.lets()


def test_of_many_at_once_one_probes(clock):
    breaker = Breaker(1, 60, clock)
    breaker.failed()
    clock.now = 60.0
    let = []
    threads = [threading.Thread(target=lambda: let.append(breaker.lets())) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert let.count(True) == 1


def test_a_call_is_left_behind_when_its_time_is_up_or_it_is_interrupted():
    stop = threading.Event()
    began = time.monotonic()

    assert within(lambda: time.sleep(5) or 1, 0.1, stop) is None
    stop.set()
    assert within(lambda: time.sleep(5) or 1, 60, stop) is None
    assert within(lambda: 7, 60, threading.Event()) == 7
    assert time.monotonic() - began < 2


def test_an_error_of_a_call_is_the_callers():
    with pytest.raises(ZeroDivisionError):
        within(lambda: 1 // 0, 5, threading.Event())


def asked(script, **settings):
    """Whom an order asks, by a script of what each says in turn; what came of it; and the bill."""
    calls, bill = [], Bill()

    def ask(provider, _):
        calls.append(provider.model)
        return script[provider.model].pop(0)

    order = Order([Provider(model=name) for name in script], LlmSettings(backoff_seconds=0, **settings), ask=ask)
    reply = order.ask(QUESTION, bill, until=time.monotonic() + 10, stop=threading.Event())
    return calls, reply, bill.total()


def reply(model, **spent):
    return Reply(answer=ANSWER, model=model, spent=Spent(**spent))


def test_money_is_added_up_in_millionths_and_what_is_unpriced_is_said():
    passing = Failure(reason="busy", transient=True)
    script = {
        "a/a": [passing, Failure(reason="odd", spent=Spent(prompt_tokens=5, usd=0.5))],
        "b/b": [reply("b/b", usd=0.25)],
    }
    calls, found, total = asked(script)

    assert (calls, found.model) == (["a/a", "a/a", "b/b"], "b/b")
    assert total == {
        "llm_calls": 3, "llm_retries": 1, "llm_failures": 2, "prompt_tokens": 5, "micro_usd": 750_000, "answers of b/b": 1,
    }  # fmt: skip


def test_whoever_asks_for_too_much_patience_is_passed_over():
    patience = Failure(reason="busy", transient=True, retry_after=3600.0)
    calls, found, _ = asked({"a/a": [patience], "b/b": [reply("b/b")]})

    assert (calls, found.model) == (["a/a", "b/b"], "b/b")


def test_nobody_is_asked_after_time_is_up():
    order = Order([Provider(model="a/a")], LlmSettings(), ask=lambda *_: pytest.fail("it was asked"))

    assert order.ask(QUESTION, Bill(), until=time.monotonic(), stop=threading.Event()) is None

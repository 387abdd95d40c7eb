"""Ask one model once, through DSPy: the only file that imports it.

DSPy and LiteLLM would fetch a list of prices when they are first used, keep answers on the user's disk, read a ``.env``
of the working folder and remember what was said to them. None of that happens here.
"""

from __future__ import annotations

import os
import re
from typing import Any

from graphmem.models.llm.exchange import Ask, Facts, Failure, Question, Reply, Spent
from graphmem.models.llm.providers import Provider
from graphmem.settings import LlmSettings

# What a model writes is repaired before it is read, which takes long for what is no answer anyway.
LONGEST_ANSWER = 400_000
REASON = 160
# These take no temperature and count their thoughts as output.
REASONING = re.compile(r"(?:^|/)(?:o\d|gpt-5)")
TRANSIENT = frozenset({408, 409, 425, 429})
TRANSIENT_NAMES = frozenset({"LMTransportError", "LMTimeoutError", "LMServerError", "LMRateLimitError",
                             "Timeout", "APIConnectionError", "TimeoutError", "ConnectionError"})  # fmt: skip
LASTING_NAMES = frozenset({"LMBillingError"})

# What a model that is held to our schema has to write, and how much of it at most.
NEEDED = frozenset({"claims", "entities", "episode", "summary", "topics", "name", "turns", "quote", "text", "type", "subject",
                    "predicate", "object"})  # fmt: skip
MOST_PARTS, MOST_ITEMS, LONGEST_STRING = 40, 8, 300
UNUSABLE_NAMES = frozenset({"AdapterParseError", "ValidationError", "TooLong"})

INSTRUCTIONS = """\
Extract what is worth remembering from the turns of a conversation, for somebody who will never read them.

Each turn has a number in brackets, its speaker and time. Turns above the line "=== new turns ===" are context only.
Rules:
- A claim is one thing that a speaker says to hold about a person or a thing of the world: facts, preferences, decisions,
  corrections, commitments, relationships, skills, standing instructions. One claim for each thing. Questions, greetings,
  small talk and what an assistant, a system or a tool says are no claims.
- text: a sentence in the third person with names, no pronouns, and no "today" or "next week": write the date instead.
- subject: the name of an entity, or of the speaker. For a speaker called "user", subject is "user" and text begins with "User".
- Say what holds, not that it was said: never "mentioned", "expressed", "asked", "thanked" or "shared".
- predicate: one of the predicates below if one fits, otherwise null. object: an entity or a value, in few words.
- turns: the numbers of the turns that say so. quote: the words of such a turn, copied exactly.
- negated: true when the speaker denies it. modality: planned for the future, hypothetical for "if" and "maybe",
  asked for questions, quoted for what others said, otherwise asserted.
- ends: true when something stopped ("I left Acme"). replaces: the old value, when it is named.
- Times only when they are said, worked out from the time of the turn: valid_from and valid_to for since and until,
  happened for events. Never guess a time, and do not write the time of the turn because nothing else is known.
- Do not invent anything. Leave out what you are not sure of. Empty lists are fine.

Example. A turn "[4] Ilka, Mon 2024-05-06 09:00: Hi! I moved to Turku last month, my sister Oda helped. No sushi for me, I'm
allergic. How are you?" makes
{"claims": [{"turns": [4], "quote": "I moved to Turku last month", "text": "Ilka moved to Turku in April 2024", "type": "fact",
"subject": "Ilka", "predicate": "lives_in", "object": "Turku", "valid_from": "2024-04", "importance": 0.9, "identity": true},
{"turns": [4], "quote": "my sister Oda helped", "text": "Oda is Ilka's sister", "type": "relationship", "subject": "Ilka",
"predicate": "sibling_of", "object": "Oda", "identity": true},
{"turns": [4], "quote": "No sushi for me, I'm allergic", "text": "Ilka is allergic to sushi", "type": "fact",
"subject": "Ilka", "predicate": "allergic_to", "object": "sushi", "importance": 0.9}],
"entities": [{"name": "Ilka", "type": "person"}, {"name": "Oda", "type": "person"}, {"name": "Turku", "type": "place"}],
"episode": {"summary": "Ilka told of her move to Turku.", "topics": ["moving"]}}"""


class TooLong(Exception):
    """The output is far too long to be an answer."""


def asker(settings: LlmSettings) -> Ask:
    """Return what asks a provider; DSPy is imported here, once."""
    # The prices that are packaged are used, and no other; whoever sets these variables wants it otherwise.
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    os.environ.setdefault("LITELLM_MODE", "PRODUCTION")
    import dspy

    session, profile = _signature(dspy), _profile_signature(dspy)
    adapter = _adapter(dspy)

    def predict(question: Question | Facts) -> Any:
        if isinstance(question, Facts):
            return str(dspy.Predict(profile)(facts=question.text).profile)
        return _answer(
            dspy.Predict(session)(
                turns=question.turns, types=question.types, predicates=question.predicates,
                reference_time=question.reference_time,
            )
        )  # fmt: skip

    def ask(provider: Provider, question: Question | Facts) -> Reply | Failure:
        calls: list[dict[str, Any]] = []
        try:
            lm = _language_model(dspy, provider, settings, form=provider.form if isinstance(question, Question) else "")
            # Instead of remembering what was said, for all to see, it tells us what that cost.
            lm.update_history = calls.append
            try:
                with dspy.context(lm=lm, adapter=adapter, callbacks=[], trace=[], track_usage=False):
                    answer = predict(question)
            finally:
                getattr(lm, "close", _nothing)()
        except Exception as error:  # noqa: BLE001 - whatever a provider or its client does, the next one is asked
            return _failure(error, provider, _spent(calls))
        return Reply(answer=answer, model=provider.model, spent=_spent(calls))

    return ask


def _nothing() -> None:
    """Older DSPy has no connections to close."""


def _signature(dspy: Any) -> Any:
    from graphmem.models.llm.shapes import Claims, Entities, EpisodeShape

    given, wanted = dspy.InputField, dspy.OutputField
    fields = {
        "types": (str, given(desc="types of entities")),
        "predicates": (str, given(desc="predicates: name(type of subject -> type of object): meaning")),
        "reference_time": (str, given(desc="when the last turn was said")),
        "turns": (str, given(desc="the conversation")),
        # what matters most comes first: an answer may be cut off
        "claims": (Claims, wanted(desc="what is worth remembering")),
        "entities": (Entities, wanted(desc="people and things that are named, under their fullest name")),
        "episode": (EpisodeShape, wanted(desc="the session in short")),
    }
    return dspy.Signature(fields, INSTRUCTIONS)


def _profile_signature(dspy: Any) -> Any:
    fields = {
        "facts": (str, dspy.InputField(desc="what is known, by person and heading")),
        "profile": (str, dspy.OutputField(desc="a short profile of each person, in plain sentences")),
    }
    return dspy.Signature(
        fields,
        "Write who these people are for somebody who is about to talk with them: a paragraph each, the most lasting "
        "things first. Say only what the facts say, with their names and dates. Leave nothing out that is under "
        "Identity or Instructions.",
    )


def _adapter(dspy: Any) -> Any:
    from dspy.utils.exceptions import AdapterParseError

    from graphmem.models.llm.shapes import Claims, Entities, EpisodeShape

    class Bounded(dspy.JSONAdapter):  # type: ignore[misc]
        """Refuses what is too long to be an answer, and takes claims for one when the rest was cut off or forgotten."""

        def parse(self, signature: Any, completion: str) -> Any:
            if len(completion) > LONGEST_ANSWER:
                raise TooLong
            try:
                return super().parse(signature, completion)
            except AdapterParseError as error:
                found = getattr(error, "parsed_result", None) or {}
                if not isinstance(found.get("claims"), Claims):
                    raise
            rest = {"entities": Entities([]), "episode": EpisodeShape(summary="")}
            return {"claims": found["claims"], **{name: _kept(found.get(name), rest[name]) for name in rest}}

    return Bounded()


def _kept(found: Any, otherwise: Any) -> Any:
    return found if isinstance(found, type(otherwise)) else otherwise


def _language_model(dspy: Any, provider: Provider, settings: LlmSettings, *, form: str) -> Any:
    options: dict[str, Any] = {"timeout": settings.timeout_seconds, "cache": False, "num_retries": 0}
    if provider.base:
        options["api_base"] = provider.base
    if provider.key:
        options["api_key"] = provider.key
    if form:
        options["response_format"] = _response_format(form)
    if not REASONING.search(provider.model):
        options |= {"temperature": 0.0, "max_tokens": settings.max_output_tokens}
    return dspy.LM(provider.model, **options)


def _response_format(form: str) -> dict[str, Any]:
    from graphmem.models.llm.shapes import Answer

    if form == "json":
        return {"type": "json_object"}
    schema = _strict(Answer.model_json_schema())
    return {"type": "json_schema", "json_schema": {"name": "extraction", "schema": schema, "strict": True}}


def _strict(schema: Any) -> Any:
    """No other fields, no endless lists and texts: small models lose their way in them. What is no news may be left out."""
    if isinstance(schema, list):
        return [_strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    plain = {name: _strict(each) for name, each in schema.items()}
    if isinstance(plain.get("properties"), dict):
        needed = [name for name in plain["properties"] if name in NEEDED]
        plain |= {"required": needed, "additionalProperties": False}
    elif plain.get("type") == "array":
        plain["maxItems"] = MOST_PARTS if "$ref" in plain["items"] else MOST_ITEMS
    elif plain.get("type") == "string" and "enum" not in plain:
        plain["maxLength"] = LONGEST_STRING
    return plain


def _answer(said: Any) -> Any:
    from graphmem.models.llm.shapes import Answer

    return Answer(episode=said.episode, entities=said.entities, claims=said.claims)


def _spent(calls: list[dict[str, Any]]) -> Spent:
    tokens = {name: sum(_count(call, name) for call in calls) for name in ("prompt_tokens", "completion_tokens")}
    prices = [call.get("cost") for call in calls]
    known = [float(price) for price in prices if isinstance(price, int | float)]
    return Spent(usd=sum(known) if known and len(known) == len(prices) else None, **tokens)


def _count(call: dict[str, Any], name: str) -> int:
    count = (call.get("usage") or {}).get(name)
    return count if isinstance(count, int) and count > 0 else 0


def _failure(error: Exception, provider: Provider, spent: Spent) -> Failure:
    """What an error says, without keys and without what the model or the session said."""
    names = {each.__name__ for each in type(error).__mro__}
    status = getattr(error, "status", None) or getattr(error, "status_code", None)
    if spent.completion_tokens or names & UNUSABLE_NAMES:
        return Failure(reason="its output is not what was asked for", spent=spent)
    known = status in TRANSIENT or (isinstance(status, int) and status >= 500) or bool(names & TRANSIENT_NAMES)
    after = getattr(error, "retry_after", None)
    # the whole text before it is cut: half a key is a secret as well
    text = " ".join(provider.hide(str(error)).split())[:REASON]
    return Failure(
        reason=f"{type(error).__name__}{f' {status}' if status else ''}: {text}",
        transient=known and not names & LASTING_NAMES,
        retry_after=float(after) if isinstance(after, int | float) else None,
        spent=spent,
    )

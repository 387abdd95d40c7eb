"""What a model is asked to write, as typed shapes for DSPy.

Models, small ones above all, get details wrong: a number where a list belongs, "none" for nothing, one claim of twenty
without a text. The schema that they are shown is strict, what is read is not: a detail is mended, a claim that
cannot be is left out, and only an answer without any sense is refused. Imported when a model is asked and not before.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Annotated, Any, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    RootModel,
    ValidationError,
    WithJsonSchema,
    model_validator,
)

from graphmem.types import EntryType

MODALITIES = ("asserted", "planned", "asked", "hypothetical", "quoted")
NOTHING = frozenset({"", "null", "none", "n/a", "na", "nil", "unknown", "-"})
LEVELS = {"very low": 0.1, "low": 0.3, "medium": 0.5, "moderate": 0.5, "high": 0.8, "very high": 0.95}


# Half a character, as an escape in JSON makes one, and what no keyboard has: neither can be stored.
UNSPEAKABLE = re.compile(r"[\ud800-\udfff\x00-\x08\x0b-\x1f\x7f]")


def _text(value: Any) -> Any:
    if isinstance(value, dict | list | tuple):
        values = value.values() if isinstance(value, dict) else value
        value = ", ".join(str(each) for each in values if each)
    return UNSPEAKABLE.sub(" ", "" if value is None else str(value))


def _maybe(value: Any) -> Any:
    text = _text(value).strip()
    return None if text.lower() in NOTHING else text


def _texts(value: Any) -> Any:
    values = value if isinstance(value, list | tuple) else [value]
    return [text for each in values if (text := _maybe(each))]


def _share(value: Any) -> float | None:
    """A share from 0 to 1, also when it was written as a percentage or a word."""
    if isinstance(value, str):
        word = value.strip().lower().rstrip("%")
        value = LEVELS.get(word, word)
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    if math.isnan(number):
        return None
    return max(0.0, min(1.0, number / 100 if 1 < number <= 100 else number))


def _flag(value: Any) -> bool:
    return value.strip().lower() in ("true", "yes", "1") if isinstance(value, str) else value is True or value == 1


def _numbers(value: Any) -> list[int]:
    values = value if isinstance(value, list | tuple) else [value]
    return [int(number) for each in values for number in re.findall(r"\d{1,6}", str(each))]


def _each(shape: Callable[[], type[BaseModel]]) -> Callable[[Any], Any]:
    """Keep what can be read of a list; when nothing of it can, it is not what was asked for."""

    def keep(value: Any) -> Any:
        empty = value is None or (isinstance(value, str) and value.strip().lower() in NOTHING)
        values = value if isinstance(value, list | tuple) else [] if empty else [value]
        kept = []
        for each in values:
            try:
                kept.append(shape().model_validate(each))
            except ValidationError:
                continue
        if values and not kept:
            raise ValueError("none of the list is of the shape that was asked for")
        return kept

    return keep


def _one_of(*values: str) -> Any:
    return Annotated[str, BeforeValidator(_text), WithJsonSchema({"type": "string", "enum": list(values)})]


Text = Annotated[str, BeforeValidator(_text)]
Maybe = Annotated[str | None, BeforeValidator(_maybe)]
Texts = Annotated[list[str], BeforeValidator(_texts)]
Share = Annotated[float | None, BeforeValidator(_share)]
Flag = Annotated[bool, BeforeValidator(_flag)]
Numbers = Annotated[list[int], BeforeValidator(_numbers)]


def _bare(schema: dict[str, Any]) -> None:
    """What a provider's strict mode refuses, and what only makes the prompt longer, is left out of the schema."""
    for field in schema.get("properties", {}).values():
        for name in ("default", "title", "minLength"):
            field.pop(name, None)


class Shape(BaseModel):
    """A part of the answer."""

    model_config = ConfigDict(json_schema_extra=_bare)


class EpisodeShape(Shape):
    """The session in short."""

    summary: Text = Field(description="what the session was about, in one to three sentences")
    topics: Texts = []
    decisions: Texts = []
    key_dates: Texts = Field(default=[], description='such as "2024-05-12: dentist"')
    action_items: Texts = []

    @model_validator(mode="before")
    @classmethod
    def _bare_summary(cls, value: Any) -> Any:
        return {"summary": value} if isinstance(value, str) else value


class EntityShape(Shape):
    """A thing in the world."""

    name: Text = Field(min_length=1)
    type: Text = ""
    aliases: Texts = []


class ClaimShape(Shape):
    """One thing that somebody said to hold."""

    turns: Numbers = Field(default=[], description="numbers of the turns that say so")
    quote: Maybe = Field(default=None, description="the words of the turn that say so, copied exactly")
    text: Text = Field(min_length=1, description="one sentence in the third person that stands for itself")
    type: _one_of(*get_args(EntryType)) = "fact"  # type: ignore[valid-type]
    subject: Text = Field(default="", description="an entity, or the speaker")
    predicate: Maybe = None
    object: Maybe = None
    negated: Flag = False
    modality: _one_of(*MODALITIES) = "asserted"  # type: ignore[valid-type]
    ends: Flag = Field(default=False, description="it stopped to hold")
    replaces: Maybe = Field(default=None, description="the old value, if named")
    valid_from: Maybe = Field(default=None, description="YYYY, YYYY-MM, YYYY-MM-DD or YYYY-MM-DDTHH:MM")
    valid_to: Maybe = None
    happened: Maybe = Field(default=None, description="when an event took place or will")
    confidence: Share = 0.7
    importance: Share = 0.5
    identity: Flag = Field(default=False, description="who somebody is: name, home, work, family, health")


# Types of their own and not annotations: DSPy drops the validators of an annotated field.
class Entities(RootModel[Annotated[list[EntityShape], BeforeValidator(_each(lambda: EntityShape))]]):
    """Those that can be read."""


class Claims(RootModel[Annotated[list[ClaimShape], BeforeValidator(_each(lambda: ClaimShape))]]):
    """Those that can be read."""


class Answer(Shape):
    """All that a model found."""

    claims: Claims = Claims([])
    entities: Entities = Entities([])
    episode: EpisodeShape

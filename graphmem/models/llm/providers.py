"""Which models are asked, in which order, at which address and with whose key."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from graphmem.errors import SettingsError
from graphmem.settings import LlmSettings, secret

Form = Literal["", "json", "schema"]
OPTIONS = ("base", "key", "format")
FORMS = {"json": "json", "schema": "schema", "": ""}
# What may stand after key=. A key itself hardly ever looks like this, and is not repeated in the error when it does not.
VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*")
# Servers of one's own ask for no key, but those who speak to them want to send one; never one meant for somebody else.
NO_KEY = "none"


class Provider(Struct, frozen=True, kw_only=True):
    """A model as LiteLLM names it, such as ``openai/gpt-4o-mini``. Without ``base`` it is asked at its own address.

    ``form`` asks the server to let the model write nothing but JSON, or nothing but our schema.
    """

    model: str
    base: str = ""
    key: str = ""
    form: Form = ""

    def __repr__(self) -> str:
        return f"Provider({self.model!r})"

    __str__ = __repr__

    def hide(self, text: str) -> str:
        """Return a text without what is secret about this provider."""
        for each in (self.key, self.base if "@" in self.base else ""):
            if each and each != NO_KEY:
                text = text.replace(each, "***")
        return text


def providers_of(settings: LlmSettings, read: Callable[[str], str] = secret) -> tuple[Provider, ...]:
    """Return the providers of the settings; ``read`` looks up the variable that holds a key."""
    found = tuple(_provider(each.split(), settings, read) for each in settings.providers.split(",") if each.strip())
    if not found:
        raise SettingsError(
            "distil.extractor is 'llm' but llm.providers is empty; name a model there, such as 'openai/gpt-4o-mini', "
            "or set distil.extractor to 'local'"
        )
    return found


def _provider(words: list[str], settings: LlmSettings, read: Callable[[str], str]) -> Provider:
    model, *options = words
    if "/" not in model or "=" in model:
        raise SettingsError(
            f"llm.providers: {_safe(model)!r} is not a model of the form 'provider/name', such as 'openai/gpt-4o-mini'"
        )
    given: dict[str, Any] = {"base": settings.api_base, "key": settings.api_key_env, "format": ""}
    for option in options:
        name, equals, value = option.partition("=")
        if name not in OPTIONS or not equals:
            raise SettingsError(
                f"llm.providers: {model} has {_safe(name)!r}; known are base=URL, key=VARIABLE, format=FORM"
            )
        given[name] = value
    return _with_key(_checked(model, given), given["key"], read)


def _checked(model: str, given: dict[str, Any]) -> Provider:
    if given["base"] and not given["base"].startswith(("http://", "https://")):
        raise SettingsError(f"llm.providers: the base of {model} does not begin with http:// or https://")
    if given["format"] not in FORMS:
        raise SettingsError(f"llm.providers: format={given['format']} of {model} is not one of json, schema")
    return Provider(model=model, base=given["base"], form=given["format"])


def _with_key(provider: Provider, variable: str, read: Callable[[str], str]) -> Provider:
    if variable in ("", NO_KEY):
        # with an address of its own it must not be sent the key that the environment has for the public one
        return replace(provider, key=NO_KEY if provider.base or variable else "")
    if not VARIABLE.fullmatch(variable):
        raise SettingsError(
            f"llm.providers: what follows key= of {provider.model} is not the name of a variable of the environment "
            "(capitals, digits and underscores); put the key itself into one"
        )
    key = read(variable)
    if not key:
        raise SettingsError(f"{variable}, which is to hold the key of {provider.model}, is not set in the environment")
    return replace(provider, key=key)


def _safe(word: str) -> str:
    """Return a word that is no option, cut short: it may be a key that went astray."""
    return word if len(word) <= 12 else f"{word[:4]}..."

"""One tree of settings: defaults in code, then a TOML file, then the environment, then what the caller passes.

This is the only module that reads the environment. ``GRAPHMEM_STORE__HNSW_THRESHOLD=5000`` sets ``store.hnsw_threshold``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_type_hints

import msgspec
from msgspec import Meta, Struct

from graphmem.errors import SettingsError

PREFIX = "GRAPHMEM_"


class StoreSettings(Struct, frozen=True, kw_only=True):
    """How the folder is kept."""

    # memory that the graph may use for its pages; doubled when a write does not fit
    graph_memory_mb: Annotated[int, Meta(ge=32, le=65536)] = 64
    # room that is left on the disk for the graph to follow and to fold its log in: writes are refused beyond it
    disk_reserve_mb: Annotated[int, Meta(ge=0, le=1048576)] = 32
    # commits and turns between two checkpoints of the graph: fewer keep its log short, more keep its file small
    checkpoint_every: Annotated[int, Meta(ge=1, le=100000)] = 5000
    # vectors of one space and kind above which an approximate index replaces exact search
    hnsw_threshold: Annotated[int, Meta(ge=100, le=1000000)] = 10000
    # width of the approximate search: higher finds more and is slower
    hnsw_ef: Annotated[int, Meta(ge=10, le=2000)] = 100
    # new vectors of a large space after which its index is saved
    hnsw_save_every: Annotated[int, Meta(ge=100, le=10000000)] = 20000
    # memory for the vectors of spaces in use; the least recently used leave first
    vector_memory_mb: Annotated[int, Meta(ge=16, le=1048576)] = 4096


class WriteSettings(Struct, frozen=True, kw_only=True):
    """What may be written."""

    # longest text of a turn, in characters
    text_limit: Annotated[int, Meta(ge=100, le=10000000)] = 262144
    # longest metadata of a turn, in bytes of JSON
    metadata_limit: Annotated[int, Meta(ge=0, le=1000000)] = 65536
    # longest space, session, speaker, ref or title, in characters
    name_limit: Annotated[int, Meta(ge=8, le=4096)] = 512
    # turns that are embedded together in the background
    embed_batch: Annotated[int, Meta(ge=1, le=4096)] = 64


class DistilSettings(Struct, frozen=True, kw_only=True):
    """How what was said becomes what is known."""

    # who extracts: rules on this machine, a language model, or nobody
    extractor: Annotated[Literal["local", "llm", "none"], Meta(title="local, llm, none")] = "local"
    # when sessions are distilled: by themselves, or only when asked
    mode: Annotated[Literal["auto", "manual"], Meta(title="auto, manual")] = "auto"
    # seconds of rest after which a session is distilled
    debounce_seconds: Annotated[float, Meta(ge=0, le=3600)] = 60.0
    # how often a job is tried before it is parked
    attempts: Annotated[int, Meta(ge=1, le=10)] = 3
    # longest time that a session may take
    timeout_seconds: Annotated[float, Meta(ge=1, le=3600)] = 300.0
    # turns of one episode: a session that goes on longer gets another
    episode_turns: Annotated[int, Meta(ge=10, le=2000)] = 200
    # ontologies, with commas between them; a space may choose its own
    ontology: Annotated[str, Meta(min_length=1, max_length=1024)] = "core"
    # name or folder of the spaCy pipeline that reads English
    parser: Annotated[str, Meta(min_length=1, max_length=1024)] = "en_core_web_sm"
    # claims of one session that are stored at most
    most_claims: Annotated[int, Meta(ge=1, le=10000)] = 200
    # entries that a space holds to be true at most; 0 is no limit
    most_entries: Annotated[int, Meta(ge=0, le=1000000)] = 0
    # claims less sure than this are refused
    least_confidence: Annotated[float, Meta(ge=0, le=1)] = 0.3
    # shares of words in common from which two entries say the same, or are about the same
    jaccard_duplicate: Annotated[float, Meta(ge=0, le=1)] = 0.6
    jaccard_contradiction: Annotated[float, Meta(ge=0, le=1)] = 0.3
    # cosine from which two entries say the same
    cosine_duplicate: Annotated[float, Meta(ge=0, le=1)] = 0.85
    # days after which a newer claim of another user outweighs an older one
    recency_days: Annotated[int, Meta(ge=1, le=36500)] = 30
    # difference of confidence that decides between two claims
    confidence_gap: Annotated[float, Meta(ge=0, le=1)] = 0.25
    # new contributions after which the profile is written anew
    profile_every: Annotated[int, Meta(ge=1, le=100)] = 10


class ReadSettings(Struct, frozen=True, kw_only=True):
    """How questions are answered."""

    # most hits that one search may ask for
    limit_max: Annotated[int, Meta(ge=1, le=10000)] = 1000
    # candidates that each channel contributes, at least
    pool: Annotated[int, Meta(ge=10, le=10000)] = 100
    # share of the words in a hit's score; the vectors have the rest
    words_weight: Annotated[float, Meta(ge=0, le=1)] = 0.5
    # BM25 score that counts as half of a perfect one
    words_half: Annotated[float, Meta(ge=0.1, le=100)] = 3.0
    # postings that one word search may visit: the commonest words of a long question are left out beyond it
    posting_budget: Annotated[int, Meta(ge=1000, le=100000000)] = 20000


class ModelSettings(Struct, frozen=True, kw_only=True):
    """Which models are used."""

    # name or folder of a sentence-transformers model; "none" searches by words alone
    embedding: Annotated[str, Meta(min_length=1, max_length=1024)] = "all-MiniLM-L6-v2"
    # where exported models are kept; "" means graphmem in the user's cache folder
    cache: Annotated[str, Meta(max_length=4096)] = ""


class LlmSettings(Struct, frozen=True, kw_only=True):
    """Which language models extract, when ``distil.extractor`` says that one does."""

    # models in the order in which they are asked, with commas between them: "provider/name base=URL key=VARIABLE"
    providers: Annotated[str, Meta(max_length=4096)] = ""
    # address of the providers that name none of their own; "" is the public one of each
    api_base: Annotated[str, Meta(max_length=1024)] = ""
    # variable of the environment with the key of the providers that name none of their own
    api_key_env: Annotated[str, Meta(max_length=256)] = ""
    # longest time that one call may take
    timeout_seconds: Annotated[float, Meta(ge=0.1, le=3600)] = 60.0
    # how often a provider is asked again after an error that may pass
    retries: Annotated[int, Meta(ge=0, le=10)] = 3
    # seconds before the first of these, doubled each time
    backoff_seconds: Annotated[float, Meta(ge=0, le=60)] = 1.0
    # failures in a row after which a provider is left alone, and for how many seconds
    breaker_failures: Annotated[int, Meta(ge=1, le=100)] = 5
    breaker_seconds: Annotated[float, Meta(ge=0.1, le=86400)] = 60.0
    # estimated tokens of one call: a longer session takes several
    max_prompt_tokens: Annotated[int, Meta(ge=1000, le=1000000)] = 12000
    # tokens that a model may write in one call
    max_output_tokens: Annotated[int, Meta(ge=256, le=1000000)] = 4096


class Settings(Struct, frozen=True, kw_only=True):
    """All settings."""

    store: StoreSettings = StoreSettings()
    write: WriteSettings = WriteSettings()
    distil: DistilSettings = DistilSettings()
    read: ReadSettings = ReadSettings()
    models: ModelSettings = ModelSettings()
    llm: LlmSettings = LlmSettings()

    @classmethod
    def load(cls, path: str | Path | None = None, environ: Mapping[str, str] | None = None) -> Settings:
        """Read settings from a TOML file and the environment (``os.environ`` when not given)."""
        tree = _file(Path(path)) if path else {}
        for section, field, value in _environment(os.environ if environ is None else environ):
            tree.setdefault(section, {})[field] = value
        return cls.build(tree)

    @classmethod
    def build(cls, tree: Mapping[str, Any]) -> Settings:
        """Check a nested mapping and return it as settings; errors name the field, the value and the range."""
        sections = get_type_hints(cls)
        for name, values in tree.items():
            if name not in sections:
                raise SettingsError(f"unknown section {name!r}; known are {', '.join(sections)}")
            if not isinstance(values, Mapping):
                raise SettingsError(f"{name} = {values!r}: expected a table of settings")
        return cls(**{name: _section(name, sections[name], values) for name, values in tree.items()})


def models_cache(settings: Settings) -> Path:
    """The folder in which exported models are kept."""
    if settings.models.cache:
        return Path(settings.models.cache)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "graphmem"


def secret(variable: str) -> str:
    """What a variable holds that a setting names because it must not stand in settings: a key."""
    return os.environ.get(variable, "").strip()


def _file(path: Path) -> dict[str, Any]:
    try:
        tree = msgspec.toml.decode(path.read_bytes())
    except OSError as error:
        raise SettingsError(f"cannot read {path}: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise SettingsError(f"{path} is not TOML: {error}") from None
    return dict(tree)


def _environment(environ: Mapping[str, str]) -> list[tuple[str, str, str]]:
    found = []
    for key, value in sorted(environ.items()):
        section, separator, field = key.removeprefix(PREFIX).lower().partition("__")
        if key.startswith(PREFIX) and separator:
            found.append((section, field, value))
    return found


def _section(name: str, cls: type[Struct], values: Mapping[str, Any]) -> Any:
    hints = get_type_hints(cls, include_extras=True)
    checked = {}
    for field, value in values.items():
        if field not in hints:
            raise SettingsError(f"unknown setting {name}.{field}; known are {', '.join(hints)}")
        try:
            checked[field] = msgspec.convert(value, hints[field], strict=not isinstance(value, str))
        except msgspec.ValidationError:
            raise SettingsError(f"{name}.{field} = {value!r}: expected {_expected(hints[field])}") from None
    return cls(**checked)


def _expected(hint: Any) -> str:
    kind, *metas = get_args(hint) or (hint,)
    meta = metas[0] if metas else Meta()
    if meta.title:
        return f"one of {meta.title}"
    if kind is str:
        return f"text of {meta.min_length or 0} to {meta.max_length} characters"
    return f"{'a whole number' if kind is int else 'a number'} from {meta.ge} to {meta.le}"

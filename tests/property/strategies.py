"""What Hypothesis draws from: values of graphmem, and the steps of a life of a memory."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import msgspec
from hypothesis import strategies as st

from graphmem import types
from graphmem.ids import Mint
from graphmem.types import Delta

MINT = Mint()
START = datetime(2024, 5, 7, 12, 30, tzinfo=UTC)

zones = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
instants = st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 31), timezones=zones)  # noqa: DTZ001 - Hypothesis adds the zone
# Names that have broken somebody's isolation before: prefixes of each other, wild cards, numbers, quotes, other scripts.
spaces = st.sampled_from(["ana", "an", "anab", "ana_", "ANA", "a%", "1", "11", "1_", "ä", "'", '"', "*", "a b", "空間"])
words = st.sampled_from(["boat", "harbour", "gull", "sea", "Porto", "tide", "lamp", "naïve", "東京", "1_boat", "boat*"])
texts = st.lists(words, min_size=1, max_size=6).map(" ".join)
odd_texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40).filter(str.strip)
refs = st.none() | st.sampled_from(["r1", "r2", "r3"])
sessions = st.sampled_from(["main", "chat 1", "ana"])

turns = st.fixed_dictionaries(
    {"text": texts | odd_texts, "session": sessions},
    optional={"speaker": st.sampled_from(["Ana", "Ben"]), "title": texts, "caption": texts, "at": instants},
)

steps = st.lists(
    st.one_of(
        st.tuples(st.just("add"), spaces, turns),
        st.tuples(st.just("batch"), spaces, st.lists(turns, min_size=1, max_size=5)),
        st.tuples(st.just("delete"), spaces, st.integers(0, 20)),
        st.tuples(st.just("flush"), spaces, st.none()),
        st.tuples(st.just("reopen"), spaces, st.none()),
        st.tuples(st.just("rebuild"), spaces, st.sampled_from(["graph", "words", "vectors", "all"])),
    ),
    max_size=12,
)


def values(cls: type) -> st.SearchStrategy:
    """Any value of a Struct, by the types of its fields; an interval that ends before it starts is not one."""
    return st.builds(_made, st.just(cls), _fields(cls)).filter(lambda made: made is not None)


def _fields(cls: type) -> st.SearchStrategy:
    hints = {field.name: field.type for field in msgspec.structs.fields(cls)}
    return st.fixed_dictionaries({name: _of(hint) for name, hint in hints.items()})


def _made(cls: type, fields: dict[str, object]) -> object:
    try:
        return cls(**fields)
    except ValueError:
        return None


def _of(hint: object) -> st.SearchStrategy:
    if hint is datetime:
        return st.datetimes(timezones=st.just(UTC))
    if hint is int:
        return st.integers(0, 1 << 40)
    if hint == types.Share:
        return st.floats(0, 1)
    if hint is types.Validity:
        return values(types.Validity)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return values(hint)
    arms = getattr(hint, "__args__", ())
    if getattr(hint, "__origin__", None) is tuple:
        return st.lists(_of(arms[0]), max_size=3).map(tuple)
    if type(None) in arms:
        return st.none() | _of(next(arm for arm in arms if arm is not type(None)))
    return st.from_type(hint)


deltas = values(Delta)

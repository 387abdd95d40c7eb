"""Laws of the values: ids, times, and what is written can be read."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.clock import instant
from graphmem.errors import InvalidInput
from graphmem.ids import PREFIXES, Mint, kind_of
from graphmem.store.rows import TABLES, columns, from_row, to_row
from graphmem.types import Delta
from graphmem.words import fold, terms
from tests.property import strategies as draw

SINCE, UNTIL = datetime(1970, 1, 2), datetime(2400, 1, 1)  # noqa: DTZ001 - Hypothesis adds the zone
clock_readings = st.lists(st.datetimes(SINCE, UNTIL, timezones=st.just(UTC)), max_size=30)


@given(clock_readings, st.sampled_from(sorted(PREFIXES)))
def test_ids_sort_as_they_were_minted_whatever_the_clock_does(readings, kind):
    mint = Mint()
    made = [mint.new(kind, now) for now in readings]

    assert made == sorted(made)
    assert len(set(made)) == len(made)
    assert {kind_of(id) for id in made} <= {kind}


@given(clock_readings)
def test_a_mint_goes_on_after_the_last_id_of_a_folder(readings):
    first = Mint()
    made = [first.new("turn", now) for now in readings]
    second = Mint(after=made[-1] if made else None)

    assert all(second.new("turn", datetime(1970, 1, 2, tzinfo=UTC)) > id for id in made)


@given(st.text())
def test_no_text_is_an_id_by_accident_of_a_crash(text):
    assert kind_of(text) in {*PREFIXES, None}


@given(draw.instants)
def test_an_instant_is_the_same_instant_in_utc(moment):
    assert instant(moment, "at") == moment
    assert instant(moment, "at").utcoffset() == timedelta(0)
    assert instant(moment.isoformat(), "at") == moment


@given(st.datetimes())
def test_a_time_without_a_zone_is_never_guessed(moment):
    for given_ in (moment, moment.isoformat()):
        with pytest.raises(InvalidInput, match="no time zone"):
            instant(given_, "at")


@given(draw.deltas)
def test_a_delta_can_be_read_back_from_the_journal_and_from_an_export(delta):
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(delta), type=Delta) == delta
    assert msgspec.json.decode(msgspec.json.encode(delta), type=Delta) == delta


@given(st.sampled_from(sorted(TABLES)).flatmap(lambda table: draw.values(TABLES[table])))
def test_an_item_is_the_same_after_it_was_a_row_of_the_graph(item):
    row = to_row(item)

    assert list(row) == list(columns(type(item)))
    assert from_row(type(item), list(row.values())) == item


@given(st.text())
def test_any_text_has_terms_that_are_plain_tokens(text):
    found = terms(text)

    assert all(term and " " not in term and '"' not in term for term in found)
    assert found == terms(fold(text))

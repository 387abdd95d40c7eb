"""Laws of the date resolver, for any text and any time of speaking."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from graphmem.dates import resolve

ZONES = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
REFERENCES = st.datetimes(timezones=ZONES)
ORDINARY = st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
VOCABULARY = """
the a in on at of from to until since before after by last this next two three few couple ago now today yesterday
tomorrow day week weekend month quarter year decade Friday Monday Sun May March june 3 5 15th 2023 1999 31 summer
Christmas Easter early mid late end first second half past noon 5pm 14:00 every each and - , . morning night we met
will go went 2023-05-08 5/8/2023 '98 90s 1980s 2.5 Q3 between for over around later earlier other hours
"""
SENTENCES = st.lists(st.sampled_from(VOCABULARY.split()), max_size=14).map(" ".join)
TEXTS = st.one_of(st.text(max_size=80), SENTENCES)
PHRASES = st.sampled_from(
    [
        "yesterday",
        "last Friday",
        "two weeks ago",
        "in 2019",
        "on May 8th 2023",
        "the week before 9 June 2023",
        "next month",
        "every Monday",
        "from 3 to 7 May 2024",
        "by next Friday",
    ]
)


@given(TEXTS, REFERENCES)
def test_nothing_raises_and_every_span_lies_in_the_text(text, reference):
    for found in resolve(text, reference):
        assert 0 <= found.begin < found.finish <= len(text)
        assert text[found.begin : found.finish] == found.text


@given(TEXTS, REFERENCES)
def test_a_start_is_before_its_end_in_the_zone_of_the_reference(text, reference):
    for found in resolve(text, reference):
        times = [time for time in (found.start, found.end) if time is not None]
        assert all(time.tzinfo is reference.tzinfo for time in times)
        assert sorted(set(times)) == times
        assert bool(times) != found.recurring


@given(TEXTS, REFERENCES)
def test_expressions_stand_in_order_and_do_not_overlap(text, reference):
    found = resolve(text, reference)

    assert all(one.finish <= other.begin for one, other in pairwise(found))


@given(PHRASES, ORDINARY, st.sampled_from(["", "Well. ", "Hello there! ", "\u00e9\u4e2d\U0001f600. "]))
def test_words_of_other_sentences_change_nothing(phrase, reference, before):
    alone = resolve(phrase, reference)
    among = resolve(f"{before}{phrase}. Fine.", reference)

    assert [(one.text, one.start, one.end) for one in among] == [(one.text, one.start, one.end) for one in alone]
    assert [one.begin - len(before) for one in among] == [one.begin for one in alone]


@given(ORDINARY)
def test_a_unit_is_as_wide_as_its_granularity(reference):
    widths = {"yesterday": 1, "last week": 7, "last weekend": 2, "next Friday": 1}
    for text, days in widths.items():
        (found,) = resolve(text, reference)
        assert found.end - found.start == timedelta(days=days)
        assert (found.start.hour, found.start.minute) == (0, 0)


@given(SENTENCES, ORDINARY)
def test_a_point_has_the_width_of_its_granularity(text, reference):
    for found in resolve(text, reference):
        if found.kind != "point" or found.recurring or found.approximate:
            continue
        if found.granularity == "day":
            assert found.end - found.start == timedelta(days=1)
        elif found.granularity == "week":
            assert found.end - found.start == timedelta(days=7)
        elif found.granularity == "month":
            assert found.start.day == found.end.day == 1
            assert (found.end - found.start).days in (28, 29, 30, 31)
        elif found.granularity == "year":
            assert (found.start.month, found.end.year) == (1, found.start.year + 1)


@given(ORDINARY, st.integers(1, 200))
def test_ago_and_from_now_mirror_each_other(reference, count):
    (ago,) = resolve(f"{count} days ago", reference)
    (ahead,) = resolve(f"{count} days from now", reference)

    assert ahead.start - ago.start == timedelta(days=2 * count)


@given(SENTENCES, ORDINARY)
def test_the_same_text_at_the_same_time_gives_the_same_dates(text, reference):
    assert resolve(text, reference) == resolve(text, reference)

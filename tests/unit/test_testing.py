"""The doubles keep the promises of what they stand for."""

from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest

from graphmem.testing import FixedClock, HashEmbedder


def test_a_hash_embedder_gives_rows_of_unit_length_in_the_order_of_the_texts():
    embedder = HashEmbedder(16)
    rows = embedder.embed(["Ana moved", "", "Ben stayed"])
    assert rows.shape == (3, 16)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)
    assert np.array_equal(rows[2], embedder.embed(["Ben stayed"])[0])


def test_a_hash_embedder_is_the_same_in_every_process():
    # 22 is what blake2b makes of "berlin"; Python's own hash() would differ from process to process.
    assert HashEmbedder(64).embed(["berlin", "Berlin!"]).argmax(axis=1).tolist() == [22, 22]


def test_texts_that_share_words_are_nearer_than_texts_that_do_not():
    question, same, other = HashEmbedder(256).embed(["where is Berlin", "Berlin is where I live", "we ate soup"])
    assert question @ same > question @ other


def test_a_hash_embedder_takes_no_texts_and_lone_surrogates():
    assert HashEmbedder().embed([]).shape == (0, 64)
    assert HashEmbedder().embed(["\ud800"]).shape == (1, 64)


def test_the_signature_tells_dimensions_apart():
    assert HashEmbedder().signature == "hash/64"
    assert HashEmbedder(8).signature == "hash/8"


def test_a_dimension_below_one_is_refused():
    with pytest.raises(ValueError, match="dimension: 0"):
        HashEmbedder(0)


def test_a_fixed_clock_starts_at_its_start_and_steps():
    start = datetime(2024, 5, 7, 12, tzinfo=UTC)
    clock = FixedClock(start, timedelta(minutes=1))
    assert [clock(), clock(), clock()] == [start + timedelta(minutes=n) for n in range(3)]


def test_a_fixed_clock_speaks_utc_whatever_it_was_given():
    clock = FixedClock(datetime(2024, 5, 7, 12, tzinfo=timezone(timedelta(hours=2))))
    assert clock().isoformat() == "2024-05-07T10:00:00+00:00"


def test_a_fixed_clock_refuses_a_time_without_a_zone():
    with pytest.raises(ValueError, match="no time zone"):
        FixedClock(datetime(2024, 5, 7))  # noqa: DTZ001 - the point

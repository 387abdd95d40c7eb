"""Fusion of the channels' scores."""

from __future__ import annotations

import pytest

from graphmem.read.fuse import fuse
from graphmem.settings import ReadSettings

SETTINGS = ReadSettings(words_weight=0.5, words_half=3.0)


def test_scores_are_brought_to_one_scale_and_added():
    fused = fuse({"words": {"a": 3.0}, "vectors": {"a": 0.5, "b": 0.9}}, SETTINGS)

    assert fused == [("a", pytest.approx(0.5)), ("b", pytest.approx(0.45))]


def test_what_no_channel_likes_is_left_out():
    assert fuse({"words": {}, "vectors": {"a": 0.0, "b": -0.4}}, SETTINGS) == []


def test_the_order_of_the_channels_does_not_matter_and_ties_go_by_id():
    words, vectors = {"b": 1.0, "a": 1.0}, {"a": 0.3, "b": 0.3}

    assert fuse({"words": words, "vectors": vectors}, SETTINGS) == fuse({"vectors": vectors, "words": words}, SETTINGS)
    assert [id for id, _ in fuse({"words": words}, SETTINGS)] == ["a", "b"]

"""Settings: file, environment and code, checked in one place."""

from __future__ import annotations

import pytest

from graphmem import Settings
from graphmem.errors import SettingsError


def test_defaults_need_nothing():
    assert Settings.load(environ={}) == Settings()


def test_the_environment_overrides_the_file(tmp_path):
    file = tmp_path / "graphmem.toml"
    file.write_text("[store]\nhnsw_threshold = 500\nhnsw_ef = 50\n")

    settings = Settings.load(file, {"GRAPHMEM_STORE__HNSW_EF": "77", "OTHER": "x", "GRAPHMEM_FOLDER": "y"})

    assert (settings.store.hnsw_threshold, settings.store.hnsw_ef) == (500, 77)


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ({"store": {"hnsw_ef": 5}}, r"store.hnsw_ef = 5: expected a whole number from 10 to 2000"),
        ({"store": {"hnsw_ef": "many"}}, r"store.hnsw_ef = 'many': expected a whole number"),
        ({"store": {"hnsw_ef": 10.5}}, r"store.hnsw_ef = 10.5: expected a whole number"),
        ({"store": {"colour": 1}}, r"unknown setting store.colour; known are graph_memory_mb"),
        ({"shop": {}}, r"unknown section 'shop'; known are store"),
        ({"store": 5}, r"store = 5: expected a table"),
        ({"read": {"words_weight": 2}}, r"read.words_weight = 2: expected a number from 0 to 1"),
        ({"models": {"embedding": ""}}, r"models.embedding = '': expected text of 1 to 1024 characters"),
    ],
)
def test_an_error_names_the_setting_the_value_and_the_range(tree, message):
    with pytest.raises(SettingsError, match=message):
        Settings.build(tree)


def test_a_file_that_is_not_there_or_not_toml_is_named(tmp_path):
    with pytest.raises(SettingsError, match=r"cannot read .*nothing\.toml"):
        Settings.load(tmp_path / "nothing.toml")
    (tmp_path / "bad.toml").write_text("[store\n")
    with pytest.raises(SettingsError, match=r"bad\.toml is not TOML"):
        Settings.load(tmp_path / "bad.toml")

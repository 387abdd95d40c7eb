"""The labelled conversations are sound, and the benchmarks of the write path run and report in the common form."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from msgspec import json

from benchmarks.distil.__main__ import main as distil
from benchmarks.extraction.__main__ import main as extraction
from benchmarks.extraction.cases import cases, changes, problems
from graphmem.ontology import load


@pytest.mark.parametrize("split", ["dev", "final"])
def test_the_labels_are_sound_and_enough(split):
    found, later = cases(split), changes(split)

    assert list(problems(found, later, [each.name for each in load("core").predicates])) == []
    assert len([case for case in found if len(case.turns) == 1]) >= 150
    assert len([case for case in found if len(case.turns) > 1]) >= 15
    assert len(later) >= 20


def test_the_labels_of_the_further_sentences_are_sound():
    found = cases("more")

    assert list(problems(found, changes("more"), [each.name for each in load("core").predicates])) == []
    assert len(found) > 200


def test_no_text_stands_in_both_halves():
    texts = [
        {turn.text for case in cases(split) for turn in case.turns if len(turn.text) > 20} for split in ("dev", "final")
    ]

    assert texts[0] & texts[1] == set()


def figures(command, *arguments):
    result = CliRunner().invoke(command, [*arguments, "--json"])
    assert result.exit_code == 0, result.output
    return {each["figure"]: each for each in json.decode(result.stdout)["figures"]}


@pytest.mark.distils
def test_the_extractor_is_better_than_the_trivial_one_on_a_quick_run():
    """Fixed limits well under what is measured: a change that makes extraction much worse does not pass unseen."""
    found = figures(extraction, "--quick")

    assert found["entry.precision"]["value"] > max(0.8, found["entry.precision"]["floor"])
    assert found["entry.recall"]["value"] > max(0.55, found["entry.recall"]["floor"])
    assert found["entity.f1"]["value"] > 0.7
    assert found["false-facts.rate"]["value"] <= 0.05


@pytest.mark.distils
def test_an_ingest_is_measured_beside_what_searches_take_when_all_is_quiet(tmp_path):
    found = figures(distil, "--quick", "--work", str(tmp_path))

    assert found["sessions that could not be read"]["value"] == 0
    assert found["known: entry"]["value"] > 10
    assert found["search p95 while distilling, to idle"]["ratio"] > 0

"""A child is killed at every named point, inside what cannot be interrupted, and at random; nothing it was told is lost."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.crash.__main__ import play
from tests.crash.rounds import POINTS, older_journal, plan, run

pytestmark = pytest.mark.crash
SEED = 20240507


def test_twenty_rounds_of_kills_at_every_point_lose_nothing(tmp_path):
    outcomes, failures = play(20, SEED, tmp_path)
    assert failures == []
    assert sum(outcome.writes for outcome in outcomes) > 500
    reached = sum((outcome.reached for outcome in outcomes), Counter())
    assert set(reached) == set(POINTS)


@pytest.mark.parametrize("steps", [0, 1, 2])
def test_a_migration_that_was_cut_off_goes_on_at_the_next_opening(tmp_path, steps):
    rng = random.Random(SEED + steps)
    for nth in (1, 2, 3):
        folder = tmp_path / f"memory-{nth}"
        if steps:
            older_journal(folder, steps)
        kill = plan("in_migration", rng)
        outcome = run(folder, [type(kill)(point=kill.point, seed=kill.seed, nth=nth, delay_ms=0)])
        assert outcome.reached["in_migration"] == 1
        assert (outcome.lost, outcome.problems) == ([], [])

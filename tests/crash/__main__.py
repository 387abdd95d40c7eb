"""Kill and reopen: ``python -m tests.crash --rounds 200 --seed 1``. Exits with 1 when anything was lost or unclean."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.crash.rounds import POINTS, Outcome, older_journal, plan, run

# Rounds in one folder before a new one: damage may add up.
STAY = 5


def play(rounds: int, seed: int, place: Path) -> tuple[list[Outcome], list[str]]:
    """Play ``rounds`` rounds; every point in turn comes first in one, and up to two more kills may follow unseen."""
    outcomes: list[Outcome] = []
    failures: list[str] = []
    began = time.monotonic()
    points = list(POINTS)
    later = [point for point in points if point != "in_migration"]  # a folder migrates once
    folder = place
    for number in range(rounds):
        rng = random.Random(seed * 1_000_003 + number)
        point = points[number % len(points)]
        kills = [plan(each, rng) for each in [point, *rng.choices(later, k=rng.choice((0, 0, 1, 2)))]]
        if number % STAY == 0 or point == "in_migration":
            folder = place / f"memory-{number}"
            if point == "in_migration" and rng.random() < 0.5:
                older_journal(folder, steps=1)
        outcome = run(folder, kills)
        outcomes.append(outcome)
        if outcome.lost or outcome.problems:
            failures.append(
                f"round {number} of seed {seed}, {folder.name}, kills {kills}\n"
                f"    lost {outcome.lost[:5]}\n    problems {outcome.problems[:5]}"
            )
            print(failures[-1], flush=True)
        if (number + 1) % 10 == 0:
            print(f"{number + 1} rounds, {time.monotonic() - began:.0f} s, {summary(outcomes)}", flush=True)
    return outcomes, failures


def summary(outcomes: list[Outcome]) -> str:
    """One line of figures."""
    return (
        f"{sum(each.writes for each in outcomes)} acknowledged writes, {sum(len(each.lost) for each in outcomes)} lost, "
        f"{sum(bool(each.problems) for each in outcomes)} unclean"
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="leave the folders here instead of in a temporary place")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="graphmem-crash-") as temporary:
        outcomes, failures = play(chosen.rounds, chosen.seed, chosen.keep or Path(temporary))
    reached = sum((each.reached for each in outcomes), Counter[str]())
    print(f"{len(outcomes)} rounds of seed {chosen.seed}: {summary(outcomes)}")
    for point in POINTS:
        print(f"  {reached[point]:4d} kills  {point}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

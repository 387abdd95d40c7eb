"""The store benchmark at a size that takes seconds: the form of its report, the arithmetic of targets, the honesty of floors."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from rich.console import Console

from benchmarks import figures
from benchmarks.figures import Figure, Report, Target, measured
from benchmarks.store import keeping, run
from benchmarks.store.__main__ import main
from benchmarks.store.bare import Words, exact_ids
from benchmarks.store.case import Case, index_of, settle, store_of
from benchmarks.store.embedders import RandomEmbedder
from benchmarks.store.texts import FILLER, Chat
from benchmarks.store.writing import ingest
from graphmem.cli import main as graphmem
from graphmem.settings import Settings
from graphmem.words import terms

KEYS = {"figure", "value", "unit", "floor", "ratio", "target", "met"}
ROOT = Path(__file__).parents[2]
TURNS, SPACES, ADDS = 60, 3, 10


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """One real run, printed as JSON and written to a folder."""
    work, out = tmp_path_factory.mktemp("work"), tmp_path_factory.mktemp("runs") / "new"
    arguments = ["--quick", "--sizes", "60", "--spaces", "1,3,30", "--work", str(work), "--out", str(out), "--json"]
    result = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert list(work.iterdir()) == [], "every store is removed"
    return json.loads(result.stdout), json.loads((out / "store.json").read_text())


@pytest.fixture
def case(tmp_path):
    return Case(
        turns=TURNS, spaces=SPACES, folder=tmp_path / "memory", chat=Chat(7), embedder=RandomEmbedder(7),
        settings=Settings(), adds=ADDS, questions=10, say=lambda what: None,
    )  # fmt: skip


@pytest.fixture
def memory(case):
    with case.open() as opened:
        ingest(case, opened)
        yield opened


def test_every_figure_has_the_form_of_the_design(report):
    printed, _ = report
    assert printed["figures"]
    assert all(set(each) == KEYS for each in printed["figures"])


def test_the_report_says_how_to_run_it_again(report):
    printed, _ = report
    assert printed["seed"] == 7
    assert printed["settings"]["sizes"] == [60]
    assert printed["settings"]["graphmem"]["store"]["hnsw_ef"] == Settings().store.hnsw_ef
    assert {"graphmem", "kuzu", "hnswlib", "sqlite"} <= set(printed["versions"])
    assert {"cores", "python"} <= set(printed["machine"])


def test_out_writes_what_is_printed(report):
    printed, written = report
    assert written == printed


@pytest.mark.parametrize(
    "figure",
    [
        "add p50",
        "add p95",
        "add p99",
        "search by words p50",
        "search by vectors p95",
        "search by both p50",
        "disk a turn",
    ],
)
def test_each_size_and_number_of_spaces_has(report, figure):
    printed, _ = report
    found = {each["figure"]: each for each in printed["figures"]}
    for spaces in ("1 space", "3 spaces"):
        each = found[f"{figure} (60 turns, {spaces})"]
        assert each["floor"] > 0
        assert each["target"]
        assert each["met"] in (True, False)
        assert each["ratio"] == pytest.approx(each["value"] / each["floor"], rel=0.01)


def test_spaces_with_too_few_turns_are_left_out_and_named(report):
    printed, _ = report
    assert not any("30 spaces" in each["figure"] for each in printed["figures"])
    assert any("60 turns in 30 spaces" in note for note in printed["notes"])


def test_the_report_says_that_vectors_are_made_up(report):
    printed, _ = report
    assert any("random" in note for note in printed["notes"])


@pytest.mark.parametrize(
    ("target", "value", "floor", "met"),
    [
        (Target(text="", times=3), 3.0, 1.0, True),
        (Target(text="", times=3), 3.1, 1.0, False),
        (Target(text="", times=2, plus=1.0), 1.2, 0.1, True),
        (Target(text="", times=2, plus=1.0), 1.21, 0.1, False),
        (Target(text="", times=3), 3.0, None, None),
        (Target(text="", most=2560), 2560, 1536.0, True),
        (Target(text="", most=2560), 2561, 1536.0, False),
        (Target(text="", least=0.9), 0.9, 1.0, True),
        (Target(text="", least=0.9), 0.89, 1.0, False),
    ],
)
def test_a_target_is_met_or_short(target, value, floor, met):
    assert target.met(value, floor) is met


def test_a_ratio_is_value_to_floor_and_a_figure_without_floor_has_none():
    assert measured("x", 6, "ms", floor=2).ratio == 3
    assert measured("x", 6, "ms").ratio is None


def test_growth_compares_the_two_largest_sizes_and_only_when_both_ran():
    small = measured("search by words p50 (100k turns, 1 space)", 2.0, "ms")
    large = measured("search by words p50 (1M turns, 1 space)", 7.0, "ms")
    (grown,) = run.growth([small, large])
    assert (grown.ratio, grown.met) == (3.5, False)
    assert run.growth([large]) == []


def test_the_table_shows_what_is_short():
    console = Console(width=160, markup=False)
    shown = Report(
        benchmark="store", settings={}, versions={}, machine={}, seed=7, seconds=1.0,
        figures=(Figure(figure="add p50", value=4.0, unit="ms", floor=1.0, ratio=4.0, target="≤ 3", met=False),),
    )  # fmt: skip
    with console.capture() as capture:
        figures.show(shown, console)
    assert "short: add p50" in capture.get()
    assert "0 of 1 targets met" in capture.get()


def test_the_same_seed_says_the_same_things():
    assert Chat(7).turns(990, 30) == Chat(7).turns(0, 2000)[990:1020]
    assert Chat(7).turns(0, 5) != Chat(8).turns(0, 5)


def test_questions_are_three_to_eight_words_of_a_turn():
    chat = Chat(7)
    for number, text in enumerate(chat.turns(0, 50)):
        words = chat.question(text, number).rstrip("?").split()
        assert 3 <= len(words) <= 8
        assert set(words) <= set(text.rstrip(".").split())


def test_some_words_are_common_and_most_are_rare():
    seen = [set(text.rstrip(".").split()) for text in Chat(7).turns(0, 2000)]
    shares = sorted(sum(word in words for words in seen) / 2000 for word in set().union(*seen[:200]) - set(FILLER))
    assert shares[-1] > 0.05
    assert np.median(shares) < 0.005


def test_the_floor_of_words_finds_what_the_store_finds(case, memory):
    settle(memory)
    words = Words(case.folder, case.settings.read.posting_budget)
    question = terms(case.chat.question(case.chat.turns(25, 1)[0], 25))
    found = words.search(words.match("space-1", question), 100)
    words.close()
    assert len(found) == len(store_of(memory).view("space-1").by_words(question, limit=100, kinds=("turn",)))
    assert found


def test_the_truth_that_recall_is_measured_against_is_exact_search(case, memory):
    settle(memory)
    vectors = case.embedder.embed(case.chat.turns(20, 3))
    truth = exact_ids(case.folder, "space-1", vectors, 5)
    view = store_of(memory).view("space-1")
    assert truth == [{id for id, _ in view.by_vector(each, limit=5, kinds=("turn",))} for each in vectors]


def test_a_child_weighs_a_memory_with_its_vectors(case, memory):
    settle(memory)
    assert len(index_of(memory, "space-0")) == TURNS // SPACES
    memory.close()
    assert set(keeping.weigh(case, "random", 7)) == {"resident", "private"}


@pytest.mark.parametrize("arguments", [("--sizes", "many"), ("--sizes", "0"), ("--spaces", "1,"), ("--embedding", "x")])
def test_a_wrong_option_is_a_usage_error(arguments):
    assert CliRunner().invoke(main, arguments).exit_code == 2


def test_graphmem_bench_runs_the_benchmark_with_its_arguments():
    result = CliRunner().invoke(graphmem, ["bench", "store", "--help"])
    assert result.exit_code == 0
    assert "--quick" in result.stdout


def test_graphmem_bench_names_the_benchmarks_there_are():
    result = CliRunner().invoke(graphmem, ["bench", "speed"])
    assert result.exit_code == 2
    assert "store" in result.stderr


def test_graphmem_bench_outside_of_a_checkout_says_what_to_do(tmp_path):
    """As installed from a wheel: the engine without the benchmarks beside it."""
    shutil.copytree(ROOT / "graphmem", tmp_path / "graphmem", ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "graphmem", "bench", "store"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "clone its repository" in done.stderr


def test_a_benchmark_that_does_not_exist_yet_says_so():
    command = [sys.executable, "-m", "benchmarks.locomo", "--quick"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert "does not exist yet" in done.stderr

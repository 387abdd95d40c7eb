"""The command line: what a person types, reads and can rely on in a script."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from graphmem.cli import main

COMMANDS = ("demo", "add", "search", "stats", "verify", "rebuild", "export", "import", "completion")


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a command on a memory without a model."""
    monkeypatch.setenv("GRAPHMEM_MODELS__EMBEDDING", "none")

    def invoke(*arguments, stdin=None, folder="memory"):
        return CliRunner().invoke(main, ["--folder", str(tmp_path / folder), *arguments], input=stdin)

    return invoke


@pytest.mark.parametrize("command", COMMANDS)
def test_every_help_text_has_examples_and_every_command_speaks_json(command):
    result = CliRunner().invoke(main, [command, "--help"])
    assert result.exit_code == 0
    assert "Examples:" in result.output
    assert "--json" in result.output


def test_help_needs_no_heavy_library():
    program = (
        "import sys; from graphmem.cli import main; main(['--help'], standalone_mode=False);"
        "print('HEAVY', *{'rich', 'numpy', 'kuzu', 'torch', 'spacy', 'onnxruntime'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines()[-1].strip() == "HEAVY", done.stderr


def test_what_is_added_is_found(run):
    added = run("add", "I moved to Berlin last May.", "--speaker", "Ana", "--ref", "m1", "--json")
    assert added.exit_code == 0, added.output
    found = run("search", "Berlin", "--json")
    hit = json.loads(found.stdout)["hits"][0]
    assert (hit["id"], hit["ref"], hit["speaker"]) == (json.loads(added.stdout)["id"], "m1", "Ana")
    assert "I moved to Berlin last May." in run("search", "Berlin").stdout


def test_a_text_comes_from_standard_input(run):
    assert run("add", "-", "--at", "2024-05-07T12:30:00+02:00", stdin="We land at nine.\n").exit_code == 0
    hit = json.loads(run("search", "land", "--json").stdout)["hits"][0]
    assert hit["text"] == "We land at nine."
    assert hit["at"].startswith("2024-05-07T10:30:00")


def test_spaces_do_not_see_each_other(run):
    run("add", "Ana keeps bees.", "--space", "ana")
    run("add", "Ben keeps goats.", "--space", "ben")
    assert json.loads(run("search", "bees", "--space", "ben", "--json").stdout)["hits"] == []
    assert run("search", "bees", "--space", "ben").stdout.strip() == "nothing found"


def test_a_space_that_nothing_was_written_to_is_an_error(run):
    run("add", "Ana keeps bees.", "--space", "ana")
    outcome = run("search", "bees", "--space", "anna")
    assert (outcome.exit_code, outcome.stdout) == (1, "")
    assert "there is no space 'anna'" in outcome.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("add", "x", "--at", "2024-05-07"),
        ("add", "x", "--at", "soon"),
        ("add", "x", "--metadata", "[1]"),
        ("add", "x", "--role", "nobody"),
        ("search", "x", "--limit", "0"),
        ("search", "x", "--kinds", "rumour"),
        ("rebuild", "everything"),
    ],
)
def test_a_wrong_option_is_a_usage_error(run, arguments):
    assert run(*arguments).exit_code == 2


def test_an_error_is_one_line_on_stderr_and_exit_code_1(run):
    run("add", "first", "--ref", "m1")
    result = run("add", "second", "--ref", "m1")
    assert result.exit_code == 1
    assert result.stderr.startswith("graphmem: ")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", [("search", "x"), ("stats",), ("verify",), ("rebuild",), ("export", "-")])
def test_reading_does_not_create_a_memory_where_there_is_none(run, tmp_path, command):
    result = run(*command)
    assert result.exit_code == 1
    assert "there is no memory in" in result.stderr
    assert not (tmp_path / "memory").exists()


def test_stats_verify_and_rebuild_agree_on_a_sound_memory(run):
    run("add", "Pepper is a whippet.")
    assert json.loads(run("stats", "--json").stdout)["commits"] >= 1
    assert json.loads(run("rebuild", "--json").stdout) == {"rebuilt": "all"}
    report = run("verify", "--json")
    assert report.exit_code == 0, report.output
    assert json.loads(report.stdout)["ok"] is True
    assert "all parts agree" in run("verify").stdout


def test_what_was_exported_can_be_imported_elsewhere(run, tmp_path):
    run("add", "Pepper is a whippet.", "--speaker", "Ben", "--ref", "m1")
    file = tmp_path / "backup.jsonl"
    assert run("export", str(file)).exit_code == 0
    assert [path.name for path in tmp_path.glob("*backup*")] == ["backup.jsonl"]
    assert run("import", str(file), folder="copy").exit_code == 0
    hit = json.loads(run("search", "whippet", "--json", folder="copy").stdout)["hits"][0]
    assert (hit["ref"], hit["speaker"]) == ("m1", "Ben")
    assert run("export", "-").stdout == file.read_text()


def test_escape_sequences_in_a_memory_do_not_reach_the_terminal(run):
    run("add", "red \x1b[31malert\x1b[0m here")
    assert "\x1b" not in run("search", "alert").stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(run, shell):
    result = run("completion", shell)
    assert result.exit_code == 0
    assert "_GRAPHMEM_COMPLETE" in result.stdout


@pytest.mark.slow
def test_a_cold_search_with_vectors_imports_neither_torch_nor_spacy(tmp_path):
    graphmem = [sys.executable, "-m", "graphmem", "--folder", str(tmp_path / "memory")]
    added = subprocess.run([*graphmem, "add", "I moved to Berlin."], capture_output=True, text=True, timeout=120)
    assert added.returncode == 0, added.stderr
    cold = [sys.executable, "-X", "importtime", *graphmem[1:], "search", "Where is my home?", "--json"]
    done = subprocess.run(cold, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr[-2000:]
    imported = {line.rsplit("|", 1)[-1].strip().partition(".")[0] for line in done.stderr.splitlines() if "|" in line}
    assert "onnxruntime" in imported
    assert not imported & {"torch", "spacy", "sentence_transformers", "transformers"}
    assert "vectors" in json.loads(done.stdout)["hits"][0]["channels"]

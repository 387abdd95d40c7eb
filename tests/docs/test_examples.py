"""What the pages show is what happens."""

import pytest

from tests.docs.examples import run_console, run_python, shown
from tests.docs.pages import PAGES, blocks, name_of, read

NAMES = [name_of(path) for path in PAGES]
PYTHON = [name for name in NAMES if any(block.language == "pycon" for block in blocks(read(name)))]
CONSOLE = [name for name in NAMES if shown(blocks(read(name)))]
# The README shows the defaults, so it is run with the real model; the others search by words.
REAL_MODEL = {"README.md"}
# These show what becomes known, so the extractor reads what they say.
DISTILLED = {"README.md", "docs/cli.md", "docs/knowledge.md", "docs/cypher.md"}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder to be in, and no settings from outside."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GRAPHMEM_FOLDER", raising=False)
    return tmp_path


@pytest.mark.parametrize("name", PYTHON)
def test_python_examples_print_what_the_page_says(name, here, monkeypatch):
    if name in DISTILLED:
        monkeypatch.delenv("GRAPHMEM_DISTIL__EXTRACTOR")
    assert run_python(name, blocks(read(name))) > 0


@pytest.mark.parametrize("name", CONSOLE)
def test_commands_print_what_the_page_says(name, here, monkeypatch):
    if name not in REAL_MODEL:
        monkeypatch.setenv("GRAPHMEM_MODELS__EMBEDDING", "none")
    if name in DISTILLED:
        monkeypatch.delenv("GRAPHMEM_DISTIL__EXTRACTOR")

    assert run_console(name, blocks(read(name))) > 0


def test_the_readme_remembers_recalls_and_inspects():
    page = read("README.md")
    verbs = [page.index(f"\n## {verb}\n") for verb in ("Remember", "Recall", "Inspect")]

    assert verbs == sorted(verbs)
    assert {"README.md"} <= set(PYTHON) & set(CONSOLE)


@pytest.mark.parametrize("name", NAMES)
def test_a_prompt_stands_only_in_a_block_that_is_run(name):
    """An example in a block of another language would look tested and would not be."""
    others = [block for block in blocks(read(name)) if block.language not in ("pycon", "console")]

    assert [block.line for block in others if block.text.startswith((">>> ", "$ "))] == []

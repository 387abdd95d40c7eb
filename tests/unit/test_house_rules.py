"""Rules of the house that no linter knows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from graphmem import errors

ROOT = Path(__file__).parent.parent.parent
HEAVY = ("torch", "spacy", "kuzu", "hnswlib", "sentence_transformers", "onnxruntime", "numpy", "dspy", "networkx")
BUDGET_SECONDS = 0.3

MEASURE = "import sys, time; began = time.perf_counter(); {}; print(time.perf_counter() - began)"
LIST_HEAVY = f"import sys, graphmem; print(*[name for name in {HEAVY!r} if name in sys.modules])"


def child(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_importing_graphmem_loads_no_heavy_library():
    assert child(LIST_HEAVY) == ""


def test_importing_graphmem_is_quick():
    """The best of five, over what a bare interpreter needs for the same program without the import."""
    bare = min(float(child(MEASURE.format("pass"))) for _ in range(5))
    best = min(float(child(MEASURE.format("import graphmem"))) for _ in range(5))

    assert best - bare < BUDGET_SECONDS


def test_the_tree_in_the_docstring_is_the_tree_of_the_classes():
    drawn = set(re.findall(r"^ *([A-Z]\w+)", errors.__doc__.split("\n\n", 1)[1], re.MULTILINE))
    classes = {
        name for name, each in vars(errors).items() if isinstance(each, type) and each.__module__ == errors.__name__
    }

    assert drawn == classes


def test_no_module_is_called_after_nothing():
    banned = {"utils", "util", "helpers", "common", "manager", "base", "core", "misc"}
    modules = [path for folder in ("graphmem", "api", "benchmarks") for path in (ROOT / folder).rglob("*.py")]

    assert [path for path in modules if path.stem in banned or path.parent.name in banned] == []

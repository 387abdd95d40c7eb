"""What the wheel holds, and that each dependency has a reason and a tested version."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
REQUIREMENTS = [
    *PROJECT["dependencies"],
    *(each for extra in PROJECT["optional-dependencies"].values() for each in extra),
]


def name_of(requirement: str) -> str:
    return re.match(r"[A-Za-z0-9._-]+", requirement).group()


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = folder.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        yield archive


def test_the_wheel_has_the_engine_and_the_api_and_nothing_else_at_the_top(wheel):
    tops = {name.split("/")[0] for name in wheel.namelist()}

    assert tops == {"graphmem", "graphmem_api", f"graphmem-{PROJECT['version']}.dist-info"}


@pytest.mark.parametrize(
    "name",
    ["graphmem/__init__.py", "graphmem_api/app.py", "graphmem/ontologies/core.toml", "graphmem/ontology/__init__.py"],
)
def test_the_wheel_carries(wheel, name):
    assert name in wheel.namelist()


def test_the_wheel_installs_the_command(wheel):
    (name,) = [each for each in wheel.namelist() if each.endswith("entry_points.txt")]

    assert "graphmem = graphmem.cli:main" in wheel.read(name).decode()


def test_the_version_is_the_same_everywhere():
    import graphmem

    assert graphmem.__version__ == PROJECT["version"]


@pytest.mark.parametrize("requirement", REQUIREMENTS)
def test_every_dependency_has_a_reason(requirement):
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")

    assert re.search(rf"^\| `{re.escape(name_of(requirement))}` \| \w", page, re.MULTILINE)


@pytest.mark.parametrize("requirement", REQUIREMENTS)
def test_every_dependency_has_a_tested_version(requirement):
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = {normal(line.split("==")[0]) for line in lines if "==" in line and not line.startswith("#")}

    assert normal(name_of(requirement)) in pinned


def test_pins_are_exact_and_can_be_fetched_by_anyone():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]

    assert [pin for pin in pins if not re.fullmatch(r"[\w.-]+==[\w.!]+", pin)] == []


@pytest.mark.parametrize("script", ["scripts/setup", "scripts/test", "scripts/demo", ".ci/run"])
def test_scripts_can_be_run(script):
    path = ROOT / script

    assert path.stat().st_mode & 0o111
    assert path.read_text(encoding="utf-8").startswith("#!/usr/bin/env bash\n")
    assert "set -euo pipefail" in path.read_text(encoding="utf-8")

"""The form in which every benchmark reports: figures beside the floor that the same run measured, and how it was run."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec
from msgspec import Struct
from rich import box
from rich.console import Console
from rich.table import Table

TIMES = "\u00d7"


class Target(Struct, frozen=True, kw_only=True):
    """What a figure has to reach: at most ``times`` the floor plus ``plus``, at most ``most``, or at least ``least``."""

    text: str
    times: float | None = None
    plus: float = 0.0
    most: float | None = None
    least: float | None = None

    def met(self, value: float, floor: float | None) -> bool | None:
        """Say whether ``value`` reaches it; without the floor that it needs nobody can say."""
        if self.times is not None:
            return None if floor is None else value <= self.times * floor + self.plus
        if self.most is not None:
            return value <= self.most
        return None if self.least is None else value >= self.least


class Figure(Struct, frozen=True, kw_only=True):
    """One measured number. ``floor`` is what the bare thing took in the same run, ``ratio`` is value to floor."""

    figure: str
    value: float
    unit: str
    floor: float | None = None
    ratio: float | None = None
    target: str | None = None
    met: bool | None = None


class Report(Struct, frozen=True, kw_only=True):
    """All figures of a run, with what is needed to run it again."""

    benchmark: str
    figures: tuple[Figure, ...]
    settings: dict[str, object]
    versions: dict[str, str]
    machine: dict[str, object]
    seed: int
    seconds: float
    notes: tuple[str, ...] = ()


def measured(name: str, value: float, unit: str, *, floor: float | None = None, target: Target | None = None) -> Figure:
    """Return a figure with its ratio, and whether it meets its target."""
    return Figure(
        figure=name,
        value=_rounded(value),
        unit=unit,
        floor=None if floor is None else _rounded(floor),
        ratio=_rounded(value / floor) if floor else None,
        target=target.text if target else None,
        met=target.met(value, floor) if target else None,
    )


def versions_of(packages: Sequence[str]) -> dict[str, str]:
    """Return the installed versions of these packages."""
    found = {}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # a checkout on the path without an install still runs
            found[package] = "not installed"
    return found


def machine() -> dict[str, object]:
    """Describe the machine by what moves figures; nothing that names it."""
    return {
        "cores": os.cpu_count() or 1,
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "load": round(os.getloadavg()[0], 2),  # before the run: a busy machine has long tails, floors included
        "system": platform.system(),
        "architecture": platform.machine(),
        "python": platform.python_version(),
    }


def write(report: Report, folder: Path) -> Path:
    """Keep the report as a file of JSON named after the benchmark."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{report.benchmark}.json"
    path.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=2) + b"\n")
    return path


def show(report: Report, console: Console) -> None:
    """Print the figures as a table, then what is short of its target."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title, side in (
        ("figure", "left"), ("value", "right"), ("floor", "right"), ("unit", "left"),
        ("ratio", "right"), ("target", "left"), ("", "left"),
    ):  # fmt: skip
        table.add_column(title, justify="right" if side == "right" else "left", no_wrap=title != "figure")
    for each in report.figures:
        verdict = {True: "met", False: "short", None: ""}[each.met]
        ratio = "" if each.ratio is None else f"{each.ratio:,.2f}{TIMES}"
        cells = (each.figure, _number(each.value), _number(each.floor), each.unit, ratio, each.target or "", verdict)
        table.add_row(*cells)
    console.print(table)
    for note in report.notes:
        console.print(note)
    judged = [each for each in report.figures if each.met is not None]
    short = [each.figure for each in judged if not each.met]
    console.print(f"{len(judged) - len(short)} of {len(judged)} targets met in {report.seconds:,.0f} s")
    for name in short:
        console.print(f"short: {name}")


def _rounded(value: float) -> float:
    """Four significant digits: more would be noise, and rounding by places would lose the small ones."""
    return float(f"{value:.4g}") if abs(value) < 1000 else float(round(value))


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"

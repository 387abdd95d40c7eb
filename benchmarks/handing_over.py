"""How every benchmark says what it is doing, and hands its report over: as a table, as JSON, as a file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec
from rich.console import Console

from benchmarks import figures


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """Say on a terminal what is being measured; elsewhere say nothing."""
    console = Console(stderr=True, markup=False)
    if not console.is_terminal:
        yield lambda what: None  # noqa: ARG005 - nobody is looking
        return
    with console.status("starting") as status:
        yield status.update


def hand_over(report: figures.Report, out: Path | None, *, as_json: bool) -> Console | None:
    """Write and print a report; return the console when there is room for more on it."""
    if out is not None:
        figures.write(report, out)
    if as_json:
        click.echo(msgspec.json.encode(report).decode())
        return None
    console = Console(markup=False, highlight=False, width=None if sys.stdout.isatty() else 160)
    figures.show(report, console)
    return console

"""``graphmem stats``, ``verify`` and ``rebuild``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphmem.cli.options import console, json_option, open_memory, plain, print_json, progress, space_option

if TYPE_CHECKING:
    from rich.table import Table

PARTS = ("graph", "words", "vectors", "all")


@click.command()
@space_option(None)
@json_option
@click.pass_obj
def stats(folder: Path, space: str | None, as_json: bool) -> None:
    """Show how much is remembered.

    \b
    Examples:
      graphmem stats
      graphmem stats --space ana --json
    """
    with open_memory(folder) as memory:
        found = memory.stats(space)
    if as_json:
        print_json(found)
        return
    rest = {
        "spaces": found.spaces,
        "waiting to be embedded": found.pending_vectors,
        "commits": found.commits,
        "size on disk": f"{found.bytes_on_disk / 1e6:,.1f} MB",
        "embeddings": found.embedding or "none",
    }
    console().print(_table(("what", "how many"), {**found.counts, **rest}))


@click.command()
@json_option
@click.pass_obj
def verify(folder: Path, as_json: bool) -> None:
    """Compare the journal with everything that was built from it. Exit code 1 when they differ.

    \b
    Examples:
      graphmem verify
      graphmem verify --json && echo sound
    """
    with open_memory(folder) as memory, progress("comparing") as advance:
        report = memory.verify(progress=advance)
    if as_json:
        print_json({"ok": report.ok, "compared": report.compared, "problems": report.problems})
    else:
        console().print(_table(("part", "compared"), report.compared))
        for problem in report.problems:
            click.echo(f"problem: {plain(problem)}")
        click.echo("all parts agree" if report.ok else "run: graphmem rebuild all")
    if not report.ok:
        raise click.exceptions.Exit(1)


@click.command()
@click.argument("part", type=click.Choice(PARTS), default="all")
@json_option
@click.pass_obj
def rebuild(folder: Path, part: str, as_json: bool) -> None:
    """Build the graph, the word index or the vectors again from the journal.

    \b
    Examples:
      graphmem rebuild
      graphmem rebuild vectors
    """
    with open_memory(folder) as memory, progress(f"rebuilding {part}") as advance:
        memory.rebuild(part, progress=advance)
    if as_json:
        print_json({"rebuilt": part})
    else:
        click.echo(f"rebuilt {part}")


def _table(titles: tuple[str, str], rows: Mapping[str, object]) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(titles[0])
    table.add_column(titles[1], justify="right")
    for name, value in rows.items():
        table.add_row(name, f"{value:,}" if isinstance(value, int) else str(value))
    return table

"""``graphmem demo``."""

from __future__ import annotations

from pathlib import Path

import click

from graphmem.cli.options import json_option, print_json


@click.command()
@click.option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    help="Keep the demo's memory in this new folder instead of a temporary one.",
)
@json_option
def demo(keep: Path | None, as_json: bool) -> None:
    """Remember a conversation of five sessions and ask about it. Everything runs on this machine.

    \b
    Examples:
      graphmem demo
      graphmem demo --keep demo-memory && graphmem -f demo-memory search "Pepper"
    """
    from rich.console import Console

    from graphmem.demo import run

    if keep is not None and keep.exists() and any(keep.iterdir()):
        raise click.BadParameter(f"{str(keep)!r} is not empty; choose a new folder", param_hint="--keep")
    outcome = run(Console(quiet=as_json), keep)
    if as_json:
        print_json(outcome)

"""``graphmem bench``: benchmarks are not part of the wheel, they run from a checkout."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import click

CHECKOUT = Path(__file__).resolve().parents[2]


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.argument("name")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def bench(name: str, arguments: tuple[str, ...]) -> None:
    """Run the benchmark NAME of this checkout; what follows the name goes to the benchmark.

    \b
    Examples:
      graphmem bench store --quick
      graphmem bench store --sizes 100000 --json --out runs
      graphmem bench store --help
    """
    found = sorted(path.parent.name for path in CHECKOUT.glob("benchmarks/*/__main__.py"))
    if not found:
        raise click.ClickException(
            "benchmarks are not installed with graphmem; clone its repository and run this command from there"
        )
    if name not in found:
        raise click.BadParameter(f"{name!r} is not one of {', '.join(found)}", param_hint="NAME")
    # Of this very checkout: another project's folder called benchmarks may come first on the path.
    sys.path.insert(0, str(CHECKOUT))
    import_module(f"benchmarks.{name}.__main__").main.main(args=list(arguments), prog_name=f"graphmem bench {name}")

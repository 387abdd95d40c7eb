"""The ``graphmem`` command. Nothing heavy is imported until a command runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graphmem import __version__
from graphmem.cli.bench import bench
from graphmem.cli.completion import completion
from graphmem.cli.cypher import cypher
from graphmem.cli.demo import demo
from graphmem.cli.inspect import rebuild, stats, verify
from graphmem.cli.knowledge import conflicts, entities, entries, history, profile, relations, save
from graphmem.cli.remember import add
from graphmem.cli.search import search
from graphmem.cli.transfer import export, import_
from graphmem.cli.work import distil, ingest, jobs, redistil
from graphmem.errors import GraphmemError


class Failure(click.ClickException):
    """An error of graphmem as one line, without a traceback."""

    def show(self, file: Any = None) -> None:
        """Print it to standard error."""
        line = " ".join(self.format_message().split())
        click.echo(f"graphmem: {line}", file=file, err=file is None)


class Commands(click.Group):
    """A group whose commands may raise GraphmemError, listed in the order in which one meets them."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command, and turn what graphmem raises into one line."""
        try:
            return super().invoke(ctx)
        except GraphmemError as error:
            raise Failure(str(error)) from error

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Not by the alphabet."""
        return list(self.commands)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--folder",
    "-f",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("memory"),
    envvar="GRAPHMEM_FOLDER",
    show_default="./memory",
    show_envvar=True,
    help="Where the memory is kept.",
)
@click.version_option(__version__, "--version", "-V", prog_name="graphmem")
@click.pass_context
def main(ctx: click.Context, folder: Path) -> None:
    """A memory for AI agents that lives in one folder.

    \b
    Examples:
      graphmem demo
      graphmem add "I moved to Berlin last May." --speaker Ana
      graphmem search "Where does Ana live?"
      graphmem --folder ~/notes stats --json
    """
    ctx.obj = folder


COMMANDS = (
    demo, add, ingest, search, cypher, save, entries, entities, relations, profile, history, conflicts, jobs, distil, redistil,
    stats, verify, rebuild, export, import_, bench, completion,
)  # fmt: skip
for command in COMMANDS:
    main.add_command(command)

"""``graphmem completion``."""

from __future__ import annotations

import click

from graphmem.cli.options import json_option, print_json


@click.command()
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@json_option
@click.pass_context
def completion(ctx: click.Context, shell: str, as_json: bool) -> None:
    """Print the script that completes graphmem's commands in a shell.

    \b
    Examples:
      eval "$(graphmem completion bash)"
      graphmem completion fish > ~/.config/fish/completions/graphmem.fish
    """
    from click.shell_completion import get_completion_class

    cls = get_completion_class(shell)
    if cls is None:
        raise click.UsageError(f"no completion for {shell!r}")
    script = cls(ctx.find_root().command, {}, "graphmem", "_GRAPHMEM_COMPLETE").source()
    if as_json:
        print_json({"shell": shell, "script": script})
    else:
        click.echo(script)

"""``graphmem add``."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import Any, get_args

import click

from graphmem.cli.options import json_option, open_memory, print_json, progress, space_option
from graphmem.errors import InvalidInput, ModelError
from graphmem.types import Role


def _instant(ctx: click.Context, option: click.Parameter, value: str | None) -> datetime | None:
    from graphmem.clock import instant

    if value is None:
        return None
    try:
        return instant(value, "at")
    except InvalidInput as error:
        raise click.BadParameter(str(error).removeprefix("at: "), ctx, option) from None


def _object(ctx: click.Context, option: click.Parameter, value: str | None) -> dict[str, Any] | None:
    import msgspec

    if value is None:
        return None
    try:
        return msgspec.json.decode(value, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise click.BadParameter(f"{value!r} is not a JSON object: {error}", ctx, option) from None


@click.command()
@click.argument("text")
@space_option()
@click.option("--session", help="The conversation sitting it belongs to.")
@click.option("--speaker", help="Who said it.")
@click.option("--role", type=click.Choice(get_args(Role)), default="user", show_default=True)
@click.option("--at", callback=_instant, metavar="ISO", help="When it was said, with an offset. Default: now.")
@click.option("--ref", help="Your own id for it, unique in its space.")
@click.option("--title", help="A title of the text.")
@click.option("--caption", help="What an image that came with it shows.")
@click.option("--metadata", callback=_object, metavar="JSON", help="A JSON object to keep with it.")
@json_option
@click.pass_obj
def add(folder: Path, /, text: str, as_json: bool, **given: Any) -> None:
    """Remember TEXT, or what comes from standard input when TEXT is "-".

    \b
    Examples:
      graphmem add "I moved to Berlin last May." --speaker Ana --session chat-7
      graphmem add "We land at nine." --speaker Ben --at 2024-05-07T12:30:00+02:00
      graphmem add - --title "Meeting notes" --metadata '{"source": "wiki"}' < notes.txt
    """
    if text == "-":
        with click.open_file("-", encoding="utf-8") as stdin:
            text = stdin.read().rstrip("\n")
    with open_memory(folder, create=True) as memory:
        turn = memory.add(text, **given)
        if as_json:
            print_json(turn)
        else:
            click.echo(f"remembered {turn.id}, said {turn.at:%Y-%m-%d %H:%M} UTC")
        try:
            with progress("embedding") as advance:
                memory.flush(given["space"], progress=advance)
        except ModelError as error:
            # The turn is durable and found by its words, so this is no failure of the command.
            print(f"graphmem: remembered, but found by its words alone for now: {error}", file=sys.stderr)

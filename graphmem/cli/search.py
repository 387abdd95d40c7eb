"""``graphmem search``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from graphmem.cli.options import console, json_option, open_memory, plain, print_json, space_option

if TYPE_CHECKING:
    from rich.console import RenderableType

    from graphmem.types import Hit, Kind

KINDS = ("turn", "episode", "entry", "relation")


def _kinds(ctx: click.Context, option: click.Parameter, value: tuple[str, ...]) -> tuple[Kind, ...] | None:
    kinds = tuple(kind.strip() for given in value for kind in given.split(","))
    for kind in kinds:
        if kind not in KINDS:
            raise click.BadParameter(f"{kind!r} is not one of {', '.join(KINDS)}", ctx, option)
    return cast("tuple[Kind, ...]", kinds) or None


@click.command()
@click.argument("question")
@space_option()
@click.option("--limit", "-n", type=click.IntRange(min=1), default=10, show_default=True, help="The most hits to show.")
@click.option("--kinds", multiple=True, callback=_kinds, metavar="KIND", help=f"Of {', '.join(KINDS)}; default: all.")
@json_option
@click.pass_obj
def search(folder: Path, question: str, space: str, limit: int, kinds: tuple[Kind, ...] | None, as_json: bool) -> None:
    """Find what was remembered that answers QUESTION, best first.

    \b
    Examples:
      graphmem search "Where does Ana live?"
      graphmem search "What is Ben allergic to?" --limit 3 --kinds turn
      graphmem search "the trip to Lisbon" --json | jq -r '.hits[].text'
    """
    with open_memory(folder) as memory:
        recall = memory.search(question, space=space, limit=limit, kinds=kinds)
    if as_json:
        print_json(recall)
        return
    if not recall.hits:
        click.echo("nothing found")
    out = console()
    for rank, hit in enumerate(recall.hits, start=1):
        out.print(shown(hit, rank))
    for note in recall.notes:
        click.echo(f"note: {note}", err=True)


def shown(hit: Hit, rank: int) -> RenderableType:
    """A hit as a person reads it: who and when, the words, and why it was found."""
    from rich.text import Text

    who = plain(hit.speaker or hit.kind)
    where = f" · {plain(hit.session)}" if hit.session else ""
    why = ", ".join(f"{channel} {score:.2f}" for channel, score in sorted(hit.channels.items()))
    quotes = [f"\n   “{plain(each.quote)}”" for each in hit.evidence if each.quote not in hit.text]
    return Text.assemble(
        (f"{rank}. ", "bold"), (who, "bold cyan"), (f" · {hit.at:%-d %b %Y}{where}", "dim"),
        f"\n   {plain(hit.text)}", ("".join(quotes), "italic"),
        (f"\n   score {hit.score:.3f}" + (f" from {why}" if why else ""), "dim"),
    )  # fmt: skip

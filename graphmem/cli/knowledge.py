"""``graphmem save``, ``entries``, ``entities``, ``relations``, ``profile``, ``history`` and ``conflicts``: what is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, get_args

import click

from graphmem.cli.options import console, json_option, open_memory, plain, print_json, space_option
from graphmem.types import Entry, EntryType, Relation, Version


def _paging(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option("--offset", type=click.IntRange(0, 10000), default=0, help="How many to pass over."),
        click.option("--limit", "-n", type=click.IntRange(1, 10000), default=50, show_default=True, help="The most to show."),
    ):  # fmt: skip
        command = option(command)
    return command


def _held(command: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--held", type=click.Choice(("now", "before", "all")), default="now", show_default=True,
        help="What holds now, what does not any more, or both.",
    )(command)  # fmt: skip


ACTIVE = {"now": True, "before": False, "all": None}


@click.command()
@click.argument("text")
@space_option()
@click.option("--category", type=click.Choice(get_args(EntryType)), help="Of what kind it is. Default: inferred.")
@click.option("--pin", is_flag=True, help="An override: always in context, and nothing but you changes it.")
@json_option
@click.pass_obj
def save(folder: Path, text: str, space: str, category: EntryType | None, pin: bool, as_json: bool) -> None:
    """Write one entry by hand. One that says the same already is returned instead.

    \b
    Examples:
      graphmem save "User prefers answers in bullet points"
      graphmem save "Always answer in French" --pin
    """
    with open_memory(folder, create=True) as memory:
        if pin:
            entry = memory.pin(text, space=space, category=category)
        else:
            entry = memory.save(text, space=space, category=category)
        memory.flush(space)
    if as_json:
        print_json(entry)
    else:
        click.echo(f"{entry.id}  {entry.type}  {plain(entry.text)}")


@click.command()
@space_option()
@click.option("--category", type=click.Choice(get_args(EntryType)), help="Only of this kind.")
@click.option("--about", metavar="NAME", help="Only about this person or thing.")
@click.option("--query", "-q", metavar="TEXT", help="Only with these words in them.")
@_held
@_paging
@json_option
@click.pass_obj
def entries(
    folder: Path, space: str, category: EntryType | None, about: str | None, query: str | None, held: str, limit: int,
    offset: int, as_json: bool,
) -> None:  # fmt: skip
    """List what is known: facts, preferences, decisions, plans and so on, newest first.

    \b
    Examples:
      graphmem entries --about Ana
      graphmem entries --category preference --held all --json
    """
    with open_memory(folder) as memory:
        found = memory.entries(
            space=space, category=category, subject=about, q=query, active=ACTIVE[held], limit=limit, offset=offset
        )
    rows = ((e.id, e.type, e.text, times(e), f"{e.confidence:.2f}") for e in found)
    _show(
        found,
        ("id", "kind", "what", "when", "sure"),
        rows,
        as_json,
        "nothing is known yet; graphmem distil reads what waits",
    )


@click.command()
@space_option()
@click.option("--type", "type_", metavar="TYPE", help="Only of this type, such as person or place.")
@click.option("--query", "-q", metavar="TEXT", help="Only with this in one of their names.")
@_paging
@json_option
@click.pass_obj
def entities(
    folder: Path, space: str, type_: str | None, query: str | None, limit: int, offset: int, as_json: bool
) -> None:
    """List the people, places and things that were spoken of.

    \b
    Examples:
      graphmem entities --type person
    """
    with open_memory(folder) as memory:
        found = memory.entities(space=space, type=type_, q=query, limit=limit, offset=offset)
    rows = ((e.id, e.type, e.name, ", ".join(e.aliases)) for e in found)
    _show(found, ("id", "type", "name", "also called"), rows, as_json, "nobody and nothing was spoken of yet")


@click.command()
@space_option()
@click.option("--entity", metavar="NAME", help="Only of this person or thing (a name or an id).")
@click.option("--predicate", metavar="NAME", help="Only with this predicate, such as lives_in.")
@_held
@_paging
@json_option
@click.pass_obj
def relations(
    folder: Path,
    space: str,
    entity: str | None,
    predicate: str | None,
    held: str,
    limit: int,
    offset: int,
    as_json: bool,
) -> None:
    """List how people and things relate, newest first.

    \b
    Examples:
      graphmem relations --entity Ana
      graphmem relations --predicate works_at --held all
    """
    with open_memory(folder) as memory:
        found = memory.relations(
            space=space, entity=entity, predicate=predicate, active=ACTIVE[held], limit=limit, offset=offset
        )
    rows = ((r.id, r.predicate, r.text, times(r), f"{r.confidence:.2f}") for r in found)
    _show(found, ("id", "predicate", "what", "when", "sure"), rows, as_json, "no relations are known yet")


@click.command()
@space_option()
@click.option("--version", type=click.IntRange(1), help="An older version. Default: the newest.")
@click.option("--difference", type=click.IntRange(1), metavar="VERSION", help="What changed since this version.")
@click.option("--rebuild", is_flag=True, help="Write it anew from what is known now.")
@json_option
@click.pass_obj
def profile(
    folder: Path, space: str, version: int | None, difference: int | None, rebuild: bool, as_json: bool
) -> None:
    """Show who the space is about, as it is written from what is known.

    \b
    Examples:
      graphmem profile --rebuild
      graphmem profile --difference 1
    """
    with open_memory(folder) as memory:
        found = memory.rebuild_profile(space=space) if rebuild else memory.profile(space=space, version=version)
        changed = memory.profile_difference(difference, found.version, space=space) if found and difference else ""
    if as_json:
        print_json({"profile": found, "difference": changed} if difference else found)
    elif found is None:
        click.echo("there is no profile yet; --rebuild writes one")
    else:
        click.echo(plain(changed) if difference else f"version {found.version}\n\n{plain(found.text)}")


@click.command()
@click.argument("id")
@space_option()
@json_option
@click.pass_obj
def history(folder: Path, id: str, space: str, as_json: bool) -> None:
    """Show what happened to an entry (or another item), oldest first, and why.

    \b
    Examples:
      graphmem history ey_38fg9xkp0003r7z8
    """
    with open_memory(folder) as memory:
        steps = memory.history(id, space=space)
    if as_json:
        print_json(steps)
        return
    for step in steps:
        click.echo(_step(step))


def _step(step: Version) -> str:
    text = getattr(step.item, "text", None) or getattr(step.item, "name", "") or ""
    because = f" (by {step.change.by})" if step.change.by else ""
    return f"{step.change.at:%Y-%m-%d %H:%M}  {step.change.action}: {plain(step.change.reason)}{because}\n    {plain(text)}"


@click.command()
@space_option()
@click.option("--all", "every", is_flag=True, help="Settled ones, too.")
@click.option("--resolve", metavar="ID", help="Settle this conflict, with --keep.")
@click.option("--keep", metavar="ENTRY", help="The id of the entry that is right, or both, or neither.")
@json_option
@click.pass_obj
def conflicts(folder: Path, space: str, every: bool, resolve: str | None, keep: str | None, as_json: bool) -> None:
    """List contradictions that only a person can settle, and settle them.

    \b
    Examples:
      graphmem conflicts
      graphmem conflicts --resolve di_38fg9xkp0003r7z8 --keep ey_38fg9xkp0002efej
    """
    if (resolve is None) != (keep is None):
        raise click.UsageError("--resolve and --keep go together")
    with open_memory(folder) as memory:
        if resolve is not None and keep is not None:
            found = [memory.resolve(resolve, keep=keep, space=space)]
        else:
            found = list(memory.conflicts(space=space, open=None if every else True))
    if as_json:
        print_json(found)
        return
    for each in found:
        state = f"settled: {each.resolution}" if each.resolution else each.kind
        click.echo(f"{each.id}  {state}\n    {plain(each.question)}\n    {'  '.join(each.entries)}")
    if not found:
        click.echo("nothing is in conflict")


def times(item: Entry | Relation) -> str:
    """When something holds, as a person reads it."""
    validity = item.validity
    if validity.retracted_at is not None:
        return "never"
    since = _day(validity.valid_from)
    until = _day(validity.valid_to)
    return (
        f"{since} to {until}" if since and until else f"since {since}" if since else f"until {until}" if until else ""
    )


def _day(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d}" if moment else ""


def _show(
    found: Sequence[object], titles: Sequence[str], rows: Iterable[Sequence[str]], as_json: bool, nothing: str
) -> None:
    if as_json:
        print_json(found)
        return
    if not found:
        click.echo(nothing)
        return
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in titles:
        table.add_column(title, no_wrap=title == "id", overflow="fold")
    for row in rows:
        table.add_row(*map(plain, row))
    console().print(table)

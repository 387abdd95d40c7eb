"""``graphmem cypher``: questions of your own to the graph of one space, once or at a prompt."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphmem.cli.options import console, json_option, open_memory, plain, print_json, space_option
from graphmem.errors import GraphmemError

if TYPE_CHECKING:
    from graphmem.cypher import Table

HISTORY = Path("~/.cache/graphmem/cypher-history")
HELP = "end a statement with ; or an empty line; :schema shows the tables, :quit leaves"
# How many characters of a cell are shown; all of them with --json.
WIDE = 400


def _parameters(ctx: click.Context, option: click.Parameter, value: tuple[str, ...]) -> dict[str, Any]:
    import msgspec

    found: dict[str, Any] = {}
    for given in value:
        name, _, json = given.partition("=")
        try:
            found[name.removeprefix("$")] = msgspec.json.decode(json)
        except msgspec.DecodeError as error:
            raise click.BadParameter(f"{given!r} is not name=JSON, as in limit=5: {error}", ctx, option) from None
    return found


@click.command()
@click.argument("text", required=False)
@space_option()
@click.option(
    "--param", "-p", "parameters", multiple=True, callback=_parameters, metavar="NAME=JSON",
    help="A value for $NAME in the text; may be given again.",
)  # fmt: skip
@click.option(
    "--limit", "-n", type=click.IntRange(min=1), default=100, show_default=True, help="The most rows to show."
)
@json_option
@click.pass_obj
def cypher(folder: Path, text: str | None, space: str, parameters: dict[str, Any], limit: int, as_json: bool) -> None:
    """Ask the graph of a space in Cypher. Without TEXT a prompt opens, or standard input is read.

    Queries only read. See docs/cypher.md for the tables and what is allowed.

    \b
    Examples:
      graphmem cypher "MATCH (t:Turn) RETURN t.speaker, count(*) AS turns ORDER BY turns DESC"
      graphmem cypher 'MATCH (e:Entity {name: $name})--(o:Entity) RETURN o.name' -p 'name="Ana"' --json
      graphmem cypher --space ana
    """
    with open_memory(folder) as memory:
        # As this command's own, so that it can be tried on whatever has the method.
        ask: Callable[..., Table] = memory.cypher  # type: ignore[attr-defined,unused-ignore]

        def answer(statement: str) -> None:
            show(ask(statement, parameters=parameters, space=space), limit=limit, as_json=as_json)

        if text is None and at_terminal():
            _prompt(answer)
        else:
            answer(sys.stdin.read() if text is None or text == "-" else text)


def at_terminal() -> bool:
    """Say whether somebody types."""
    return sys.stdin.isatty()


def show(table: Table, *, limit: int, as_json: bool) -> None:
    """Print what a query returned."""
    rows = table.rows[:limit]
    more = table.truncated or len(table.rows) > limit
    if as_json:
        print_json({"columns": table.columns, "rows": rows, "truncated": more, "seconds": table.seconds})
        return
    from rich import box
    from rich.table import Table as Grid

    grid = Grid(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in table.columns:
        grid.add_column(plain(name), overflow="fold")
    for row in rows:
        grid.add_row(*(_cell(value) for value in row))
    console().print(grid)
    click.echo(
        f"{len(rows):,} row{'s' * (len(rows) != 1)}{', and there are more' * more}; {table.seconds * 1000:,.0f} ms",
        err=True,
    )


def _cell(value: object) -> str:
    if isinstance(value, dict | list):
        import msgspec

        value = msgspec.json.encode(value).decode()
    elif isinstance(value, datetime | date):
        value = value.isoformat()
    text = "" if value is None else plain(str(value))
    return text if len(text) <= WIDE else text[: WIDE - 1] + "…"


def _prompt(answer: Callable[[str], None]) -> None:
    click.echo(HELP)
    with _readline():
        while (statement := _statement()) is not None:
            if statement == ":schema":
                click.echo(_schema())
            elif statement:
                try:
                    answer(statement)
                except GraphmemError as error:
                    click.echo(" ".join(plain(str(error)).split()), err=True)


def _statement() -> str | None:
    """Return what is typed up to a semicolon or an empty line, or ``None`` at the end."""
    lines: list[str] = []
    while True:
        try:
            line = input("     > " if lines else "cypher> ").strip()
        except KeyboardInterrupt:
            click.echo()
            return ""
        except EOFError:
            click.echo()
            return None
        if not lines and line.rstrip(";") in (":quit", ":exit", "quit", "exit"):
            return None
        lines.append(line)
        if not line or line.endswith(";") or line.startswith(":"):
            return "\n".join(lines).strip()


def _schema() -> str:
    from graphmem.cypher.tables import NODES

    return "\n".join(f"{table}({', '.join(found)})" for table, found in NODES.items())


@contextmanager
def _readline() -> Iterator[None]:
    """Let lines be edited, found again and completed, where the system has readline."""
    try:
        import readline
    except ImportError:
        yield
        return
    path = HISTORY.expanduser()
    with suppress(OSError):
        readline.read_history_file(path)
    readline.set_completer(completer())
    readline.set_completer_delims(" \t\n`'\"$()[]{},.:|;<>=+-*/")
    readline.parse_and_bind("tab: complete")
    try:
        yield
    finally:
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)
            readline.set_history_length(1000)
            readline.write_history_file(path)


def completer() -> Callable[[str, int], str | None]:
    """Return what completes clauses, functions, tables and columns."""
    from graphmem.cypher.tables import NODES, RELATIONSHIPS
    from graphmem.cypher.words import CLAUSES, CONNECTIVES, FUNCTIONS

    names = {name for found in (*NODES.values(), *RELATIONSHIPS.values()) for name in found}
    known = sorted(
        {*CLAUSES, *CONNECTIVES, *NODES, *RELATIONSHIPS, *names, *(f"{name.lower()}(" for name in FUNCTIONS)}
    )

    def complete(begun: str, number: int) -> str | None:
        found = [word for word in known if begun and word.casefold().startswith(begun.casefold())]
        return found[number] if number < len(found) else None

    return complete

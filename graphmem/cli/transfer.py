"""``graphmem export`` and ``import``: a memory as lines of JSON."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkstemp
from typing import IO

import click

from graphmem.cli.options import json_option, open_memory, print_json, progress, space_option


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True))
@space_option(None)
@json_option
@click.pass_obj
def export(folder: Path, file: str, space: str | None, as_json: bool) -> None:
    """Write everything to FILE, one JSON object a line ("-" is standard output).

    A file that is already there is replaced only once the new one is complete.

    \b
    Examples:
      graphmem export backup.jsonl
      graphmem export - --space ana | gzip > ana.jsonl.gz
    """
    with open_memory(folder) as memory, _replacing(file) as stream:
        lines = memory.export(stream, space)
    if file == "-":
        click.echo(f"wrote {lines:,} lines", err=True)
    elif as_json:
        print_json({"file": file, "lines": lines})
    else:
        click.echo(f"wrote {lines:,} lines to {file}")


@click.command("import")
@click.argument("file", type=click.File("r", encoding="utf-8"))
@json_option
@click.pass_obj
def import_(folder: Path, file: IO[str], as_json: bool) -> None:
    """Read what export wrote from FILE ("-" is standard input) into this memory.

    \b
    Examples:
      graphmem --folder copy import backup.jsonl
      gunzip -c ana.jsonl.gz | graphmem import -
    """
    with open_memory(folder, create=True) as memory, progress("importing") as advance:
        commits = memory.import_(file, progress=advance)
    if as_json:
        print_json({"commits": commits})
    else:
        click.echo(f"took over {commits:,} commits that were not here yet")


@contextmanager
def _replacing(file: str) -> Iterator[IO[str]]:
    """Write beside the file and move it there at the end; click's own atomic files replace it after an error too."""
    if file == "-":
        with click.open_file("-", "w", encoding="utf-8") as stdout:
            yield stdout
        return
    target = Path(file)
    try:
        descriptor, name = mkstemp(dir=target.parent, prefix=f".{target.name}-")
    except OSError as error:
        raise click.FileError(file, error.strerror) from None
    work = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        work.replace(target)
    finally:
        work.unlink(missing_ok=True)

"""What the commands share: the folder, ``--json``, progress and safe printing."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import click

from graphmem.errors import StoreError

if TYPE_CHECKING:
    from rich.console import Console

    from graphmem.memory import Memory

# Escape sequences in a remembered text must not drive the reader's terminal.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


PIPED = 240


class Advance(Protocol):
    """What a long call is given to report how far it is; those that know no total leave it out."""

    def __call__(self, done: int, total: int | None = None, /) -> None: ...  # noqa: D102 - said by the class


def json_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--json``, passed as ``as_json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")(command)


def space_option(default: str | None = "default") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add ``--space``; without a default it means every space."""
    text = "Whose memory it is." if default else "Only this space instead of all."
    return click.option("--space", "-s", default=default, show_default=bool(default), help=text)


def open_memory(folder: Path, *, create: bool = False) -> Memory:
    """Open the memory. Commands that only read refuse a folder that holds none: it is a mistyped path."""
    if not create and not (folder.is_dir() and any(folder.iterdir())):
        raise StoreError(f"there is no memory in {str(folder)!r}; add something first, or choose another with --folder")
    import msgspec

    from graphmem.memory import Memory
    from graphmem.settings import Settings

    settings = Settings.load()
    # A command is over before anything could rest: what is to be distilled says so with flush.
    manual = msgspec.structs.replace(settings.distil, mode="manual")
    return Memory(folder, settings=msgspec.structs.replace(settings, distil=manual))


def print_json(value: object) -> None:
    """Print a value as one line of JSON."""
    import msgspec

    click.echo(msgspec.json.encode(value).decode())


def plain(text: str) -> str:
    """The text with its control characters made visible as spaces."""
    return _CONTROL.sub(" ", text)


def console() -> Console:
    """Standard output for rich, which prints what it is given: no markup, no guessed colours."""
    from rich.console import Console

    looked_at = sys.stdout.isatty()
    # In a pipe rows stay on one line each.
    return Console(markup=False, highlight=False, soft_wrap=not looked_at, width=None if looked_at else PIPED)


@contextmanager
def progress(what: str) -> Iterator[Advance | None]:
    """A progress bar on stderr, or ``None`` when nobody is looking at it."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)

        def advance(done: int, total: int | None = None, /) -> None:
            bar.update(task, completed=done, total=total)

        yield advance

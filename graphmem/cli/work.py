"""``graphmem ingest``, ``distil``, ``redistil`` and ``jobs``: take conversations in, and the work that follows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from graphmem.cli.options import json_option, open_memory, plain, print_json, progress, space_option
from graphmem.types import JobState

if TYPE_CHECKING:
    from graphmem.memory import Memory


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@space_option(None)
@click.option("--skip-extraction", is_flag=True, help="Only keep the turns; redistil makes something of them later.")
@click.option("--skip-bad", is_flag=True, help="Leave turns out that cannot be kept, instead of refusing the file.")
@json_option
@click.pass_obj
def ingest(folder: Path, file: Path, space: str | None, skip_extraction: bool, skip_bad: bool, as_json: bool) -> None:
    """Remember the conversations in FILE: turns as lines of JSON (.jsonl), or LoCoMo's format (.json).

    A line is what add takes: {"text": ..., "speaker": ..., "session": ..., "at": ..., "ref": ..., "space": ...}.

    \b
    Examples:
      graphmem ingest chats.jsonl
      graphmem ingest locomo10.json --skip-extraction
      graphmem ingest chat.jsonl --space ana --json
    """
    with open_memory(folder, create=True) as memory:
        with progress("remembering") as advance:
            done = memory.ingest(
                file, space=space, skip_extraction=skip_extraction, on_error="skip" if skip_bad else "refuse",
                progress=advance,
            )  # fmt: skip
        with progress("reading and embedding") as advance:
            for name in done:
                memory.flush(name, progress=advance)
        counts = {name: memory.stats(name).counts for name in done if done[name].stored}
        parked = len(memory.jobs(state="parked"))
    refused = {name: len(added.refused) for name, added in done.items() if added.refused}
    if as_json:
        print_json(
            {"stored": {name: len(added.stored) for name, added in done.items()}, "refused": refused, "counts": counts}
        )
        return
    for name, count in counts.items():
        known = ", ".join(f"{number:,} {kind}" for kind, number in count.items())
        click.echo(f"{plain(name)}: {known}" + (f"; {refused[name]} turns refused" if name in refused else ""))
    if parked:
        click.echo(f"{parked} sessions could not be read; see: graphmem jobs --state parked", err=True)


@click.command()
@space_option(None)
@json_option
@click.pass_obj
def distil(folder: Path, space: str | None, as_json: bool) -> None:
    """Make something of the sessions that wait, and of those that were parked, now.

    \b
    Examples:
      graphmem distil
    """
    with open_memory(folder) as memory:
        with progress("reading sessions") as advance:
            errors = memory.distil(space, progress=advance)
        memory.flush(space)
        counts = memory.stats(space).counts
    if as_json:
        print_json({"errors": errors, "counts": counts})
    else:
        click.echo(", ".join(f"{number:,} {kind}" for kind, number in counts.items()) or "nothing to read")
        for error in errors:
            click.echo(f"could not be read: {plain(error)}", err=True)
    if errors:
        raise click.exceptions.Exit(1)


@click.command()
@space_option()
@click.option("--session", "sessions", multiple=True, help="Only this session; may be given again.")
@click.option("--dry-run", is_flag=True, help="Only say what would change.")
@json_option
@click.pass_obj
def redistil(folder: Path, space: str, sessions: tuple[str, ...], dry_run: bool, as_json: bool) -> None:
    """Read sessions again with the extractor of today: what is found again keeps its id, the rest is retracted.

    \b
    Examples:
      graphmem redistil --dry-run
      graphmem redistil --session chat-7
    """
    with open_memory(folder) as memory, progress("reading sessions") as advance:
        done = memory.redistil(space, sessions=sessions or None, dry_run=dry_run, progress=advance)
    if as_json:
        print_json(done)
        return
    for text in done.added:
        click.echo(f"+ {plain(text)}")
    for old, new in done.changed:
        click.echo(f"~ {plain(old)}\n  {plain(new)}")
    for text in done.retracted:
        click.echo(f"- {plain(text)}")
    click.echo(f"{done.unchanged} unchanged in {done.sessions} sessions" + (", nothing was written" if dry_run else ""))


@click.command()
@space_option(None)
@click.option("--state", type=click.Choice(get_args(JobState)), help="Only jobs in this state.")
@click.option("--limit", "-n", type=click.IntRange(1, 10000), default=50, show_default=True, help="The most to show.")
@click.argument("id", required=False)
@json_option
@click.pass_obj
def jobs(folder: Path, id: str | None, space: str | None, state: JobState | None, limit: int, as_json: bool) -> None:
    """List the work that waits, was done or was parked with its error, or show the job with an ID.

    \b
    Examples:
      graphmem jobs --state parked
      graphmem jobs jb_38fg9xdmg000yd65 --json
    """
    with open_memory(folder) as memory:
        found = (memory.job(id),) if id else memory.jobs(space=space, state=state, limit=limit)
        sessions = _names(memory, {job.space for job in found})
    if as_json:
        print_json(found)
        return
    for job in found:
        result = ", ".join(f"{name} {number}" for name, number in job.result.items())
        what = plain(job.error) or result
        click.echo(f"{job.id}  {job.state:8} {plain(job.space)} / {plain(sessions.get(job.session, '?'))}  {what}")
    if not found:
        click.echo("no work waits")


def _names(memory: Memory, spaces: set[str]) -> dict[str, str]:
    return {session.id: session.name for space in spaces for session in memory.sessions(space=space)}

"""``python -m benchmarks.extraction``."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Literal, get_args

import click
from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.extraction.cases import Split
from benchmarks.extraction.changing import Embedding
from benchmarks.extraction.run import Name, Options, Outcome, run
from benchmarks.extraction.speed import LOCOMO
from benchmarks.handing_over import hand_over, progress
from graphmem.errors import GraphmemError

Show = Literal["misses", "false", "confusions", "all"]
SORTS = {
    "misses": ("missed", "date", "entity"),
    "false": ("false", "forbidden", "relation", "entity", "change"),
    "confusions": (),
    "all": ("missed", "false", "forbidden", "date", "relation", "entity", "change"),
}


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--split",
    type=click.Choice(get_args(Split)),
    default="dev",
    show_default=True,
    help="Which part: dev and more to work with, final to score once.",
)
@click.option(
    "--extractor", type=click.Choice(get_args(Name)), default="local", show_default=True, help="Whose claims."
)
@click.option(
    "--embedder", "embedding", type=click.Choice(get_args(Embedding)), default="hash", show_default=True,
    help="Who embeds in the memories of the changes.",
)  # fmt: skip
@click.option("--quick", is_flag=True, help="Every fourth case, and no LoCoMo.")
@click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False), default=LOCOMO, metavar="DIR",
    help="Where locomo10.json is, for the speed; left out when it is not there.  [default: ../shared/data]",
)  # fmt: skip
@click.option("--seed", type=click.IntRange(0), default=7, show_default=True, help="Of the samples of cases.")
@click.option("--show", type=click.Choice(get_args(Show)), help="Also list what is wrong, case by case.")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="Also write DIR/extraction.json.", metavar="DIR"
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def main(
    split: Split, extractor: Name, embedding: Embedding, quick: bool, data: Path, seed: int, show: Show | None,
    out: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Score what an extractor makes of labelled conversations.

    \b
    Examples:
      python -m benchmarks.extraction --quick
      python -m benchmarks.extraction --show misses
      python -m benchmarks.extraction --split final --json --out runs
    """
    options = Options(split=split, extractor=extractor, embedding=embedding, quick=quick, data=data, seed=seed)
    try:
        with progress() as say:
            outcome = run(options, say)
    except (ModuleNotFoundError, LookupError, GraphmemError) as error:
        raise click.ClickException(str(error)) from error
    console = hand_over(outcome.report, out, as_json=as_json)
    if show and console:
        details(outcome, show, console)


def details(outcome: Outcome, show: Show, console: Console) -> None:
    """Print what is wrong, and which type was taken for which."""
    if show in ("confusions", "all"):
        console.print(_table(outcome.confusions))
    for remark in outcome.remarks:
        if remark.sort in SORTS[show]:
            console.print(f"{remark.case}  {remark.sort:9}  {remark.text}", soft_wrap=True)


def _table(confusions: Counter[tuple[str, str]]) -> Table:
    """Labels down, predictions across."""
    down = sorted({gold for gold, _ in confusions})
    across = sorted({guess for _, guess in confusions})
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, title="labelled down, predicted across")
    table.add_column("")
    for name in across:
        table.add_column(name, justify="right")
    for gold in down:
        table.add_row(gold, *(str(confusions[gold, guess] or "") for guess in across))
    return table


if __name__ == "__main__":
    main()

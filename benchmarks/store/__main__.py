"""``python -m benchmarks.store``."""

from __future__ import annotations

from pathlib import Path

import click

from benchmarks.handing_over import hand_over, progress
from benchmarks.store.embedders import EMBEDDINGS
from benchmarks.store.run import Options, run

FULL, QUICK = "1000,10000,100000", "1000,10000"


def numbers(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, ...] | None:  # noqa: ARG001 - click's signature
    """Read whole numbers with commas between them."""
    if value is None:
        return None
    try:
        found = tuple(int(part) for part in value.split(","))
    except ValueError:
        raise click.BadParameter(f"{value!r} is not a list of whole numbers such as 1000,10000") from None
    if min(found) < 1:
        raise click.BadParameter(f"{min(found)} is not at least 1")
    return found


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--quick", is_flag=True, help=f"Only {QUICK} turns, fewer adds and questions; under a minute.")
@click.option("--sizes", callback=numbers, help=f"Turns, such as {FULL},1000000.  [default: {FULL}]")
@click.option("--spaces", callback=numbers, default="1,1000", show_default=True, help="Over how many spaces.")
@click.option("--embedding", type=click.Choice(EMBEDDINGS), default="random", show_default=True, help="Who embeds.")
@click.option("--seed", type=click.IntRange(0), default=7, show_default=True, help="Of texts, questions and vectors.")
@click.option(
    "--work",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=".",
    help="Where the stores are built and removed again; its disk is what is measured.  [default: here]",
)
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="Also write DIR/store.json.", metavar="DIR"
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def main(
    quick: bool, sizes: tuple[int, ...] | None, spaces: tuple[int, ...], embedding: str, seed: int, work: Path,
    out: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Measure the store beside the bare libraries under it.

    \b
    Examples:
      python -m benchmarks.store --quick
      python -m benchmarks.store --sizes 100000 --spaces 1 --json
      python -m benchmarks.store --sizes 100000,1000000 --out runs
    """
    default = tuple(int(part) for part in (QUICK if quick else FULL).split(","))
    options = Options(
        sizes=sizes or default, spaces=spaces, embedding=embedding, seed=seed, work=work,
        adds=300 if quick else 500, questions=100 if quick else 200,
    )  # fmt: skip
    with progress() as say:
        report = run(options, say)
    hand_over(report, out, as_json=as_json)


if __name__ == "__main__":
    main()

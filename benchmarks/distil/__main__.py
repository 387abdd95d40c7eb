"""``python -m benchmarks.distil``."""

from __future__ import annotations

from pathlib import Path

import click

from benchmarks.distil.run import Options, run
from benchmarks.handing_over import hand_over, progress


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--quick", is_flag=True, help="One conversation, fewer questions; about a minute.")
@click.option(
    "--data", type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Conversations in LoCoMo's format; without it the labelled dialogues of benchmarks.extraction, again and again.",
)  # fmt: skip
@click.option("--seed", type=click.IntRange(0), default=7, show_default=True, help="Of the questions.")
@click.option(
    "--work", type=click.Path(path_type=Path, exists=True, file_okay=False), default=".",
    help="Where the memory is built and removed again.  [default: here]",
)  # fmt: skip
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="Also write DIR/distil.json.", metavar="DIR"
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
def main(quick: bool, data: Path | None, seed: int, work: Path, out: Path | None, as_json: bool) -> None:
    """Measure a large ingest, and searches and writes while it is being distilled.

    \b
    Examples:
      python -m benchmarks.distil --quick
      python -m benchmarks.distil --data ../shared/data/locomo10.json --out runs
    """
    options = Options(
        conversations=1 if quick else 10, questions=100 if quick else 400, seed=seed, data=data, work=work
    )
    with progress() as say:
        report = run(options, say)
    hand_over(report, out, as_json=as_json)


if __name__ == "__main__":
    main()

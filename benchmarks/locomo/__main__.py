"""``python -m benchmarks.locomo``: says that there is nothing to run."""

from __future__ import annotations

import click


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def main(arguments: tuple[str, ...]) -> None:  # noqa: ARG001 - taken, so that the message is the same for all of them
    """Exit with a message: this benchmark does not exist yet."""
    raise click.ClickException("benchmarks.locomo does not exist yet; see benchmarks.store")


if __name__ == "__main__":
    main()

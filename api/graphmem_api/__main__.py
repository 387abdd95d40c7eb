"""``python -m graphmem_api FOLDER`` serves one memory on this machine."""

from __future__ import annotations

import sys

import click
import uvicorn

from graphmem import Memory
from graphmem.errors import GraphmemError
from graphmem_api.app import create_app

# There is no authentication yet, so nothing but this machine may reach it.
HOST = "127.0.0.1"


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("folder", type=click.Path(file_okay=False))
@click.option("--port", type=click.IntRange(1, 65535), default=8765, show_default=True, help="Port on 127.0.0.1.")
def main(folder: str, port: int) -> None:
    """Serve the memory in FOLDER on 127.0.0.1."""
    try:
        with Memory(folder) as memory:
            uvicorn.run(create_app(memory), host=HOST, port=port, log_level="info")
    except GraphmemError as error:
        click.echo(f"graphmem: {error}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()

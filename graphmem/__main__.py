"""``python -m graphmem`` is the ``graphmem`` command."""

from graphmem.cli import main

main()

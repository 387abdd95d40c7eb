"""An OpenAI-compatible server on loopback. Run by the interpreter of another environment: ``python server.py WEIGHTS PORT``."""

from __future__ import annotations

import sys
import threading
from importlib import import_module

CONTEXT = 8192


def main(weights: str, port: int) -> None:
    """Serve until killed; one thread, so that figures are those of one core."""
    llama = import_module("xllamacpp")
    params = llama.CommonParams()
    params.model.path = weights
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.n_ctx = CONTEXT
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    server = llama.Server(params)
    print(server.listening_address, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))

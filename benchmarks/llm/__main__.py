"""``python -m benchmarks.llm``: a real small model on one core beside the local extractor, to be judged by eye."""

from __future__ import annotations

import socket
import subprocess
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import click

from benchmarks.llm import judging, weights
from graphmem.settings import Settings
from graphmem.types import Turn
from graphmem.write import files
from graphmem.write.extractors import Extracted, Extractors, Llm, Local
from graphmem.write.worker import Request

SERVER = Path(__file__).with_name("server.py")
STARTING = 180.0


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--data", type=click.Path(exists=True, path_type=Path), required=True, help="A file in LoCoMo's format.")
@click.option("--cache", type=click.Path(path_type=Path), default=Path("/tmp/graphmem-llm"), show_default=True)  # noqa: S108
@click.option("--out", type=click.Path(path_type=Path), default=Path("llm-judging.md"), show_default=True)
@click.option("--sessions", default=4, show_default=True, help="How many of the shortest sessions are read.")
@click.option("--turns", default=8, show_default=True, help="How many turns of each.")
@click.option("--sample", default=50, show_default=True, help="Entries, and relations, of each extractor.")
@click.option("--seed", default=7, show_default=True)
@click.option("--base", default="", help="An address that serves the model already.")
def main(data: Path, cache: Path, out: Path, sessions: int, turns: int, sample: int, seed: int, base: str) -> None:
    """Read some sessions with a language model and with rules, and write a sample of what either found."""
    chosen = _sessions(data, sessions, turns)
    rows: list[judging.Row] = []
    with _served(cache, base) as address:
        for extractor in (Local(_settings("").distil), Llm(_settings(address))):
            found = _read(extractor, chosen)
            extractor.close()
            for kind in ("entry", "relation"):
                rows += judging.sample(found, kind, sample, seed)
    out.write_text(judging.table(rows), encoding="utf-8")
    print(f"{len(rows)} rows to be judged: {out}")


def _settings(address: str) -> Settings:
    provider = f"openai/{weights.MODEL} base={address} format=schema"
    return Settings.build({
        "distil": {"timeout_seconds": 3600, "extractor": "llm" if address else "local"},
        "llm": {
            "providers": provider if address else "", "timeout_seconds": 1800, "retries": 0,
            "max_prompt_tokens": 5500, "max_output_tokens": 800,
        },
    })  # fmt: skip


def _sessions(data: Path, most: int, turns: int) -> list[tuple[Turn, ...]]:
    """Return the first turns of the shortest sessions that have so many, each of another conversation."""
    by_session: dict[tuple[str, str], list[dict[str, object]]] = {}
    for space, turn in files.read(data):
        by_session.setdefault((str(space), str(turn["session"])), []).append(turn)
    shortest: dict[str, tuple[Turn, ...]] = {}
    for (space, session), said in sorted(
        by_session.items(), key=lambda each: sum(len(str(t["text"])) for t in each[1])
    ):
        if len(said) >= turns and space not in shortest:
            shortest[space] = tuple(
                _turn(space, f"{space}/{session}", number, each) for number, each in enumerate(said[:turns])
            )
    return list(shortest.values())[:most]


def _turn(space: str, session: str, number: int, said: dict[str, object]) -> Turn:
    at = said.get("at")
    when = at if isinstance(at, datetime) else datetime.fromisoformat(str(at))
    when = when if when.tzinfo else when.replace(tzinfo=UTC)
    return Turn(
        id=f"turn_{number:03}", space=space, session=session, session_id=session, text=str(said["text"]), at=when,
        recorded_at=when, speaker=str(said["speaker"]), caption=str(said["caption"]) if said.get("caption") else None,
    )  # fmt: skip


def _read(extractor: Extractors, sessions: Sequence[tuple[Turn, ...]]) -> list[judging.Row]:
    rows, costs, began = [], Counter[str](), time.monotonic()
    for turns in sessions:
        started = time.monotonic()
        extracted: Extracted = extractor.extract(
            Request(turns=turns, ontology=("core",), parser=_settings("").distil.parser)
        )
        costs.update(extracted.cost)
        rows += judging.rows_of(extracted.draft, turns)
        draft = extracted.draft
        print(f"{draft.extractor} {turns[0].session}: {len(draft.claims)} claims, {time.monotonic() - started:.0f} s")
        print(f"  {draft.digest.summary if draft.digest else ''}", flush=True)
    kinds = Counter(row.kind for row in rows)
    print(f"in all {dict(kinds)} in {time.monotonic() - began:.0f} s; {dict(costs)}", flush=True)
    return rows


@contextmanager
def _served(cache: Path, base: str) -> Iterator[str]:
    """Serve the model on loopback for as long as it is needed."""
    if base:
        yield base
        return
    file, python = weights.weights(cache), weights.interpreter(cache)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with (cache / "server.log").open("w") as log:
        server = subprocess.Popen([str(python), str(SERVER), str(file), str(port)], stdout=log, stderr=log)
        try:
            _await(f"http://127.0.0.1:{port}/health", server)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.kill()
            server.wait()


def _await(address: str, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + STARTING
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=5):  # noqa: S310 - on loopback, and ours
                return
        except OSError:
            time.sleep(0.5)
    raise SystemExit("the server of the model did not start; see server.log in the cache folder")


if __name__ == "__main__":
    main()

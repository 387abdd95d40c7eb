"""Each kind of damage ends in a rebuild or a clear error, never in lost data. The table is in docs/store.md."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from graphmem import Memory, Settings
from graphmem.errors import SchemaTooNew, StoreCorrupt, StoreError, StoreLocked
from graphmem.testing import HashEmbedder

ROOT = Path(__file__).parent.parent.parent
TEXTS = [f"harbour word{n} boat" for n in range(150)]
QUIET = {"distil": {"extractor": "none"}}
SETTINGS = Settings.build({"distil": {"extractor": "none"}, "store": {"hnsw_threshold": 100, "hnsw_save_every": 100}})


def open_memory(folder):
    return Memory(folder, settings=SETTINGS, embedder=HashEmbedder(), hook=lambda point: None)


@pytest.fixture
def folder(tmp_path):
    """A closed memory with a graph, words, vectors and a snapshot of an index."""
    place = tmp_path / "memory"
    with open_memory(place) as memory:
        memory.add_many({"text": text, "ref": text} for text in TEXTS)
        memory.delete(memory.add("gone").id)
        memory.flush()
        memory.search("boat")
        end = time.monotonic() + 30
        while not list((place / "vectors").glob("*.hnsw")):  # built in the background
            assert time.monotonic() < end
            time.sleep(0.01)
    return place


def is_whole(folder):
    with open_memory(folder) as memory:
        memory.flush()
        assert [turn.text for turn in memory.turns("main")] == TEXTS
        assert memory.search("word77").hits[0].text == TEXTS[77]
        assert "vectors" in memory.search(TEXTS[3]).hits[0].channels
        assert memory.verify().problems == ()
        assert memory.add(TEXTS[5], ref=TEXTS[5]).text == TEXTS[5]
        assert memory.add("a new turn").text == "a new turn"


def graph_files(folder):
    return sorted(folder.glob("graph.kz*"))


def rubbish(path, size=None):
    path.write_bytes(os.urandom(size or path.stat().st_size))


def truncate(path):
    os.truncate(path, path.stat().st_size // 2)


def flip_a_byte(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)


@pytest.mark.parametrize(
    "damage",
    [
        rubbish,
        lambda graph: rubbish(graph, 100),
        lambda graph: graph.write_bytes(b""),
        truncate,
        lambda graph: graph.unlink(),
        lambda graph: graph.with_name("graph.kz.wal").write_bytes(os.urandom(5000)),
    ],
    ids=["rubbish", "short rubbish", "empty", "truncated", "missing", "a log of rubbish"],
)
def test_a_damaged_graph_is_set_aside_and_built_anew(folder, damage):
    damage(folder / "graph.kz")

    is_whole(folder)


def test_a_graph_whose_process_died_while_folding_its_log_in_is_built_anew(folder):
    (folder / "graph.kz.folding").touch()

    is_whole(folder)
    assert list(folder.glob("unusable-*-graph.kz"))
    assert not (folder / "graph.kz.folding").exists()


@pytest.mark.parametrize(
    "harm",
    [
        "MATCH (t:Turn) WHERE t.text = 'harbour word7 boat' DETACH DELETE t",
        "MATCH (t:Turn)-[r:PART_OF]->() WHERE t.text = 'harbour word7 boat' DELETE r",
        "MATCH (t:Turn) WHERE t.text = 'harbour word149 boat' SET t.text = 'another'",
    ],
)
def test_a_graph_that_came_back_wrong_from_a_kill_is_built_anew(folder, harm):
    program = f"""
memory = Memory({str(folder)!r}, embedder=HashEmbedder(), settings=Settings.build({QUIET}))
memory._store.graph._writer.run({harm!r})
os._exit(9)
"""
    assert run_child(program).returncode == 9
    assert (folder / "graph.kz.wal").stat().st_size > 0

    is_whole(folder)
    assert list(folder.glob("unusable-*"))


def test_a_graph_of_another_memory_that_is_ahead_is_built_anew(folder, tmp_path):
    with open_memory(tmp_path / "other") as other:
        for number in range(10):
            other.add(f"of the other {number}")
    for path in graph_files(folder):
        path.unlink()
    shutil.copy(tmp_path / "other" / "graph.kz", folder / "graph.kz")

    is_whole(folder)


def test_what_was_set_aside_is_kept_but_not_for_ever(folder):
    for _ in range(5):
        rubbish(folder / "graph.kz")
        is_whole_enough = open_memory(folder)
        is_whole_enough.close()

    assert 1 <= len(list(folder.glob("unusable-*"))) <= 4


@pytest.mark.parametrize("damage", [truncate, flip_a_byte, rubbish, lambda path: path.unlink()])
def test_a_damaged_snapshot_of_an_index_is_made_anew(folder, damage):
    for snapshot in (folder / "vectors").glob("*.hnsw"):
        damage(snapshot)

    is_whole(folder)


def test_a_missing_folder_of_indexes_is_made_anew(folder):
    shutil.rmtree(folder / "vectors")

    is_whole(folder)


def test_words_that_were_lost_are_reported_and_written_anew(folder):
    connection = sqlite3.connect(folder / "journal.db")
    connection.execute("INSERT INTO words(words) VALUES ('delete-all')")
    connection.commit()
    connection.close()

    with open_memory(folder) as memory:
        assert any(problem.startswith("words:") for problem in memory.verify().problems)
        memory.rebuild("words")
    is_whole(folder)


def test_a_vector_that_was_changed_in_the_journal_is_reported(folder):
    with open_memory(folder) as memory:
        memory.search("boat")
        connection = sqlite3.connect(folder / "journal.db")
        connection.execute("DELETE FROM embedding WHERE label = 5")
        connection.commit()
        connection.close()

        assert any(problem.startswith("vectors:") for problem in memory.verify().problems)


def test_a_newer_schema_is_refused_and_nothing_is_touched(folder):
    connection = sqlite3.connect(folder / "journal.db")
    connection.execute("PRAGMA user_version=999")
    connection.close()
    before = {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.name.startswith("graph")}

    with pytest.raises(SchemaTooNew, match="schema 999"):
        open_memory(folder)
    assert {path: path.read_bytes() for path in before} == before


def test_a_graph_of_another_schema_is_built_anew(folder):
    import kuzu

    database = kuzu.Database(str(folder / "graph.kz"))
    connection = kuzu.Connection(database)
    connection.execute("MATCH (m:Meta {id: 0}) SET m.schema = 999")
    connection.close()
    database.close()

    is_whole(folder)


@pytest.mark.parametrize("damage", [rubbish, lambda journal: journal.write_bytes(b"not a database" * 100)])
def test_a_damaged_journal_is_a_clear_error_and_is_left_as_it_is(folder, damage):
    journal = folder / "journal.db"
    damage(journal)
    before = journal.read_bytes()

    with pytest.raises(StoreCorrupt, match="restore it from a backup"):
        open_memory(folder)
    assert journal.read_bytes() == before


def test_a_journal_that_is_gone_beside_its_graph_is_a_clear_error(folder):
    for path in folder.glob("journal.db*"):
        path.unlink()

    with pytest.raises(StoreCorrupt, match="which is the truth"):
        open_memory(folder)


def test_a_folder_that_is_open_elsewhere_names_the_owner(folder):
    with open_memory(folder):
        with pytest.raises(StoreLocked) as raised:
            open_memory(folder)
        done = run_child(f"Memory({str(folder)!r})")
    assert raised.value.pid == os.getpid()
    assert f"StoreLocked: {str(folder)!r} is open in process {os.getpid()}" in done.stderr


def run_child(program, *, before="", prefix=()):
    """Run a program that has Memory, Settings and HashEmbedder at hand, in a process of its own."""
    setup = f"""
        import os, resource, sys
        from graphmem import Memory, Settings
        from graphmem.errors import *
        from graphmem.testing import HashEmbedder
        {before}
    """
    whole = textwrap.dedent(setup) + textwrap.dedent(program)
    return subprocess.run([*prefix, sys.executable, "-c", whole], cwd=ROOT, capture_output=True, text=True, timeout=120)


FILL = """
stored = []
with Memory({folder!r}, embedder=HashEmbedder(), settings=Settings.build({settings})) as memory:
    try:
        for number in range(3000):
            stored.append(memory.add(f"word{{number}} " + "filler " * 600).id)
        print("never full")
    except StoreFull as error:
        assert "make room" in str(error), error
        print("full after", len(stored) > 5)
    {more_room}
    assert [turn.id for turn in memory.turns("main")] == stored
    assert memory.search("word3").hits[0].id == stored[3]
    print("reads go on")
    {then}
"""
SMALL_DISK = {**QUIET, "store": {"disk_reserve_mb": 8}}
THEN = 'memory.add("there is room again"); memory.flush(); print("writes go on", memory.verify().problems)'


def test_a_full_disk_refuses_the_write_and_goes_on_when_there_is_room(tmp_path):
    """The limit on the size of files stands for the disk: it can be had by every user on every machine."""
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (6 << 20, resource.RLIM_INFINITY))"
    room = "resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))"
    done = run_child(
        FILL.format(folder=str(tmp_path / "memory"), more_room=room, then=THEN, settings=QUIET),
        before=f"import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); {limit}",
    )

    assert done.stdout.splitlines() == ["full after True", "reads go on", "writes go on ()"], done.stderr
    with open_memory(tmp_path / "memory") as memory:
        assert memory.verify().problems == ()


def test_a_full_file_system_loses_nothing_that_was_acknowledged(tmp_path):
    place = tmp_path / "disk"
    place.mkdir()
    program = tmp_path / "fill.py"
    imports = "from graphmem import Memory, Settings\nfrom graphmem.errors import *\nfrom graphmem.testing import HashEmbedder\n"
    ballast = f"open({str(place / 'ballast')!r}, 'wb').write(bytes(4 << 20))\n"
    room = f"import os; os.remove({str(place / 'ballast')!r})"
    program.write_text(
        imports + ballast + FILL.format(folder=str(place / "memory"), more_room=room, then=THEN, settings=SMALL_DISK)
    )
    mount = f"mount -t tmpfs -o size=24m none {place} && exec {sys.executable} {program}"
    done = subprocess.run(
        ["unshare", "--map-root-user", "--mount", "sh", "-c", mount], cwd=ROOT, capture_output=True, text=True,
        timeout=120, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    if "unshare failed" in done.stderr or "permission denied" in done.stderr.lower():
        pytest.skip("this machine lets nobody mount a small disk; the test above stands in")

    assert done.stdout.splitlines() == ["full after True", "reads go on", "writes go on ()"], done.stderr


def test_a_read_only_folder_is_a_clear_error(folder):
    """Root may write everywhere, so a child gives its rights away first."""
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    for parent in list(folder.parents)[:-1]:
        if parent.stat().st_uid == os.getuid():
            parent.chmod(parent.stat().st_mode | 0o055)
    program = f"""
try:
    Memory({str(folder)!r}, embedder=HashEmbedder())
    print("opened")
except StoreError as error:
    print(type(error).__name__, "needs to write its folder" in str(error))
"""
    done = run_child(program, before="os.getuid() or os.setuid(65534)")
    folder.chmod(0o755)

    assert done.stdout.split() == ["StoreError", "True"], done.stderr


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path):
    (tmp_path / "file").write_text("x")

    with pytest.raises(StoreError, match="cannot make the folder"):
        open_memory(tmp_path / "file" / "memory")

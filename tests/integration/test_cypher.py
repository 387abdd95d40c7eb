"""Cypher of people's own: it sees one space as it is now, changes nothing, and ends within its limits."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from datetime import UTC, date, datetime, timedelta
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner

from graphmem import Memory, Settings
from graphmem.cypher import Console, Limits
from graphmem.cypher.process import Holder
from graphmem.cypher.source import Source
from graphmem.cypher.tables import NODES, RELATIONSHIPS
from graphmem.cypher.wire import Ask
from graphmem.errors import GraphmemError, InvalidInput, NotFound, StoreClosed
from graphmem.ids import Mint
from graphmem.store import FolderStore
from graphmem.types import (
    Deletion,
    Delta,
    Dispute,
    Entity,
    Entry,
    Episode,
    Profile,
    Relation,
    Session,
    Turn,
    Validity,
)
from tests.unit.test_cypher_guard import HOSTILE

command = import_module("graphmem.cli.cypher")
START = datetime(2024, 1, 1, 9, tzinfo=UTC)
mint = Mint()
QUICK = Limits(seconds=2, memory_mb=512, spare_mb=256)


def new(kind):
    return mint.new(kind, START)


def life(space, person="Ana", town="Porto"):
    """A small life: two sessions, people and places, what holds now and what did once."""
    sessions = [
        Session(id=new("session"), space=space, name=name, started_at=START, recorded_at=START)
        for name in ("first", "second")
    ]
    texts = ["I moved to Lisbon", f"I live in {town} now", "please CREATE a list; DROP it", "Ben is my brother"]
    turns = [
        Turn(
            id=new("turn"), space=space, session=sessions[n // 2].name, session_id=sessions[n // 2].id, text=text,
            at=START + timedelta(days=n), recorded_at=START, speaker=person if n % 2 == 0 else "Ben", ref=f"r{n}",
        )
        for n, text in enumerate(texts)
    ]  # fmt: skip
    ana, ben, lisbon, porto = (
        Entity(id=new("entity"), space=space, type=type_, name=name, recorded_at=START, aliases=aliases)
        for type_, name, aliases in (
            ("person", person, ("A.", "Annie")), ("person", "Ben", ()), ("place", "Lisbon", ()), ("place", town, ()),
        )
    )  # fmt: skip
    moved = START + timedelta(days=1)
    then = Validity(recorded_at=START, valid_from=START - timedelta(days=365), valid_to=moved)
    now = Validity(recorded_at=moved, valid_from=moved)
    relations = [
        Relation(
            id=new("relation"), space=space, subject=ana.id, predicate=predicate, object=other.id, text=text,
            validity=validity, evidence=(turn.id,),
        )
        for predicate, other, text, validity, turn in (
            ("lives_in", lisbon, "Ana lives in Lisbon", then, turns[0]),
            ("lives_in", porto, "Ana lives in Porto", now, turns[1]),
            ("brother", ben, "Ben is Ana's brother", Validity(recorded_at=START), turns[3]),
        )
    ]  # fmt: skip
    entries = [
        Entry(
            id=new("entry"), space=space, type=type_, text=text, validity=validity, evidence=evidence, subject=ana.id,
            tags=tags, importance=importance, predicate="lives_in" if "live" in text else None,
        )
        for type_, text, validity, evidence, tags, importance in (
            ("fact", "Ana lived in Lisbon", then, (turns[0].id,), ("home",), 0.4),
            ("fact", "Ana lives in Porto", now, (turns[1].id, turns[0].id), ("home", "now"), 0.9),
            ("preference", "Ana likes lists", Validity(recorded_at=START), (turns[2].id,), (), 0.5),
        )
    ]  # fmt: skip
    episode = Episode(
        id=new("episode"), space=space, session="first", session_id=sessions[0].id, summary="Ana moved", at=START,
        recorded_at=START, topics=("moving", "towns"), evidence=(turns[0].id,),
    )  # fmt: skip
    profile = Profile(id=new("profile"), space=space, version=1, text="Ana", recorded_at=START)
    dispute = Dispute(
        id=new("dispute"), space=space, kind="clarify", question="Where?", recorded_at=START,
        entries=(entries[0].id, entries[1].id),
    )  # fmt: skip
    return Delta(
        space=space, at=START, sessions=tuple(sessions), turns=tuple(turns), entities=(ana, ben, lisbon, porto),
        relations=tuple(relations), entries=tuple(entries), episodes=(episode,), profiles=(profile,), disputes=(dispute,),
    )  # fmt: skip


def more_turns(delta, count, text="something else"):
    session = delta.sessions[1]
    return Delta(
        space=delta.space, at=START,
        turns=tuple(
            Turn(
                id=new("turn"), space=delta.space, session=session.name, session_id=session.id, text=text, at=START,
                recorded_at=START,
            )
            for _ in range(count)
        ),
    )  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    store = FolderStore(tmp_path_factory.mktemp("memory"), Settings())
    store.commit(life("ana"))
    store.commit(life("ben", person="Secret", town="Hidden"))
    yield store
    store.close()


@pytest.fixture(scope="module")
def console(store):
    console = Console(store, QUICK)
    yield console
    console.close()


@pytest.fixture
def ask(console):
    def run(text, **parameters):
        return console.run(text, parameters=parameters, space="ana").rows

    return run


USEFUL = [
    ("MATCH (t:Turn) RETURN count(*)", [(4,)]),
    ("MATCH (t:Turn) RETURN count(t) AS turns", [(4,)]),
    ("MATCH (n) RETURN label(n) AS kind, count(*) ORDER BY kind LIMIT 2", [("Dispute", 1), ("Entity", 4)]),
    ("MATCH (t:Turn) WHERE t.speaker = 'Ben' RETURN t.text ORDER BY t.at", [("I live in Porto now",), ("Ben is my brother",)]),
    ("MATCH (t:Turn) RETURN t.speaker, count(*) AS n ORDER BY t.speaker", [("Ana", 2), ("Ben", 2)]),
    ("MATCH (t:Turn) WHERE t.text CONTAINS 'CREATE' RETURN t.ref", [("r2",)]),
    ("MATCH (t:Turn) WHERE t.text CONTAINS 'DROP it' AND t.text CONTAINS ';' RETURN t.ref", [("r2",)]),
    ("MATCH (t:Turn) WHERE t.text STARTS WITH 'I ' RETURN t.ref ORDER BY t.ref", [("r0",), ("r1",)]),
    ("MATCH (t:Turn) WHERE t.text ENDS WITH 'now' RETURN t.ref", [("r1",)]),
    ("MATCH (t:Turn) WHERE t.text =~ '.*brother' RETURN t.ref", [("r3",)]),
    ("MATCH (t:Turn) WHERE lower(t.text) CONTAINS 'ben' RETURN t.ref", [("r3",)]),
    ("MATCH (t:Turn {ref: 'r1'}) RETURN t.text", [("I live in Porto now",)]),
    ("MATCH (t:Turn)-[:PART_OF]->(s:Session) RETURN s.name, count(*) ORDER BY s.name", [("first", 2), ("second", 2)]),
    ("MATCH (t:Turn)-[:PART_OF]->(:Session {name: 'first'}) RETURN t.ref ORDER BY t.ref", [("r0",), ("r1",)]),
    ("MATCH (:Space)-[:HOLDS]->(e:Entity) RETURN count(e)", [(4,)]),
    ("MATCH (s:Space) RETURN s.id", [("ana",)]),
    ("MATCH (e:Entity) WHERE e.type = 'person' RETURN e.name ORDER BY e.name", [("Ana",), ("Ben",)]),
    ("MATCH (e:Entity) WHERE 'Annie' IN e.aliases RETURN e.name", [("Ana",)]),
    ("MATCH (e:Entity) WHERE size(e.aliases) > 0 RETURN e.aliases", [(["A.", "Annie"],)]),
    ("MATCH (e:Entity) UNWIND e.aliases AS a RETURN a ORDER BY a", [("A.",), ("Annie",)]),
    ("MATCH (:Entity {name: 'Ana'})-[r:RELATES]->(o) RETURN r.predicate, o.name ORDER BY o.name",
     [("brother", "Ben"), ("lives_in", "Lisbon"), ("lives_in", "Porto")]),
    ("MATCH (:Entity {name: 'Ben'})-[:RELATES]-(o:Entity) RETURN o.name", [("Ana",)]),
    ("MATCH (b:Entity {name: 'Ben'})-[:RELATES*2..2]-(o:Entity) RETURN DISTINCT o.name ORDER BY o.name",
     [("Ben",), ("Lisbon",), ("Porto",)]),
    ("MATCH p = (b:Entity {name: 'Ben'})-[:RELATES*1..3]-(o:Entity {name: 'Porto'}) RETURN min(length(p))", [(2,)]),
    ("MATCH p = (b:Entity {name: 'Ben'})-[:RELATES* SHORTEST 1..3]-(o:Entity {name: 'Porto'}) RETURN length(p)", [(2,)]),
    ("MATCH (b:Entity {name: 'Ben'})-[r:RELATES*1..2 (x, n | WHERE x.predicate = 'brother')]-(o) RETURN DISTINCT o.name "
     "ORDER BY o.name", [("Ana",), ("Ben",)]),
    ("MATCH (r:Relation) WHERE r.valid_from <= timestamp('2023-06-01') AND (r.valid_to IS NULL OR r.valid_to > "
     "timestamp('2023-06-01')) RETURN r.text", [("Ana lives in Lisbon",)]),
    ("MATCH (r:Relation {predicate: 'lives_in'}) WHERE r.valid_to IS NULL RETURN r.text", [("Ana lives in Porto",)]),
    ("MATCH (e:Entry)-[:EVIDENCE]->(t:Turn) RETURN e.text, count(t) AS n ORDER BY n DESC, e.text LIMIT 1",
     [("Ana lives in Porto", 2)]),
    ("MATCH (e:Entry {type: 'preference'})-[:EVIDENCE]->(t:Turn)-[:PART_OF]->(s:Session) RETURN t.text, s.name",
     [("please CREATE a list; DROP it", "second")]),
    ("MATCH (e:Entry) RETURN e.type AS type, avg(e.importance) AS a ORDER BY type", [("fact", 0.65), ("preference", 0.5)]),
    ("MATCH (e:Entry) RETURN max(e.importance), min(e.importance)", [(0.9, 0.4)]),
    ("MATCH (e:Entry) WHERE e.importance > 0.45 RETURN count(*)", [(2,)]),
    ("MATCH (e:Entry) RETURN e.text ORDER BY e.importance DESC SKIP 1 LIMIT 1", [("Ana likes lists",)]),
    ("MATCH (e:Entry) WHERE list_contains(e.tags, 'now') RETURN e.text", [("Ana lives in Porto",)]),
    ("MATCH (e:Entry), (p:Entity {id: e.subject}) RETURN DISTINCT p.name", [("Ana",)]),
    ("MATCH (t:Turn) WHERE t.at >= timestamp('2024-01-03') RETURN t.ref ORDER BY t.ref", [("r2",), ("r3",)]),
    ("MATCH (t:Turn) RETURN date_part('day', t.at) AS day ORDER BY day", [(1,), (2,), (3,), (4,)]),
    ("MATCH (t:Turn {ref: 'r0'}) RETURN t.at, cast(t.at AS DATE)", [(START, date(2024, 1, 1))]),
    ("MATCH (t:Turn {ref: 'r0'}) RETURN t.at + interval('1 day')", [(START + timedelta(days=1),)]),
    ("MATCH (a:Turn {ref: 'r0'}), (b:Turn {ref: 'r1'}) RETURN b.at - a.at", [(timedelta(days=1),)]),
    ("MATCH (e:Entity) OPTIONAL MATCH (e)-[r:RELATES]->(o:Entity {type: 'place'}) RETURN e.name, count(o) ORDER BY e.name",
     [("Ana", 2), ("Ben", 0), ("Lisbon", 0), ("Porto", 0)]),
    ("MATCH (e:Entity) WHERE NOT EXISTS { MATCH (e)-[:RELATES]-(:Entity) } RETURN count(*)", [(0,)]),
    ("MATCH (e:Entity {name: 'Ana'}) RETURN COUNT { MATCH (e)-[:RELATES]->(:Entity) } AS n", [(3,)]),
    ("MATCH (e:Entity) RETURN collect(e.name) AS names LIMIT 1", [(["Ana", "Ben", "Lisbon", "Porto"],)]),
    ("MATCH (e:Entity) WITH e.type AS type, count(*) AS n WHERE n > 1 RETURN type, n ORDER BY type",
     [("person", 2), ("place", 2)]),
    ("MATCH (e:Entity) RETURN CASE WHEN e.type = 'person' THEN 'who' ELSE 'where' END AS what, count(*) ORDER BY what",
     [("where", 2), ("who", 2)]),
    ("MATCH (e:Entity {name: 'Ana'}) RETURN {delete: 1, name: e.name} AS m", [({"delete": 1, "name": "Ana"},)]),
    ("MATCH (e:Episode) RETURN e.topics[1], size(e.topics)", [("moving", 2)]),
    ("MATCH (p:ProfileVersion) RETURN p.version, p.text", [(1, "Ana")]),
    ("MATCH (d:Dispute) UNWIND d.entries AS id MATCH (e:Entry {id: id}) RETURN e.text ORDER BY e.text",
     [("Ana lived in Lisbon",), ("Ana lives in Porto",)]),
    ("MATCH (e:Entity {name: 'Ana'}) RETURN e.name UNION ALL MATCH (e:Entity {name: 'Ben'}) RETURN e.name",
     [("Ana",), ("Ben",)]),
    ("UNWIND [3, 1, 2] AS x WITH x ORDER BY x LIMIT 2 RETURN collect(x)", [([1, 2],)]),
    ("RETURN list_transform([1, 2], x -> x * 2), any(x IN [1, 2] WHERE x > 1)", [([2, 4], True)]),
    ("RETURN 'it\\'s', \"a 'b'\", 'tab\\t', 'back\\\\slash', 'é\\u00e9'", [("it's", "a 'b'", "tab\t", "back\\slash", "éé")]),
    ("RETURN 1 AS `set`, 2 AS delete", [(1, 2)]),
    ("/* how many */ MATCH (n:Turn) // all\nRETURN count(*);", [(4,)]),
    ("RETURN 7 / 2, 7 % 2, 2 ^ 3, -1, 1.5e2, NOT true, null IS NULL", [(3, 1, 8.0, -1, 150.0, False, True)]),
    ("CALL db_version() RETURN *", [("0.11.3",)]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "rows"), USEFUL)
def test_useful_questions_are_answered(ask, text, rows):
    found = ask(text)
    assert [list(map(_rounded, row)) for row in found] == [list(row) for row in rows]


def _rounded(value):
    if isinstance(value, float):
        return round(value, 6)
    return sorted(value) if isinstance(value, list) and all(isinstance(each, str) for each in value) else value


PARAMETERS = [
    ("MATCH (t:Turn) WHERE t.ref = $ref RETURN t.text", {"ref": "r3"}, [("Ben is my brother",)]),
    (
        "UNWIND $refs AS r MATCH (t:Turn {ref: r}) RETURN t.ref ORDER BY t.ref",
        {"refs": ["r1", "r0"]},
        [("r0",), ("r1",)],
    ),
    ("MATCH (t:Turn) WHERE t.ref IN $refs RETURN count(*)", {"refs": []}, [(0,)]),
    ("MATCH (t:Turn) WHERE t.at < $when RETURN t.ref", {"when": START + timedelta(hours=1)}, [("r0",)]),
    ("MATCH (t:Turn) WHERE t.at < timestamp($when) RETURN t.ref", {"when": "2024-01-01T12:00:00+02:00"}, [("r0",)]),
    ("RETURN $a, $b, $c, $d", {"a": 1, "b": 1.5, "c": True, "d": None}, [(1, 1.5, True, None)]),
    ("RETURN $m.name", {"m": {"name": "x"}}, [("x",)]),
    ("UNWIND $rows AS r RETURN r.a + 1", {"rows": [{"a": 1}, {"a": 2}]}, [(2,), (3,)]),
    ("RETURN $day", {"day": date(2024, 5, 7)}, [(date(2024, 5, 7),)]),
    ("MATCH (t:Turn) RETURN t.ref ORDER BY t.ref LIMIT $n", {"n": 1}, [("r0",)]),
    ("RETURN $statement, $self", {"statement": 1, "self": 2}, [(1, 2)]),
    ("RETURN $text", {"text": "'; DROP TABLE Turn; //"}, [("'; DROP TABLE Turn; //",)]),
    ("RETURN $text", {"text": "') CREATE (n:Turn {id: 'x'}) //"}, [("') CREATE (n:Turn {id: 'x'}) //",)]),
    ("MATCH (t:Turn) WHERE t.text = $text RETURN t", {"text": "' OR true OR '"}, []),
]


@pytest.mark.parametrize(("text", "parameters", "rows"), PARAMETERS)
def test_parameters_are_values_and_never_code(console, text, parameters, rows):
    assert list(console.run(text, parameters=parameters, space="ana").rows) == rows


def test_nodes_relationships_and_paths_are_plain(ask):
    [[node, edge, path]] = ask(
        "MATCH p = (a:Entity {name: 'Ana'})-[r:RELATES {predicate: 'brother'}]->(b:Entity) RETURN a, r, p"
    )
    assert list(node) == ["node", *NODES["Entity"]]
    assert (node["node"], node["aliases"], node["recorded_at"]) == ("Entity", ["A.", "Annie"], START)
    assert (edge["relationship"], edge["from"], edge["predicate"]) == ("RELATES", node["id"], "brother")
    assert [each["name"] for each in path["nodes"]] == ["Ana", "Ben"]
    assert path["nodes"][0] == node
    assert path["relationships"] == [edge]
    assert "_id" not in json.dumps([node, edge, path], default=str)


def test_the_ends_of_a_relationship_are_ids_also_when_its_nodes_were_not_asked_for(ask):
    [[edge]] = ask("MATCH ()-[r:RELATES {predicate: 'brother'}]->() RETURN r")
    assert ask("MATCH (e:Entity {id: $id}) RETURN e.name", id=edge["from"]) == (("Ana",),)
    assert ask("MATCH (e:Entity {id: $id}) RETURN e.name", id=edge["to"]) == (("Ben",),)


def test_a_node_of_any_table_has_the_columns_of_its_own(ask):
    for [node] in ask("MATCH (n) RETURN n"):
        assert list(node) == ["node", *NODES[node["node"]]]


def test_the_tables_are_those_that_are_documented(ask):
    tables = {name for _, name, *_ in ask("CALL show_tables() RETURN *")}
    assert tables == {*NODES, *RELATIONSHIPS}
    for table, columns in NODES.items():
        assert [name for _, name, *_ in ask(f"CALL table_info('{table}') RETURN *")] == list(columns)


MISTAKES = [
    ("MATCH (n:Trun) RETURN n", "Table Trun does not exist"),
    ("MATCH (n:Turn) RETURN n.txt", "Cannot find property txt"),
    ("MATCH (n:Turn) RETURN m", "Variable m is not in scope"),
    ("MATCH (n:Turn)", "."),
    ("MATCH (n:Turn RETURN n)", "character 15"),
    ("RETURN 1 +", "cannot be read"),
    ("RETURN 1 / 0", "Divide by zero"),
    ("RETURN date('x')", "date"),
    ("RETURN sqrt('x')", "."),
    ("RETURN 9223372036854775807 + 1", "."),
    ("MATCH (n:Turn) RETURN n LIMIT -1", "."),
    ("MATCH (n:Turn) RETURN n LIMIT 'x'", "."),
    ("RETURN cast('x' AS INT64)", "."),
    ("RETURN 1 UNION RETURN 'x'", "."),
]


@pytest.mark.parametrize(("text", "said"), MISTAKES)
def test_a_mistake_is_an_error_of_one_line_that_says_what_is_wrong(ask, text, said):
    with pytest.raises(InvalidInput, match=said) as wrong:
        ask(text)
    assert "\n" not in str(wrong.value)
    assert "`" not in str(wrong.value) or "`" in text


def test_a_space_holds_nothing_of_another(console):
    for space, person, absent in (("ana", "Ana", "Secret"), ("ben", "Secret", "Ana")):
        for table in NODES:
            for [node] in console.run(f"MATCH (n:{table}) RETURN n", space=space).rows:
                assert node.get("space", space) == space
                assert node["node"] != "Space" or node["id"] == space
        names = [name for [name] in console.run("MATCH (e:Entity) RETURN e.name", space=space).rows]
        assert person in names
        assert absent not in names
    with pytest.raises(NotFound):
        console.run("RETURN 1", space="nobody")


@pytest.fixture
def own(tmp_path):
    """A store and a console of a test's own."""
    store = FolderStore(tmp_path / "memory", Settings())
    delta = life("ana")
    store.commit(delta)
    console = Console(store, QUICK)
    yield store, console, delta
    console.close()
    store.close()


def count(console, table="Turn", space="ana"):
    return console.run(f"MATCH (n:{table}) RETURN count(*)", space=space).rows[0][0]


def test_a_query_sees_what_was_written_just_before(own):
    store, console, delta = own
    for n in range(5):
        assert count(console) == 4 + n
        store.commit(more_turns(delta, 1))
    [pid] = console.pids().values()
    store.commit(more_turns(delta, 1200))
    assert count(console) == 1209
    assert console.pids()["ana"] == pid


def test_many_commits_since_are_taken_up_by_a_new_copy(own):
    store, console, delta = own
    count(console)
    [pid] = console.pids().values()
    for _ in range(1001):
        store.journal.append(more_turns(delta, 1))
    assert count(console) == 1005
    assert console.pids()["ana"] != pid


def snapshot(console):
    """All that a copy holds: nodes, and edges by the ids of their ends."""
    nodes = {
        table: sorted(str(row) for row in console.run(f"MATCH (n:{table}) RETURN n", space="ana").rows)
        for table in NODES
    }
    edges = {
        name: sorted(str(row) for row in console.run(f"MATCH ()-[r:{name}]->() RETURN r", space="ana").rows)
        for name in RELATIONSHIPS
    }
    return nodes, edges


def changes(delta):
    """What may happen to things, one after the other."""
    from msgspec.structs import replace

    ana, ben, lisbon, porto = delta.entities
    was, is_, brother = delta.relations
    entry, turn = delta.entries[1], delta.turns[0]
    at = START + timedelta(days=9)

    def deleted(*ids):
        return Delta(space="ana", at=at, deletions=tuple(Deletion(id=id, at=at) for id in ids))

    yield Delta(space="ana", at=at, entries=(replace(entry, text="Ana lives by the sea", tags=("sea",), evidence=()),))
    yield Delta(space="ana", at=at, relations=(replace(is_, object=lisbon.id, predicate="left"),))
    yield deleted(brother.id)
    yield Delta(space="ana", at=at, relations=(brother,))
    yield deleted(porto.id, ana.id)
    yield Delta(space="ana", at=at, entities=(replace(ana, name="Anna", aliases=()),))
    yield deleted(turn.id)
    yield Delta(space="ana", at=at, entries=(replace(entry, evidence=(turn.id, delta.turns[2].id)),))
    yield Delta(
        space="ana", at=at, entities=(replace(ben, merged_into=ana.id),), relations=(replace(was, subject=ben.id),)
    )
    yield deleted(*(each.id for each in delta.entries))
    yield Delta(space="ana", at=at, entries=delta.entries)


def test_a_copy_that_followed_is_the_same_as_one_that_is_new(own):
    store, console, delta = own
    for change in changes(delta):
        count(console)
        store.journal.append(change)
        followed = snapshot(console)
        fresh = Console(store, QUICK)
        try:
            assert followed == snapshot(fresh)
        finally:
            fresh.close()


def test_what_was_deleted_is_not_there(own):
    store, console, delta = own
    assert count(console) == 4
    store.journal.append(Delta(space="ana", at=START, deletions=(Deletion(id=delta.turns[0].id, at=START),)))
    assert count(console) == 3
    assert console.run("MATCH (:Entry)-[:EVIDENCE]->(t:Turn) RETURN DISTINCT t.ref ORDER BY t.ref", space="ana").rows == (
        ("r1",), ("r2",),
    )  # fmt: skip


def test_a_process_that_was_killed_is_started_again(own):
    _, console, _ = own
    assert count(console) == 4
    for _ in range(3):
        os.kill(console.pids()["ana"], signal.SIGKILL)
        assert count(console) == 4


def test_a_process_that_is_killed_in_the_middle_of_a_query_is_an_error_of_that_query_alone(own):
    _, console, _ = own
    count(console)
    threading.Timer(0.5, os.kill, (console.pids()["ana"], signal.SIGKILL)).start()
    with pytest.raises(GraphmemError, match="made Kùzu crash"):
        console.run(ENDLESS, space="ana")
    assert count(console) == 4


def test_an_idle_process_ends_and_nobody_notices(own):
    store, _, _ = own
    console = Console(store, Limits(idle=1))
    assert count(console) == 4
    time.sleep(1.5)
    assert console.pids() == {}
    assert count(console) == 4
    console.close()


def test_there_are_no_more_processes_than_allowed(own):
    store, console, _ = own
    for name in ("b", "c", "d"):
        store.commit(life(name))
    for name in ("ana", "b", "c", "d", "ana"):
        assert count(console, space=name) == 4
        assert len(console.pids()) <= 2
    assert list(console.pids()) == ["d", "ana"]


def test_many_threads_ask_at_once(own):
    store, console, delta = own
    store.commit(life("b"))
    failed = []

    def work(space):
        try:
            for _ in range(10):
                assert count(console, "Entity", space) == 4
        except GraphmemError as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(space,)) for space in ("ana", "b", "ana")]
    for thread in threads:
        thread.start()
    for _ in range(20):
        store.commit(more_turns(delta, 1))
    for thread in threads:
        thread.join()
    assert failed == []
    assert count(console) == 24


def test_closing_ends_the_processes_also_in_the_middle_of_a_query(own):
    _, console, _ = own
    count(console)
    pid = console.pids()["ana"]
    raised = []

    def work():
        try:
            console.run(ENDLESS, space="ana")
        except GraphmemError as error:
            raised.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.3)
    console.close()
    thread.join(10)
    assert len(raised) == 1
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with pytest.raises(StoreClosed):
        count(console)


ENDLESS = "UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b UNWIND range(1, 3000) AS c WITH a + b * c AS x RETURN sum(x % 7)"
BOMBS = [
    ENDLESS,
    "UNWIND range(1, 100000000) AS a UNWIND range(1, 1000) AS b RETURN count(*)",
    "UNWIND range(1, 1000000000) AS a RETURN a",
    "UNWIND range(1, 1000000000) AS a RETURN a ORDER BY a DESC",
    "UNWIND range(1, 100000000) AS a RETURN collect(a)",
    "UNWIND range(1, 100000000) AS a RETURN DISTINCT a % 99999989 ORDER BY a % 99999989 LIMIT 5",
    "RETURN range(1, 9223372036854775807)",
    "RETURN size(range(1, 500000000))",
    "RETURN list_transform(range(1, 100000000), x -> x * 2)",
    "RETURN list_transform(range(1, 10000), x -> list_transform(range(1, 10000), y -> x * y))",
    "RETURN list_reduce(list_transform(range(1, 10000000), x -> 'aaaaaaaaaaaaaaaa'), (x, y) -> concat(x, y))",
    "RETURN repeat('x', 2000000000)",
    "RETURN repeat(repeat('x', 100000), 100000)",
    "UNWIND range(1, 1000) AS a RETURN repeat('x', 10000000)",
    "RETURN lpad('x', 2000000000, 'y')",
    "RETURN lpad('x', -1, 'y'), rpad('x', 9223372036854775807, 'y')",
    "UNWIND range(1, 10000) AS a RETURN collect(repeat('x', 1000000))",
    "RETURN regexp_matches(repeat('a', 1000000), '(a*)*b')",
    "RETURN regexp_replace(repeat('a', 1000000), 'a', repeat('b', 10000), 'g')",
    "RETURN levenshtein(repeat('a', 200000), repeat('b', 200000))",
    "RETURN string_split(repeat('a,', 50000000), ',')",
    "RETURN factorial(10000)",
    "RETURN timestamp('9999-12-31 00:00:00') + interval('9 years')",
    "RETURN regexp_matches('a', '(')",
    "WITH 1 AS n WHERE NULL RETURN n",
    "RETURN make_date(99999, 1, 1), to_years(9999999999)",
    "RETURN list_slice([1], -9223372036854775808, 9223372036854775807), [1][9223372036854775807], substring('a', -9, 99)",
    "RETURN left('abc', -9223372036854775808), right('abc', -1), split_part('a', '', 0), chr(1)",
    "MATCH (a), (b), (c), (d), (e), (f), (g), (h) RETURN a.id + b.id, c, d, e, f, g, h ORDER BY a.id + h.id + d.id",
    "MATCH (a), (b), (c), (d), (e), (f), (g), (h) RETURN count(DISTINCT a.id + b.id + c.id + d.id + e.id + f.id + g.id)",
    "MATCH (a)-[*1..6]-(b)-[*1..6]-(c)-[*1..6]-(d) RETURN count(*)",
    "MATCH p = (a)-[*1..6]-(b)-[*1..6]-(c) RETURN p LIMIT 99999999",
    "MATCH p = (a)-[* TRAIL 1..6]-(b) RETURN collect(p)",
    "MATCH (n) WITH collect(n) AS n1 UNWIND n1 AS a UNWIND n1 AS b UNWIND n1 AS c UNWIND n1 AS d UNWIND n1 AS e RETURN a, b, c, d, e",
    "MATCH (n) RETURN n UNION ALL UNWIND range(1, 100000000) AS n RETURN n",
    "UNWIND range(1, 100000000) AS a RETURN 1 UNION UNWIND range(1, 100000000) AS b RETURN b",
    "MATCH (n) WHERE EXISTS { MATCH (a), (b), (c), (d), (e), (f) WHERE a.id + b.id + c.id + d.id + e.id + f.id = n.id } RETURN n",
    "RETURN " + " + ".join(["1"] * 1500),
    "RETURN " + "NOT " * 1500 + "true",
    "RETURN " + "-" * 1500 + "1",
    "RETURN " + "CASE WHEN true THEN " * 400 + "1" + " ELSE 2 END" * 400,
    "RETURN " + "(" * 20 + "1" + ")" * 20,
    "RETURN " + "[" * 20 + "1" + "]" * 20,
    "RETURN " + "{a: " * 20 + "1" + "}" * 20,
    "RETURN " + "size([" * 10 + "1" + "])" * 10,
    "MATCH " + ", ".join(f"(a{n})" for n in range(300)) + " RETURN count(*)",
    "MATCH " + "-".join(["()"] + ["[]-()"] * 200) + " RETURN count(*)",
    " ".join(f"MATCH (a{n}:Turn)" for n in range(200)) + " RETURN count(*)",
    " ".join(f"UNWIND [1, 2] AS a{n}" for n in range(64)) + " RETURN count(*)",
    " UNION ALL ".join(["RETURN 1 AS x"] * 500),
    "MATCH (n:Turn) WHERE " + " OR ".join(["n.text CONTAINS 'x'"] * 600) + " RETURN n",
    "RETURN [" + ", ".join(["1"] * 1500) + "]",
]  # fmt: skip


def outcome(console, text):
    """The error and the number of rows of a query."""
    try:
        return "", len(console.run(text, space="ana").rows)
    except GraphmemError as error:
        return str(error), 0


@pytest.mark.timeout(900)
@pytest.mark.slow
def test_a_bomb_ends_in_time_in_an_error_or_a_cut_result_and_hurts_nobody(own):
    store, _, delta = own
    limits = Limits(seconds=1, memory_mb=512, spare_mb=256)
    console = Console(store, limits)
    for text in BOMBS:
        count(console)
        began = time.monotonic()
        said, rows = outcome(console, text)
        assert "\n" not in said
        assert rows <= limits.rows
        assert time.monotonic() - began < limits.seconds + 1.5, text
        store.commit(more_turns(delta, 1))
    assert count(console) == 4 + len(BOMBS)
    console.close()
    assert store.verify().problems == ()


@pytest.mark.timeout(300)
@pytest.mark.slow
def test_without_the_guard_nothing_is_written_or_read_outside_either(own, tmp_path):
    """The process alone holds: what it runs can only read, and it can open no file."""
    store, _, _ = own
    secret = tmp_path / "secret.csv"
    secret.write_text("a,b\ncorrect horse,2\n")
    holder = Holder("ana", Source(store, "ana"), QUICK)
    extra = [
        f"LOAD FROM '{secret}' RETURN *",
        f"LOAD FROM '{secret}' (header=true) RETURN *",
        f"COPY (MATCH (n) RETURN n.id) TO '{tmp_path}/stolen.csv'",
        f"COPY (MATCH (n) RETURN n.id) TO '{tmp_path}/stolen.parquet'",
        f"EXPORT DATABASE '{tmp_path}/export'",
        f"IMPORT DATABASE '{tmp_path}'",
        f"ATTACH '{tmp_path}/memory/graph.kz' AS other (dbtype kuzu)",
        f"LOAD EXTENSION '{secret}'",
        "CALL timeout=0; " + ENDLESS,
    ]
    try:
        for text in [*extra, *(each for each in HOSTILE if len(each) < 1000)]:
            ask = Ask(text=text, parameters={}, seconds=1, rows=10, bytes=10_000, cell=1000)
            if "\ud800" in text:
                continue
            began = time.monotonic()
            try:
                with holder.busy:
                    answer = holder.ask(ask)
            except GraphmemError:
                continue
            finally:
                assert time.monotonic() - began < 4, text
            assert "correct horse" not in str(answer), text
    finally:
        holder.close()
    # EXPORT DATABASE makes its folder before it cannot write into it; nothing of what it would hold is there
    outside = [path.name for path in tmp_path.rglob("*") if path.is_file() and store.folder not in path.parents]
    assert outside == ["secret.csv"]
    assert store.verify().problems == ()


@pytest.mark.parametrize("text", HOSTILE[:40])
def test_what_is_refused_starts_no_process(store, text):
    console = Console(store, QUICK)
    with pytest.raises(InvalidInput):
        console.run(text, space="ana")
    assert console.pids() == {}


def test_results_are_cut_and_say_so(own):
    store, _, delta = own
    store.commit(more_turns(delta, 50, "word " * 2000))
    console = Console(store, Limits(rows=10, cell=100, bytes=2000))
    try:
        table = console.run("MATCH (t:Turn) RETURN t.id", space="ana")
        assert (len(table.rows), table.truncated) == (10, True)
        table = console.run("MATCH (t:Turn) RETURN t.id LIMIT 10", space="ana")
        assert (len(table.rows), table.truncated) == (10, False)
        table = console.run("MATCH (t:Turn) RETURN t.id LIMIT $n", parameters={"n": 40}, space="ana")
        assert (len(table.rows), table.truncated) == (10, True)
        [[text]] = console.run("MATCH (t:Turn) RETURN t.text ORDER BY size(t.text) DESC LIMIT 1", space="ana").rows
        assert (len(text), text[-1]) == (101, "…")
        table = console.run("MATCH (t:Turn) RETURN collect(t.id)", space="ana")
        assert table.truncated
        assert 1 < len(table.rows[0][0]) < 54
        table = console.run("UNWIND range(1, 10) AS n RETURN range(1, 10), 'x'", space="ana")
        assert 0 < len(table.rows) < 30
    finally:
        console.close()


def test_the_process_cannot_write_into_the_copy(own):
    store, _, _ = own
    holder = Holder("ana", Source(store, "ana"), QUICK)
    ask = Ask(text="MATCH (n:Turn) SET n.text = 'x'", parameters={}, seconds=1, rows=10, bytes=100, cell=100)
    try:
        answer = holder.ask(ask)
    finally:
        holder.close()
    assert (answer.outcome, "read-only" in answer.error) == ("refused", True)


def test_its_process_ends_with_its_parent(own):
    import subprocess
    import sys

    store, console, _ = own
    console.close()
    store.close()
    program = (
        "import os, sys; from graphmem.store import FolderStore; from graphmem.cypher import Console;"
        f"c = Console(FolderStore({str(store.folder)!r})); c.run('RETURN 1', space='ana');"
        "print(c.pids()['ana'], flush=True); os.kill(os.getpid(), 9)"
    )
    pid = int(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60).stdout)
    end = time.monotonic() + 5
    while time.monotonic() < end and _alive(pid):
        time.sleep(0.05)
    assert not _alive(pid)


def _alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run the command on a memory without a model."""
    monkeypatch.setenv("GRAPHMEM_MODELS__EMBEDDING", "none")
    if not hasattr(Memory, "cypher"):
        monkeypatch.setattr(Memory, "cypher", _cypher, raising=False)
    with Memory(tmp_path / "memory") as memory:
        memory.add("We land at nine.", speaker="Ana", at=START, ref="m1")
        memory.add("See you [red]there[/red].", speaker="Ben", at=START, ref="m2")

    def invoke(*arguments, stdin=None):
        return CliRunner().invoke(command.cypher, arguments, obj=tmp_path / "memory", input=stdin)

    return invoke


def _cypher(memory, text, *, parameters=None, space="default"):
    console = Console(memory._store, QUICK)
    try:
        return console.run(text, parameters=parameters, space=space)
    finally:
        console.close()


def test_the_command_prints_a_table_or_json(run):
    shown = run("MATCH (t:Turn) RETURN t.ref, t.text, t.at ORDER BY t.ref")
    assert shown.exit_code == 0, shown.output
    assert "We land at nine." in shown.stdout
    assert "[red]there" in shown.stdout
    assert "\x1b" not in run("RETURN '\\u001b[31m' AS x").stdout
    found = json.loads(run("MATCH (t:Turn) RETURN t.ref AS ref, t.at ORDER BY ref", "--json", "-n", "1").stdout)
    assert (found["columns"], found["rows"]) == (["ref", "t.at"], [["m1", "2024-01-01T09:00:00Z"]])
    assert found["truncated"] is True


def test_the_command_takes_parameters_and_standard_input(run):
    query = "MATCH (t:Turn) WHERE t.ref = $ref RETURN t.speaker"
    assert json.loads(run(query, "-p", 'ref="m2"', "--json").stdout)["rows"] == [["Ben"]]
    assert json.loads(run("-", "-p", 'ref="m2"', "--json", stdin=query).stdout)["rows"] == [["Ben"]]
    assert json.loads(run("-p", 'ref="m2"', "--json", stdin=query).stdout)["rows"] == [["Ben"]]
    assert run(query, "-p", "ref=m2").exit_code == 2


def test_the_command_refuses(run):
    refused = run("MATCH (n) DELETE n")
    assert isinstance(refused.exception, InvalidInput)
    assert "queries only read" in str(refused.exception)


def test_the_prompt_goes_on_after_an_error(run, monkeypatch):
    lines = iter(["MATCH (n) DELETE n;", "MATCH (t:Turn)", "RETURN count(*) AS turns;", ":schema", "", ":quit"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(lines))
    monkeypatch.setattr(command, "at_terminal", lambda: True)
    monkeypatch.setattr(command, "HISTORY", command.Path("/nonexistent/history"))
    shown = run()
    assert shown.exit_code == 0, shown.output
    assert "'DELETE' is not allowed" in shown.output
    assert "turns" in shown.output
    assert "Turn(id, space" in shown.output


def test_clauses_tables_and_columns_are_completed():
    complete = command.completer()
    assert complete("Ses", 0) == "Session"
    assert complete("MAT", 0) == "MATCH"
    assert "superseded_by" in [complete("super", n) for n in range(3)]
    assert complete("", 0) is None
    assert complete("nothing-like-this", 0) is None

"""The guard lets queries through and nothing else, whatever a statement is dressed up as."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.cypher.guard import guard
from graphmem.cypher.lexer import MOST_CHARACTERS
from graphmem.cypher.parameters import checked
from graphmem.errors import InvalidInput

HOSTILE = [
    # writes
    "CREATE (n:Turn {id: 'x'})",
    "create (n:Turn {id: 'x'})",
    "MATCH (n) CREATE (m:Turn {id: 'x'})",
    "MATCH (n) CREATE (n)-[:RELATES]->(n)",
    "MERGE (n:Entity {id: 'x'}) RETURN n",
    "MATCH (n) MERGE (n)-[:RELATES]->(n)",
    "MERGE (n:Entity {id: 'x'}) ON CREATE SET n.name = 'x' ON MATCH SET n.name = 'y'",
    "MATCH (n) SET n.text = 'x'",
    "MATCH (n) SET n += {text: 'x'}",
    "MATCH (n:Turn) SET n.text = 'x' RETURN n",
    "MATCH (n) sEt n.text = 'x'",
    "MATCH (n) DELETE n",
    "MATCH (n) DETACH DELETE n",
    "MATCH (n)-[r]->() DELETE r",
    "MATCH (n) REMOVE n.text",
    "UNWIND [1] AS x CREATE (n:Turn {id: x})",
    "WITH 1 AS x CREATE (n:Turn {id: 'x'})",
    "MATCH (n) WITH n DELETE n",
    "MATCH (n) FOREACH (x IN [1] | SET n.text = 'x')",
    "OPTIONAL MATCH (n) DETACH DELETE n",
    # definitions
    "DROP TABLE Turn",
    "DROP TABLE IF EXISTS Turn",
    "ALTER TABLE Turn ADD x INT64",
    "ALTER TABLE Turn RENAME TO Gone",
    "CREATE NODE TABLE X(id INT64 PRIMARY KEY)",
    "CREATE REL TABLE X(FROM Turn TO Turn)",
    "CREATE NODE TABLE X AS MATCH (n) RETURN n",
    "COMMENT ON TABLE Turn IS 'x'",
    "CREATE MACRO f(x) AS x + 1",
    "CREATE SEQUENCE s START 1",
    "DROP SEQUENCE s",
    "CREATE TYPE t AS STRING",
    "CREATE FUNCTION f() AS 1",
    "RETURN nextval('s')",
    "RETURN currval('s')",
    # files
    "COPY Turn FROM '/etc/passwd'",
    "COPY Turn FROM (MATCH (n) RETURN n)",
    "COPY (MATCH (n) RETURN n) TO '/tmp/stolen.csv'",
    "copy (MATCH (n) RETURN n.text) TO 'x.parquet'",
    "MATCH (n) RETURN n COPY",
    "LOAD FROM '/etc/passwd' RETURN *",
    "LOAD FROM '/etc/passwd' (file_format='csv') RETURN *",
    "LOAD WITH HEADERS (x STRING) FROM '/etc/passwd' RETURN *",
    "MATCH (n) RETURN n LOAD FROM '/etc/passwd'",
    "MATCH (n) WITH n LOAD FROM '/etc/passwd' RETURN *",
    "EXPORT DATABASE '/tmp/stolen'",
    "IMPORT DATABASE '/tmp/other'",
    "CALL storage_info('Turn') RETURN *",
    "CALL file_info('x') RETURN *",
    "RETURN read_parquet('/etc/passwd')",
    "CALL read_csv_serial('/etc/passwd') RETURN *",
    "CALL json_scan('/etc/passwd') RETURN *",
    # other databases and extensions
    "ATTACH '/tmp/other' AS other (dbtype kuzu)",
    "DETACH other",
    "USE other",
    "USE other MATCH (n) RETURN n",
    "INSTALL httpfs",
    "UNINSTALL httpfs",
    "LOAD EXTENSION httpfs",
    "LOAD EXTENSION '/tmp/evil.so'",
    "UPDATE EXTENSION httpfs",
    "CALL show_attached_databases() RETURN *",
    "CREATE GRAPH g",
    "USE GRAPH g",
    # settings, procedures and transactions
    "CALL threads=64",
    "CALL timeout=0",
    "CALL TIMEOUT = 0",
    "CALL file_search_path='/etc'",
    "CALL home_directory='/tmp'",
    "CALL debug_enable_multi_writes=true",
    "CALL current_setting('threads') RETURN *",
    "CALL show_functions() RETURN *",
    "CALL show_connection('RELATES') RETURN *",
    "CALL project_graph('g', ['Turn'], ['PART_OF'])",
    "CALL drop_projected_graph('g')",
    "CALL create_fts_index('Turn', 'i', ['text'])",
    "CALL create_vector_index('Turn', 'i', 'text')",
    "CALL drop_fts_index('Turn', 'i')",
    "CALL query_fts_index('Turn', 'i', 'x') RETURN *",
    "CALL page_rank('g') RETURN *",
    "CALL clear_warnings()",
    "CALL `show_tables`() RETURN *",
    "CALL show_tables RETURN *",
    "CALL db.labels()",
    "CALL { MATCH (n) DELETE n }",
    "CALL",
    "MATCH (n) CALL threads=64 RETURN n",
    "CHECKPOINT",
    "BEGIN TRANSACTION",
    "BEGIN TRANSACTION READ ONLY",
    "COMMIT",
    "ROLLBACK",
    "MATCH (n) RETURN n COMMIT",
    "EXPLAIN MATCH (n) RETURN n",
    "PROFILE MATCH (n) RETURN n",
    "EXPLAIN LOGICAL CREATE (n:Turn {id: 'x'})",
    # more than one
    "MATCH (n) RETURN n; MATCH (m) DELETE m",
    "RETURN 1;; RETURN 2",
    ";MATCH (n) RETURN n",
    "RETURN ';'; CREATE (n:Turn {id: 'x'})",
    'RETURN "\';"; DROP TABLE Turn',
    "RETURN '\\''; DROP TABLE Turn; RETURN ''",
    "RETURN '\\\\'; DROP TABLE Turn",
    "RETURN `;`; DROP TABLE Turn",
    # comments
    "CRE/**/ATE (n:Turn {id: 'x'})",
    "/* MATCH */ CREATE (n:Turn {id: 'x'})",
    "// MATCH (n) RETURN n\nCREATE (n:Turn {id: 'x'})",
    "MATCH (n) // RETURN n\nDELETE n",
    "MATCH (n) /* \n */ DELETE n",
    "MATCH (n) /* /* */ DELETE n // */",
    "MATCH (n) RETURN n /*",
    "MATCH (n) RETURN n // x\r\n; DELETE n",
    "RETURN '/*'; CREATE (n:Turn {id: 'x'}) //*/",
    "MATCH (n)/**/DELETE/**/n",
    "MATCH (n) -- comment\nRETURN n; DROP TABLE Turn",
    # subqueries
    "MATCH (n) WHERE EXISTS { MATCH (m) DELETE m } RETURN n",
    "MATCH (n) WHERE EXISTS { CREATE (m:Turn {id: 'x'}) } RETURN n",
    "MATCH (n) RETURN COUNT { MATCH (m) SET m.text = 'x' }",
    "MATCH (n) WHERE n.id IN [x IN [1] | SET n.text = 'x'] RETURN n",
    "RETURN CASE WHEN true THEN DELETE ELSE 1 END",
    "RETURN [CREATE]",
    "RETURN {a: DELETE}",
    "RETURN (DROP)",
    # backticks and quotes
    "`CREATE` (n:Turn {id: 'x'})",
    "MATCH (n) RETURN `nextval`('s')",
    "RETURN `a``; DROP TABLE Turn; RETURN ``b`",
    "RETURN `unfinished",
    "RETURN ``",
    "RETURN 'unfinished",
    'RETURN "unfinished',
    "RETURN 'a\\",
    "RETURN 'a\\q'",
    "RETURN '\\u0000'",
    "RETURN '\\ud800'",
    "RETURN n.nextval('s')",
    # signs that look like others
    "\uff23\uff32\uff25\uff21\uff34\uff25 (n:Turn)",
    "MATCH (n) \uff24\uff25\uff2c\uff25\uff34\uff25 n",
    "MATCH (n) DEL\u200bETE n",
    "MATCH (n) DE\u00adLETE n",
    "\u0421REATE (n:Turn)",
    "MATCH (n) D\u0415LETE n",
    "MATCH (n) \u202edelete n",
    "\ufeffMATCH (n) RETURN n",
    "MATCH (n)\0DELETE n",
    "MATCH (n) RETURN n\0",
    "MATCH (n)\u00a0DELETE n",
    "MATCH (n)\u2028DELETE n",
    "MATCH (n)\u3000DELETE n",
    "RETURN 1\uff1bDROP TABLE Turn",
    "RETURN \u2018x\u2019",
    "RETURN '\ud800'",
    "MATCH (n) RETURN \U0001d527",
    "MATCH (n) \u017fET n.text = 'x'",
    "RETURN 1\u0661",
    "RETURN \u0661",
    "RETURN 12abc",
    # paths without a bound
    "MATCH (a)-[*]->(b) RETURN a",
    "MATCH (a)-[:RELATES*]->(b) RETURN a",
    "MATCH (a)-[r*1..]->(b) RETURN a",
    "MATCH (a)-[r*1..30]->(b) RETURN a",
    "MATCH (a)-[r*7]->(b) RETURN a",
    "MATCH (a)-[r*..7]->(b) RETURN a",
    "MATCH (a)-[r*3..2]->(b) RETURN a",
    "MATCH (a)-[r*0..99999999999999999999]->(b) RETURN a",
    "MATCH (a)-[r*1..$n]->(b) RETURN a",
    "MATCH (a)-[r* SHORTEST]->(b) RETURN a",
    "MATCH (a)-[r* SHORTEST 1..30]->(b) RETURN a",
    "MATCH (a)-[r* ALL SHORTEST 1..30]->(b) RETURN a",
    "MATCH (a)-[r* WSHORTEST(relation)]->(b) RETURN a",
    "MATCH (a)-[r* TRAIL]->(b) RETURN a",
    "MATCH (a)-[r* ACYCLIC 1..9]->(b) RETURN a",
    "MATCH (a)-[r*1 .. 2 .. 30]->(b) RETURN a",
    "MATCH (a)-[*(r, n | WHERE true)]->(b) RETURN a",
    "MATCH (a)<-[*]-(b) RETURN a",
    # too long, too deep, not closed, nothing at all
    "RETURN " + "(" * 100 + "1" + ")" * 100,
    "RETURN " + "[" * 100 + "1" + "]" * 100,
    "RETURN " + "{a: " * 100 + "1" + "}" * 100,
    "RETURN '" + "x" * MOST_CHARACTERS + "'",
    "RETURN 1" + " + 1" * 4000,
    "RETURN " + "NOT " * 4100 + "true",
    "RETURN (1",
    "RETURN 1)",
    "RETURN [1)",
    "",
    "   \n",
    "// nothing",
    ";",
    "1",
    "'MATCH (n) RETURN n'",
    "$query",
    "(n) RETURN n",
    "WHERE true RETURN 1",
    "LIMIT 1",
    "FROM Turn SELECT *",
    "SELECT * FROM Turn",
    "MATCH (n) FOO n",
    "MATCH (n) RETURN n ORDER BY n.id FOO",
    "MATCH (n) RETURN error('x')",
    "RETURN id(1)",
    "RETURN internal_id(0, 0)",
    "RETURN gen_random_uuid()",
    "RETURN #1",
    "RETURN 1 @ 2",
    "RETURN !true",
    "RETURN $",
    "RETURN $1",
    "RETURN $`x`",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_does_more_than_read_is_refused_with_a_reason(text):
    with pytest.raises(InvalidInput) as refused:
        guard(text, rows=1000)
    assert refused.value.field == "cypher"
    assert len(str(refused.value)) < 500
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("text", [None, 1, b"RETURN 1", ["RETURN 1"]])
def test_what_is_no_text_is_refused(text):
    with pytest.raises(InvalidInput):
        guard(text, rows=1000)


def test_the_error_says_which_word_where_and_what_is_allowed():
    with pytest.raises(InvalidInput, match=r"'SET' is not allowed: queries only read.*character 11"):
        guard("MATCH (n) SET n.text = 'x'", rows=10)
    with pytest.raises(InvalidInput, match=r"'LOAD' is not allowed here: queries see no files; clauses are ALL, AS"):
        guard("MATCH (n) RETURN n LOAD FROM 'x'", rows=10)
    with pytest.raises(InvalidInput, match=r"begins with MATCH, OPTIONAL, UNWIND, WITH, RETURN, CALL"):
        guard("DROP TABLE Turn", rows=10)
    with pytest.raises(InvalidInput, match=r"its own id is the property id"):
        guard("MATCH (n) RETURN id(n)", rows=10)


HARMLESS = [
    ("MATCH (n:Turn) WHERE n.text CONTAINS 'CREATE' RETURN n.id", "CONTAINS 'CREATE'"),
    ("MATCH (n) WHERE n.`set` = 1 RETURN n", "`n`.`set` = 1"),
    ("MATCH (n) WHERE n.delete = 1 RETURN n", "`n`.`delete` = 1"),
    ("RETURN {delete: 1, `drop`: 2}", "{`delete`: 1, `drop`: 2}"),
    ("MATCH (n:Create) RETURN n", "(`n`:`Create`)"),
    ("MATCH (n:Create|Delete) RETURN n", "(`n`:`Create`|`Delete`)"),
    ("MATCH ()-[r:SET]->() RETURN r", "[`r`:`SET`]"),
    ("MATCH (`create`) RETURN `create`", "(`create`)"),
    ("RETURN 1 AS load, 2 AS set", "AS `load`, 2 AS `set`"),
    ("MATCH (n) RETURN n.type AS type ORDER BY type", "ORDER BY `type`"),
    ("RETURN 'it\\'s; DROP'", "'it\\'s; DROP'"),
    ('RETURN "it\'s"', "'it\\'s'"),
    ("RETURN 'a\\nb\\u00e9'", "'a\nbé'"),
    ("RETURN 1 // CREATE", "RETURN 1 LIMIT"),
    ("RETURN /* CREATE */ 1", "RETURN 1 LIMIT"),
    ("return 1 As x", "RETURN 1 AS `x`"),
    ("RETURN 1;", "RETURN 1 LIMIT"),
    ("RETURN count(*) AS count", "count(*) AS `count`"),
    ("MATCH (n) WHERE EXISTS { MATCH (n)--(m) WHERE m.id = 'x' } RETURN n", "EXISTS { MATCH (`n`)--(`m`) WHERE"),
    ("RETURN any(x IN [1] WHERE x > 0)", "any(`x` IN [1] WHERE `x` > 0)"),
    ("RETURN cast('1' AS INT64) AS date", "cast('1' AS INT64) AS `date`"),
    ("RETURN [1, 2][0:size([1])]", "[0:size([1])]"),
    ("MATCH (a)-[r:RELATES* SHORTEST 1..3]->(b) RETURN r", "* SHORTEST 1..3]"),
    ("MATCH (a)-[*2]->(b) RETURN a", "[*2]"),
    ("MATCH (a)-[e*1..3 (r, n | WHERE r.predicate = 'x')]->(b) RETURN a", "| WHERE `r`.`predicate`"),
    ("RETURN 1 AS \u0438\u043c\u044f", "AS `\u0438\u043c\u044f`"),
    ("RETURN 2 * 3", "2 * 3"),
    ("MATCH (a) RETURN a LIMIT 999999", "LIMIT 11"),
    ("MATCH (a) RETURN a LIMIT 5", "LIMIT 5"),
    ("MATCH (a) RETURN a LIMIT $n", "LIMIT $p_n"),
]


@pytest.mark.parametrize(("text", "part"), HARMLESS)
def test_words_in_names_and_texts_are_only_names_and_texts(text, part):
    assert part in guard(text, rows=10).text


def test_an_empty_list_is_written_out_because_kuzu_cannot_type_it():
    found = guard("MATCH (n) WHERE n.id IN $ids RETURN $x", rows=1, empty=frozenset({"ids"}))
    assert ("IN [] RETURN $p_x" in found.text, found.parameters) == (True, {"ids", "x"})


def test_columns_are_called_what_the_person_wrote():
    assert guard("RETURN DISTINCT n.text,  count( * ) AS n, `a b` ORDER BY n", rows=1).columns == ("n.text", "n", "a b")
    assert guard("RETURN count(  *  )", rows=1).columns == ("count( * )",)
    assert guard("RETURN {a: 1, b: 2}, [1, 2] SKIP 1 LIMIT 2", rows=1).columns == ("{a: 1, b: 2}", "[1, 2]")
    assert guard("MATCH (n) RETURN *", rows=1).columns is None
    assert guard("RETURN 1 UNION RETURN 2", rows=1).columns is None


@given(st.text(alphabet=string.printable + "`'\"\\;é\uff53\u200b\u0421\u0422", max_size=60))
def test_whatever_is_typed_is_let_through_or_refused(text):
    try:
        found = guard(text, rows=10)
    except InvalidInput:
        return
    assert ";" not in _without_quotes(found.text)


@given(st.sampled_from([text for text in HOSTILE if text]), st.sampled_from("'\"`"), st.integers(0, 80))
def test_a_hostile_statement_with_a_quote_thrown_in_writes_nothing(text, quote, at):
    try:
        found = guard(text[:at] + quote + text[at:], rows=10)
    except InvalidInput:
        return
    bare = _without_quotes(found.text).upper().split()
    assert not {"CREATE", "DELETE", "SET", "DROP", "COPY", "MERGE", "LOAD", "ATTACH", "CHECKPOINT"} & set(bare)


WORDS = (
    "MATCH OPTIONAL WHERE WITH RETURN ORDER BY LIMIT UNWIND AS UNION ALL CALL NOT IN IS NULL CASE WHEN END n Turn text count "
    "size cast INT64 EXISTS COUNT SHORTEST TRAIL WSHORTEST CREATE SET LOAD ( ) [ ] { } , . : | ; .. * - > < = 1 30 'x' `z` "
    "$p -[ ]-> (n) show_tables() // /* */"
)


@given(st.lists(st.sampled_from(WORDS.split()), max_size=15), st.sampled_from([" ", ""]))
def test_words_in_any_order_are_let_through_or_refused(words, between):
    try:
        found = guard(f"MATCH {between.join(words)}", rows=10)
    except InvalidInput:
        return
    assert not {"CREATE", "SET", "LOAD"} & set(_without_quotes(found.text).upper().split())


def _without_quotes(text):
    """What K\u00f9zu takes for keywords and signs: no names in backticks and no strings."""
    kept, at = [], 0
    while at < len(text):
        quote = text[at]
        if quote not in "'`":
            kept.append(quote)
            at += 1
            continue
        at += 1
        while text[at] != quote:
            at += 2 if quote == "'" and text[at] == "\\" else 1
        at += 1
    return "".join(kept)


@pytest.mark.parametrize(
    "value",
    [
        float("nan"), float("inf"), 1 << 63, -(1 << 63) - 1, b"bytes", object(), {1, 2}, "\0", "\ud800", {}, {"a": None},
        {1: 2}, {"": 1}, [1, "a"], [None], [[]], [{}], [{"a": 1}, {"b": 1}], [[1], ["a"]], list(range(30_000)),
        "x" * 3_000_000, [[[[[[[[1]]]]]]]], 1j, ["a", {"a": 1}],
    ],
)  # fmt: skip
def test_a_value_that_kuzu_cannot_type_is_refused(value):
    with pytest.raises(InvalidInput, match=r"parameters"):
        checked({"x": value}, frozenset("x"))


def test_a_time_without_a_zone_is_refused():
    from datetime import datetime

    with pytest.raises(InvalidInput, match="no time zone"):
        checked({"x": datetime(2024, 1, 1)}, frozenset("x"))  # noqa: DTZ001


def test_a_missing_or_unknown_parameter_is_named():
    with pytest.raises(InvalidInput, match=r"no value for \$a, \$b"):
        checked({}, frozenset("ab"))
    with pytest.raises(InvalidInput, match="nothing in the statement asks for 'c'"):
        checked({"a": 1, "c": 1}, frozenset("a"))
    with pytest.raises(InvalidInput, match="mapping"):
        checked("a=1", frozenset("a"))


@pytest.mark.parametrize(
    "value", [1, 1.5, True, None, "x", [], [1, 2.5, None], ["a"], [[1], [2]], {"a": {"b": [1]}}, [{"a": 1}, {"a": 2}]]
)
def test_plain_values_are_taken(value):
    assert checked({"x": value}, frozenset("x")) == {"x": value}

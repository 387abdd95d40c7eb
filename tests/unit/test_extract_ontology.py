"""A type, a predicate or a pattern needs no code: what is written in a TOML file is found in what people say."""

from __future__ import annotations

import pytest

from graphmem.errors import OntologyError
from graphmem.ontology import load, parse
from graphmem.write.extract import extract
from tests.unit.test_extract_claims import turn

MUSIC = """
name = "music"
version = 1
extends = ["core"]

[types.album]
description = "a record"
names = ["Thriller"]
nouns = ["record", "vinyl"]

[groups]
instrument = ["oboe", "bassoon"]

[predicates.plays]
description = "can play that instrument"
domain = ["person"]
range = ["tool"]
entry_type = "skill"
importance = 0.7
patterns = ["{subject} play {object:instrument}", "{owner's} instrument be {object}"]

[[patterns]]
say = ["{subject} be|get signed by|to {object:company}"]
predicate = "works_at"
begins = true
tags = ["career"]
"""
BASE = 'name = "over"\nversion = 1\nextends = ["core"]\n'


def found(text: str, *names: object):
    return extract([turn(text)], load(*names)).claims


@pytest.fixture
def music(tmp_path):
    path = tmp_path / "music.toml"
    path.write_text(MUSIC, encoding="utf-8")
    return path


def test_a_predicate_of_an_overlay_is_found(music):
    (claim,) = found("I play the oboe.", music)

    assert (claim.type, claim.predicate, claim.object, claim.importance) == ("skill", "plays", "oboe", 0.7)


def test_a_pattern_with_a_table_of_its_own_is_found(music):
    (claim,) = found("I got signed by Tidewater Records.", music)

    assert (claim.predicate, claim.object, claim.tags) == ("works_at", "Tidewater Records", ("career",))


def test_a_name_of_a_new_type_is_mentioned(music):
    mentions = extract([turn("I bought Thriller yesterday.")], load(music)).mentions

    assert ("Thriller", "album") in {(each.name, each.type) for each in mentions}


def test_what_the_overlay_does_not_say_is_as_in_core(music):
    (claim,) = found("I live in Lisbon.", music)

    assert (claim.predicate, claim.object) == ("lives_in", "Lisbon")


@pytest.mark.parametrize(
    ("text", "predicate", "object"),
    [
        ("I'm in 10th grade.", "in_grade", "10th grade"),
        ("I struggle with fractions.", "weak_in", "fractions"),
        ("I'm a visual learner.", "learns_by", "visual learner"),
        ("I have a maths exam on Friday.", "has_exam", "maths exam"),
        ("I'm taking physics this year.", "takes", "physics"),
    ],
)
def test_education_knows_learners(text, predicate, object):
    assert (predicate, object) in {(each.predicate, each.object) for each in found(text, "education")}


@pytest.mark.parametrize(
    ("text", "predicate", "object"),
    [
        ("Our API is written in Go.", "written_in", "Go"),
        ("We picked Poetry for packaging.", "decided_on", "Poetry"),
        ("The billing service depends on Redis.", "depends_on", "Redis"),
        ("We upgraded to Python 3.12.", "at_version", "Python 3.12"),
        ("I fixed the memory leak.", "fixed", "memory leak"),
    ],
)
def test_software_knows_teams(text, predicate, object):
    assert (predicate, object) in {(each.predicate, each.object) for each in found(text, "core", "software")}


def test_overlays_are_named_in_any_of_three_ways():
    assert load("software") == load("core", "software") == load(["core", "software"])
    assert load("core", "education", "software").name == "core+education+software"


def test_lists_of_two_files_are_joined(music):
    assert "album" in {each.name for each in load(music).types}
    assert load("software").type("tool").names[0] == load("core").type("tool").names[0]
    assert "Poetry" in load("software").type("tool").names


def test_predicates_have_families_and_types_of_entries():
    core = load("core")

    assert core.predicate("likes").family == core.predicate("dislikes").family
    assert core.predicate("married_to").family == core.predicate("partner_of").family
    assert core.predicate("lives_in").family == "lives_in"
    assert core.predicate("likes").entry_type == "preference"
    assert core.predicate("allergic_to").identity
    assert core.predicate("works_at").lasts


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[predicates.lives_in]\nsingle_valued = false\n", "lives_in.single_valued is True in a file below"),
        ("[predicates.rides]\ndescription = 'rides it'\n", "missing required field `domain`"),
        ("[types.horse]\n", "missing required field `description`"),
        ("[[patterns]]\nsay = ['{subject} ride {object}']\n", "has neither a predicate nor an entry_type"),
        ("[[patterns]]\nsay = ['{subject} ride {object}']\npredicate = 'rides'\n", "unknown predicate: rides"),
        ("[predicates.likes]\nimportance = 7\n", "importance"),
        ("[holidays]\n'Founders day' = '31-31'\n", "write month and day as 12-26"),
    ],
)
def test_what_contradicts_or_is_missing_is_named_with_its_line(text, message):
    with pytest.raises(OntologyError, match=rf"over\.toml:\d+: .*{message}"):
        parse(BASE + text, source="over.toml")


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("ride {object}", "begins with {subject}"),
        ("{subject} {object}", "needs at least one word|followed by a verb"),
        ("{subject} ride {horse}", "there is no slot 'horse'"),
        ("{subject} ride {object:horse}", "'horse' is neither a type nor one of"),
        ("{subject} ride {object} {object}", "a slot stands in a pattern twice"),
        ("{subject's} horse be {object}", "the owner is written"),
        ("{subject} ride {object", "is not a slot"),
    ],
)
def test_a_pattern_that_cannot_be_read_is_named_with_its_line(pattern, message):
    text = BASE + f'[[patterns]]\nentry_type = "fact"\nsay = ["{pattern}"]\n'

    with pytest.raises(OntologyError, match=rf"over\.toml:6: the pattern .* cannot be read: .*({message})"):
        parse(text, source="over.toml")


def test_a_file_cannot_extend_itself(tmp_path):
    (tmp_path / "a.toml").write_text('name = "a"\nversion = 1\nextends = ["b"]\n', encoding="utf-8")
    (tmp_path / "b.toml").write_text('name = "b"\nversion = 1\nextends = ["a"]\n', encoding="utf-8")

    with pytest.raises(OntologyError, match="extends itself"):
        load(tmp_path / "a.toml")

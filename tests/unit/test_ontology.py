"""Ontologies: the default one is sound, and files that are not say where."""

from __future__ import annotations

import msgspec
import pytest

from graphmem.errors import OntologyError
from graphmem.ontology import load, parse

HEAD = 'name = "small"\nversion = 1\n[types.person]\ndescription = "a human being"\n'


def predicate(name: str = "knows", **changes: object) -> str:
    fields = {"description": '"has met"', "domain": '["person"]', "range": '["person"]'} | changes
    lines = [f"{key} = {value}" for key, value in fields.items() if value is not None]
    return "\n".join([f"[predicates.{name}]", *lines, ""])


def test_the_default_ontology_has_the_types_that_are_promised():
    types = {each.name for each in load().types}

    assert types == {"person", "company", "place", "project", "tool", "concept", "event"}


def test_the_default_ontology_says_what_ends_what():
    ontology = load("core")

    assert ontology.predicate("lives_in").single_valued
    assert not ontology.predicate("likes").single_valued
    assert ontology.predicate("lives_in").inverse == "home_of"
    assert len(ontology.predicates) >= 25


def test_a_predicate_that_is_its_own_inverse_is_symmetric():
    ontology = load("core")

    assert ontology.predicate("married_to").symmetric
    assert not ontology.predicate("parent_of").symmetric


def test_what_is_not_in_the_ontology_is_none():
    assert load("core").predicate("teleports_to") is None
    assert load("core").type("unicorn") is None


def test_every_description_says_something():
    ontology = load("core")

    assert all(each.description for each in (*ontology.types, *ontology.predicates))


def test_an_ontology_cannot_be_changed():
    with pytest.raises(AttributeError):
        load("core").name = "other"


def test_an_ontology_survives_being_encoded():
    ontology = load("core")

    assert msgspec.msgpack.decode(msgspec.msgpack.encode(ontology), type=type(ontology)) == ontology


def test_the_folder_inside_the_package_comes_before_the_one_beside_it(tmp_path):
    inside, beside = tmp_path / "inside", tmp_path / "beside"
    for folder, version in ((inside, 2), (beside, 1)):
        folder.mkdir()
        text = HEAD.replace("version = 1", f"version = {version}") + predicate()
        (folder / "small.toml").write_text(text, encoding="utf-8")

    assert load("small", folders=(inside, beside)).version == 2
    assert load("small", folders=(tmp_path / "missing", beside)).version == 1


def test_a_file_of_your_own_is_loaded_by_its_path(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(HEAD + predicate(), encoding="utf-8")

    assert load(path).predicate("knows").domain == ("person",)


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(OntologyError, match=r"no ontology called 'nonsense'; there are: .*core"):
        load("nonsense")


@pytest.mark.parametrize("name", ["../core", "Core", "", "a/b"])
def test_a_name_cannot_leave_the_folder(name):
    with pytest.raises(OntologyError, match="is not a name of an ontology"):
        load(name)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(OntologyError, match=r"gone\.toml: cannot be read"):
        load(tmp_path / "gone.toml")


def test_broken_toml_names_the_line():
    with pytest.raises(OntologyError, match=r"mine\.toml: not TOML: .*line 5"):
        parse(HEAD + "[predicates.knows\n", source="mine.toml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (predicate(domain='["ghost"]'), "domain of knows names unknown types: ghost"),
        (predicate(range="[]"), "range of knows names no type"),
        (predicate("Knows"), "'Knows' is not a name"),
        (predicate(inverse='"Known By"'), "inverse of knows, 'Known By', is not a name"),
        (predicate("a", inverse='"b"') + predicate("b"), "inverse of a is b, but the inverse of b is None"),
        (predicate("a", inverse='"c"') + predicate("b", inverse='"c"'), "a and b have the same inverse c"),
    ],
)
def test_what_does_not_agree_is_named_with_its_line(text, message):
    with pytest.raises(OntologyError, match=r"mine\.toml:5: .*" + message):
        parse(HEAD + text, source="mine.toml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (predicate(colour='"red"'), "unknown field `colour`"),
        (predicate(domain=None), "missing required field `domain`"),
        (predicate(single_valued='"yes"'), r"Expected `bool`, got `str`"),
    ],
)
def test_a_field_that_is_wrong_is_named_with_the_line_of_its_table(text, message):
    with pytest.raises(OntologyError, match=r"mine\.toml:5: .*" + message):
        parse(HEAD + text, source="mine.toml")


def test_an_unknown_table_is_named():
    with pytest.raises(OntologyError, match="unknown field `rules`"):
        parse(HEAD + predicate() + "[rules]\n")


def test_a_symmetric_predicate_has_one_type_on_both_sides():
    text = HEAD + '[types.place]\ndescription = "somewhere"\n' + predicate(range='["place"]', inverse='"knows"')

    with pytest.raises(OntologyError, match="its own inverse, but its domain and range differ"):
        parse(text)


def test_two_predicates_may_be_each_others_inverse():
    ontology = parse(HEAD + predicate("a", inverse='"b"') + predicate("b", inverse='"a"'))

    assert [each.inverse for each in ontology.predicates] == ["b", "a"]

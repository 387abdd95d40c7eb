"""The pages list what the code has: settings, errors, commands, routes, values. Neither can drift from the other."""

from __future__ import annotations

import re
from typing import get_args, get_type_hints

import click
import pytest
from msgspec import Struct

from graphmem import Memory, errors, types
from graphmem.cli import main
from graphmem.settings import PREFIX, Settings
from graphmem_api.app import create_app
from graphmem_api.problems import status_of
from tests.docs.pages import blocks, prose, read, table

ERRORS = {
    name: each for name, each in vars(errors).items() if isinstance(each, type) and each.__module__ == "graphmem.errors"
}
COMMANDS = [("graphmem", main), *sorted(main.commands.items())]


def documented_settings() -> dict[str, dict[str, str]]:
    return {row["setting"]: row for row in table(read("docs/settings.md"), "setting")}


def known_settings() -> dict[str, tuple[object, object]]:
    """Name to default and annotation."""
    return {
        f"{section}.{field}": (getattr(getattr(Settings(), section), field), hint)
        for section, cls in get_type_hints(Settings).items()
        for field, hint in get_type_hints(cls, include_extras=True).items()
    }


def range_of(hint: object) -> str:
    kind, meta = get_args(hint)
    if meta.title:
        return meta.title
    if kind is str:
        return f"{meta.min_length or 0} to {meta.max_length} characters"
    return f"{meta.ge} to {meta.le}"


def test_the_page_has_every_setting_and_no_other():
    assert list(documented_settings()) == list(known_settings())


@pytest.mark.parametrize("name", known_settings())
def test_a_setting_is_documented_with_its_default_range_and_variable(name):
    default, hint = known_settings()[name]
    row = documented_settings()[name]

    assert row["default"] == (str(default) or "(empty)")
    assert row["range"] == range_of(hint)
    assert row["environment"] == PREFIX + name.replace(".", "__").upper()
    assert len(row["meaning"]) > 10


@pytest.mark.parametrize("name", known_settings())
def test_the_documented_variable_sets_the_setting(name):
    default, hint = known_settings()[name]
    row = documented_settings()[name]
    section, field = name.split(".")
    _, meta = get_args(hint)
    if meta.title:
        other = meta.title.split(", ")[-1]
    else:
        other = "elsewhere" if isinstance(default, str) else default + 1 if isinstance(default, int) else default / 2
    settings = Settings.load(environ={row["environment"]: str(other)})

    assert getattr(getattr(settings, section), field) == other


def tree_in(text: str) -> dict[str, str | None]:
    """Read a drawn tree: class to parent, by indentation."""
    parents: dict[str, str | None] = {}
    path: list[tuple[int, str]] = []
    for indent, name in re.findall(r"^( *)([A-Z]\w+)\b", text, re.MULTILINE):
        while path and path[-1][0] >= len(indent):
            path.pop()
        parents[name] = path[-1][1] if path else None
        path.append((len(indent), name))
    return parents


def tree_of_the_classes() -> dict[str, str | None]:
    return {
        name: cls.__bases__[0].__name__ if cls is not errors.GraphmemError else None for name, cls in ERRORS.items()
    }


def also_in(text: str) -> dict[str, str]:
    return dict(re.findall(r"^ *([A-Z]\w+) +also (\w+)", text, re.MULTILINE))


def drawings() -> dict[str, str]:
    (drawn,) = [block.text for block in blocks(read("docs/errors.md")) if block.text.startswith("GraphmemError\n")]
    return {"docstring": errors.__doc__.split("\n\n", 1)[1], "page": drawn}


@pytest.mark.parametrize("where", drawings())
def test_the_tree_of_errors_is_drawn_as_it_is(where):
    assert tree_in(drawings()[where]) == tree_of_the_classes()


@pytest.mark.parametrize("where", drawings())
def test_the_tree_says_which_errors_are_also_errors_of_python(where):
    own = {name: [base.__name__ for base in cls.__bases__[1:]] for name, cls in ERRORS.items()}

    assert also_in(drawings()[where]) == {name: base for name, bases in own.items() for base in bases}


def test_every_error_has_a_cause_and_what_to_do():
    rows = {row["error"]: row for row in table(read("docs/errors.md"), "error")}

    assert set(rows) == set(ERRORS)
    assert [name for name, row in rows.items() if not (row["cause"] and row["what to do"])] == []


def test_every_error_has_its_status_on_the_http_page():
    rows = table(read("docs/http.md"), "status")
    documented = {
        name: int(row["status"]) for row in rows for name in re.findall(r"\w+", row["error"]) if name in ERRORS
    }

    assert documented == {name: status_of(cls.__new__(cls)).value for name, cls in ERRORS.items()}


def test_every_route_is_on_the_http_page(tmp_path):
    documented = {row["route"] for row in table(read("docs/http.md"), "route")}
    with Memory(tmp_path / "memory", settings=Settings.build({"models": {"embedding": "none"}})) as memory:
        app = create_app(memory)
    routes = {
        f"{method} {route.path}"
        for route in app.routes
        for method in getattr(route, "methods", ())
        if method != "OPTIONS" and not route.path.startswith("/schema")
    }

    assert documented - {"GET /schema/openapi.json"} == routes


def section(page: str, title: str) -> str:
    """What stands under a heading of the second level, up to the next."""
    return page.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


@pytest.mark.parametrize(("name", "command"), COMMANDS)
def test_every_command_and_option_is_on_the_command_line_page(name, command):
    page = read("docs/cli.md")
    text = page.split("\n## ", 1)[0] if command is main else section(page, name)
    options = [option for each in command.params if isinstance(each, click.Option) for option in each.opts]

    assert [option for option in options if not re.search(rf"(?<![\w-]){option}(?![\w-])", text)] == []


def test_the_command_line_page_has_no_other_commands():
    sections = re.findall(r"^## (.+)$", prose(read("docs/cli.md")), re.MULTILINE)

    assert sorted(sections) == sorted(main.commands)


def test_every_method_of_memory_is_on_the_python_page():
    methods = {name for name, each in vars(Memory).items() if callable(each) and not name.startswith("_")}
    headings = re.findall(r"^## (.+)$", prose(read("docs/python.md")), re.MULTILINE)
    examples = "".join(block.text for block in blocks(read("docs/python.md")))

    assert methods <= {name for heading in headings for name in heading.split(", ")}
    assert {name for name in methods if not re.search(rf"(memory|copy)\.{name}\(", examples)} == set()


def test_every_value_is_in_the_glossary():
    words = {row["word"] for row in table(read("docs/glossary.md"), "word")}
    values = {
        name
        for name, each in vars(types).items()
        if isinstance(each, type) and issubclass(each, Struct) and each is not Struct
    }

    assert values <= words

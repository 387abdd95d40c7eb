"""Links lead somewhere, decisions are listed, and nothing says on which machine a page was written."""

import re

import pytest

from tests.docs.pages import PAGES, ROOT, anchors, links, name_of, prose, read

NAMES = [name_of(path) for path in PAGES]
DECISIONS = [name for name in NAMES if re.match(r"docs/adr/\d", name)]
MACHINE = re.compile(r"(?<![\w.])/(?:home|root|work|Users|tmp|mnt|opt|var|srv)\b|\b[A-Z]:\\")


@pytest.mark.parametrize("name", NAMES)
def test_every_relative_link_resolves(name):
    folder = (ROOT / name).parent
    broken = []
    for link in links(read(name)):
        if "://" in link:
            continue
        target, _, anchor = link.partition("#")
        path = folder / target if target else ROOT / name
        if not path.exists() or (anchor and anchor not in anchors(path.read_text(encoding="utf-8"))):
            broken.append(link)

    assert broken == []


def test_the_readme_leads_to_every_page():
    reached = {link.partition("#")[0] for link in links(read("README.md"))}
    pages = {name for name in NAMES if name.count("/") == (1 if name.startswith("docs/") else 0)}

    assert pages - reached - {"README.md", "ontologies/README.md"} == set()


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith("ontologies/")])
def test_every_path_of_the_project_that_a_page_names_exists(name):
    named = re.findall(r"`((?:graphmem|api|benchmarks|docs|scripts|tests)/[\w./-]*)`", prose(read(name)))

    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("name", NAMES)
def test_no_page_names_a_place_on_a_machine(name):
    assert MACHINE.findall(read(name)) == []


@pytest.mark.parametrize("name", DECISIONS)
def test_a_decision_is_one_page_with_context_decision_and_consequences(name):
    page = read(name)
    headings = re.findall(r"^## (.+)$", page, re.MULTILINE)
    number = int(name.rsplit("/", 1)[1][:4])

    assert headings == ["Context", "Decision", "Consequences"]
    assert page.startswith(f"# {number}. ")
    assert 15 <= page.count("\n") <= 40


def test_the_index_of_decisions_has_each_with_its_title():
    index = read("docs/adr/README.md")
    titles = {name.rsplit("/", 1)[1]: read(name).split("\n", 1)[0].split(". ", 1)[1] for name in DECISIONS}

    assert {target: title for title, target in re.findall(r"\[([^\]]+)\]\((\d[^)]+)\)", index)} == titles


@pytest.mark.parametrize("name", [name for name in NAMES if name != "CHANGELOG.md"])
def test_tables_have_as_many_cells_in_each_row(name):
    """A row with a cell too many is cut silently by whatever shows the page."""
    widths: list[set[int]] = [set()]
    for line in prose(read(name)).splitlines():
        if line.startswith("|"):
            widths[-1].add(line.count("|") - line.count("\\|"))
        elif widths[-1]:
            widths.append(set())

    assert [each for each in widths if len(each) > 1] == []

"""The pages of the documentation as data: their text, fenced blocks, tables and links."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted(
    path
    for pattern in ("*.md", "docs/*.md", "docs/adr/*.md", "ontologies/*.md")
    for path in ROOT.glob(pattern)
)  # fmt: skip
FENCE = re.compile(r"^```(?P<language>\S*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]+\]\((?P<target>[^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


class Block(NamedTuple):
    """A fenced block and the line of its first line of text."""

    language: str
    text: str
    line: int


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def blocks(page: str) -> list[Block]:
    return [
        Block(found["language"], found["text"], page.count("\n", 0, found.start("text")) + 1)
        for found in FENCE.finditer(page)
    ]


def prose(page: str) -> str:
    """The page without its fenced blocks."""
    return FENCE.sub("", page)


def table(page: str, title: str) -> list[dict[str, str]]:
    """The rows of every table whose first column has this title, backticks left out."""
    rows: list[dict[str, str]] = []
    header: list[str] | None = None
    for line in prose(page).splitlines():
        if not line.startswith("|"):
            header = None
            continue
        cells = [cell.strip().replace("`", "") for cell in line.strip("|").split("|")]
        if header is None:
            header = cells
        elif header[0] == title and not set(line) <= set("|-: "):
            rows.append(dict(zip(header, cells, strict=True)))
    return rows


def links(page: str) -> list[str]:
    return [found["target"] for found in LINK.finditer(prose(page))]


def anchors(page: str) -> set[str]:
    """What a link may name after #: headings as code hosts spell them."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(prose(page))}

"""Run what the pages show: `>>>` examples as doctests, `$` examples as a person would type them."""

from __future__ import annotations

import doctest
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

from graphmem import Memory
from graphmem.cli import main
from tests.docs.pages import Block

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
# What only a shell understands.
SHELL = frozenset("|<>&;$*~")


class Shown(NamedTuple):
    """One command of a console block, with the output that the page promises."""

    command: str
    output: str
    line: int


def run_python(name: str, found: list[Block]) -> int:
    """Run all `>>>` blocks of a page in one namespace; raise at the first that prints something else."""
    parser = doctest.DocTestParser()
    examples = [
        doctest.Example(each.source, each.want, each.exc_msg, block.line + each.lineno - 1, each.indent, each.options)
        for block in found
        if block.language == "pycon"
        for each in parser.get_examples(block.text)
    ]
    text = "\n".join(block.text for block in found)
    test = doctest.DocTest(examples, {"__name__": "__main__"}, name, name, 0, text)
    runner = doctest.DebugRunner(optionflags=FLAGS)
    try:
        runner.run(test, clear_globs=False)
    except doctest.DocTestFailure as failure:
        place = f"{name}:{failure.example.lineno + 1}"
        raise AssertionError(
            f"{place}\n{failure.example.source}wanted:\n{failure.example.want}got:\n{failure.got}"
        ) from None
    except doctest.UnexpectedException as failure:
        raise AssertionError(f"{name}:{failure.example.lineno + 1}\n{failure.example.source}") from failure.exc_info[1]
    finally:
        for value in test.globs.values():  # a page leaves its memory open when an example fails
            if isinstance(value, Memory):
                value.close()
    return len(examples)


def shown(found: list[Block]) -> list[Shown]:
    """The commands of all console blocks, each with what follows up to the next `$`."""
    commands: list[Shown] = []
    for block in found:
        if block.language != "console":
            continue
        for number, line in enumerate(block.text.splitlines(), start=block.line):
            if line.startswith("$ "):
                commands.append(Shown(line[2:], "", number))
            else:
                last = commands.pop()
                commands.append(last._replace(output=f"{last.output}{line}\n"))
    return commands


def run_console(name: str, found: list[Block]) -> int:
    """Run the commands of a page in the current folder; each must succeed, unless the page shows its error."""
    commands = shown(found)
    for each in commands:
        code, output = _run(each.command)
        place = f"{name}:{each.line}\n$ {each.command}\n"
        fails = each.output.startswith("graphmem: ") or "\nError: " in each.output
        assert (code != 0) == fails, f"{place}exit code {code}\n{output}"
        matches = doctest.OutputChecker().check_output(each.output, output, FLAGS)
        assert matches, f"{place}wanted:\n{each.output}got:\n{output}"
    return len(commands)


def _run(command: str) -> tuple[int, str]:
    """Commands of graphmem alone run in this process, which is quicker; everything else in a shell."""
    words = shlex.split(command)
    if words[0] == "graphmem" and not set(command) & SHELL:
        result = CliRunner().invoke(main, words[1:], prog_name="graphmem")
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result.exit_code, result.output
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    return done.returncode, done.stdout

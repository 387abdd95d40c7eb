"""Find ontology files, with those that they extend, and load them as one."""

from __future__ import annotations

from pathlib import Path

from graphmem.errors import OntologyError
from graphmem.ontology.checks import NAME, check
from graphmem.ontology.merge import merge
from graphmem.ontology.schema import File, read_file
from graphmem.ontology.values import Ontology

PACKAGE = Path(__file__).parent.parent
# In a wheel the folder is inside the package; in a checkout or an editable install it is beside it.
FOLDERS = (PACKAGE / "ontologies", PACKAGE.parent / "ontologies")
Names = str | Path | list[str] | tuple[str, ...]


def load(name: Names = "core", *overlays: str | Path, folders: tuple[Path, ...] = FOLDERS) -> Ontology:
    """Return the ontology called ``name`` with ``overlays`` laid over it, each a name or a path to a ``.toml`` file.

    What a file extends is loaded under it, so that ``load("software")`` and ``load("core", "software")`` are the same.
    """
    names: list[str | Path] = [*name] if isinstance(name, list | tuple) else [name]
    files: dict[str, File] = {}
    for each in (*names, *overlays):
        _gather(each, folders, files, ())
    return _finished(list(files.values()))


def parse(text: str, *, source: str = "<text>", folders: tuple[Path, ...] = FOLDERS) -> Ontology:
    """Return the ontology written in ``text``; errors name ``source`` and, where it can be found, the line."""
    file = read_file(text, source)
    files: dict[str, File] = {}
    for below in file.extends:
        _gather(below, folders, files, ())
    return _finished([*files.values(), file])


def _finished(files: list[File]) -> Ontology:
    ontology = merge(files)
    check(ontology, files)
    return ontology


def _gather(name: str | Path, folders: tuple[Path, ...], files: dict[str, File], above: tuple[str, ...]) -> None:
    path = _find(name, folders)
    key = str(path)
    if key in above:
        raise OntologyError(f"{path}: extends itself by way of {', '.join(above)}")
    if key in files:
        return
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise OntologyError(f"{path}: cannot be read: {error}") from error
    file = read_file(text, key)
    for below in file.extends:
        _gather(below, (path.parent, *folders), files, (*above, key))
    files[key] = file


def _find(name: str | Path, folders: tuple[Path, ...]) -> Path:
    if str(name).endswith(".toml"):
        return Path(name)
    if not NAME.fullmatch(str(name)):
        raise OntologyError(
            f"{str(name)!r} is not a name of an ontology; use lower-case words or a path to a .toml file"
        )
    for folder in folders:
        path = folder / f"{name}.toml"
        if path.is_file():
            return path
    known = sorted({path.stem for folder in folders for path in folder.glob("*.toml")})
    raise OntologyError(f"no ontology called {str(name)!r}; there are: {', '.join(known) or 'none'}")

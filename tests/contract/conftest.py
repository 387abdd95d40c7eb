"""The stores under contract. A second back end joins by one more entry in BACK_ENDS."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from graphmem.settings import Settings, StoreSettings
from graphmem.store import FolderStore, Store


def folder(place: Path, settings: StoreSettings) -> Store:
    return FolderStore(place, Settings(store=settings))


# Each opens the store that lives at a place of its own below the test's folder, and opens the same one again.
BACK_ENDS: dict[str, Callable[[Path, StoreSettings], Store]] = {"folder": folder}


@pytest.fixture(params=BACK_ENDS)
def open_store(request, tmp_path) -> Iterator[Callable[..., Store]]:
    """Gives the function that opens a place (again); what a test leaves open is closed for it."""
    opened: list[Store] = []

    def open_(place: str = "memory", settings: StoreSettings | None = None) -> Store:
        store = BACK_ENDS[request.param](tmp_path / place, settings or StoreSettings())
        opened.append(store)
        return store

    yield open_
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store) -> Store:
    return open_store()

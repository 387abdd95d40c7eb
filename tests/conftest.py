"""What every test may ask for."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

# A store on a disk is no pure function: no deadline, and a slow machine is not a failure. On a build machine the
# same examples are drawn each time, so that a red build can be repeated.
settings.register_profile(
    "graphmem", deadline=None, derandomize=bool(os.environ.get("CI")), suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("graphmem")


@pytest.fixture(autouse=True)
def _no_settings_of_the_machine(monkeypatch, request):
    """Settings that happen to stand in the environment must not change what is tested.

    A test that is not about distilling need not wait for the process that reads conversations.
    """
    for name in [name for name in os.environ if name.startswith("GRAPHMEM_")]:
        monkeypatch.delenv(name)
    if not request.node.get_closest_marker("distils"):
        monkeypatch.setenv("GRAPHMEM_DISTIL__EXTRACTOR", "none")

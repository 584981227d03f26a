"""Gives pytest the fixture `sluice`."""

import pytest

from sluice_testing import start_sluice


@pytest.fixture(scope="session")
def sluice_instance():
    """One instance for all tests of a run. pytest-xdist starts one for each of its processes."""
    with start_sluice(flags=["--slot-ms=50"]) as instance:
        yield instance


@pytest.fixture
def sluice(sluice_instance):
    """The instance. What a test does to its network is undone afterwards: accounts, clock, prices and faults."""
    sluice_instance.snapshot("before-test")
    yield sluice_instance
    sluice_instance.faults.clear()
    sluice_instance.restore("before-test")

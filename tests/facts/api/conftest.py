import pytest

from tests.facts.program import program


@pytest.fixture
def reader(acme):
    """A program that reads and requests acme's facts."""
    return program(acme)


@pytest.fixture
def prober(acme):
    """A program that writes acme's facts of data as the probe."""
    return program(acme, observer="probe", name="importer")

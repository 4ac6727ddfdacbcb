import pytest

from facts import derivations
from tests.facts.observing import NINE
from tests.readiness.test_knowledge import table
from tests.readiness.test_reading import work_on


@pytest.fixture
def known(acme, alice):
    """acme, of which something is known: one type, and what alice works on."""
    table(acme, "Order", 830)
    work_on(alice, "refunding", lift="9/2")
    derivations.settle(acme, clock=lambda: NINE)
    return acme

import pytest

from tests.facts.answers.shop import learn


@pytest.fixture
def shop(acme):
    """Acme, whose shop was learned."""
    learn(acme)
    return acme

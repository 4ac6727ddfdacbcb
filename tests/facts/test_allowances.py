from datetime import UTC, datetime, timedelta

import pytest

from facts import allowances, tokens
from facts.errors import TooManyCalls
from facts.models import Token

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)

pytestmark = pytest.mark.django_db


@pytest.fixture
def text(acme):
    return tokens.make(account=acme, name="crm", now=NOON)[1]


@pytest.fixture
def restarted(monkeypatch):
    """Makes this process forget its leases, as another one has none of them."""
    return lambda: monkeypatch.setattr(allowances, "_leases", {})


def allowed(text, *, now, tries=200):
    """How many calls are let through before one is refused."""
    for number in range(tries):
        try:
            tokens.scope_of(text, now=now)
        except TooManyCalls:
            return number
    return tries


@pytest.mark.parametrize("limit", [1, 3, 20, 59, 100])
def test_exactly_so_many_calls_are_allowed_in_a_minute(text, settings, limit):
    settings.CALLS_PER_MINUTE = limit

    assert allowed(text, now=NOON) == limit
    assert allowed(text, now=NOON + 59 * SECOND) == 0
    assert allowed(text, now=NOON + 60 * SECOND) == limit


def test_a_refusal_says_how_many_seconds_are_left(text, settings):
    settings.CALLS_PER_MINUTE = 1
    tokens.scope_of(text, now=NOON)

    for after, wait in ((1, 59), (1.5, 59), (59.9, 1)):
        with pytest.raises(TooManyCalls) as refusal:
            tokens.scope_of(text, now=NOON + after * SECOND)
        assert refusal.value.wait == wait


def test_processes_together_allow_no_more_than_the_limit(text, settings, restarted):
    settings.CALLS_PER_MINUTE = 100  # leases of 5
    spent = 0
    for _ in range(30):
        spent += allowed(text, now=NOON, tries=3)
        restarted()

    assert spent == 60  # three of each of the twenty leases; two of each are lost
    assert Token.objects.get().calls == 100


def test_another_token_has_calls_of_its_own(text, acme, settings):
    settings.CALLS_PER_MINUTE = 2
    other = tokens.make(account=acme, name="other", now=NOON)[1]

    assert (allowed(text, now=NOON), allowed(other, now=NOON)) == (2, 2)


def test_a_call_in_many_costs_a_statement_and_a_refused_one_none(
    text, settings, django_assert_num_queries
):
    settings.CALLS_PER_MINUTE = 100

    with django_assert_num_queries(100 + 20):  # the token each time, a lease each five
        assert allowed(text, now=NOON, tries=100) == 100
    with django_assert_num_queries(1):
        assert allowed(text, now=NOON) == 0


def test_a_clock_that_jumped_back_blocks_nobody(text, settings, restarted):
    settings.CALLS_PER_MINUTE = 2
    assert allowed(text, now=NOON) == 2

    assert allowed(text, now=NOON - timedelta(hours=1)) == 2
    restarted()
    assert allowed(text, now=NOON - timedelta(hours=1)) == 0


def test_a_refused_token_makes_no_call(text, settings, acme):
    tokens.revoke(Token.objects.all(), now=NOON)

    with pytest.raises(tokens.BadToken):
        tokens.scope_of(text, now=NOON)
    assert Token.objects.get().calls == 0

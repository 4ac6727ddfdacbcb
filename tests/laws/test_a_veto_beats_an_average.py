"""Law 9. A failure among the ten heaviest items blocks "ready", whatever the percentage."""

from facts import derivations
from readiness.reading import header_of, readiness_of
from tests.facts.observing import MINUTE, NINE, observe
from tests.readiness.test_knowledge import table

LATER = NINE + MINUTE


def settled(account):
    derivations.settle(account, clock=lambda: LATER)
    return readiness_of(account, now=LATER)


def account_of(account, heavy, light):
    """So many heavy types of 10,000 records each and light ones of 10."""
    for number in range(heavy):
        table(account, f"Heavy{number:02}", 10_000)
    for number in range(light):
        table(account, f"Light{number:02}", 10)


def test_one_unreadable_type_among_the_ten_heaviest_blocks_ready(acme):
    account_of(acme, heavy=12, light=0)
    observe(acme, "data:label:Heavy03", outcome="failed", failure="42501", now=LATER)

    found = settled(acme)

    # 11 of 12 equal weights are covered: 91.7 %, and a tie at the tenth place is inside
    assert (found["level"], found["shown"], found["vetoes"]) == ("almost-ready", 92, ["Heavy03"])
    assert header_of(acme, None, now=LATER) == (
        "Knowledge: almost-ready, 92%. Still learning Heavy03."
    )


def test_a_refuted_type_blocks_it_as_well(acme):
    account_of(acme, heavy=10, light=0)
    observe(acme, "data:label:Heavy03", outcome="refuted", now=LATER)

    assert settled(acme)["level"] == "almost-ready"


def test_an_unreadable_light_type_blocks_nothing(acme):
    account_of(acme, heavy=10, light=1)
    observe(acme, "data:label:Light00", outcome="failed", failure="42501", now=LATER)

    found = settled(acme)

    # 9210 each of the ten, 2398 of the light one: 92,100 of 94,498
    assert (found["level"], found["shown"], found["vetoes"]) == ("ready", 97, [])


def test_what_no_longer_fails_no_longer_blocks(acme):
    account_of(acme, heavy=10, light=0)
    observe(acme, "data:label:Heavy03", outcome="failed", failure="42501", now=LATER)
    assert settled(acme)["level"] == "almost-ready"

    observe(acme, "data:label:Heavy03", {"count": 10_000}, now=LATER + MINUTE)
    derivations.settle(acme, clock=lambda: LATER + 2 * MINUTE)

    assert readiness_of(acme, now=LATER)["level"] == "ready"

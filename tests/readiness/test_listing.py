import pytest
from django.db import connection

from facts.models import Account, Check, Fact, Source
from facts.refs import Ref
from readiness import listing, overall
from readiness.rollup import Level
from tests.facts.observing import DAY, NINE, observe

LEVELS = {
    "bakery": ("ready", 92),
    "brewery": ("almost-ready", 73),
    "cannery": ("not-ready", None),
    "dairy": ("ready", 100),
    "farm": ("almost-ready", 41),
}


def rolled_up(name, level, shown, gap=None, vetoes=()):
    account = Account.objects.create(external_id=name)
    value = {"level": level, "shown": shown, "gap": gap, "vetoes": list(vetoes), "items": []}
    observe(account, overall.REF, value, by=overall.OBSERVER)
    return account


@pytest.fixture
def shops(db):
    """Five accounts that were rolled up, and a mill that never was."""
    for name, (level, shown) in LEVELS.items():
        rolled_up(name, level, shown)
    Account.objects.create(external_id="mill")


def names(**asked):
    return [account.external_id for account in listing.accounts(**asked)]


def test_the_worst_level_comes_first_and_in_it_the_lowest_number(shops):
    assert names() == ["cannery", "mill", "farm", "brewery", "bakery", "dairy"]
    assert names(order="-level") == ["dairy", "bakery", "brewery", "farm", "cannery", "mill"]


def test_accounts_are_sorted_by_their_id(shops):
    assert names(order="account") == ["bakery", "brewery", "cannery", "dairy", "farm", "mill"]
    assert names(order="-account") == ["mill", "farm", "dairy", "cannery", "brewery", "bakery"]


def test_accounts_are_sorted_by_their_last_probe_those_never_probed_first(shops):
    for name, days in [("dairy", 2), ("farm", 1)]:
        account = Account.objects.get(external_id=name)
        for ago in (days, days + 3):
            source = Source.objects.create(account=account, name=f"{ago}", encrypted_url="-")
            Check.objects.create(
                account=account, kind="catalogue", source=source, last_checked=NINE - ago * DAY
            )

    assert names(order="probed")[-2:] == ["dairy", "farm"]
    assert names(order="-probed")[:2] == ["farm", "dairy"]
    probed = {row.account.external_id: row.probed_at for row in rows()}
    assert (probed["dairy"], probed["mill"]) == (NINE - 2 * DAY, None)


@pytest.mark.parametrize("level", list(Level))
def test_a_level_is_filtered_and_who_was_never_rolled_up_is_not_ready(shops, level):
    said = {name for name, (each, _) in LEVELS.items() if each == level}

    assert set(names(level=level)) == said | ({"mill"} if level == "not-ready" else set())
    assert listing.counts()[level] == len(names(level=level))


def test_ids_are_searched_and_counted(shops):
    assert names(search="ER", order="account") == ["bakery", "brewery", "cannery"]
    assert listing.counts(search="ER") == {"not-ready": 1, "almost-ready": 1, "ready": 1}
    assert names(search="%") == []


def rows():
    return listing.rows(list(listing.accounts(order="account")))


def test_a_row_says_what_is_stored(db):
    rolled_up("acme", "almost-ready", 73, "Still learning Shipment.", ["Shipment"])
    Account.objects.create(external_id="new")

    told, new = rows()

    assert (told.level, told.shown, told.gap) == ("almost-ready", 73, "Still learning Shipment.")
    assert (told.vetoes, told.rolled_up_at) == (["Shipment"], NINE)
    assert (new.level, new.shown, new.gap, new.vetoes) == ("not-ready", None, None, ())
    assert (new.rolled_up_at, new.probed_at) == (None, None)


def test_an_export_reads_every_account_once_in_chunks(shops, monkeypatch):
    monkeypatch.setattr(listing, "CHUNK", 4)

    told = [row.account.external_id for row in listing.all_rows(listing.accounts())]

    assert told == names()


def test_a_page_of_many_accounts_is_few_queries_by_index(db, django_assert_num_queries):
    """2,000 accounts with ten facts each: no page reads all facts."""
    accounts = Account.objects.bulk_create(
        [Account(external_id=f"account-{number:05}") for number in range(2_000)]
    )
    value = {"level": "ready", "shown": 90, "gap": None, "vetoes": [], "items": []}
    Fact.objects.bulk_create(
        [
            Fact(account=account, namespace=ref.namespace, kind=ref.kind, key=ref.key, value=value)
            for account in accounts
            for ref in [overall.REF, *(Ref.of("data", "label", f"T{n}") for n in range(9))]
        ],
        batch_size=5_000,
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE facts_fact, facts_account, facts_check")

    with django_assert_num_queries(4):
        listing.rows(list(listing.accounts(level=Level.READY)[50:100]))
    with django_assert_num_queries(1):
        assert listing.counts()[Level.READY] == 2_000

    page = list(listing.accounts()[:50])
    plan = Fact.objects.at(overall.REF).filter(account__in=page).explain()
    assert "Index Scan" in plan or "Bitmap Index Scan" in plan
    assert "Seq Scan on facts_fact" not in plan

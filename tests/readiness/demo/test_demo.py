import hashlib
import sqlite3
from contextlib import closing

from facts.models import Account, Fact
from readiness.demo import company, making


def test_the_company_is_the_same_on_every_machine(tmp_path):
    for name in ("one", "two"):
        company.write(tmp_path / name)

    first, second = (hashlib.sha256((tmp_path / n).read_bytes()).digest() for n in ("one", "two"))
    assert first == second


def test_the_demo_account_is_learned_and_made_once(settings, tmp_path, db):
    settings.DATA_DIR = tmp_path
    said = []
    making.make(say=said.append)
    making.make(say=said.append)

    account = Account.objects.get()
    values = {str(fact.ref): fact.value for fact in account.facts.filter(kind__in=("label", "hop"))}
    assert values["data:label:Order"] == {"count": 2400}
    # 2,310 orders were shipped; the carrier of two shipments is gone
    assert values["data:hop:Shipment|CARRIER|Carrier"] == {
        "reached": 2308, "count": 2310, "coverage": 0.9991
    }  # fmt: skip


def test_what_is_planted_in_the_demo_reaches_no_fact(settings, tmp_path, db):
    settings.DATA_DIR = tmp_path
    making.make(say=lambda _: None)
    with closing(sqlite3.connect(tmp_path / "demo.sqlite")) as database:
        mails = [row[0] for row in database.execute("SELECT email FROM customers")]

    kept = str(list(Fact.objects.values_list("value")))
    assert len(mails) == 180
    assert not [secret for secret in ["Sommer2024", "sk_demo", "@", *mails] if secret in kept]

"""The same log in whatever way it is loaded, by real processes: the same activities."""

import gzip
import json
import random
from datetime import datetime

import pytest
from django.db import connections, transaction
from django.db.utils import OperationalError

from activities import inference, people, rules, verbs, votes
from activities.documents import Registry, Zones
from activities.models import Session
from facts.models import Account, Person
from tests.activities.diary import LATER, MONDAY, Diary
from tests.conftest import given
from tests.processes import start

NOW = datetime.fromisoformat("2026-03-01T00:00:00Z")


def finish(*processes):
    """What each printed as JSON, once all are done without a fault."""
    told = [process.communicate() for process in processes]
    assert [process.returncode for process in processes] == [0] * len(processes), told
    return [json.loads(output) for output, _ in told]


@pytest.fixture
def log(transactional_db, tmp_path):
    """Writes the receipt log's events for another account, in an order of one's own."""
    expected = json.loads(given("data/events/expected_receipt.json").read_text())
    registry = given(f"data/events/{expected['registry']}").read_text()
    verbs.replace(Registry.parse(registry), now=NOW)
    with gzip.open(given(f"data/events/{expected['file']}")) as file:
        events = [json.loads(line) for line in file]

    def write(account, arrange=list, pieces=1):
        people.load_zones({account: Zones("Europe/Amsterdam", {}, frozenset())}, now=NOW)
        lines = [json.dumps({**event, "account": account}) + "\n" for event in arrange(events)]
        files = [tmp_path / f"{account}-{piece}.jsonl" for piece in range(pieces)]
        for piece, path in enumerate(files):
            path.write_text("".join(lines[piece::pieces]))
        return files

    write.expected = expected
    return write


def sessions(account):
    return sorted(
        Session.objects.filter(account__external_id=account).values_list(
            "person__external_id", "verb__name", "first", "last"
        )
    )


def test_twice_shuffled_backwards_and_by_four_processes_it_comes_to_the_same(log):
    shuffled = random.Random(7).sample
    (plain,) = log("plain")
    (mixed,) = log("shuffled", lambda events: shuffled(events, len(events)))
    (back,) = log("backwards", lambda events: events[::-1])
    quarters = log("quarters", pieces=4)

    first, second, third = finish(
        start("load_events", plain, "--json"),
        start("load_events", mixed, "--json"),
        start("load_events", back, "--json"),
    )
    (again,) = finish(start("load_events", plain, "--json"))
    split = finish(*(start("load_events", quarter, "--json") for quarter in quarters))

    assert first == second == third
    assert (again["accepted"], again["folded"]) == (0, first["accepted"] + first["folded"])
    assert sum(told["accepted"] for told in split) == first["accepted"]
    assert sessions("plain")
    for account in ("shuffled", "backwards", "quarters"):
        assert sessions(account) == sessions("plain")
    for case in log.expected["cases"]:
        if case["feedback"]:
            continue
        for account in ("plain", "shuffled", "backwards", "quarters"):
            found = inference.activities_at(
                Account.objects.get(external_id=account), datetime.fromisoformat(case["as_of"])
            )
            assert [(a.person, a.verb, rules.ratio(a.lift)) for a in found] == [
                (a["person"], a["verb"], a["lift"]) for a in case["activities"]
            ]


def test_a_person_is_not_deleted_while_votes_about_them_are_written(transactional_db):
    """Votes carry no foreign key; the people's rows are locked instead."""
    verbs.replace(Registry(("refund",), {"refund": "refund"}, {"refund": "Refund"}), now=NOW)
    diary = Diary()
    diary.did("alice", "refund", MONDAY)
    other = connections.create_connection("default")
    try:
        with transaction.atomic():
            votes.take([diary.event("alice", "refund", LATER)], now=LATER)
            with other.cursor() as cursor, pytest.raises(OperationalError):
                cursor.execute(
                    "SELECT FROM facts_person WHERE external_id = 'alice' FOR UPDATE NOWAIT"
                )
    finally:
        other.close()
    Person.objects.get(external_id="alice").delete()
    assert not Session.objects.exists()

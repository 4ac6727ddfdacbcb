"""Every case of every given log, event by event through the door, met exactly."""

import gzip
import json
from datetime import datetime, timedelta

import pytest

from activities import inference, loading, people, rules, verbs
from activities.documents import Registry, zones_of
from activities.lines import lines
from activities.models import Feedback, Session, Verb
from facts.models import Account, Person
from tests.conftest import given

NOW = datetime.fromisoformat("2026-03-01T00:00:00Z")
KINDS = {"not_mine": Feedback.Kind.NOT_MINE, "hide": Feedback.Kind.HIDE}


def printed(account, as_of):
    """The activities of an account as the expected files have them."""
    return [
        {
            "account": account.external_id,
            "person": tally.person,
            "verb": tally.verb,
            "sessions": tally.sessions,
            "days": tally.days,
            "mine": tally.sessions,
            "colleagues": tally.colleagues,
            "others": tally.others,
            "lift": rules.ratio(tally.lift),
            "first": rules.moment(tally.first).isoformat(),
            "last": rules.moment(tally.last).isoformat(),
        }
        for tally in inference.activities_at(account, as_of)
    ]


def say(feedback):
    """Put a case's feedback, and no other, into the table."""
    Feedback.objects.all().delete()
    for said in feedback:
        person = Person.objects.get(
            account__external_id=said["account"], external_id=said["person"]
        )
        Feedback.objects.create(
            account=person.account,
            person=person,
            verb=Verb.objects.get(name=said["verb"]),
            kind=KINDS[said["kind"]],
            at=datetime.fromisoformat(said["at"]),
        )


def stored_counts(as_of, service):
    """How many sessions start in the window, and of how many people."""
    end = rules.microseconds(as_of)
    start = end - timedelta(days=30) // timedelta(microseconds=1)
    counted = Session.objects.filter(first__gte=start, first__lt=end).exclude(
        person__external_id__in=service
    )
    return {
        "sessions": counted.count(),
        "persons_with_sessions": counted.values("person").distinct().count(),
    }


@pytest.mark.parametrize("log", ["receipt", "bpic2013_closed", "traffic_fines"])
def test_every_case_of_a_given_log_is_met_exactly(db, log):
    expected = json.loads(given(f"data/events/expected_{log}.json").read_text())
    registry = given(f"data/events/{expected['registry']}").read_text()
    verbs.replace(Registry.parse(registry), now=NOW)
    people.load_zones(zones_of(given("data/events/people.json").read_text()), now=NOW)
    with gzip.open(given(f"data/events/{expected['file']}")) as file:
        *_, loaded = loading.load(lines(file))
    accounts = Account.objects.filter(pk__in=Session.objects.values("account").distinct()).order_by(
        "external_id"
    )

    assert loaded.summary["refused"] == loaded.summary["unmapped"] == 0
    assert expected["cases"]
    for case in expected["cases"]:
        as_of = datetime.fromisoformat(case["as_of"])
        say(case["feedback"])
        found = [line for account in accounts for line in printed(account, as_of)]
        counts = stored_counts(as_of, expected["service"])

        assert found == case["activities"], case["name"]
        assert counts == {name: case["counts"][name] for name in counts}, case["name"]

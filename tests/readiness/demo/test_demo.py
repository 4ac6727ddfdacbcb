"""The demo as it stands: what each page finds, and what none of its tables may hold."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Max
from django.test import Client

from activities.models import Feedback, Preferences, UnmappedName, Vote
from facts.forgetting import searching
from facts.models import Account, Answer, AnswerOutcome, Fact, Source
from facts.trust import Trust
from readiness import reading, trend
from readiness.demo import people, planted, reviews, wishes
from readiness.demo.stories import STORIES
from specs.models import SpecVersion

RICH = "larkspur-trading"
QUEUES = ("django_q", "facts_ledger", "facts_spending", "facts_check")  # that every start may move


def rollup_of(demo, account):
    return reading.readiness_of(Account.objects.get(external_id=account), now=demo.now)


@pytest.mark.parametrize(
    ("account", "level", "shown", "vetoes"),
    [
        (RICH, "almost-ready", range(80, 95), ["Shipment"]),
        ("brasswick-tools", "ready", [100], []),
        ("fennimore-foods", "ready", range(90, 100), []),
        ("tidewater-supply", "almost-ready", range(80, 95), ["Order"]),
        ("quillon-optics", "almost-ready", range(41, 80), []),
        ("pemberly-books", "not-ready", [None], ["Order", "Invoice", "Shipment", "Customer"]),
        ("oakhollow-garden", "not-ready", [None], []),
        ("hazelmere-linen", "ready", [100], []),
        ("marrowby-cycles", "not-ready", [None], []),
    ],
)
def test_each_account_is_at_the_level_of_its_story(demo, account, level, shown, vetoes):
    found = rollup_of(demo, account)

    assert found["level"] == level
    assert found["shown"] in shown
    assert sorted(found["vetoes"]) == sorted(vetoes)


def test_the_parameters_are_all_the_accounts_there_are(demo):
    assert set(Account.objects.values_list("external_id", flat=True)) == {
        story.account for story in STORIES
    }
    assert rollup_of(demo, "marrowby-cycles")["measured_at"] is None


def test_the_rich_account_went_from_not_ready_over_ready_to_a_veto(demo):
    account = Account.objects.get(external_id=RICH)

    since = (demo.now - timedelta(days=40)).date()
    levels = [str(day.level) for day in trend.levels_of([account], since)[account]]
    assert levels[0] == "not-ready"
    assert "ready" in levels
    assert levels[-1] == "almost-ready"


def test_every_state_of_trust_and_both_kinds_of_trouble_occur(demo):
    states = {fact.trust(demo.now) for fact in Fact.objects.under("data:label:")}

    assert states == set(Trust)
    assert Fact.objects.filter(kind="label", failure="42501").exists()
    down = Source.objects.exclude(failure="").values_list("account__external_id", flat=True)
    assert sorted(down) == ["hazelmere-linen", "oakhollow-garden", "quillon-optics"]


def test_the_specs_get_every_verdict_and_wait_in_every_state(demo):
    fits = Fact.objects.under("account:feature-fit:").filter(account__external_id=RICH)

    assert {fit.value["verdict"] for fit in fits} == {
        "ready", "almost-ready", "not-ready", "unknown",
    }  # fmt: skip
    states = dict(SpecVersion.objects.exclude(state="active").values_list("spec", "state"))
    assert states == {"late-orders": "in-review", "overdue-payments": "draft"}
    assert SpecVersion.objects.active().count() == len(reviews.starter())


def test_answers_are_in_every_state_that_staff_may_meet(demo):
    def texts(**how):
        return list(Answer.objects.in_force().filter(**how).values_list("text", flat=True))

    trusted = {answer.text: answer.fact.trust(demo.now) for answer in Answer.objects.in_force()}
    assert set(trusted.values()) == {Trust.PROVEN, Trust.BELIEVED, Trust.UNKNOWN}
    assert texts(fact__verified_at__isnull=False, fact__refuted=True) == [
        "What do refunds for lateness come to?"
    ]
    assert texts(fact__version=0) == ["How many orders came through partners?"]
    assert Answer.objects.filter(state=Answer.State.REPLACED).count() == 1
    assert set(AnswerOutcome.objects.values_list("level", flat=True)) == {"ready", "almost-ready"}


def test_everybody_has_activities_and_the_machine_has_none(demo):
    account = Account.objects.get(external_id=RICH)
    found = account.facts.under("user:activity:").exclude(value__contains={"absent": True})

    busy = set(found.values_list("person__external_id", flat=True))
    assert busy == set(people.JOBS)
    assert not account.people.filter(external_id=people.ADMINISTRATOR).exists()
    assert set(UnmappedName.objects.values_list("name", flat=True)) == set(people.UNMAPPED)


def test_the_persons_page_shows_activities_what_was_said_and_the_persons_own_words(demo):
    client = Client()
    client.force_login(User.objects.get(username=wishes.PERSON))

    page = client.get("/me/").content.decode()
    for text in ("Refund handling", "Payment matching", "Invoicing", "Reports", "Amounts in euros"):
        assert text in page
    assert sorted(Feedback.objects.values_list("kind", flat=True)) == ["hide", "not-mine"]
    assert Preferences.objects.count() == 3


def test_each_login_and_the_token_are_told_of_once(demo):
    told = [line for line in demo.said if "password" in line or "ken_" in line]

    assert len(told) == 4
    for user in User.objects.filter(username__in=("demo-support", "demo-reviewer", wishes.PERSON)):
        password = re.search(rf"{user.username}, password (\S+):", "\n".join(told))
        assert password
        assert user.check_password(password[1])


def test_what_is_planted_stands_in_no_table_of_ours(demo):
    words = planted.planted()

    assert holders_of(words) == []
    assert searching._in_packed(set(words), "") == []
    # the search finds what is there
    assert holders_of(["Amounts in euros"]) == ["activities_preferences.text"]


def holders_of(words):
    """The columns of all tables that hold one of ``words``, in any case."""
    pattern, found = "|".join(map(re.escape, words)), []
    for table, types in searching._tables().items():
        for column, kind in types.items():
            if kind in searching.WORDLESS:
                continue
            text = searching._text(column, kind)
            with connection.cursor() as cursor:
                cursor.execute(f"SELECT count(*) FROM {table} WHERE {text} ~* %s", [pattern])
                if cursor.fetchone()[0]:
                    found.append(f"{table}.{column}")
    return found


def test_vocabulary_that_nobody_has_to_fear_for_is_kept(demo):
    account = Account.objects.get(external_id=RICH)
    kept = {
        fact.key: [each["value"] for each in fact.value.get("values", [])]
        for fact in account.facts.under("data:vocabulary:")
        if fact.value
    }

    assert set(kept["Order|status"]) == {"shipped", "open", "on hold", "cancelled"}
    assert kept["Supplier|portalPassword"] == []
    assert kept["Scanner|label"] == []


def test_making_it_again_changes_nothing(demo):
    before, said = rows(), len(demo.said)

    demo.make_again()

    after = rows()
    assert {place: after[place] for place in after if after[place] != before[place]} == {}
    assert demo.said[0].startswith("Making the demo: 9 accounts")
    assert demo.said[said:] == ["The demo is there already"]


def test_making_it_again_later_takes_only_what_people_did_since(demo):
    before, newest = Vote.objects.count(), Vote.objects.aggregate(at=Max("last"))["at"]

    demo.make_again(later=timedelta(days=3))

    new = Vote.objects.filter(last__gt=newest).count()
    assert new > 100
    assert Vote.objects.count() == before + new
    assert demo.said[-2:] == [
        "The demo is there already",
        f"Took {new:,} votes from what people did",
    ]


def rows():
    """How many rows each table has, and the version of every fact."""
    counts = {}
    with connection.cursor() as cursor:
        for table in searching._tables():
            if not table.startswith(QUEUES):
                cursor.execute(f"SELECT count(*) FROM {table}")
                counts[table] = cursor.fetchone()[0]
        cursor.execute(
            "SELECT account_id, namespace, kind, key, person_id, version FROM facts_fact"
        )
        return counts | {fact[:-1]: fact[-1] for fact in cursor.fetchall()}

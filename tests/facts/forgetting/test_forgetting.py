import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from io import StringIO

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django_q.models import OrmQ, Schedule, Task

from facts import forgetting
from facts.forgetting.reach import reached
from facts.forgetting.searching import search
from facts.forgetting.sought import Sought, mentions, sought
from facts.models import Account, Check, Fact, Observation, Person
from tests.facts.forgetting.planting import account_with_everything, plant
from tests.facts.observing import DAY, NINE, observe

CANARY = "zqcanary"
NOBODYS = {
    "admin.LogEntry",  # searched by what it is about
    *("auth.Group", "auth.Group_permissions", "auth.Permission"),
    *("auth.User", "auth.User_groups", "auth.User_user_permissions"),  # logins, by their person
    "contenttypes.ContentType",
    *("sessions.Session", "django_q.OrmQ", "django_q.Task", "django_q.Schedule"),  # unpacked
    "facts.Heartbeat",
    *("specs.Spec", "specs.SpecVersion"),
    *("activities.RegistryVersion", "activities.Verb", "activities.Action"),
    "activities.UnmappedName",  # which the guard let pass
}

pytestmark = pytest.mark.django_db


@pytest.fixture
def initech():
    account, _ = account_with_everything("initech", "peter")
    return account


@pytest.fixture
def hooli():
    account, _ = account_with_everything("hooli", "peter")  # the same person's id
    return account


def rows_of(account):
    return {reach.model._meta.label: reach.rows(account).count() for reach in reached(Account)}


def snapshot():
    """Every row of every table, as text."""
    with connection.cursor() as cursor:
        found = {}
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT t::text FROM "{table}" t ORDER BY 1')
            found[table] = [row for (row,) in cursor.fetchall()]
    return found


def test_a_canary_planted_in_every_place_is_found_before_and_nowhere_after(initech):
    planted = plant(initech, CANARY)
    going = sought(initech, None)
    before = search(going, canary=CANARY)

    forgotten = forgetting.forget(initech, now=NINE, canary=CANARY)

    assert len(planted) > 30
    assert planted <= {f"{left.table}.{left.column}" for left in before.left}
    assert forgotten.searched.left == []
    assert forgotten.searched.tables == before.tables
    assert search(going, canary=CANARY).left == []


def test_every_model_that_is_an_accounts_had_a_row_that_went(initech):
    before = rows_of(initech)

    forgotten = forgetting.forget(initech, now=NINE)

    assert all(before.values()), [label for label, count in before.items() if not count]
    assert not any(rows_of(initech).values())
    assert set(forgotten.erased) >= {"facts", "tokens", "sources", "log entries", "sessions"}


def test_another_account_keeps_every_row_even_of_a_person_with_the_same_id(initech):
    before = snapshot()
    hooli, _ = account_with_everything("hooli", "peter")

    forgotten = forgetting.forget(hooli, now=NINE)

    assert forgotten.searched.is_clean
    assert forgotten.searched.left  # initech's peter, who may be meant
    assert snapshot() == before


def test_one_person_goes_and_the_account_and_everybody_else_stay(initech, alice):
    peter = initech.people.get()
    paula = Person.objects.create(account=initech, external_id="paula")
    observe(initech, "data:label:Order")
    kept = Fact.objects.filter(person=None).values_list("pk", flat=True).get()

    forgotten = forgetting.forget(initech, peter, now=NINE)

    assert forgotten.searched.left == []
    assert list(initech.people.all()) == [paula]
    assert list(Fact.objects.values_list("pk", flat=True)) == [kept]
    assert initech.sources.count() == 1
    assert not User.objects.filter(username="peter of initech").exists()
    assert not any(reach.rows(peter).exists() for reach in reached(Person))


def test_traces_without_a_foreign_key_go_too(initech, hooli):
    forgetting.forget(hooli, now=NINE)

    texts = [f"{entry.object_repr} {entry.change_message}" for entry in LogEntry.objects.all()]
    assert texts
    assert not mentions(texts, ["hooli"])
    assert len(texts) == 5  # initech's
    assert Session.objects.count() == 2
    assert (OrmQ.objects.count(), Task.objects.count(), Schedule.objects.count()) == (2, 1, 1)


def test_a_persons_queue_rows_go_and_the_accounts_stay(initech):
    from django_q.tasks import async_task

    async_task("facts.tasks.tick", group=f"account:{initech.pk}")  # of the account alone
    async_task("facts.tasks.tick", "peter")  # of somebody in whatever account

    forgetting.forget(initech, initech.people.get(), now=NINE)

    assert sorted(str(row.task["args"]) for row in OrmQ.objects.all()) == ["('peter',)", "()"]


def test_what_their_programs_asked_goes_from_the_accounts_history(acme, alice):
    from tests.facts.program import program

    observe(acme)
    program(acme, person=alice, name="her phone").post("facts/requests/data:label:Order")
    program(acme, name="planner").post("facts/requests/data:label:Order")

    forgetting.forget(acme, alice, now=NINE)

    assert sorted(Observation.objects.values_list("by", flat=True)) == ["planner", "probe"]


def test_what_was_derived_of_the_account_is_looked_at_again(acme, alice):
    check = Check.objects.create(
        account=acme, kind="derivation", derivation="x", target="y", due_at=None
    )

    forgetting.forget(acme, alice, now=NINE)

    check.refresh_from_db()
    assert check.due_at == NINE


def test_a_member_of_staff_keeps_their_login(acme, alice):
    alice.user = User.objects.create_user("sue", is_staff=True)
    alice.save()

    forgetting.forget(acme, alice, now=NINE)

    assert User.objects.get().username == "sue"
    assert not Person.objects.exists()


def test_a_login_that_signed_what_is_kept_stays_without_a_name(acme, alice):
    from specs.models import Spec, SpecVersion

    alice.user = User.objects.create_user("alice", email="alice@example.test", first_name="Alice")
    alice.save()
    spec = Spec.objects.create(id="late-orders")
    SpecVersion.objects.create(spec=spec, number=1, document={}, author=alice.user)

    forgotten = forgetting.forget(acme, alice, now=NINE)

    user = User.objects.get()
    assert (user.email, user.first_name, user.is_active) == ("", "", False)
    assert user.username == f"forgotten-{user.pk}"
    assert forgotten.searched.left == []


def test_a_room_erases_what_no_key_leads_to(acme, monkeypatch):
    monkeypatch.setattr("facts.forgetting.erasing._erasers", [])
    told = []

    def eraser(account, person):
        told.append((account, person))
        return {"files": 3}

    forgetting.register(eraser)

    assert forgetting.forget(acme, now=NINE).erased["files"] == 3
    assert told == [(acme, None)]


def test_when_anything_fails_nothing_goes(initech, monkeypatch):
    def eraser(account, person):
        raise RuntimeError

    monkeypatch.setattr("facts.forgetting.erasing._erasers", [eraser])
    before = snapshot()

    with pytest.raises(RuntimeError):
        forgetting.forget(initech, now=NINE)

    assert snapshot() == before


def test_a_preview_counts_what_goes_and_writes_nothing(initech):
    before = snapshot()

    counts = forgetting.preview(initech)

    assert snapshot() == before
    assert forgetting.forget(initech, now=NINE).erased == counts


def test_facts_and_history_go_in_one_statement_each_however_many(
    acme, django_assert_max_num_queries
):
    Fact.objects.bulk_create(
        Fact(account=acme, namespace="data", kind="label", key=f"T{n}") for n in range(500)
    )
    with django_assert_max_num_queries(150):  # by model and table, not by row
        forgetting.forget(acme, now=NINE)

    assert not Fact.objects.exists()


def test_every_model_is_an_accounts_or_known_to_hold_nothing_of_one():
    """A new model names its account by a foreign key, or it is looked at and listed here."""
    theirs = {reach.model for reach in reached(Account)}
    others = {
        model._meta.label
        for model in apps.get_models(include_auto_created=True)
        if not model._meta.proxy and model not in theirs
    }

    assert others <= NOBODYS


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("exists", [True, False])
def test_what_is_written_meanwhile_goes_too_or_fails(acme, exists):
    if exists:
        observe(acme)
    written = threading.Event()

    def writer():
        try:
            with transaction.atomic():
                observe(acme, now=NINE + DAY)
                written.set()
                _wait_for_a_lock()
        except DatabaseError:
            return "failed"
        finally:
            connection.close()
        return "written"

    with ThreadPoolExecutor(1) as pool:
        outcome = pool.submit(writer)
        assert written.wait(timeout=10)
        forgotten = forgetting.forget(acme, now=NINE)

    assert outcome.result(timeout=10) in ("failed", "written")
    assert forgotten.searched.left == []
    assert not Fact.objects.exists()
    assert not Observation.objects.exists()
    assert not Account.objects.exists()


def _wait_for_a_lock():
    """Wait until the eraser waits for what this connection holds, or for two seconds."""
    waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
    until = time.monotonic() + 2
    while time.monotonic() < until:
        with connection.cursor() as cursor:
            cursor.execute(waiting)
            if cursor.fetchone()[0]:
                return


def test_a_short_number_is_an_id_that_tells_nothing(db):
    account = Account.objects.create(external_id="7")
    LogEntry.objects.create(
        user=User.objects.create_user("sue"), object_repr="Room 7", action_flag=1
    )

    going = Sought(account.pk, "7", True, {}, {}, frozenset())
    account.delete()
    searched = search(going)

    assert searched.is_clean
    assert {left.column for left in searched.left} == {"object_repr"}


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("acme", True),
        ("acme/main", True),
        ('{"a": "acme"}', True),
        ("acme2", False),
        ("pacme", False),
        ("acme_eu", False),
        ("ACME", False),
    ],
)
def test_an_id_is_found_as_a_whole_word(text, is_named):
    assert mentions([text], ["acme"]) == is_named


def run(*arguments):
    out = StringIO()
    call_command("forget", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_erases_searches_and_says_how_much(initech):
    out = run("initech", "--canary", "peter")

    assert "Searched" in out
    assert "nothing is left." in out
    assert "1  facts" in out
    assert not Account.objects.exists()


class Terminal(StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("typed", ["initec\n", "yes\n", "", "peter\n"])
def test_on_a_terminal_nothing_is_erased_unless_the_id_is_typed(initech, monkeypatch, typed):
    monkeypatch.setattr("sys.stdin", Terminal(typed))
    with pytest.raises(CommandError, match="that is not the id; nothing is erased"):
        run("initech")

    assert Account.objects.filter(external_id="initech").exists()


@pytest.mark.parametrize(
    ("typed", "arguments", "accounts"),
    [("initech\n", [], 0), ("", ["--yes"], 0), ("peter\n", ["--person", "peter"], 1)],
)
def test_on_a_terminal_the_typed_id_or_yes_erases(initech, monkeypatch, typed, arguments, accounts):
    monkeypatch.setattr("sys.stdin", Terminal(typed))

    assert "nothing is left." in run("initech", *arguments)
    assert Account.objects.count() == accounts


def test_the_command_tells_it_as_json(initech):
    told = json.loads(run("initech", "--person", "peter", "--json"))

    assert told["left"] == []
    assert told["erased"]["people"] == 1
    assert told["searched"]["columns"] > 100
    assert Account.objects.get() == initech


def test_the_command_says_what_would_go_and_stops(initech):
    before = snapshot()

    assert "1  facts" in run("initech", "--dry-run")
    assert snapshot() == before


def test_the_command_fails_where_something_is_found_after_all(initech):
    Schedule.objects.create(func="x", args="'zqcanary'")

    with pytest.raises(CommandError, match=r"found in django_q_schedule.args \(1 rows\)"):
        run("initech", "--canary", CANARY)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [(["hooli"], "no account has the id"), (["initech", "--person", "paul"], "no person 'paul'")],
)
def test_the_command_knows_whom_it_forgets(initech, arguments, reason):
    before = snapshot()

    with pytest.raises(CommandError, match=reason):
        run(*arguments)

    assert snapshot() == before

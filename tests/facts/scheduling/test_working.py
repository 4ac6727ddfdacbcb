"""Working off what is due, by a worker's task or for somebody who waits."""

import json
from collections.abc import Iterator

import pytest
from django.core.management import CommandError, call_command

from facts import probing, store
from facts.ledgers import Ledger, Spending
from facts.models import Account, Check, Fact, Source
from facts.refs import Ref
from facts.scheduling import Worked, note_made, probe_due, settle, work_off
from tests.facts.observing import DAY, MINUTE, NINE, stored
from tests.facts.scheduling.sources import a_shop, a_source, probed, sell

SHOP0 = Ref.parse("data:label:Shop0")
LATER = NINE + DAY


def at(moment):
    return lambda: moment


@pytest.fixture
def shop(db, tmp_path):
    """The path of acme's shop that was learned at nine; its two tables are not due."""
    path = tmp_path / "shop.db"
    probing.connect("acme", a_shop(path, 2), clock=at(NINE), done=note_made)
    settle(Account.objects.get(), clock=at(NINE))
    return path


@pytest.fixture
def acme(shop):
    return Account.objects.get()


def test_what_is_due_is_made_until_nothing_is(shop):
    probed().update(due_at=LATER)
    worked = Worked()
    assert probe_due(worked, clock=at(LATER)) == 3
    assert (worked.checks, worked.failed, worked.troubles) == (3, 0, {})
    assert set(probed().values_list("last_checked", flat=True)) == {LATER}
    assert probe_due(worked, clock=at(LATER)) == 0


def test_the_budget_holds_back_what_nobody_waits_for(shop):
    probed().update(due_at=LATER)
    Ledger.objects.update(credit=-200, credited_at=LATER)
    assert probe_due(Worked(), clock=at(LATER)) == 0


def test_no_further_check_is_begun_when_time_is_up(shop):
    probed().update(due_at=LATER)
    assert probe_due(Worked(), seconds=0, clock=at(LATER)) == 0


def test_a_source_that_is_down_costs_one_try_and_blocks_no_other(shop, tmp_path):
    other = tmp_path / "other.db"
    probing.connect("globex", a_shop(other, 3), clock=at(NINE), done=note_made)
    probed().update(due_at=LATER)
    shop.unlink()

    worked = Worked()
    made = probe_due(worked, clock=at(LATER))

    assert (made, worked.checks) == (5, 4)
    down = Source.objects.get(account__external_id="acme")
    assert list(worked.troubles) == [down.pk]
    assert stored(down.account, SHOP0).value == {"count": 12}
    assert stored(down.account, SHOP0).failure == ""


def test_settling_answers_what_is_due_and_what_was_asked_for(acme, shop):
    sell(shop)
    store.request(acme, SHOP0, by="staff", now=NINE + MINUTE)
    assert min(probed().values_list("due_at", flat=True)) > NINE + 2 * MINUTE

    worked = settle(acme, clock=at(NINE + 2 * MINUTE))

    fact = stored(acme, SHOP0)
    assert (fact.value, fact.is_open) == ({"count": 13}, False)
    assert worked.checks == 1
    assert settle(acme, clock=at(NINE + 3 * MINUTE)).checks == 0


def test_settling_rebuilds_what_rests_on_what_changed(acme, shop):
    catalogue = Check.objects.get(kind="derivation", derivation="catalogue")
    before = catalogue.built_from
    sell(shop)
    probed().update(due_at=LATER)
    settle(acme, clock=at(LATER))
    catalogue.refresh_from_db()
    assert catalogue.last_checked == LATER
    assert (before, catalogue.due_at) != ("", LATER)


def test_settling_looks_for_what_nobody_has_ever_measured(acme):
    ghost = Ref.parse("data:label:Ghost")
    store.request(acme, ghost, by="spec", now=NINE + MINUTE)
    settle(acme, clock=at(NINE + 2 * MINUTE))
    assert stored(acme, ghost).value == {"absent": True}
    assert not stored(acme, ghost).is_open


def test_settling_is_not_held_back_by_the_budget_and_is_charged_to_it(acme):
    probed().update(due_at=LATER)
    Ledger.objects.update(credit=-200, credited_at=LATER)
    assert settle(acme, clock=at(LATER)).checks == 3
    assert Ledger.objects.get().credit < -200
    assert Spending.objects.get(hour=LATER).checks == 3


def test_settling_one_account_leaves_the_others_alone(acme, tmp_path):
    probing.connect("globex", a_shop(tmp_path / "o.db", 1), clock=at(NINE), done=note_made)
    probed().update(due_at=LATER)
    settle(acme, clock=at(LATER))
    untouched = probed().filter(account__external_id="globex")
    assert set(untouched.values_list("last_checked", flat=True)) == {NINE}


def test_settling_tries_a_source_that_is_down_once(acme, shop):
    shop.unlink()
    probed().update(due_at=LATER)
    worked = settle(acme, clock=at(LATER))
    assert (worked.checks, len(worked.troubles)) == (0, 1)
    assert Ledger.objects.get().failures == 1


def test_working_off_makes_and_builds_in_turn(acme, shop):
    sell(shop)
    probed().update(due_at=LATER)
    worked = work_off(seconds=60, clock=at(LATER))
    assert worked.checks == 3
    assert sum(worked.built.values()) >= 1


def command(*arguments) -> Iterator[str]:
    from io import StringIO

    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue().strip()


def test_the_command_settles_an_account(acme, shop):
    store.request(acme, SHOP0, by="staff", now=NINE + MINUTE)
    said = command("settle", "acme")
    assert said.startswith("3 checks of databases, in 0.")  # all are due by now
    assert said.endswith(".")
    assert command("settle", "acme") == "Nothing was due."


def test_the_command_settles_as_json(acme):
    said = json.loads(command("settle", "acme", "--json"))
    assert (said["checks"], said["failed"], said["troubles"]) == (3, 0, [])


def test_the_command_says_which_source_did_not_answer(acme, shop):
    shop.unlink()
    with pytest.raises(CommandError, match=r"^acme/main can't be read \(.+\); what is known stays"):
        command("settle", "acme")
    assert stored(acme, SHOP0).value == {"count": 12}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["settle", "nobody"], "no account has the id 'nobody'"),
        (["settle"], "the following arguments are required: account"),
        (["tick", "--seconds", "0"], "invalid number of seconds above 0 value: '0'"),
        (["tick", "--seconds", "-3"], "--seconds"),
        (["tick", "--seconds", "soon"], "invalid number of seconds above 0 value: 'soon'"),
    ],
)
def test_bad_input_is_refused_in_one_line(acme, arguments, said):
    with pytest.raises(CommandError) as refused:
        command(*arguments)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_source_without_credentials_is_refused_before_anything_is_done(acme):
    a_source(acme, "bare")
    probed().update(due_at=LATER)
    with pytest.raises(CommandError, match="SOURCE_KEYS") as refused:
        command("settle", "acme")
    assert "\n" not in str(refused.value)
    assert set(probed().values_list("last_checked", flat=True)) == {NINE}


def test_the_command_ticks_without_a_worker(acme, shop):
    said = json.loads(command("tick", "--seconds", "20", "--json"))
    assert said["tick"]["solved"] == 1
    assert said["checks"] == 3
    assert Ledger.objects.get().solved_at is not None
    assert not Fact.objects.filter(settled_by__source__isnull=False, measured_from=NINE).exists()

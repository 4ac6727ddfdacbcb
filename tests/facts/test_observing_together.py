"""Several runs observed at once, of whichever accounts: each is written as if it were alone."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from facts import signals, store
from facts.errors import NotTheOwner
from facts.models import Fact, Observation
from facts.refs import Ref
from facts.store import Measurement, Run
from tests.facts.observing import MINUTE, NINE, ORDERS, observe, stored

LATER = NINE + 10 * MINUTE
CARRIERS = Ref.parse("data:label:Carrier")


def counted(ref, records, version=0):
    return Measurement(ref=ref, version=version, value={"count": records})


def together(*runs, now=LATER):
    return store.observe_all(list(runs), measured_from=now, now=now)


def test_each_run_is_written_to_its_own_account_and_told_apart(acme, globex):
    observe(acme)
    changed = []
    note = lambda account, facts, **_: changed.append((account, [f.ref for f in facts]))  # noqa: E731
    signals.observed.connect(note)
    try:
        first, none, second = together(
            Run(globex, [counted(ORDERS, 5), counted(CARRIERS, 3)], by="probe"),
            Run(globex, [], by="probe"),
            Run(acme, [counted(ORDERS, 840, version=1)], by="probe", asker="alice"),
        )
    finally:
        signals.observed.disconnect(note)

    assert [fact.value for fact in first.written] == [{"count": 5}, {"count": 3}]
    assert (none.written, none.conflicts) == ([], [])
    assert [(fact.account, fact.version) for fact in second.written] == [(acme, 2)]
    assert stored(acme).value == {"count": 840}
    assert stored(globex).value == {"count": 5}
    lines = Observation.objects.filter(last_at=LATER).order_by("fact__account", "fact__key")
    assert [(line.account, line.by) for line in lines] == [
        (acme, "alice"),
        (globex, "probe"),
        (globex, "probe"),
    ]
    assert changed == [(acme, [ORDERS]), (globex, [ORDERS, CARRIERS])]


def test_a_conflict_is_its_own_run_s(acme, globex):
    observe(acme)
    lost, won = together(
        Run(acme, [counted(ORDERS, 1), counted(CARRIERS, 2)], by="probe"),
        Run(globex, [counted(ORDERS, 3)], by="probe"),
    )
    assert [(each.ref, each.version) for each in lost.conflicts] == [("data:label:Order", 1)]
    assert [fact.ref for fact in lost.written] == [CARRIERS]
    assert ([fact.value for fact in won.written], won.conflicts) == ([{"count": 3}], [])


@pytest.mark.parametrize("stands", [False, True])
def test_what_two_runs_measured_is_the_first_one_s(acme, stands):
    version = observe(acme).version if stands else 0
    first, second = together(
        Run(acme, [counted(ORDERS, 1, version)], by="probe"),
        Run(acme, [counted(ORDERS, 2, version)], by="probe"),
    )
    assert [fact.version for fact in first.written] == [version + 1]
    assert second.written == []
    assert [each.version for each in second.conflicts] == [version + 1]
    assert stored(acme).value == {"count": 1}
    assert stored(acme).history.filter(last_at=LATER).count() == 1


def test_a_line_that_makes_no_sense_refuses_all_of_them(acme, globex):
    with pytest.raises(NotTheOwner):
        together(
            Run(globex, [counted(ORDERS, 5)], by="probe"),
            Run(acme, [counted(ORDERS, 5)], by="plan"),
        )
    assert not Fact.objects.exists()


def test_two_accounts_take_no_more_statements_than_one(acme, globex):
    def statements(*runs, now):
        with CaptureQueriesContext(connection) as captured:
            together(*runs, now=now)
        return len(captured)

    refs = [Ref.of("data", "label", f"T{n}") for n in range(50)]
    together(*(Run(each, [counted(r, 1) for r in refs], by="probe") for each in (acme, globex)))
    again = [counted(ref, 1, version=1) for ref in refs]
    one = statements(Run(acme, again[:25], by="probe"), now=LATER + MINUTE)
    both = statements(
        Run(acme, again[25:], by="probe"),
        Run(globex, again, by="probe"),
        now=LATER + timedelta(hours=1),
    )
    assert one == both

"""Two clusters of real workers on one database."""

import pytest
from django_q.models import OrmQ
from django_q.tasks import async_task

from facts import probing
from facts.ledgers import Spending
from facts.models import Observation, Source
from facts.scheduling import note_made
from tests.facts.observing import NINE
from tests.facts.scheduling.sources import a_shop, probed
from tests.waiting import until
from tests.workers import clusters

TABLES = 30
TASKS = 8


@pytest.mark.django_db(transaction=True)
def test_two_clusters_never_make_one_check_twice(tmp_path):
    probing.connect(
        "acme", a_shop(tmp_path / "shop.db", TABLES), clock=lambda: NINE, done=note_made
    )
    Source.objects.update(concurrency=4)
    probed().update(due_at=NINE)
    Spending.objects.all().delete()

    def keep_busy():
        for _ in range(TASKS - OrmQ.objects.count()):
            async_task("facts.tasks.probe")

    with clusters(2):
        waiting = probed().filter(last_checked=NINE)
        until(lambda: not waiting.exists(), "every check made", keep=keep_busy)
        until(lambda: not OrmQ.objects.exists(), "an empty queue")

    checks = list(probed())
    assert len(checks) == TABLES + 1
    assert {check.claims for check in checks} == {1}
    assert {check.lease_until for check in checks} == {None}
    assert all(check.last_checked > NINE for check in checks)
    spent = Spending.objects.values_list("checks", "failures")
    assert (sum(made for made, _ in spent), sum(lost for _, lost in spent)) == (TABLES + 1, 0)
    labels = Observation.objects.filter(fact__kind="label", last_at__gt=NINE)
    assert labels.count() == TABLES == labels.values("fact").distinct().count()

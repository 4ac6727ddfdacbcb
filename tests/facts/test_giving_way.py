from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import psycopg
import pytest
from django.db import IntegrityError, OperationalError, connection, transaction

from facts.giving_way import gave_way, once_more
from facts.models import Account

pytestmark = pytest.mark.django_db(transaction=True)


def lock_crosswise(act):
    """Two transactions lock two accounts, each in another order, so that one has to give way.

    ``act`` is given what locks them. Returns what came of both, and each try's first account.
    """
    both = Account.objects.create(external_id="acme"), Account.objects.create(external_id="globex")
    tries, together = [], Barrier(2)

    def work(order):
        first, second = order
        mine = []

        @transaction.atomic
        def lock():
            tries.append(first)
            mine.append(first)
            Account.objects.select_for_update().get(pk=first.pk)
            if len(mine) == 1:
                together.wait()
            return Account.objects.select_for_update().get(pk=second.pk).external_id

        try:
            with connection.cursor() as cursor:
                cursor.execute("SET deadlock_timeout = '20ms'")
            return act(lock)
        except OperationalError as fault:
            return fault
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as workers:
        return list(workers.map(work, [both, both[::-1]])), tries


def test_two_transactions_that_wait_for_each_other_both_come_through():
    done, tries = lock_crosswise(lambda lock: once_more(lock)())
    assert done == ["globex", "acme"]
    assert len(tries) == 3


def test_without_another_try_one_of_them_gives_way():
    done, tries = lock_crosswise(lambda lock: lock())
    assert sorted(gave_way(each) for each in done if not isinstance(each, str)) == [True]
    assert len(tries) == 2


def test_within_somebody_else_s_transaction_nothing_is_repeated():
    calls = []

    @once_more
    def give_way():
        calls.append(1)
        raise OperationalError from psycopg.errors.DeadlockDetected()

    with pytest.raises(OperationalError), transaction.atomic():
        give_way()
    assert len(calls) == 1


def test_only_giving_way_is_tried_again_and_once():
    calls = []

    def failing(error, cause):
        def fail():
            calls.append(error)
            raise error from cause

        with pytest.raises(error):
            once_more(fail)()

    failing(OperationalError, psycopg.errors.AdminShutdown())
    failing(OperationalError, None)
    failing(IntegrityError, psycopg.errors.UniqueViolation())
    assert len(calls) == 3
    failing(OperationalError, psycopg.errors.SerializationFailure())
    assert len(calls) == 5

"""Names that somebody else gave pass the guard at every way in and out."""

from django.db import connection

from activities.models import Action, UnmappedAction, UnmappedName, Verb
from tests.activities.diary import MONDAY

MAIL = "mail alice@example.com"
KEPT_OUT = "(withheld: email)"


def test_a_name_written_by_code_that_asked_nobody_is_withheld(db):
    Verb.objects.create(name="v", title=MAIL)
    Action.objects.bulk_create([Action(name=MAIL)])

    with connection.cursor() as cursor:
        cursor.execute("SELECT title FROM activities_verb UNION SELECT name FROM activities_action")
        assert cursor.fetchall() == [(KEPT_OUT,)]


def test_a_name_from_before_the_rule_is_withheld_when_it_is_loaded(diary):
    diary.did("alice", "merge", MONDAY)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE activities_unmappedaction SET name = %s", [MAIL])
        cursor.execute("UPDATE activities_verb SET title = %s WHERE name = 'refund'", [MAIL])

    assert UnmappedAction.objects.get().name == KEPT_OUT
    assert list(UnmappedName.objects.values_list("name", flat=True)) == [KEPT_OUT]
    assert Verb.objects.get(name="refund").title == KEPT_OUT

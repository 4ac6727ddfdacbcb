import pytest
from django.contrib.admin.models import LogEntry

from facts.models import Account, Fact, Person
from tests.facts.forgetting.planting import account_with_everything


@pytest.fixture
def initech(db):
    account, _ = account_with_everything("initech", "peter")
    return account


def test_the_page_says_what_will_go_and_erases_nothing(administrator, initech):
    answer = administrator.get(f"/admin/facts/account/{initech.pk}/forget/")

    text = answer.content.decode()
    assert "There is no way back" in text
    for what in ("Facts", "Tokens", "Sources", "Sessions", "Log entries"):
        assert f">{what}</th>" in text
    assert Account.objects.get() == initech


@pytest.mark.parametrize("typed", ["", "Initech", "peter"])
def test_without_the_id_typed_in_nothing_is_erased(administrator, initech, typed):
    answer = administrator.post(f"/admin/facts/account/{initech.pk}/forget/", {"id": typed})

    assert "That is not the id. Nothing was erased." in answer.content.decode()
    assert Fact.objects.exists()


def test_with_the_id_typed_in_all_of_it_goes_and_no_log_line_is_left(administrator, initech):
    before = LogEntry.objects.filter(user__username="administrator").count()

    answer = administrator.post(
        f"/admin/facts/account/{initech.pk}/forget/", {"id": "initech"}, follow=True
    )

    assert "nothing is left." in answer.content.decode()
    assert "initech" not in answer.content.decode()
    assert not Account.objects.exists()
    assert LogEntry.objects.filter(user__username="administrator").count() == before
    assert not LogEntry.objects.filter(object_repr__contains="initech").exists()


def test_a_person_is_forgotten_from_their_page_and_the_account_stays(administrator, initech):
    peter = initech.people.get()
    page = administrator.get(f"/admin/facts/person/{peter.pk}/change/").content.decode()
    assert f"/admin/facts/person/{peter.pk}/forget/" in page

    administrator.post(f"/admin/facts/person/{peter.pk}/forget/", {"id": "peter"})

    assert not Person.objects.exists()
    assert Account.objects.get() == initech


def test_where_something_is_found_after_all_the_page_says_where(administrator, initech):
    from django_q.models import Schedule

    staying = Schedule.objects.create(func="x", name="initech", args="'other'")
    staying.delete()
    Account.objects.create(external_id="hooli")
    from django.contrib.auth.models import User

    User.objects.create_user("initech", is_staff=True)

    answer = administrator.post(f"/admin/facts/account/{initech.pk}/forget/", {"id": "initech"})

    text = answer.content.decode()
    assert "yet something is found" in text
    assert "auth_user" in text


def test_an_operator_is_not_offered_to_forget(operator, initech):
    assert (
        "Forget" not in operator.get(f"/admin/facts/account/{initech.pk}/change/").content.decode()
    )

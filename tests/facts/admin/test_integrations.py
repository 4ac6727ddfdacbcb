"""Integrations in the admin: told by staff, written by their one writer."""

import pytest
from django.contrib.admin.models import LogEntry

from facts.intake import IntegrationState, health_of, set_integrations
from facts.models import Integration, Observation
from tests.facts.observing import DAY, NINE, stored

PAGES = "/admin/facts/integration/"
DHL = "account:integration:dhl"
SHIPPING, PAYMENT = health_of("shipping"), health_of("payment")


@pytest.fixture
def dhl(acme):
    """An integration that works, beside one of its category and one of another."""
    states = [
        IntegrationState(name=name, category=category, healthy=name == "dhl", last_succeeded=NINE)
        for name, category in [("dhl", "shipping"), ("ups", "shipping"), ("stripe", "payment")]
    ]
    set_integrations(acme, states, now=NINE)
    return Integration.objects.get(name="dhl")


def values(account):
    return {str(fact.ref): fact.value for fact in account.facts.exclude(value=None)}


def lines_by_staff(account):
    lines = Observation.objects.filter(account=account, by__startswith="staff:")
    return {(str(line.fact.ref), line.by, line.outcome) for line in lines.select_related("fact")}


def form_of(client, path):
    """What the page's form holds, as a browser would send it."""
    form = client.get(path).context["adminform"].form
    held = {name: form[name].value() for name in form.fields}
    return {name: value for name, value in held.items() if value not in (None, False, "")}


def test_the_list_shows_how_each_does_in_as_many_queries_for_many(
    support, acme, dhl, django_assert_max_num_queries
):
    text = support.get(PAGES).content.decode()
    assert text.count("does not work</span>") == 2
    assert text.count(">works</span>") == 1
    assert "shipping" in text
    states = [IntegrationState(name=f"i{n}", category="x", healthy=True) for n in range(40)]
    set_integrations(acme, states, now=NINE)

    with django_assert_max_num_queries(9):  # login, permissions, counts, rows, facts
        text = support.get(PAGES).content.decode()

    assert text.count(">works</span>") == 40


def test_one_that_is_added_is_written_with_its_signal_and_says_by_whom(operator, acme):
    told = {"account": acme.pk, "name": "dhl", "category": "shipping", "healthy": "on"}
    answer = operator.post(f"{PAGES}add/", told)

    assert answer["Location"] == PAGES
    assert values(acme) == {
        DHL: {"category": "shipping", "healthy": True},
        str(SHIPPING): {"healthy": True},
    }
    assert lines_by_staff(acme) == {
        (DHL, "staff:operators", "confirmed"),
        (str(SHIPPING), "staff:operators", "confirmed"),
    }
    row = Integration.objects.get(account=acme, name="dhl")
    assert [entry.object_id for entry in LogEntry.objects.all()] == [str(row.pk)]


def test_one_that_is_changed_moves_its_categories_and_says_nothing_of_the_others(
    operator, acme, dhl
):
    page = f"{PAGES}{dhl.pk}/change/"
    told = form_of(operator, page)
    assert told == {"category": "shipping", "healthy": True, "version": 1}

    answer = operator.post(page, {"category": "payment", "healthy": "on", "version": 1})

    assert answer["Location"] == PAGES
    assert stored(acme, DHL).value == {"category": "payment", "healthy": True}
    assert stored(acme, SHIPPING).value == {"healthy": False}  # ups is what is left of it
    assert stored(acme, PAYMENT).value == {"healthy": True}
    assert {ref for ref, _, _ in lines_by_staff(acme)} == {DHL, str(SHIPPING), str(PAYMENT)}
    assert stored(acme, "account:integration:ups").version == 1
    assert Integration.objects.get(pk=dhl.pk).last_succeeded == NINE


def test_one_that_no_longer_works_is_the_last_of_its_category_to_say_so(operator, acme, dhl):
    operator.post(f"{PAGES}{dhl.pk}/change/", {"category": "shipping", "version": 1})

    assert stored(acme, DHL).value == {"category": "shipping", "healthy": False}
    assert stored(acme, SHIPPING).value == {"healthy": False}


def test_a_page_that_a_push_overtook_changes_nothing_and_says_so(operator, acme, dhl):
    page = f"{PAGES}{dhl.pk}/change/"
    told = form_of(operator, page)
    states = [IntegrationState(name="dhl", category="parcels", healthy=False)]
    set_integrations(acme, states, now=NINE + DAY)

    answer = operator.post(page, told, follow=True)

    assert "told anew meanwhile" in answer.content.decode()
    assert answer.redirect_chain == [(page, 302)]
    assert stored(acme, DHL).value == {"category": "parcels", "healthy": False}
    assert lines_by_staff(acme) == set()
    assert not LogEntry.objects.exists()


def test_one_that_is_removed_becomes_absent_with_what_it_alone_signalled(operator, acme, dhl):
    stripe = Integration.objects.get(name="stripe")
    assert "Are you sure" in operator.get(f"{PAGES}{stripe.pk}/delete/").content.decode()

    operator.post(f"{PAGES}{stripe.pk}/delete/", {"post": "yes"})

    assert stored(acme, "account:integration:stripe").value == {"absent": True}
    assert stored(acme, PAYMENT).value == {"absent": True}
    assert stored(acme, SHIPPING).value == {"healthy": True}
    assert not Integration.objects.filter(name="stripe").exists()


def test_many_are_removed_at_once_each_from_its_account(operator, acme, globex, dhl):
    set_integrations(
        globex, [IntegrationState(name="dhl", category="shipping", healthy=True)], now=NINE
    )
    other = Integration.objects.get(account=globex)
    chosen = [dhl.pk, Integration.objects.get(name="ups").pk]

    operator.post(PAGES, {"action": "delete_selected", "_selected_action": chosen, "post": "yes"})

    assert stored(acme, SHIPPING).value == {"absent": True}
    assert stored(globex, SHIPPING).value == {"healthy": True}
    assert Integration.objects.filter(pk=other.pk).exists()


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ({"name": "bob@example.com"}, "an integration&#x27;s name can&#x27;t be kept"),
        ({"category": "bob@example.com"}, "an integration&#x27;s category can&#x27;t be kept"),
        ({"category": ""}, "This field is required."),
        ({"name": "ups"}, "Integration with this Account and Name already exists."),
    ],
)
def test_what_can_not_be_is_refused_on_the_page(operator, acme, dhl, said, fault):
    before = values(acme)

    answer = operator.post(
        f"{PAGES}add/", {"account": acme.pk, "name": "new", "category": "shipping", **said}
    )

    assert fault in answer.content.decode()
    assert values(acme) == before


def test_who_may_only_look_sees_all_and_changes_nothing(support, acme, dhl):
    page = f"{PAGES}{dhl.pk}/change/"
    text = support.get(page).content.decode()
    assert "shipping" in text
    assert ">works</span>" in text
    assert 'name="category"' not in text

    assert support.post(page, {"category": "payment", "version": 1}).status_code == 403
    assert support.post(f"{PAGES}{dhl.pk}/delete/", {"post": "yes"}).status_code == 403
    assert lines_by_staff(acme) == set()

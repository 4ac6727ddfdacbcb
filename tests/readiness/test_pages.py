"""The staff's pages: who sees them, what they say, and what their buttons do."""

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.utils import timezone

from facts import store
from facts.models import Account, Check, Observation, Source, Table
from facts.refs import Ref
from readiness import account_page, overall
from tests.browser import shop
from tests.facts.observing import MINUTE, NINE, observe


@pytest.fixture
def company(db):
    return shop.trading_company(timezone.now())


@pytest.fixture
def support(db):
    client = Client()
    client.force_login(shop.support())
    return client


def page(client, path):
    answer = client.get(path)
    assert answer.status_code == 200, path
    return " ".join(answer.content.decode().split())


PAGES = ["/readiness/", "/readiness/accounts.csv", "/readiness/{pk}/",
         "/readiness/{pk}/explain/?ref=account:readiness:overall"]  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
def test_a_page_of_the_staff_is_for_staff_who_may_look(path, company):
    path = path.format(pk=company.pk)
    someone = User.objects.create_user("someone", is_staff=True)
    person = User.objects.create_user("person")
    person.user_permissions.add(Permission.objects.get(codename="view_fact"))
    clients = {user: Client() for user in (someone, person)}
    for user, client in clients.items():
        client.force_login(user)

    assert Client().get(path).url.startswith("/accounts/login/?next=/readiness/")
    assert [client.get(path).status_code for client in clients.values()] == [403, 403]


@pytest.mark.parametrize("group", ["Support", "Operators", "Spec reviewers"])
def test_every_group_of_the_staff_sees_them_and_may_ask(group, company):
    user = User.objects.create_user("staff", is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    client = Client()
    client.force_login(user)

    assert "Check everything again" in page(client, f"/readiness/{company.pk}/")
    assert client.post(f"/readiness/{company.pk}/check-again/", {"all": "yes"}).status_code == 302


def test_the_list_says_of_each_account_what_is_stored(support, company):
    shop.others(timezone.now())
    text = page(support, "/readiness/")

    assert "5 accounts" in text
    assert "Still learning Shipment." in text
    assert text.index("just-signed-up") < text.index("trading-company") < text.index("spice-route")
    assert "trading-company" not in page(support, "/readiness/?search=spice")
    assert "No account with “nobody” in its id" in page(support, "/readiness/?search=nobody")
    for nonsense in ("level=splendid", "order=height", "page=x", "page=99", "search=%00"):
        assert "trading-company" in page(support, f"/readiness/?{nonsense}")


def test_the_list_is_a_fixed_number_of_queries(support, django_assert_num_queries):
    for _ in range(3):
        Account.objects.create(external_id=f"account-{_}")
    with django_assert_num_queries(QUERIES):
        page(support, "/readiness/")
    for _ in range(60):
        Account.objects.create(external_id=f"more-{_}")
    with django_assert_num_queries(QUERIES):
        assert "1 to 50 shown" in page(support, "/readiness/")


QUERIES = (
    11  # session, user, 2 of permissions, count, page, rollups, probes, silent, trends, levels
)


def test_where_no_account_is_known_the_list_says_how_one_comes(support):
    assert "manage.py connect" in page(support, "/readiness/")


def test_the_export_is_the_list_as_a_file(support, company):
    shop.others(timezone.now())
    answer = support.get("/readiness/accounts.csv?level=not-ready&order=account")

    lines = answer.getvalue().decode().splitlines()
    assert answer["Content-Disposition"] == 'attachment; filename="readiness.csv"'
    assert [line.split(",")[0] for line in lines] == [
        "account", "'=cmd|' /C calc'!A0", "harbour-lines", "just-signed-up",
    ]  # fmt: skip


def test_an_account_says_why_it_is_at_its_level(support, company):
    text = page(support, f"/readiness/{company.pk}/")
    rollup = company.facts.at(overall.REF).get()

    assert f"<strong>{rollup.value['shown']}%</strong>" in text
    assert 'because of <span class="badge badge-veto">Shipment</span>' in text
    assert text.count("can veto") == 9 + 1  # and once in the words above the table
    assert text.count(">vetoes<") == 1
    assert "failing: permission denied (42501)" in text
    assert "88" in text.split("Left now")[1]


def test_every_figure_leads_to_its_fact_in_one_click(support, company):
    text = page(support, f"/readiness/{company.pk}/")

    for ref in ("data:label:Order", "account:integration:Swift Parcel",
                "data:hop:Product|SUPPLIED_BY|Supplier"):  # fmt: skip
        fact = company.facts.get(kind=ref.split(":")[1], key=ref.split(":")[2])
        assert f'href="/admin/facts/fact/{fact.pk}/change/"' in text
        assert str(fact.ref) in page(support, f"/admin/facts/fact/{fact.pk}/change/")
    explained = page(support, f"/readiness/{company.pk}/explain/?ref=account:readiness:overall")
    order = company.facts.get(kind="label", key="Order")
    assert f'href="/admin/facts/fact/{order.pk}/change/"' in explained


def test_an_account_is_a_fixed_number_of_queries(support, company, django_assert_max_num_queries):
    with django_assert_max_num_queries(30):
        page(support, f"/readiness/{company.pk}/")


def test_a_source_that_does_not_answer_shows_beside_the_level_and_changes_none(support, company):
    path, said = f"/readiness/{company.pk}/", "source does not answer"
    texts = page(support, "/readiness/"), page(support, path)
    assert not any(said in text for text in texts)
    level = company.facts.at(overall.REF).get().value

    company.sources.update(failure="57P03")

    assert page(support, "/readiness/").count(said) == 1
    text = page(support, path)
    assert f">{said}</span> main: the source is starting or stopping (57P03), last read" in text
    assert company.facts.at(overall.REF).get().value == level


def test_check_again_files_a_request_and_says_what_it_did(support, company):
    answer = support.post(
        f"/readiness/{company.pk}/check-again/", {"ref": "data:label:Carrier"}, follow=True
    )

    (line,) = Observation.objects.filter(by="staff:sam", outcome="requested")
    assert str(line.fact.ref) == "data:label:Carrier"
    assert "Asked for data:label:Carrier to be measured." in answer.content.decode()
    assert Observation.objects.filter(by="staff:sam").count() == 1


def test_check_everything_again_asks_for_every_type(support, company):
    answer = support.post(f"/readiness/{company.pk}/check-again/", {"all": "yes"}, follow=True)

    asked = Observation.objects.filter(by="staff:sam", fact__kind="label")
    assert {line.fact.key for line in asked} == set(shop.COUNTS)
    assert "Asked for 13 facts to be measured." in answer.content.decode()
    told = page(support, f"/readiness/{company.pk}/")
    assert "All 13 types are measured, 13 asked for again" in told


@pytest.mark.parametrize(("sent", "said"), [
    ({}, "There is nothing to check again yet"),
    ({"ref": "no ref"}, "ref"),
    ({"ref": "data:colour:Order"}, "Nobody observes"),
])  # fmt: skip
def test_what_can_not_be_asked_for_is_refused_in_words(sent, said, support, company):
    before = Observation.objects.count()
    answer = support.post(f"/readiness/{company.pk}/check-again/", sent, follow=True)

    assert said in answer.content.decode().split("messagelist")[1].split("</ul>")[0]
    assert Observation.objects.count() == before


def test_who_may_only_look_is_offered_no_button_and_refused(company):
    user = shop.support()
    user.user_permissions.remove(Permission.objects.get(codename="request_fact"))
    client = Client()
    client.force_login(user)

    assert "again</button>" not in page(client, f"/readiness/{company.pk}/")
    path = f"/readiness/{company.pk}/check-again/"
    assert client.post(path, {"all": "yes"}).status_code == 403
    assert not Observation.objects.filter(by="staff:sam").exists()


def test_a_request_is_never_a_link(support, company):
    assert support.get(f"/readiness/{company.pk}/check-again/?all=yes").status_code == 405


@pytest.mark.parametrize(("query", "status"), [
    ("ref=data:label:Unheard", 404),
    ("ref=nonsense", 400),
    ("", 400),
    ("ref=account:readiness:overall&person=nobody", 404),
])  # fmt: skip
def test_what_is_not_known_is_not_explained(query, status, support, company):
    assert support.get(f"/readiness/{company.pk}/explain/?{query}").status_code == status


def test_no_account_is_explained_by_anothers_facts(support, company):
    other = Account.objects.create(external_id="other")

    text = page(support, f"/readiness/{other.pk}/")
    assert "Shipment" not in text
    path = f"/readiness/{other.pk}/explain/?ref=data:label:Order"
    assert support.get(path).status_code == 404


def test_staff_start_with_the_accounts_and_a_person_with_what_they_work_on(support, db):
    assert support.get("/").url == "/readiness/"
    nobody, staff = User.objects.create_user("p"), User.objects.create_user("s", is_staff=True)
    client = Client()
    assert client.get("/").url == "/accounts/login/?next=/"
    for user, there in [(nobody, "/me/"), (staff, "/admin/")]:
        client.force_login(user)
        assert client.get("/").url == there


def test_a_page_allows_nothing_but_the_sites_own_files(support):
    for path in ("/readiness/", "/admin/", "/accounts/login/", "/healthz"):
        policy = support.get(path)["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in f"{policy};"
        assert "style-src 'self';" in f"{policy};"
        assert "unsafe" not in policy
        assert "http" not in policy


def test_progress_counts_the_types_of_the_rollup_and_tells_wishes_apart(acme):
    for label in ("Order", "Carrier"):
        observe(acme, f"data:label:{label}", {"count": 1}, now=NINE)
    observe(acme, "data:label:Ledger", outcome="failed", failure="42501", now=NINE)
    for label in ("Carrier", "Wished"):
        store.request(acme, Ref.parse(f"data:label:{label}"), by="sam", now=NINE + MINUTE)
    listed(acme, "Order", "Carrier", "Ledger", "Shipment")

    parts = account_page.parts_of(acme, account_page.rollup_of(acme))
    progress = account_page.progress_of(acme, parts, now=NINE + MINUTE)

    assert (progress.types, progress.measured, progress.again) == (4, 2, 1)
    assert progress.open == 2


def listed(account, *labels):
    """A rollup over these types."""
    known = {"count": None, "weight": 0.1, "data": 1, "use": 0, "trust": "unknown"}
    items = [known | {"label": each, "failing": False, "can_veto": False} for each in labels]
    value = {"level": "not-ready", "shown": None, "gap": None, "vetoes": [], "items": items}
    observe(account, overall.REF, value, by=overall.OBSERVER)


@pytest.mark.parametrize(("hours", "said"), [
    ((), "No check settles it yet, so the wish waits."),
    ((0, 0), "The workers take it up now."),
    ((0, 2), "The workers take up the first check now, the last is due by 11:00 UTC on 2 March."),
    ((1, 1), "The check is due at 10:00 UTC on 2 March."),
    ((1, 2), "The first check is due at 10:00 UTC on 2 March, the last by 11:00 UTC on 2 March."),
])  # fmt: skip
def test_asking_for_all_says_when_the_first_and_the_last_check_is_due(hours, said, acme):
    refs = [Ref.of("data", "label", label) for label in ("Order", "Carrier")]
    for ref in refs:
        observe(acme, str(ref), {"count": 1}, now=NINE)
    source = Source.objects.create(account=acme, name="main", encrypted_url="-")
    for ref, after in zip(refs, hours, strict=False):
        check = Check.objects.create(
            account=acme, kind="table", source=source, due_at=NINE + 60 * after * MINUTE,
            table=Table.objects.create(account=acme, source=source, name=ref.key, label=ref.key),
        )  # fmt: skip
        acme.facts.at(ref).update(settled_by=check)

    told = account_page.check_again(acme, refs, by="staff:sam", now=NINE)

    assert told == f"Asked for 2 facts to be measured. {said}"


def test_what_is_refused_or_not_there_leads_back(support, db):
    someone = Client()
    someone.force_login(User.objects.create_user("someone", is_staff=True))

    for answer, status, said in [
        (someone.get("/readiness/"), 403, "<h1>Not allowed</h1>"),
        (support.get("/readiness/999999/"), 404, "<h1>Not found</h1>"),
        (Client().get("/nowhere"), 404, "<h1>Not found</h1>"),
    ]:
        assert answer.status_code == status
        assert said in answer.content.decode()
        assert 'href="/"' in answer.content.decode()

import sqlite3

import pytest
from django_q.models import OrmQ

from facts.models import Check, Source
from facts.probing import connect
from facts.probing.keys import decrypted, encrypted

LIST = "/admin/facts/source/"


@pytest.fixture
def shop(tmp_path):
    """The URL of a small database."""
    path = tmp_path / "shop.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT)")
        database.executemany("INSERT INTO orders (status) VALUES (?)", [("shipped",)] * 5)
    return f"sqlite:///{path}"


def told(account, **more):
    return {
        "account": account.pk,
        "name": "main",
        "url": "",
        "mapping": "{}",
        "seconds_per_hour": "60",
        "concurrency": "1",
        "row_limit": "1000",
        **more,
    }


def save(client, source, **more):
    return client.post(
        f"{LIST}{source.pk}/change/", told(**{"account": source.account, **more}), follow=True
    )


@pytest.fixture
def source(acme, shop):
    return connect(acme.external_id, shop).source


def test_a_new_source_is_kept_encrypted_and_learned_by_the_workers(operator, acme, shop):
    answer = operator.post(f"{LIST}add/", told(acme, url=shop), follow=True)

    source = Source.objects.get()
    assert decrypted(source.encrypted_url) == shop
    assert shop not in source.encrypted_url
    assert "The workers read its catalogue now" in answer.content.decode()
    assert "facts.tasks.probe" in [row.task["func"] for row in OrmQ.objects.all()]
    [check] = Check.objects.filter(source=source)
    assert (check.kind, check.due_because) == ("catalogue", "asked")


def test_no_page_shows_the_url(operator, administrator, source, shop):
    for client in (operator, administrator):
        for page in (LIST, f"{LIST}{source.pk}/change/", f"{LIST}{source.pk}/history/"):
            text = client.get(page).content.decode()
            assert shop not in text
            assert source.encrypted_url not in text


def test_a_refused_form_does_not_repeat_the_url(operator, acme):
    answer = operator.post(
        f"{LIST}add/",
        told(acme, url="postgresql://anna:s3cret@host/shop?options=x", concurrency="0"),
    )

    text = answer.content.decode()
    assert "the URL sets what a source&#x27;s URL may not" in text
    assert "s3cret" not in text
    assert not Source.objects.exists()


def test_an_empty_url_keeps_the_one_there_is(operator, source, shop):
    save(operator, source, seconds_per_hour="30")

    source.refresh_from_db()
    assert decrypted(source.encrypted_url) == shop
    assert source.seconds_per_hour == 30


def test_the_account_and_the_name_of_a_source_stay(operator, source, globex):
    save(operator, source, account=globex, name="other")

    source.refresh_from_db()
    assert (source.account.external_id, source.name) == ("acme", "main")


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"url": "nonsense"}, "the URL does not parse"),
        ({"url": "sqlite:////nowhere/at/all.sqlite"}, "there is no such SQLite file"),
        ({"seconds_per_hour": "0"}, "above 0"),
        ({"seconds_per_hour": "-1"}, "above 0"),
        ({"seconds_per_hour": "nan"}, "Enter a number"),
        ({"concurrency": "0"}, "at least one check"),
        ({"mapping": '{"tabels": {}}'}, "tabels"),
        ({"mapping": "[]"}, "mapping"),
        ({"mapping": "{"}, "valid JSON"),
    ],
)
def test_what_a_source_can_not_be_is_said_on_the_form(operator, source, more, reason):
    before = Source.objects.values().get()

    answer = save(operator, source, **more)

    assert reason in answer.content.decode()
    assert Source.objects.values().get() == before


def test_a_connection_is_tested_and_its_trouble_worded(operator, source, tmp_path):
    test = f"{LIST}{source.pk}/test/"
    assert "The source acme/main answers." in operator.post(test, follow=True).content.decode()

    (tmp_path / "shop.sqlite").unlink()
    answer = operator.post(test, follow=True).content.decode()

    assert "the SQLite file can&#x27;t be opened" in answer
    source.refresh_from_db()
    assert source.failure == "missing-file"
    assert str(tmp_path) not in answer


def test_a_source_whose_key_is_lost_is_told_without_an_error(operator, source, settings):
    settings.SOURCE_KEYS = ["A" * 43 + "="]

    answer = operator.post(f"{LIST}{source.pk}/test/", follow=True)

    assert "acme/main can&#x27;t be read" in answer.content.decode()


def test_learning_now_makes_every_check_due_and_wakes_the_workers(operator, source):
    assert not Check.objects.filter(source=source, due_because="asked").exists()

    answer = operator.post(f"{LIST}{source.pk}/learn/", follow=True)

    assert "its catalogue and 1 tables now" in answer.content.decode()
    assert Check.objects.filter(source=source, due_because="asked").count() == 2
    assert "facts.tasks.probe" in [row.task["func"] for row in OrmQ.objects.all()]


def test_support_sees_how_a_source_does_and_is_offered_nothing(support, source):
    text = support.get(f"{LIST}{source.pk}/change/").content.decode()

    assert "answers" in text
    assert "Learn now" not in text
    assert 'name="url"' not in text


def test_a_changed_mapping_is_learned_again(operator, source):
    save(operator, source, mapping='{"tables": {"orders": {"label": "Purchase"}}}')

    assert "facts.tasks.probe" in [row.task["func"] for row in OrmQ.objects.all()]
    assert Source.objects.get().mapping == {"tables": {"orders": {"label": "Purchase"}}}


def test_a_list_of_sources_says_which_fail(support, source, acme):
    Source.objects.create(
        account=acme, name="old", encrypted_url=encrypted("x"), failure="wrong-password"
    )

    text = support.get(LIST).content.decode()

    assert "the source refuses this user and password" in text
    assert "badge-proven" in text

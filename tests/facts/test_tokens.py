from datetime import UTC, datetime, timedelta
from hashlib import sha256
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from facts import tokens
from facts.errors import BadToken, KenError, NameTaken
from facts.models import Person, Token

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)

pytestmark = pytest.mark.django_db


def test_a_token_reaches_its_account_its_person_and_its_observer_and_nothing_else(acme, alice):
    token, text = tokens.make(account=acme, person=alice, name="crm", observer="probe", now=NOON)

    assert tokens.scope_of(text, now=NOON) == tokens.Scope(
        account=acme, person=alice, asker="crm", observer="probe", caller=f"token:{token.pk}"
    )


def test_an_observer_reads_only_the_kinds_it_writes(acme):
    observing = tokens.Scope(account=acme, person=None, asker="crm", observer="probe")
    reading = tokens.Scope(account=acme, person=None, asker="crm")

    assert observing.reads("data", "label")
    assert not observing.reads("account", "readiness")
    assert reading.reads("account", "readiness")


def test_the_secret_is_nowhere_in_the_database(acme):
    token, text = tokens.make(account=acme, name="crm", now=NOON)
    secret = text.removeprefix(f"ken_{token.handle}_")

    with connection.cursor() as cursor:
        cursor.execute("SELECT t::text FROM facts_token t")
        [(row,)] = cursor.fetchall()

    assert len(secret) == 43  # 256 bits
    assert secret not in row
    assert sha256(secret.encode()).hexdigest() in row


def test_no_two_tokens_have_the_same_secret_or_handle(acme):
    made = [tokens.make(account=acme, name=f"crm {n}", now=NOON)[1] for n in range(20)]

    assert len({text.split("_")[1] for text in made}) == 20
    assert len({text.split("_", 2)[2] for text in made}) == 20


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: "",
        lambda text: text[:-1],
        lambda text: text + "A",
        lambda text: text[:-1] + ("B" if text.endswith("A") else "A"),
        lambda text: text.replace("ken_", "key_"),
        lambda text: "ken_000000000000_" + text.split("_", 2)[2],  # another handle
        lambda text: text[:6] + "\0" + text[7:],
    ],
)
def test_what_is_not_the_whole_token_is_refused_without_saying_what_is_wrong(acme, spoil):
    _, text = tokens.make(account=acme, name="crm", now=NOON)

    with pytest.raises(BadToken, match=r"^this is no token of ours$"):
        tokens.scope_of(spoil(text), now=NOON)


def test_a_token_ends_at_the_instant_it_expires(acme):
    _, text = tokens.make(account=acme, name="crm", now=NOON, expires_at=NOON + MINUTE)

    assert tokens.scope_of(text, now=NOON + MINUTE - timedelta(microseconds=1)).asker == "crm"
    with pytest.raises(BadToken, match="expired"):
        tokens.scope_of(text, now=NOON + MINUTE)


def test_a_revoked_token_is_refused_and_its_name_is_free_again(acme):
    token, text = tokens.make(account=acme, name="crm", now=NOON)

    assert tokens.revoke([token], now=NOON) == 1
    assert tokens.revoke([token], now=NOON + MINUTE) == 0
    token.refresh_from_db()
    assert token.revoked_at == NOON
    with pytest.raises(BadToken, match="revoked"):
        tokens.scope_of(text, now=NOON)
    tokens.make(account=acme, name="crm", now=NOON)
    assert Token.objects.filter(name="crm").count() == 2


def test_of_one_name_an_account_has_one_token_in_force(acme, globex):
    tokens.make(account=acme, name="crm", now=NOON)

    with pytest.raises(NameTaken):
        tokens.make(account=acme, name="crm", now=NOON)
    tokens.make(account=globex, name="crm", now=NOON)
    assert Token.objects.count() == 2


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "1 to 100"),
        ("x" * 101, "1 to 100"),
        ("two\nlines", "1 to 100"),
        ("staff:anna", "no colon"),  # how a person's requests are signed
        (" crm", "1 to 100"),
        ("probe", "somebody else's"),  # an observer
        ("lapse", "somebody else's"),  # Ken itself, whose requests are no use
        ("Reuse", "somebody else's"),  # confirmations by reuse count for nothing
    ],
)
def test_a_name_that_would_deceive_a_history_is_refused(acme, name, reason):
    with pytest.raises(KenError, match=reason):
        tokens.make(account=acme, name=name, now=NOON)
    assert not Token.objects.exists()


def test_an_unknown_observer_a_stranger_and_an_expiry_in_the_past_are_refused(acme, globex):
    stranger = Person.objects.create(account=globex, external_id="alice")

    with pytest.raises(KenError, match="the observers are"):
        tokens.make(account=acme, name="crm", observer="prober", now=NOON)
    with pytest.raises(KenError, match="not in account acme"):
        tokens.make(account=acme, name="crm", person=stranger, now=NOON)
    with pytest.raises(KenError, match="before it is made"):
        tokens.make(account=acme, name="crm", expires_at=NOON, now=NOON)
    assert not Token.objects.exists()


def test_last_use_is_written_once_a_minute(acme, django_assert_num_queries):
    token, text = tokens.make(account=acme, name="crm", now=NOON)

    def last_use():
        return Token.objects.values_list("last_used_at", flat=True).get(pk=token.pk)

    with django_assert_num_queries(2):
        tokens.scope_of(text, now=NOON)
    assert last_use() == NOON
    with django_assert_num_queries(1):
        tokens.scope_of(text, now=NOON + MINUTE - timedelta(seconds=1))
    assert last_use() == NOON
    with django_assert_num_queries(2):
        tokens.scope_of(text, now=NOON + MINUTE)
    assert last_use() == NOON + MINUTE


def run(*arguments):
    out, err = StringIO(), StringIO()
    call_command("token", *arguments, stdout=out, stderr=err)
    return out.getvalue()


def test_the_command_prints_the_token_alone_and_only_once(acme, alice):
    text = run("acme", "crm", "--person", "alice", "--days", "30").strip()
    token = Token.objects.get()

    scope = tokens.scope_of(text, now=token.created_at)
    assert (scope.account, scope.person, scope.observer) == (acme, alice, "")
    assert token.expires_at == token.created_at + timedelta(days=30)
    assert text.split("_", 2)[2] not in run("acme")


def test_the_command_lists_an_accounts_tokens_with_what_they_may_do(acme, globex, alice):
    run("acme", "crm", "--person", "alice")
    run("acme", "importer", "--observer", "probe")
    tokens.make(account=globex, name="other", now=NOON)

    lines = run("acme").splitlines()
    assert [line.split()[:3] for line in lines[1:]] == [
        ["crm", "alice", "reads"],
        ["importer", "-", "probe"],
    ]


def test_the_command_revokes(acme):
    text = run("acme", "crm").strip()

    run("acme", "crm", "--revoke")

    with pytest.raises(BadToken, match="revoked"):
        tokens.scope_of(text, now=NOON)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["initech", "crm"], "no account has the id 'initech'"),
        (["acme", "crm", "--person", "bob"], "no person 'bob'"),
        (["acme", "crm", "--observer", "prober"], "the observers are"),
        (["acme", "crm", "--days", "0"], "takes 1 to 3660"),
        (["acme", "crm", "--days", "1e99"], "--help"),
        (["acme", "crm", "--days", "many"], "--help"),
        (["acme", "crm", "--revoke"], "no token 'crm' in force"),
        (["acme", "--revoke"], "name the token"),
    ],
)
def test_the_command_refuses_in_one_line(acme, arguments, reason):
    with pytest.raises(CommandError, match=reason) as refusal:
        run(*arguments)

    assert "\n" not in str(refusal.value)
    assert not Token.objects.exists()

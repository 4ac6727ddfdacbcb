"""A source's trouble leaves facts as they are; an object's failure is that object's."""

from datetime import timedelta

import psycopg
import pytest
from django.utils import timezone
from psycopg import sql
from sqlalchemy.exc import DBAPIError, OperationalError

from facts import store
from facts.models import Account, Check, Fact
from facts.probing import checking, connect, learn, run_check
from facts.probing.codes import at_the_door, judged
from facts.probing.errors import SourceTrouble, Unreadable
from facts.refs import Ref
from tests.facts.probing.databases import url_of
from tests.facts.probing.learning import run

pytestmark = pytest.mark.django_db

TABLES = """
    CREATE TABLE orders (id int PRIMARY KEY, status text);
    INSERT INTO orders SELECT n, 'open' FROM generate_series(1, 5) AS n;
    CREATE TABLE logs (line text);
    """


def states() -> dict[str, tuple]:
    return {
        str(fact.ref): (fact.value, fact.failure, fact.version, fact.support, fact.is_open)
        for fact in Fact.objects.all()
    }


def check_of(label: str) -> Check:
    return Check.objects.select_related("source__account", "table").get(table__label=label)


def test_a_source_that_is_down_leaves_its_facts_untouched(scratch: str) -> None:
    run(scratch, TABLES)
    source = connect("acme", scratch).source
    store.request(source.account, Ref.parse("data:label:Order"), by="x", now=timezone.now())
    before = states()
    with psycopg.connect(url_of("postgres"), autocommit=True) as server:
        away = sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}")
        database = sql.Identifier(scratch.rpartition("/")[2].partition("?")[0])
        server.execute(away.format(database, sql.SQL("false")))
        try:
            outcome = run_check(check_of("Order"), now=timezone.now())
            learned = learn(source)
        finally:
            server.execute(away.format(database, sql.SQL("true")))
    assert outcome.trouble == learned.trouble == "refused"
    assert outcome.failure == ""
    assert states() == before
    source.refresh_from_db()
    assert source.failure == "refused"
    learn(source)
    source.refresh_from_db()
    assert source.failure == ""
    assert states()["data:label:Order"][4] is False


def test_a_connection_lost_on_the_way_leaves_the_facts_untouched(scratch: str) -> None:
    run(
        scratch,
        TABLES + "CREATE FUNCTION hang_up() RETURNS int LANGUAGE sql AS"
        " 'SELECT pg_terminate_backend(pg_backend_pid())::int';"
        "CREATE VIEW cut AS SELECT 1 AS a",
    )
    source = connect("acme", scratch, mapping={"tables": {"cut": {}}}).source
    before = states()
    run(scratch, "CREATE OR REPLACE VIEW cut AS SELECT hang_up() AS a")
    outcome = run_check(check_of("Cut"), now=timezone.now())
    assert outcome.trouble == "57P01"
    assert states() == before
    source.refresh_from_db()
    assert source.failure == "57P01"


def test_a_table_that_can_no_longer_be_read_fails_and_keeps_its_last_answer(scratch: str) -> None:
    run(scratch, TABLES)
    connect("acme", scratch)
    store.request(Account.objects.get(), Ref.parse("data:label:Order"), by="x", now=timezone.now())
    run(scratch, "DROP TABLE orders")
    outcome = run_check(check_of("Order"), now=timezone.now() + timedelta(minutes=1))
    assert (outcome.failure, outcome.trouble) == ("42P01", "")
    state = states()
    assert state["data:label:Order"][:2] == ({"count": 5}, "42P01")
    assert state["data:fill:Order|status"][:2] == (
        {"filled": 5, "count": 5, "fill": 1.0},
        "42P01",
    )
    assert state["data:label:Order"][4] is True
    assert state["data:label:Log"][1] == ""


def test_a_table_that_moved_makes_the_catalogue_due(scratch: str) -> None:
    run(scratch, TABLES)
    source = connect("acme", scratch).source
    catalogue = source.checks.filter(kind="catalogue")
    catalogue.update(due_at=None)
    run(scratch, "ALTER TABLE orders RENAME COLUMN status TO state")
    now = timezone.now()
    outcome = run_check(check_of("Order"), now=now)
    assert outcome.refused == {"status": "42703"}
    assert catalogue.get().due_at == now
    assert states()["data:label:Order"][:2] == ({"count": 5}, "")
    learn(source)
    assert states()["data:fill:Order|state"][0] == {"filled": 5, "count": 5, "fill": 1.0}
    assert states()["data:fill:Order|status"][:2] == ({"absent": True}, "")


def test_a_later_success_clears_a_failure(scratch: str) -> None:
    run(scratch, TABLES)
    connect("acme", scratch)
    run(scratch, "ALTER TABLE orders RENAME TO elsewhere")
    run_check(check_of("Order"), now=timezone.now())
    run(scratch, "ALTER TABLE elsewhere RENAME TO orders")
    run_check(check_of("Order"), now=timezone.now())
    assert states()["data:label:Order"][:2] == ({"count": 5}, "")
    assert not Fact.objects.exclude(failure="").exists()


class _Answer(Exception):
    def __init__(self, sqlstate: str | None = None, sqlite_errorname: str | None = None) -> None:
        super().__init__('invalid input syntax for type integer: "private words"')
        self.sqlstate = sqlstate
        self.sqlite_errorname = sqlite_errorname


@pytest.mark.parametrize(
    ("answer", "kind", "code"),
    [
        (_Answer("42501"), Unreadable, "42501"),
        (_Answer("57014"), Unreadable, "57014"),
        (_Answer("22P02"), Unreadable, "22P02"),
        (_Answer("XX001"), Unreadable, "XX001"),
        (_Answer("57P01"), SourceTrouble, "57P01"),
        (_Answer("08006"), SourceTrouble, "08006"),
        (_Answer("53300"), SourceTrouble, "53300"),
        (_Answer("40001"), SourceTrouble, "40001"),
        (_Answer(None, "SQLITE_BUSY_SNAPSHOT"), SourceTrouble, "busy"),
        (_Answer(None, "SQLITE_IOERR_READ"), SourceTrouble, "io-error"),
        (_Answer(None, "SQLITE_CORRUPT"), Unreadable, "corrupt"),
        (_Answer(None, "SQLITE_ERROR"), Unreadable, "sqlite-error"),
        (_Answer(), Unreadable, "unreadable"),
    ],
)
def test_an_error_is_a_code_and_never_a_text(
    answer: _Answer, kind: type[Exception], code: str
) -> None:
    judgement = judged(DBAPIError("SELECT 1", None, answer))
    assert (type(judgement), judgement.code, str(judgement)) == (kind, code, code)


def test_a_connection_without_an_answer_is_lost() -> None:
    lost = OperationalError("SELECT 1", None, psycopg.OperationalError("server closed"))
    assert judged(lost).code == "lost"
    assert isinstance(judged(lost), SourceTrouble)
    assert judged(UnicodeDecodeError("utf-8", b"x", 0, 1, "private")).code == "bad-encoding"


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ('FATAL:  password authentication failed for user "ann"', "wrong-password"),
        ('FATAL:  database "x" does not exist', "no-database"),
        ('FATAL:  role "x" does not exist', "wrong-password"),
        ("failed to resolve host 'x': Name or service not known", "unknown-host"),
        ("connection refused", "down"),
        ("FATAL: sorry, too many clients already", "busy"),
        ("FATAL: das Passwort ist falsch", "refused"),
    ],
)
def test_what_is_said_at_the_door_is_a_code_too(said: str, code: str) -> None:
    assert at_the_door(Exception(said)) == code


def test_the_store_hears_of_conflicts_and_nothing_is_tried_again(
    scratch: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody writes a fact while its table is being read: told, and left as it stands."""
    run(scratch, TABLES)
    source = connect("acme", scratch).source
    ref = Ref.parse("data:label:Order")
    read = checking.probe

    def read_while_another_writes(*args: object, **options: object) -> object:
        probed = read(*args, **options)  # type: ignore[arg-type]
        _observe(source.account, ref, {"count": 6})
        return probed

    monkeypatch.setattr(checking, "probe", read_while_another_writes)
    outcome = run_check(check_of("Order"), now=timezone.now())
    assert [conflict.ref for conflict in outcome.conflicts] == ["data:label:Order"]
    assert states()["data:label:Order"][0] == {"count": 6}
    assert states()["data:fill:Order|id"][2] == 2


def _observe(account: Account, ref: Ref, value: object) -> None:
    now = timezone.now()
    version = store.versions(account, [ref])[ref]
    line = store.Measurement(ref=ref, version=version, value=value)
    store.observe(account, line, by="probe", measured_from=now, now=now)

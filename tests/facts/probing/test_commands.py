"""``connect`` and ``probe`` on the command line: summaries, and one clear line for a refusal."""

import io
import json
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from facts.models import Account, Source
from facts.probing import reader
from tests.facts.probing.databases import url_of
from tests.facts.probing.learning import run, sqlite_url

pytestmark = pytest.mark.django_db

SECRET = "hunter2-geheim"
Written = Callable[[Any], str]


@pytest.fixture
def shop(file: Path) -> Path:
    with sqlite3.connect(file) as database:
        database.executescript("CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT)")
    database.close()
    return file


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """Write a document where a command can find it; its path."""

    def write(document: Any) -> str:
        path = tmp_path / "mapping.json"
        path.write_text(document if isinstance(document, str) else json.dumps(document))
        return str(path)

    return write


def out_of(*args: str, **options: Any) -> str:
    out = io.StringIO()
    call_command(*args, stdout=out, **options)
    return out.getvalue()


def refusal(*args: str, **options: Any) -> str:
    with pytest.raises(CommandError) as refused:
        call_command(*args, **options)
    said = str(refused.value)
    assert "\n" not in said
    assert SECRET not in said
    return said


def test_connect_says_what_it_learned(shop: Path) -> None:
    said = out_of("connect", "acme", sqlite_url(shop))
    assert said.startswith("Learned acme/main: 1 table, 5 facts, 1 table changed, in 0.")
    said = out_of("connect", "acme", sqlite_url(shop))
    assert said.startswith("Learned again acme/main: 1 table, 5 facts, 0 tables changed, in 0.")


def test_connect_says_it_as_json(shop: Path) -> None:
    said = json.loads(out_of("connect", "acme", sqlite_url(shop), name="crm", json=True))
    assert said.pop("seconds") > 0
    assert said == {
        "account": "acme",
        "source": "crm",
        "new": True,
        "tables": 1,
        "facts": 5,
        "changed": 1,
        "left": 0,
        "statements": 1,
        "failures": {},
        "sampled": [],
        "row_security": [],
        "conflicts": [],
        "trouble": "",
    }


def test_connect_takes_a_mapping(shop: Path, written: Written) -> None:
    document = {"tables": {"orders": {"label": "Sale"}}}
    out_of("connect", "acme", sqlite_url(shop), mapping=written(document))
    assert Source.objects.get().tables.get().label == "Sale"


def test_probe_reads_every_source_again(shop: Path) -> None:
    out_of("connect", "acme", sqlite_url(shop))
    out_of("connect", "acme", sqlite_url(shop), name="crm")
    lines = out_of("probe", "acme", seconds=1, json=True).splitlines()
    assert [json.loads(line)["source"] for line in lines] == ["crm", "main"]


def test_what_could_not_be_read_is_told(scratch: str, written: Written) -> None:
    run(scratch, "CREATE TABLE a (b int); CREATE VIEW c AS SELECT 1 / (b - b) AS d FROM a")
    run(scratch, "INSERT INTO a VALUES (1)")
    said = out_of("connect", "acme", scratch, mapping=written({"tables": {"c": {}}}))
    assert "Could not be read: C.d (22012).\n" in said


@pytest.mark.parametrize(
    ("url", "said"),
    [
        (SECRET, "the URL does not parse"),
        (f"foo://u:{SECRET}@host/db", "foo is no kind of database"),
        (f"mysql://u:{SECRET}@host/db", "the driver for mysql is not installed"),
        (f"postgresql://u:{SECRET}@127.0.0.1:1/db", "the source's host does not answer; check"),
        (f"postgresql://u:{SECRET}@no-host.invalid/db", "the source's host has no address"),
        (f"sqlite:////nowhere/{SECRET}.sqlite", "there is no such SQLite file"),
    ],
)
def test_a_database_that_can_not_be_connected_is_refused(url: str, said: str) -> None:
    assert refusal("connect", "acme", url).startswith(said)
    assert not Account.objects.exists()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("private words " * 100)
    said = refusal("connect", "acme", f"sqlite:///{tmp_path}/notes.txt")
    assert said == "the file is no SQLite database"
    (tmp_path / "empty.sqlite").touch()
    said = refusal("connect", "acme", f"sqlite:///{tmp_path}/empty.sqlite")
    assert said == "the database has no tables that this user can see"
    assert not Account.objects.exists()


def test_a_host_that_is_silent_is_given_up_within_ten_seconds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A server that takes the call and never says a word; its silence is cut short here."""
    monkeypatch.setattr(reader, "CONNECT_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        started = time.monotonic()
        port = silent.getsockname()[1]
        said = refusal("connect", "acme", f"postgresql://u:{SECRET}@127.0.0.1:{port}/db")
    assert said == "the source's host does not answer"
    assert time.monotonic() - started < 5
    monkeypatch.undo()
    assert reader.CONNECT_SECONDS < 10


def test_a_wrong_password_is_not_repeated(scratch: str) -> None:
    """The tests' server trusts everybody on its socket, so a role that is not there stands in."""
    name = scratch.rpartition("/")[2].partition("?")[0]
    url = url_of(name, user="ken_nobody").replace("ken_nobody", f"ken_nobody:{SECRET}")
    said = refusal("connect", "acme", url)
    assert said == "the source refuses this user and password"
    assert refusal("connect", "acme", url_of(SECRET)) == "the source has no such database"
    assert not Account.objects.exists()


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ("{", "is no JSON"),
        ("[" * 100_000, "is nested too deeply"),
        ([], "the mapping is faulty: the document should be an object"),
        ({"tables": {"oders": {}}}, "the mapping is faulty: /tables/oders no such table, did you"),
        ({"tables": {"orders": {"colums": {}}}}, "/tables/orders/colums unknown key, did you mean"),
    ],
)
def test_a_faulty_mapping_is_refused_whole(
    shop: Path, written: Written, document: Any, said: str
) -> None:
    assert said in refusal("connect", "acme", sqlite_url(shop), mapping=written(document))
    assert not Account.objects.exists()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("connect", "acme"), "the following arguments are required: url"),
        (("connect", " ", "sqlite:////x"), "an account's id is a printable text"),
        (("connect", "a" * 201, "sqlite:////x"), "an account's id is a printable text"),
        (("probe", "nobody"), "no account has the id 'nobody'"),
        (("probe", "acme", "--seconds=-1"), "invalid number of seconds above 0 value: '-1'"),
        (("probe", "acme", "--seconds=nan"), "invalid number of seconds above 0 value: 'nan'"),
        (("connect", "acme", "sqlite:////x", "--mapping=/nowhere"), "/nowhere can't be read"),
    ],
)
def test_a_mistyped_command_is_refused(args: tuple[str, ...], said: str) -> None:
    assert said in refusal(*args)
    assert not Account.objects.exists()


def test_probing_an_account_without_a_source_is_refused(acme: Account) -> None:
    assert refusal("probe", "acme") == "account acme has no source; `connect` makes one"


def test_a_source_that_is_away_is_told_and_what_is_known_stays(shop: Path) -> None:
    out_of("connect", "acme", sqlite_url(shop))
    shop.unlink()
    said = refusal("probe", "acme")
    assert said == "acme/main can't be read (missing-file); what is known stays as it was"
    assert Account.objects.get().facts.get(kind="label").value == {"count": 0}


@pytest.mark.django_db(transaction=True)
def test_a_refusal_is_one_line_on_stderr_and_status_1() -> None:
    """In a process of its own, as a shell sees it."""
    with psycopg.connect(url_of(connection.settings_dict["NAME"])):
        done = subprocess.run(
            [sys.executable, "manage.py", "connect", "acme", f"postgresql://u:{SECRET}@::/db"],
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert SECRET not in done.stderr

"""URLs are read, checked, and never repeated."""

from pathlib import Path

import pytest

from facts.probing.errors import SourceRefused
from facts.probing.urls import source_url, spelled

SECRET = "hunter2"


@pytest.mark.parametrize(
    ("url", "driver"),
    [
        ("postgresql://u:p@host/db", "postgresql+psycopg"),
        ("postgres://u:p@host:5432/db?sslmode=require", "postgresql+psycopg"),
        ("postgresql+psycopg://u:p@host/db", "postgresql+psycopg"),
        ("  postgresql:///db?host=/run/pg  ", "postgresql+psycopg"),
    ],
)
def test_a_url_of_postgresql_gets_the_driver_that_is_here(url: str, driver: str) -> None:
    assert source_url(url).drivername == driver


def test_a_password_survives_with_all_its_characters() -> None:
    url = source_url("postgresql://u:p%40ss%2Fw%3Ard%25@host/db")
    assert url.password == "p@ss/w:rd%"
    assert source_url(spelled(url)) == url


def test_a_file_is_kept_by_its_absolute_path(tmp_path: Path, monkeypatch: object) -> None:
    (tmp_path / "shop 50%.sqlite").touch()
    monkeypatch.chdir(tmp_path)  # type: ignore[attr-defined]
    assert source_url("sqlite:///shop 50%.sqlite").database == str(tmp_path / "shop 50%.sqlite")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        (f"{SECRET}", "does not parse"),
        (f"//{SECRET}", "does not parse"),
        (f"postgresql://u:{SECRET}@host:port/db", "does not parse"),
        (f"foo://u:{SECRET}@host/db", "foo is no kind of database"),
        (f"postgresql+nope://u:{SECRET}@host/db", "no kind of database"),
        (f"postgresql+psycopg2://u:{SECRET}@host/db", "not installed; leave the driver out"),
        (f"mysql+mysqldb://u:{SECRET}@host/db", "the driver for mysql+mysqldb is not installed"),
        (f"postgresql://u:{SECRET}@host", "names no database"),
        (f"postgresql://u:{SECRET}@host/db?options=-c%20x", "sets what a source's URL may not"),
        (f"postgresql://u@host/db?passfile=/etc/{SECRET}", "sets what a source's URL may not"),
        ("sqlite://", "is a file"),
        ("sqlite:///:memory:", "is a file"),
        (f"sqlite:///file:{SECRET}?mode=rwc&uri=true", "is a file"),
        (f"sqlite:////nowhere/{SECRET}", "there is no such SQLite file"),
        (f"sqlite:////nowhere/{SECRET}\0", "SQLite file"),
        ("sqlite:////tmp", "there is no such SQLite file"),
    ],
)
def test_a_bad_url_is_refused_without_being_repeated(url: str, said: str) -> None:
    with pytest.raises(SourceRefused) as refusal:
        source_url(url)
    assert said in str(refusal.value)
    assert SECRET not in str(refusal.value)
    assert "\n" not in str(refusal.value)

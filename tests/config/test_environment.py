import pytest
from django.core.exceptions import ImproperlyConfigured

from config.environment import Environment


@pytest.mark.parametrize(
    "url",
    [
        "mysql://u:hidden@h/ken",
        "sqlite:///ken.db",
        "hidden",
        "postgres://u:hidden@h:port/ken",
        "postgres://u:hidden@h:5432",
        "postgres://u:hidden@h:5432/",
    ],
)
@pytest.mark.filterwarnings("ignore:Engine not recognized")
def test_a_url_that_is_no_postgresqls_is_refused_without_its_password(monkeypatch, url):
    monkeypatch.setenv("DATABASE_URL", url)

    with pytest.raises(ImproperlyConfigured) as told:
        Environment().postgresql("DATABASE_URL")

    assert str(told.value) == (
        "DATABASE_URL is no PostgreSQL URL: write postgres://user:password@host:5432/name"
    )


@pytest.mark.parametrize(
    ("url", "host", "port"),
    [
        ("postgres://u:p%40ss@h:5432/ken", "h", 5432),
        ("postgresql://u:p%40ss@h/ken", "h", ""),
        ("postgres://u:p%40ss@%2Frun%2Fpostgresql:5433/ken", "/run/postgresql", 5433),
    ],
)
def test_a_postgresql_url_is_read(monkeypatch, url, host, port):
    monkeypatch.setenv("DATABASE_URL", url)

    assert Environment().postgresql("DATABASE_URL") == {
        "ENGINE": "config.postgresql",
        "HOST": host,
        "PORT": port,
        "NAME": "ken",
        "USER": "u",
        "PASSWORD": "p@ss",
    }


def test_a_variable_that_does_not_read_is_named_and_not_repeated(monkeypatch):
    monkeypatch.setenv("READY_AT", "hidden")

    with pytest.raises(ImproperlyConfigured) as told:
        Environment().int("READY_AT", 80)

    assert str(told.value) == (
        "READY_AT is not what it should be: see the README's table of settings"
    )

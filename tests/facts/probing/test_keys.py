"""Sources' URLs are kept encrypted, under keys that can be changed."""

from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from pytest_django.fixtures import Settings

from facts.models import Account, Source
from facts.probing import connect, learn
from facts.probing.errors import SourceRefused
from facts.probing.keys import decrypted, encrypted, rotated
from tests.facts.probing.learning import learned_sqlite, sqlite_url

OLD, NEW = Fernet.generate_key().decode(), Fernet.generate_key().decode()


def test_a_new_key_in_front_takes_over_and_the_old_one_can_go(settings: Settings) -> None:
    settings.SOURCE_KEYS = [OLD]
    token = encrypted("sqlite:////a")
    settings.SOURCE_KEYS = [NEW, OLD]
    renewed = rotated(token)
    assert renewed != token
    assert rotated(renewed) == renewed
    settings.SOURCE_KEYS = [NEW]
    assert decrypted(renewed) == "sqlite:////a"
    with pytest.raises(SourceRefused, match="none of SOURCE_KEYS opens"):
        decrypted(token)


@pytest.mark.django_db
def test_learning_a_source_renews_its_key(settings: Settings, file: Path) -> None:
    settings.SOURCE_KEYS = [OLD]
    learned_sqlite(file, "CREATE TABLE a (b)")
    settings.SOURCE_KEYS = [NEW, OLD]
    learn(Source.objects.get())
    settings.SOURCE_KEYS = [NEW]
    assert learn(Source.objects.get()).trouble == ""


@pytest.mark.django_db
def test_without_a_key_the_source_is_refused(settings: Settings, file: Path) -> None:
    file.touch()
    for keys, said in (([], "SOURCE_KEYS is not set"), (["abc"], "key 1 of SOURCE_KEYS is no")):
        settings.SOURCE_KEYS = keys
        with pytest.raises(SourceRefused, match=said):
            connect("acme", sqlite_url(file))
    assert not Account.objects.exists()


@pytest.mark.django_db
def test_a_source_whose_key_is_lost_is_in_trouble_and_its_facts_stay(
    settings: Settings, file: Path
) -> None:
    settings.SOURCE_KEYS = [OLD]
    learned_sqlite(file, "CREATE TABLE a (b)")
    settings.SOURCE_KEYS = [NEW]
    learned = learn(Source.objects.get())
    assert learned.trouble == "lost-key"
    assert Source.objects.get().account.facts.get(kind="label").value == {"count": 0}

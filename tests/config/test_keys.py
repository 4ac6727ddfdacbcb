import stat
from itertools import count

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.keys import kept_key


def test_a_key_is_made_once_for_its_owner_alone(tmp_path):
    made = count(1)
    path = tmp_path / "data" / "secret.key"

    assert [kept_key(path, lambda: f"key {next(made)}") for _ in range(2)] == ["key 1", "key 1"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["secret.key"]


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "data").write_text("a file")

    with pytest.raises(ImproperlyConfigured, match="set DATA_DIR to a folder it can write"):
        kept_key(tmp_path / "data" / "secret.key", lambda: "key")

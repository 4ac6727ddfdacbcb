"""``manage.py test`` is pytest, so that one file is the way in to everything."""

from typing import Any

import pytest


class PytestRunner:
    """The part of Django's runner interface that ``manage.py test`` uses."""

    def __init__(self, **_options: Any) -> None:
        pass

    def run_tests(self, test_labels: list[str], **_options: Any) -> int:
        """Run the named tests here, or all of them on every core."""
        return int(pytest.main([*test_labels] if test_labels else ["-n", "auto"]))

"""What a failure's code says to people."""

import pytest

from facts.probing.codes import in_words


@pytest.mark.parametrize(("code", "said"), [
    ("42501", "permission denied (42501)"),
    ("57014", "cancelled, it took too long (57014)"),
    ("timeout", "timeout"),
    ("99ZZ9", "99ZZ9"),
    ("", ""),
])  # fmt: skip
def test_a_code_is_told_in_words_and_one_without_words_as_it_is(code, said):
    assert in_words(code) == said

from textwrap import dedent

import pytest

from facts.derivations.code import Code
from facts.errors import ImpureBuild

RULES = '''
    """Rules of the house."""

    from functools import cache
    from house import sums as adding
    from house.words import GREETING, Rude

    LIMIT = 3
    UNUSED = 4

    def build(inputs):
        """What is built."""
        unused = inputs  # a comment
        return {"n": adding.total(inputs), "limit": LIMIT, "hello": greet(GREETING)}

    def greet(word: str) -> str:
        if not word:
            raise Rude(word)
        return Greeter(word).said()

    class Greeter:
        """Says it."""

        def __init__(self, word):
            self.word = word

        def said(self):
            return self.word.upper()

    def not_reached():
        return UNUSED
'''
SUMS = """
    def total(numbers):
        return _added(numbers)

    def _added(numbers):
        return sum(number for number in numbers)

    def not_reached(numbers):
        return 0
"""
WORDS = """
    GREETING = "hello"

    class Rude(Exception):
        code = "rude"
"""


@pytest.fixture
def house(tmp_path):
    """A package of ours, and the digest of its build after some of its text was edited."""

    def digest(*edits, function="build"):
        (tmp_path / "house").mkdir(exist_ok=True)
        files = {"__init__": "", "rules": RULES, "sums": SUMS, "words": WORDS}
        for file, before, after in edits:
            assert before in files[file]
            files[file] = files[file].replace(before, after)
        for file, text in files.items():
            (tmp_path / "house" / f"{file}.py").write_text(dedent(text))
        return Code(tmp_path).digest_at("house.rules", function)

    return digest


@pytest.mark.parametrize(
    "edit",
    [
        ("rules", "return self.word.upper()", "return self.word.lower()"),  # a method
        ("rules", "LIMIT = 3", "LIMIT = 4"),  # a constant
        ("rules", '"limit": LIMIT', '"limits": LIMIT'),  # the build itself
        ("rules", "def greet(word: str) -> str:", "@cache\n    def greet(word: str) -> str:"),
        ("sums", "sum(number for number in numbers)", "len(numbers)"),  # a helper's helper
        ("words", '"hello"', '"good day"'),  # a constant somewhere else
    ],
)
def test_an_edit_of_what_the_build_reaches_moves_its_digest(house, edit):
    assert house(edit) != house()


@pytest.mark.parametrize(
    "edit",
    [
        ("rules", "  # a comment", "  # another"),
        ("rules", '"""What is built."""', '"""Said better,\n\n        at length."""'),
        ("rules", '"""Says it."""\n', "\n"),
        ("rules", "(word: str) -> str", "(word)"),
        ("rules", '{"n": adding.total(inputs), ', '{\n            "n": adding.total(inputs), '),
        ("rules", "UNUSED = 4", "UNUSED = 5"),
        ("sums", "return 0", "return 1"),  # beside what is reached
        ("words", 'code = "rude"', 'code = "unkind"'),  # an error, which is no value
    ],
)
def test_a_cosmetic_edit_or_one_beside_it_does_not(house, edit):
    assert house(edit) == house()


def test_a_parameter_hides_the_name_of_a_function_beside_it(house):
    inputs = ("rules", "def not_reached():", "def inputs():")
    assert house(inputs) == house()


def test_a_name_bound_in_an_inner_function_hides_nothing_outside_it(house):
    inner = (
        "rules",
        "unused = inputs  # a comment",
        "unused = [greet for greet in inputs]; say = lambda LIMIT: LIMIT",
    )
    assert house(inner) != house(inner, ("rules", "LIMIT = 3", "LIMIT = 4"))
    assert house(inner) != house(inner, ("rules", "self.word.upper()", "self.word"))


def test_a_name_that_is_passed_on_by_another_module_is_followed_to_its_end(house):
    through = [("rules", "from house import sums as adding", "from house import words as adding")]
    through.append(("words", "GREETING =", "from .sums import total\n\n    GREETING ="))
    assert house(*through) != house(*through, ("sums", "sum(number for", "max(number for"))


@pytest.mark.parametrize(
    ("line", "reached"),
    [
        ("from datetime import datetime; datetime.now()", "datetime.datetime.now"),
        ("import datetime as dt; dt.date.today()", "datetime.date.today"),
        ("import time; time.time()", "time.time"),
        ('import os; os.environ["PATH"]', "os.environ"),
        ("from os import getenv; getenv('PATH')", "os.getenv"),
        ("from django.utils import timezone; timezone.now()", "django.utils.timezone.now"),
        ("from django.conf import settings; settings.READY_AT", "django.conf.settings.READY_AT"),
        ("import random; random.random()", "random.random"),
        ("import uuid; uuid.uuid4()", "uuid.uuid4"),
        ("open('/etc/hostname')", "open"),
    ],
)
def test_a_build_that_reaches_a_clock_chance_or_its_surroundings_is_refused(house, line, reached):
    with pytest.raises(ImpureBuild) as refusal:
        house(("sums", "return _added(numbers)", f"{line}; return _added(numbers)"))
    assert str(refusal.value) == f"house.sums.total uses {reached}, which no build may"


def test_times_as_such_are_no_clock(house):
    line = "from datetime import datetime, time; return datetime.fromisoformat(numbers)"
    assert house(("sums", "return _added(numbers)", line)) != house()


def test_what_can_not_be_followed_is_refused(house):
    with pytest.raises(ImpureBuild, match=r"uses house\.sums\.gone, which can't be found"):
        house(("rules", "adding.total(inputs)", "adding.gone(inputs)"))
    with pytest.raises(ImpureBuild, match=r"the code of house\.rules\.gone can't be found"):
        house(function="gone")


def test_a_build_is_a_named_function(house, tmp_path):
    with pytest.raises(ImpureBuild, match="no named function of a module"):
        Code(tmp_path).digest_of(lambda inputs: {})

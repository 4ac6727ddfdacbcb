import pytest

from facts.answers import analysis, looking_up, reading_queries, renewing
from facts.models import Answer
from facts.scheduling import ticking
from tests.facts.answers.shop import LATER, ask, late, proven, stood


@pytest.fixture
def newer(monkeypatch):
    """Becomes Ken as it will be when its analysis has another form, once it is called."""

    def become():
        form = analysis.FORM + 1
        for module in (analysis, renewing, reading_queries):
            monkeypatch.setattr(module, "FORM", form)
        looking_up._analysis.cache_clear()  # another process then

    yield become
    monkeypatch.undo()
    looking_up._analysis.cache_clear()


def test_what_an_older_ken_analysed_is_not_served_until_it_is_read_anew(shop, newer):
    answer = proven(shop)
    assert ask(shop).verdict == "serve"

    newer()
    assert ask(shop).reason == "leaves-out"

    assert ticking.STEPS["reread"](LATER) == 1
    assert ask(shop).verdict == "serve"
    assert stood(answer).fact.version == 1
    assert ticking.STEPS["reread"](LATER) == 0


def test_many_are_read_anew_some_at_a_time(shop):
    for number in range(5):
        proven(shop, question=late(text=f"Late orders, {number}?"))
    Answer.objects.update(form=0)

    assert [renewing.read_older(limit=2) for _ in range(4)] == [2, 2, 1, 0]


def test_one_whose_schema_changed_still_waits_for_a_look(shop):
    answer = proven(shop)
    Answer.objects.update(form=0, schema_changed_at=LATER)

    assert renewing.read_older() == 1
    assert stood(answer).schema_changed_at == LATER
    assert ask(shop).reason == "schema-changed"
    assert renewing.read_older() == 0

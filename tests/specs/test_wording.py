"""What needs and specs are called in sentences for people."""

import pytest

from specs.needs import read
from specs.wording import about, lack, title_of
from tests.specs.test_schema import GOOD_NEEDS, spec_of


@pytest.mark.parametrize(
    ("kind", "lacks", "asks"),
    [
        ("label", "order data", "Order, at least 1"),
        ("hop", "carrier data", "Order SHIPPED_BY Carrier, at least 0.5"),
        ("fill", "promisedAt of Order", "promisedAt of Order filled, at least 0.6"),
        ("signal", "a working shipping integration", "shipping integrations healthy"),
        ("plan", "reports in the plan", "reports in the plan"),
        ("feature", "refunds", "feature refunds usable"),
    ],
)
def test_a_need_is_called_by_what_it_names(kind, lacks, asks):
    (need,) = read(spec_of(GOOD_NEEDS[kind]))
    assert (lack(need), about(need)) == (lacks, asks)


def test_a_label_of_several_words_is_written_apart():
    (need,) = read(spec_of(GOOD_NEEDS["label"] | {"label": "OrderLine"}))
    assert lack(need) == "order line data"


def test_names_with_braces_are_names():
    (need,) = read(spec_of(GOOD_NEEDS["plan"] | {"plan": "{level}"}))
    assert lack(need) == "{level} in the plan"


def test_a_need_of_a_newer_version_is_named_too():
    (need,) = read(spec_of({"level": "REQUIRED", "census": "x"}))
    assert (lack(need), about(need)) == (
        "a newer version of Ken",
        "words that this version does not know",
    )


def test_a_spec_is_called_by_its_title_or_its_id():
    assert title_of({"id": "late-orders", "title": "Late deliveries"}) == "Late deliveries"
    assert title_of({"id": "late-orders"}) == "Late orders"

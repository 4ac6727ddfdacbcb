import pytest
from hypothesis import given
from hypothesis import strategies as st

from facts.errors import BadRef
from facts.refs import Ref

names = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=60)


def test_a_hop_names_its_two_labels_and_its_verb():
    assert Ref.parse("data:hop:Order|SHIPPED_BY|Carrier").parts == (
        "Order",
        "SHIPPED_BY",
        "Carrier",
    )


@given(st.lists(names, min_size=1, max_size=4))
def test_whatever_a_table_is_called_its_ref_parses_to_the_same_text_and_parts(parts):
    ref = Ref.of("data", "hop", *parts)

    assert Ref.parse(str(ref)) == ref
    assert ref.parts == tuple(parts)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "data",
        "data:label",
        "data:label:",
        "secret:label:Order",  # no such namespace
        "data:Label:Order",  # kinds are lower case
        "data:label:Order:more",  # an unencoded colon
        "data:hop:Order||Carrier",  # an empty part
        "data:label:100%",  # an unencoded percent sign
        "data:label:Or\nder",
        "data:label:" + "x" * 1000,
    ],
)
def test_what_is_no_ref_is_refused(text):
    with pytest.raises(BadRef):
        Ref.parse(text)

"""A document's text: read strictly, and written one way."""

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from specs.documents import MOST_CHARACTERS, parse, pretty
from specs.errors import BadSpec
from tests.specs.test_schema import GOOD_NEEDS, spec_of


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "is no JSON: Expecting value, line 1 column 1"),
        ('{\n"id" 1}', "is no JSON: Expecting ':' delimiter, line 2 column 6"),
        ('{"id": "a", "id": "b"}', 'says the key "id" twice in one object'),
        ('{"needs": [{"minFill": NaN}]}', "has the number NaN, which JSON does not know"),
        ("[" * 90_000, "is nested too deeply"),
        ("[" * 900 + "]" * 900, "is nested too deeply"),
        ("9" * 5_000, "has a number of too many digits"),
        (" " * (MOST_CHARACTERS + 1), "has more than 100,000 characters"),
    ],
)  # fmt: skip
def test_what_is_no_strict_json_is_refused(text, fault):
    with pytest.raises(BadSpec) as refusal:
        parse(text)
    assert [fault.message for fault in refusal.value.faults] == [fault]


def test_a_byte_order_mark_is_no_fault():
    assert parse('\ufeff{"id": "a"}') == {"id": "a"}


def test_a_document_is_written_with_one_need_a_line_and_its_keys_in_order():
    shuffled = {
        "needs": [
            {"minCoverage": 0.5, "hop": {"to": "C", "from": "Ö", "verb": "B"}, "level": "REQUIRED"},
            {"plan": "reports", "level": "ADVISORY"},
        ],
        "title": "Late orders",
        "id": "late-orders",
    }
    assert pretty(shuffled) == (
        "{\n"
        '  "id": "late-orders",\n'
        '  "title": "Late orders",\n'
        '  "needs": [\n'
        '    { "level": "REQUIRED", "hop": { "from": "Ö", "verb": "B", "to": "C" },'
        ' "minCoverage": 0.5 },\n'
        '    { "level": "ADVISORY", "plan": "reports" }\n'
        "  ]\n"
        "}\n"
    )


@for_all(st.permutations(list(GOOD_NEEDS.values())))
def test_what_is_written_reads_back_the_same(needs):
    assert parse(pretty(spec_of(*needs))) == spec_of(*needs)


@for_all(
    st.dictionaries(
        st.text(), st.recursive(st.none() | st.text() | st.integers(), st.lists, max_leaves=5)
    )
)
def test_a_document_of_a_newer_version_is_written_whole(document):
    assert parse(pretty(document)) == document

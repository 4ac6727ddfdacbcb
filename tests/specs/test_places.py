"""The line a fault stands beside."""

import json

import pytest
from hypothesis import given as for_all
from hypothesis import strategies as st

from specs.places import line_of

TEXT = """
{
  "id": "a",
  "needs": [
    {"level": "REQUIRED",
     "label": "Order"},
    {
      "level": "REQUIRED", "a/b~": 1,
      "hop": {"from": "x,]}", "verb": "v",
              "to": "z"}
    }
  ]
}"""


@pytest.mark.parametrize(
    ("pointer", "line"),
    [
        ("", 2),
        ("/id", 3),
        ("/needs", 4),
        ("/needs/0", 5),
        ("/needs/0/label", 6),
        ("/needs/0/minCount", 5),
        ("/needs/1", 7),
        ("/needs/1/a~1b~0", 8),
        ("/needs/1/hop", 9),
        ("/needs/1/hop/to", 10),
        ("/needs/7", 4),
        ("/id/deeper", 3),
    ],
)
def test_a_pointer_leads_to_its_line(pointer, line):
    assert line_of(TEXT, pointer) == line


@pytest.mark.parametrize("text", ["", "{", '{"a"', '{"a": }', "[1,", '{"a": 1 "b": 2}'])
def test_text_that_is_no_json_has_one_line(text):
    assert line_of(text, "/b/0") == 1


@for_all(
    st.dictionaries(st.text(), st.lists(st.text() | st.dictionaries(st.text(), st.integers()))),
    st.data(),
)
def test_every_item_is_found_where_it_is_written(document, data):
    text = json.dumps(document, indent=1)
    for key, items in document.items():
        name = key.replace("~", "~0").replace("/", "~1")
        for index, item in enumerate(items):
            lines = text.splitlines()
            found = lines[line_of(text, f"/{name}/{index}") - 1].strip()
            assert found.startswith("{" if isinstance(item, dict) else json.dumps(item))

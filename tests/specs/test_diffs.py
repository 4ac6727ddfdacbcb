"""The diff of two versions."""

from hypothesis import given as for_all
from hypothesis import strategies as st

from specs.diffs import diff


def shown(before: str, after: str) -> list[tuple]:
    return [(row.kind, row.before, row.after, row.text) for row in diff(before, after)]


def test_a_changed_line_is_shown_as_it_was_and_as_it_is():
    assert shown("{\nminCount: 1\n}", "{\nminCount: 20\n}") == [
        ("same", 1, 1, "{"),
        ("removed", 2, None, "minCount: 1"),
        ("added", None, 2, "minCount: 20"),
        ("same", 3, 3, "}"),
    ]


def test_what_changed_within_a_line_is_marked():
    removed, added = diff("order, minCount: 1", "order, minCount: 20")
    assert [part.text for part in removed.parts if part.changed] == ["1"]
    assert [part.text for part in added.parts if part.changed] == ["20"]


def test_lines_with_little_in_common_are_not_picked_to_pieces():
    removed, added = diff("alpha beta gamma", "one two three")
    assert not any(part.changed for row in (removed, added) for part in row.parts)


def test_added_and_removed_lines_stand_alone():
    assert shown("a\nb", "a\nb\nc") == [
        ("same", 1, 1, "a"),
        ("same", 2, 2, "b"),
        ("added", None, 3, "c"),
    ]
    assert shown("a\nb", "b") == [("removed", 1, None, "a"), ("same", 2, 1, "b")]
    assert shown("", "a") == [("added", None, 1, "a")]


lines = st.lists(st.sampled_from(["a", "b b", "b c", "", "minCount: 1", "minCount: 2"]), max_size=8)


@for_all(lines, lines)
def test_both_texts_can_be_read_from_a_diff(before, after):
    rows = diff("\n".join(before), "\n".join(after))
    assert [row.text for row in rows if row.kind != "added"] == "\n".join(before).splitlines()
    assert [row.text for row in rows if row.kind != "removed"] == "\n".join(after).splitlines()
    numbers = [row.before for row in rows if row.before]
    assert numbers == list(range(1, len(numbers) + 1))

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
    removed, added = diff("Order, minCount: 1, x", "Order, minCount: 20, x")
    assert [part.text for part in removed.parts] == ["Order, minCount: ", "1", ", x"]
    assert [part.text for part in added.parts] == ["Order, minCount: ", "20", ", x"]
    assert [part.changed for part in added.parts] == [False, True, False]


def test_a_word_is_marked_whole():
    removed, added = diff("fill orders at least 0.5", "fill ordered at least 0.8")
    assert [part.text for part in removed.parts if part.changed] == ["orders", "0.5"]
    assert [part.text for part in added.parts if part.changed] == ["ordered", "0.8"]


def test_a_changed_line_is_paired_with_the_one_most_like_it():
    before = "hop Order SHIPPED_BY Carrier 0.5"
    after = "label Carrier 2\nhop Order SHIPPED_BY Carrier 0.8"
    assert shown(before, after) == [
        ("added", None, 1, "label Carrier 2"),
        ("removed", 1, None, "hop Order SHIPPED_BY Carrier 0.5"),
        ("added", None, 2, "hop Order SHIPPED_BY Carrier 0.8"),
    ]


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

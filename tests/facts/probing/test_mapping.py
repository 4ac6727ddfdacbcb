"""The mapping document is refused whole, with where and what would be right."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from facts.probing import mapping
from facts.probing.errors import BadMapping
from facts.probing.layout import Column, Layout, Relation

ORDERS = Layout(
    "public",
    "orders",
    (Column("id", "integer"), Column("ship_via", "integer"), Column("note", "text")),
    key=("id",),
    relations=(Relation(("ship_via",), "public", "shippers", ("id",), "fk", enforced=True),),
)
SHIPPERS = Layout("public", "shippers", (Column("id", "integer"),), key=("id",))
ARCHIVE = Layout("archive", "orders", (Column("id", "integer"),))
OLD = Layout("archive", "old.orders", (Column("id", "integer"),))
TOTALS = Layout("public", "totals", (Column("id", "integer"),), is_view=True)
ALL = (ORDERS, SHIPPERS, ARCHIVE, OLD, TOTALS)


def refused(document: object) -> str:
    with pytest.raises(BadMapping) as refusal:
        applied(document)
    return str(refusal.value).removeprefix("the mapping is faulty: ")


def applied(document: Any) -> dict[str, Layout]:
    mapping.demand_shape(document)
    mapping.demand_fit(document, ALL, "public")
    return {layout.spelled: layout for layout in mapping.applied(document, ALL, "public")}


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(mapping.SCHEMA)


HOP = {"from": "orders", "columns": "note", "to": "shippers", "verb": "NOTED"}


@pytest.mark.parametrize(
    ("document", "fault"),
    [
        ([], "the document should be an object"),
        ({"table": {}}, "/table unknown key, did you mean tables"),
        ({"zzz": 1}, "/zzz unknown key, one of tables, hops"),
        ({"tables": {"orders": {"lable": "X"}}}, "/tables/orders/lable unknown key, did you mean "),
        ({"tables": {"orders": {"label": ""}}}, "/tables/orders/label is empty"),
        ({"tables": {"orders": {"hide": "yes"}}}, "/tables/orders/hide should be true or false"),
        ({"tables": {"orderz": {}}}, "/tables/orderz no such table, did you mean orders"),
        ({"tables": {"a/b": {}}}, "/tables/a~1b no such table"),
        (
            {"tables": {"orders": {"columns": {"ship_vai": {"hide": True}}}}},
            "/tables/orders/columns/ship_vai no such column, did you mean ship_via",
        ),
        (
            {"tables": {"orders": {"columns": {"note": {"type": "txt"}}}}},
            "/tables/orders/columns/note/type unknown word, did you mean text",
        ),
        (
            {"tables": {"orders": {"columns": {"note": {"property": "shipVia"}}}}},
            "/tables/orders/columns/note/property is what another column is called",
        ),
        (
            {"tables": {"orders": {"owner": "customer"}}},
            "/tables/orders/owner no such column, one of id, ship_via, note",
        ),
        (
            {"tables": {"orders": {}, "public.orders": {}}},
            "/tables/public.orders is the table of /tables/orders",
        ),
        (
            {"tables": {"orders": {"label": "X"}, "shippers": {"label": "X"}}},
            "/tables/shippers/label is the label of /tables/orders too",
        ),
        ({"tables": {"orders": {"label": "a\nb"}}}, "/tables/orders/label is no name"),
        ({"hops": [{"from": "orders"}]}, "/hops/0 lacks columns"),
        ({"hops": [HOP | {"from": "ordres"}]}, "/hops/0/from no such table, did you mean orders"),
        ({"hops": [HOP | {"to": "shiper"}]}, "/hops/0/to no such table, did you mean shippers"),
        (
            {"hops": [HOP | {"columns": "nite"}]},
            "/hops/0/columns no such column, did you mean note",
        ),
        ({"hops": [HOP | {"columns": ["id", "note"]}]}, "/hops/0/columns are 2 for a key of 1"),
        (
            {"hops": [HOP | {"to": "archive.orders"}]},
            "/hops/0/key is missing, and archive.orders has no primary key",
        ),
        ({"hops": [HOP | {"verb": 3}]}, "/hops/0/verb should be text"),
    ],
)
def test_a_fault_says_where_and_what_would_be_right(document: object, fault: str) -> None:
    assert refused(document).startswith(fault)


def test_all_faults_are_told_at_once_up_to_five() -> None:
    document = {"tables": {name: {} for name in "qwertyu"}}
    assert refused(document).count("no such table") == 5
    assert refused(document).endswith("; and 2 more")


def test_tables_are_found_by_name_by_schema_and_name_and_with_dots_in_their_names() -> None:
    spelled = applied(
        {
            "tables": {
                "orders": {"label": "Sale"},
                "archive.orders": {"label": "OldSale"},
                "archive.old.orders": {"label": "OldestSale"},
            }
        }
    )
    assert {place: layout.label for place, layout in spelled.items()} == {
        "public.orders": "Sale",
        "public.shippers": "",
        "archive.orders": "OldSale",
        "archive.old.orders": "OldestSale",
    }


def test_a_view_is_a_type_only_where_it_is_named() -> None:
    assert "public.totals" not in applied({})
    assert "public.totals" in applied({"tables": {"totals": {}}})


def test_what_is_hidden_is_not_shown() -> None:
    spelled = applied(
        {
            "tables": {
                "orders": {"columns": {"ship_via": {"hide": True}}},
                "shippers": {"hide": True},
            }
        }
    )
    assert "public.shippers" not in spelled
    assert [column.name for column in spelled["public.orders"].shown] == ["id", "note"]


def test_a_hop_names_a_declared_relation_or_adds_one() -> None:
    document = {
        "hops": [
            {"from": "orders", "columns": "ship_via", "to": "shippers", "verb": "SHIPPED_BY"},
            {"from": "orders", "columns": ["note"], "to": "shippers", "verb": "NOTES"},
        ]
    }
    declared, added = applied(document)["public.orders"].relations
    assert (declared.verb, declared.enforced, declared.constraint) == ("SHIPPED_BY", True, "fk")
    assert (added.verb, added.enforced, added.key) == ("NOTES", False, ("id",))


def test_a_mapping_that_outlived_its_tables_is_passed_over() -> None:
    document = {"tables": {"gone": {"hide": True}}, "hops": [HOP | {"to": "gone"}]}
    assert len(mapping.applied(document, ALL, "public")) == 4

"""Names for tables, columns and relations, in every script."""

import pytest
from hypothesis import given, strategies

from facts.probing import names
from facts.probing.layout import Layout, Relation
from facts.refs import Ref


def layout(name: str, schema: str = "public", label: str = "") -> Layout:
    return Layout(schema=schema, name=name, columns=(), label=label)


def labels(*layouts: Layout, known: dict | None = None, taken: tuple[str, ...] = ()) -> list[str]:
    named = names.labels(
        layouts, known=known or {}, taken=taken, source="crm", default_schema="public"
    )
    return [named[one.place] for one in layouts]


@pytest.mark.parametrize(
    ("table", "label"),
    [
        ("orders", "Order"),
        ("order_details", "OrderDetail"),
        ("OrderDetails", "OrderDetail"),
        ("Order Details", "OrderDetail"),
        ("categories", "Category"),
        ("us_states", "UsState"),
        ("addresses", "Address"),
        ("address", "Address"),
        ("status", "Status"),
        ("bonus", "Bonus"),
        ("analysis", "Analysis"),
        ("gas", "Gas"),
        ("data", "Data"),
        ("people", "Person"),
        ("SUPPLIERS", "Supplier"),
        ("sales.2024/q1", "Sales2024Q1"),
        ("100%_off", "100Off"),
        ('say "hi"', "SayHi"),
        ("заказы", "Заказы"),
        ("注文", "注文"),
        ("straßen", "Straßen"),
        ("naïve_cafés", "NaïveCafés"),
        ("हिन्दी_तालिका", "हिन्दीतालिका"),
        ("select", "Select"),
        ("!!!", "!!!"),
        ("\u200b", "Unnamed"),
    ],
)
def test_a_label_is_the_singular_of_the_table_in_camel_case(table: str, label: str) -> None:
    assert names.label_of(table) == label


@pytest.mark.parametrize(
    ("column", "name"),
    [
        ("ship_via", "shipVia"),
        ("ShipVia", "shipVia"),
        ("CustomerID", "customerId"),
        ("HTMLBody", "htmlBody"),
        ("ORDER_DATE", "orderDate"),
        ("address2", "address2"),
        ("2nd line", "2ndLine"),
        ("größe", "größe"),
        ("цена_за_штуку", "ценаЗаШтуку"),
        ("a.b/c d", "aBCD"),
        ("%", "%"),
    ],
)
def test_a_property_is_the_column_in_camel_case(column: str, name: str) -> None:
    assert names.property_of(column) == name


@pytest.mark.parametrize(
    ("relation", "verb"),
    [
        (Relation(("ship_via",), "", "shippers", ("shipper_id",)), "SHIP_VIA"),
        (Relation(("customer_id",), "", "customers", ("id",)), "CUSTOMER"),
        (Relation(("CustomerID",), "", "Customers", ("CustomerID",)), "CUSTOMER"),
        (Relation(("customerid",), "", "customers", ("customerid",)), "CUSTOMER"),
        (Relation(("reports_to",), "", "employees", ("employee_id",)), "REPORTS_TO"),
        (Relation(("paid",), "", "payments", ("id",)), "PAID"),
        (Relation(("id",), "", "users", ("id",)), "USER"),
        (Relation(("order_id", "line"), "", "lines", ("o", "l"), "fk_lines"), "FK_LINES"),
        (Relation(("order_id", "line"), "", "lines", ("o", "l")), "ORDER_ID_LINE"),
    ],
)
def test_a_verb_is_the_column_without_its_id(relation: Relation, verb: str) -> None:
    assert names.verb_of(relation) == verb


def test_the_default_schema_has_the_plain_name_and_others_carry_their_schema() -> None:
    assert labels(layout("orders", "archive"), layout("orders")) == ["ArchiveOrder", "Order"]


def test_two_schemas_beside_the_default_one_both_carry_their_schema() -> None:
    assert labels(layout("orders", "a"), layout("orders", "b")) == ["AOrder", "BOrder"]


def test_what_another_source_took_before_carries_the_sources_name() -> None:
    assert labels(layout("orders"), taken=("Order", "PublicOrder")) == ["CrmOrder"]


def test_singular_and_plural_in_one_schema_keep_apart() -> None:
    assert labels(layout("order"), layout("orders")) == ["Order", "Orders"]


def test_names_that_differ_in_what_joins_them_are_numbered_at_last() -> None:
    found = labels(layout("a b"), layout("a_b"), layout("a-b"), layout("a.b"))
    assert len(set(found)) == 4


def test_whoever_has_a_name_keeps_it() -> None:
    known = {("archive", "orders"): "Order"}
    assert labels(layout("orders"), layout("orders", "archive"), known=known) == [
        "PublicOrder",
        "Order",
    ]


def test_a_mapped_label_is_never_given_to_another() -> None:
    assert labels(layout("purchases", label="Order"), layout("orders")) == ["Order", "Orders"]


def test_properties_keep_their_names_when_a_neighbour_comes() -> None:
    known = names.numbered([("a_b", "aB")], known={})
    assert names.numbered([("a b", "aB"), ("a_b", "aB")], known=known) == {
        "a_b": "aB",
        "a b": "aB2",
    }


@given(strategies.text(min_size=1, max_size=63), strategies.text(min_size=1, max_size=63))
def test_every_name_makes_a_ref(table: str, column: str) -> None:
    label, word = names.label_of(table), names.property_of(column)
    verb = names.verb_of(Relation((column,), "", table, (column,)))
    ref = Ref.of("data", "hop", label, verb, label)
    assert Ref.parse(str(ref)) == ref
    assert ref.parts == (label, verb, label)
    assert Ref.of("data", "fill", label, word).parts == (label, word)


@given(strategies.lists(strategies.text(min_size=1, max_size=8), unique=True, max_size=30))
def test_no_two_tables_have_one_label(tables: list[str]) -> None:
    found = labels(*(layout(name) for name in tables))
    assert len(set(found)) == len(tables)

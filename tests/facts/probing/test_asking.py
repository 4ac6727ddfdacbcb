"""What may be asked of a table, and whose its records are."""

from dataclasses import replace

import pytest

from facts.probing import asking
from facts.probing.asking import Diversity
from facts.probing.layout import Column, Layout, Relation
from facts.probing.vocabularies import Owners

CUSTOMER = Relation(("customer_id",), "", "customers", ("id",), label="Customer", is_person=True)
CLERK = Relation(("clerk",), "", "employees", ("id",), label="Employee", is_person=True)
STATUS = Relation(("status",), "", "statuses", ("code",), label="Status")


COLUMNS = tuple(Column(name, "integer") for name in ("customer_id", "clerk", "status", "shop"))


def orders(*columns: Column, relations: tuple[Relation, ...] = (), **more: object) -> Layout:
    found = Layout("", "orders", columns + COLUMNS, key=("id",), label="Order")
    return replace(found, relations=relations, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("column", "code"),
    [
        (Column("status", "text", "status"), None),
        (Column("priority", "integer", "priority"), None),
        (Column("gift", "boolean", "gift"), None),
        (Column("rate", "number", "rate"), None),
        (Column("ordered_on", "date", "orderedOn"), None),
        (Column("tags", "array", "tags", item="text"), None),
        (Column("ids", "array", "ids", item="uuid"), "type"),
        (Column("payload", "json", "payload"), "type"),
        (Column("picture", "binary", "picture"), "type"),
        (Column("place", "other", "place"), "type"),
        (Column("ticket", "uuid", "ticket"), "type"),
        (Column("id", "integer", "id"), "key"),
        (Column("number", "text", "number"), "key"),
        (Column("parent_id", "integer", "parentId"), "reference"),
        (Column("password", "text", "password"), "credential"),
        (Column("first_name", "text", "firstName"), "person"),
    ],
)
def test_what_is_no_vocabulary_is_not_asked_for(column: Column, code: str | None) -> None:
    layout = orders(column, unique=(("number",),))
    assert asking.withheld(layout, column) == code


def test_a_renamed_column_is_judged_by_both_of_its_names() -> None:
    assert asking.withheld(orders(), Column("password", "text", "zone")) == "credential"
    assert asking.withheld(orders(), Column("zone", "text", "password")) == "credential"


def test_a_text_that_points_at_a_table_of_statuses_is_a_status() -> None:
    layout = orders(relations=(STATUS, CUSTOMER))
    assert asking.withheld(layout, Column("status", "text", "status")) is None
    assert asking.withheld(layout, Column("customer_id", "text", "customerCode")) is not None


def seen(**people: int) -> dict[tuple[str, ...], Diversity]:
    return {(column,): Diversity(100 if count else 0, count) for column, count in people.items()}


def test_records_of_nobody_have_no_owners() -> None:
    assert asking.owners_of(orders(relations=(STATUS,)), {}) == ()


def test_a_relation_that_is_never_filled_leads_to_nobody() -> None:
    layout = orders(relations=(CUSTOMER,))
    assert asking.owners_of(layout, seen(customer_id=0)) == ()


def test_a_value_has_to_be_of_three_people() -> None:
    layout = orders(relations=(CUSTOMER,))
    assert asking.owners_of(layout, seen(customer_id=80)) == (Owners(("customer_id",), 3),)


def test_where_there_are_fewer_than_three_people_nothing_is_kept() -> None:
    assert asking.owners_of(orders(relations=(CUSTOMER,)), seen(customer_id=2)) is None


def test_of_two_relations_the_one_to_more_people_counts_and_the_other_needs_all_it_has() -> None:
    layout = orders(relations=(CLERK, CUSTOMER))
    assert asking.owners_of(layout, seen(customer_id=80, clerk=2)) == (
        Owners(("customer_id",), 3),
        Owners(("clerk",), 2),
    )


def test_where_it_can_not_be_read_whose_a_record_is_nothing_is_kept() -> None:
    layout = orders(relations=(CUSTOMER,)).refusing({"customer_id": "42501"})
    assert asking.owners_of(layout, {}) is None


def test_the_mappings_owner_comes_first_however_few_it_has() -> None:
    layout = orders(relations=(CUSTOMER,), owner=("shop",))
    assert asking.owners_of(layout, seen(customer_id=80, shop=5)) == (
        Owners(("shop",), 3),
        Owners(("customer_id",), 3),
    )
    assert asking.owners_of(layout, seen(customer_id=80, shop=2)) is None


def test_people_own_themselves() -> None:
    layout = orders(relations=(CLERK,), is_person=True)
    assert asking.owner_columns(layout) == []
    assert asking.owners_of(layout, {}) == ()


@pytest.mark.parametrize(
    ("rows", "share"),
    [(None, 1.0), (5_000_000, 1.0), (5_000_001, 0.01), (7_000_000, 0.007), (1_000_000_000, 5e-5)],
)
def test_a_table_past_the_limit_is_sampled_by_a_round_share(rows: int | None, share: float) -> None:
    assert asking.share_to_read(rows, 5_000_000) == share


@pytest.mark.parametrize(
    ("rows", "different", "many"),
    [(20_000, 5, False), (20_000, 1_000, False), (20_000, 1_001, True), (150, 100, True)],
)
def test_a_sample_rules_out_columns_of_nearly_as_many_values_as_rows(
    rows: int, different: int, many: bool
) -> None:
    assert asking.is_many(Diversity(rows, different)) is many


def test_few_rows_rule_nothing_out() -> None:
    assert not asking.is_many(Diversity(60, 60))


@pytest.mark.parametrize(
    ("guess", "is_ruled_out"),
    [(None, False), (5, False), (-1.0, True), (-0.001, False), (1e6, True)],
)
def test_the_catalogues_guess_rules_out_what_it_is_sure_of(
    guess: float | None, is_ruled_out: bool
) -> None:
    assert asking.is_ruled_out(Column("a", "text", distinct=guess), 2_000_000) is is_ruled_out

"""Tables of PostgreSQL databases: their keys, parts, views, and whose they are."""

import psycopg
import pytest

from tests.facts.probing.learning import FOUR, learned, learned_postgres, run


def test_composite_and_self_referencing_keys_and_tables_without_keys(scratch: str) -> None:
    lesson = learned_postgres(
        scratch,
        """
        CREATE TABLE lines (order_no int, line int, parent int, PRIMARY KEY (order_no, line));
        CREATE TABLE picks (order_no int, line int, boss int,
            CONSTRAINT picked_for FOREIGN KEY (order_no, line) REFERENCES lines);
        ALTER TABLE picks ADD id int UNIQUE;
        ALTER TABLE picks ADD FOREIGN KEY (boss) REFERENCES picks (id);
        INSERT INTO lines VALUES (1, 1), (1, 2);
        INSERT INTO picks VALUES (1, 1, NULL, 1), (1, NULL, 1, 2), (NULL, NULL, 2, 3),
            (1, 2, NULL, 4);
        CREATE TABLE loose (a text); INSERT INTO loose VALUES ('x');
        """,
    )
    assert lesson.value("hop", "Pick", "PICKED_FOR", "Line") == {
        "reached": 2,
        "count": 4,
        "coverage": 0.5,
    }
    assert lesson.value("hop", "Pick", "BOSS", "Pick")["reached"] == 2
    assert lesson.value("properties", "Line")["key"] == ["order_no", "line"]
    assert lesson.value("properties", "Loose")["key"] == []


def test_inheritance_and_partitions_are_counted_once(scratch: str) -> None:
    lesson = learned_postgres(
        scratch,
        """
        CREATE TABLE days (day date) PARTITION BY RANGE (day);
        CREATE TABLE days_24 PARTITION OF days FOR VALUES FROM ('2024-01-01') TO ('2025-01-01')
            PARTITION BY RANGE (day);
        CREATE TABLE days_241 PARTITION OF days_24 FOR VALUES FROM ('2024-01-01') TO ('2024-07-01');
        CREATE TABLE days_242 PARTITION OF days_24 FOR VALUES FROM ('2024-07-01') TO ('2025-01-01');
        INSERT INTO days VALUES ('2024-02-01'), ('2024-03-01'), ('2024-09-01');
        CREATE TABLE parents (a int); CREATE TABLE children (b int) INHERITS (parents);
        INSERT INTO parents VALUES (1); INSERT INTO children VALUES (2, 2), (3, 3);
        """,
    )
    assert lesson.counts() == {"Day": 3, "Parent": 3}


def test_a_foreign_key_says_nothing_of_inheritance_children(scratch: str) -> None:
    lesson = learned_postgres(
        scratch,
        """
        CREATE TABLE shops (id int PRIMARY KEY); INSERT INTO shops VALUES (1);
        CREATE TABLE sales (shop_id int REFERENCES shops); INSERT INTO sales VALUES (1);
        CREATE TABLE old_sales () INHERITS (sales); INSERT INTO old_sales VALUES (7), (8);
        """,
    )
    assert lesson.value("hop", "Sale", "SHOP", "Shop") == {
        "reached": 1,
        "count": 3,
        "coverage": 0.3333,
    }


@pytest.mark.parametrize(
    "orphan",
    [
        "ALTER TABLE sales ADD FOREIGN KEY (shop_id) REFERENCES shops NOT VALID",
        "ALTER TABLE sales ADD FOREIGN KEY (shop_id) REFERENCES shops NOT ENFORCED",
    ],
)
def test_a_foreign_key_that_was_never_checked_is_followed(scratch: str, orphan: str) -> None:
    lesson = learned_postgres(
        scratch,
        f"""
        CREATE TABLE shops (id int PRIMARY KEY); INSERT INTO shops VALUES (1);
        CREATE TABLE sales (shop_id int); INSERT INTO sales VALUES (1), (7), (NULL), (1);
        {orphan};
        """,
    )
    assert lesson.value("hop", "Sale", "SHOP", "Shop")["reached"] == 2


def test_a_foreign_key_whose_triggers_are_off_is_followed(scratch: str) -> None:
    lesson = learned_postgres(
        scratch,
        """
        CREATE TABLE shops (id int PRIMARY KEY); INSERT INTO shops VALUES (1);
        CREATE TABLE sales (shop_id int REFERENCES shops);
        ALTER TABLE sales DISABLE TRIGGER ALL; INSERT INTO sales VALUES (1), (7);
        """,
    )
    assert lesson.value("hop", "Sale", "SHOP", "Shop")["reached"] == 1


def test_views_are_no_labels_unless_the_mapping_says_so(scratch: str) -> None:
    script = f"""
        CREATE TABLE orders (id int PRIMARY KEY, status text);
        INSERT INTO orders SELECT n, 'open' FROM {FOUR} AS n;
        CREATE VIEW statuses AS SELECT status, count(*) FROM orders GROUP BY 1;
        CREATE MATERIALIZED VIEW totals AS SELECT count(*) AS n FROM orders;
        """
    mapping = {"tables": {"statuses": {}, "totals": {"label": "Total"}}}
    assert learned_postgres(scratch, script).counts() == {"Order": 4}
    assert learned_postgres(scratch, "", mapping=mapping).counts() == {
        "Order": 4,
        "Status": 1,
        "Total": 1,
    }


def test_a_view_that_fails_on_read_is_told_and_the_rest_is_learned(scratch: str) -> None:
    lesson = learned_postgres(
        scratch,
        f"""
        CREATE TABLE orders (id int PRIMARY KEY, status text);
        INSERT INTO orders SELECT n, 'secret' || n FROM {FOUR} AS n;
        CREATE VIEW broken AS SELECT status::int AS number FROM orders WHERE status::int > 0;
        CREATE VIEW halved AS SELECT id, status, 1 / (id - id) AS half FROM orders;
        """,
        mapping={"tables": {"broken": {}, "halved": {}}},
    )
    assert lesson.values["data:label:Broken"] is None
    assert lesson.failures == {
        "data:label:Broken": "22P02",
        "data:fill:Broken|number": "22P02",
        "data:vocabulary:Broken|number": "22P02",
        "data:fill:Halved|half": "22012",
        "data:vocabulary:Halved|half": "22012",
    }
    assert lesson.counts() == {"Order": 4, "Halved": 4}
    assert lesson.value("fill", "Halved", "status")["filled"] == 4
    assert lesson.words("Halved|status") == []
    assert "secret1" not in lesson.everything


def test_an_extensions_tables_are_not_the_accounts(scratch: str) -> None:
    run(scratch, "CREATE TABLE mine (a int); CREATE TABLE theirs (a int)")
    with psycopg.connect(scratch, autocommit=True) as database:
        # What CREATE EXTENSION would note of a table it makes.
        database.execute(
            "SET allow_system_table_mods = on;"
            "INSERT INTO pg_depend SELECT 'pg_class'::regclass, 'theirs'::regclass, 0,"
            " 'pg_extension'::regclass, oid, 0, 'e' FROM pg_extension WHERE extname = 'plpgsql'"
        )
    lesson = learned(scratch)
    run(scratch, "DELETE FROM pg_depend WHERE objid = 'theirs'::regclass AND deptype = 'e'")
    assert lesson.counts() == {"Mine": 0}

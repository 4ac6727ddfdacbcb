"""What the statements do on PostgreSQL, and what they never do."""

import re
from typing import Any

import psycopg
import pytest
import sqlalchemy as sa
from sqlalchemy.dialects import mssql, mysql, oracle, sqlite
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

from facts.probing import vocabularies
from facts.probing.errors import Unreadable
from facts.probing.layout import Column, Layout, Relation
from facts.probing.probe import Probed, probe
from facts.probing.reader import Reader
from facts.probing.reflection import reflect
from facts.probing.statements import Part, diversity, hop, one_pass
from facts.probing.urls import source_url
from tests.facts.probing.layouts import named_alone
from tests.facts.probing.learning import learned_postgres, run, statements

pytestmark = pytest.mark.django_db

LARGE = """
    CREATE TABLE customers (id int PRIMARY KEY, code text);
    INSERT INTO customers SELECT n, 'c' || n FROM generate_series(1, 5000) AS n;
    CREATE TABLE clerks_of_staff (id int PRIMARY KEY);
    CREATE TABLE orders (id int PRIMARY KEY, customer_id int REFERENCES customers, status text,
        reference text, zone text, gift boolean);
    INSERT INTO orders SELECT n, 1 + n % 5000, (ARRAY['new', 'paid', 'sent'])[1 + n % 3],
        md5(n::text), CASE WHEN n <= 9 THEN 'one of few' WHEN n % 1000 = 7 THEN 'one of many' END,
        n % 2 = 0
    FROM generate_series(1, 60000) AS n;
    UPDATE orders SET customer_id = 1 + id % 2 WHERE id <= 9;
    ANALYZE;
    """


def layouts_of(url: str) -> dict[str, Layout]:
    with Reader(source_url(url)) as reader:
        found = reflect(reader).layouts
    return {
        one.name: named_alone(one, *(other for other in found if other != one)) for one in found
    }


def probed(url: str, name: str, *, row_limit: int = 1_000_000) -> tuple[Probed, Reader]:
    layout = layouts_of(url)[name]
    with Reader(source_url(url)) as reader:
        return probe(reader, layout, row_limit=row_limit), reader


def values(found: Probed) -> dict:
    return {str(ref): one.value for ref, one in found.found.items()}


def test_a_large_table_is_screened_and_its_owners_are_counted_in_buckets(scratch: str) -> None:
    run(scratch, LARGE)
    found, reader = probed(scratch, "orders")
    said = values(found)
    assert said["data:label:Order"] == {"count": 60_000}
    assert said["data:vocabulary:Order|reference"]["withheld"] == "many"
    status = said["data:vocabulary:Order|status"]["values"]
    assert [(entry["value"], entry["records"]) for entry in status] == [
        ("new", 20_000),
        ("paid", 20_000),
        ("sent", 20_000),
    ]
    assert all(entry["owners"] == 62 for entry in status)
    zone = said["data:vocabulary:Order|zone"]
    assert [entry["value"] for entry in zone["values"]] == ["one of many"]
    assert zone["dropped"] == {"owners": 1}
    assert reader.statements == 3


def test_a_table_past_the_limit_is_sampled_and_shared_by_three_is_counted_in_rows(
    scratch: str,
) -> None:
    run(scratch, LARGE)
    found, _ = probed(scratch, "orders", row_limit=50_000)
    said = values(found)
    assert said["data:label:Order"]["sampled"] == 0.8
    assert said["data:label:Order"]["count"] == pytest.approx(60_000, rel=0.05)
    fill = said["data:fill:Order|zone"]
    assert fill["count"] == pytest.approx(48_000, rel=0.05)
    assert said["data:hop:Order|CUSTOMER|Customer"] == {
        "reached": fill["count"],
        "count": fill["count"],
        "coverage": 1.0,
        "sampled": 0.8,
    }
    status = said["data:vocabulary:Order|status"]
    assert sum(entry["records"] for entry in status["values"]) == fill["count"]
    assert [entry["owners"] for entry in status["values"]] == [62, 62, 62]  # in buckets
    assert said["data:vocabulary:Order|reference"]["withheld"] == "many"


def test_the_same_sample_is_read_again(scratch: str) -> None:
    run(scratch, LARGE)
    first, _ = probed(scratch, "orders", row_limit=50_000)
    second, _ = probed(scratch, "orders", row_limit=50_000)
    assert values(first) == values(second)


def test_an_estimate_of_a_table_that_was_emptied_is_not_believed(scratch: str) -> None:
    run(scratch, LARGE + "CREATE TABLE kept AS TABLE orders; ANALYZE kept; DELETE FROM kept")
    found, _ = probed(scratch, "kept", row_limit=50_000)
    assert values(found)["data:label:Kept"] == {"count": 0}


def test_a_table_that_was_never_analysed_is_guessed_by_its_size(scratch: str) -> None:
    run(scratch, "CREATE TABLE fresh AS SELECT n, repeat('x', 80) FROM generate_series(1, 20000) n")
    rows = layouts_of(scratch)["fresh"].rows
    assert rows is not None
    assert 10_000 < rows < 40_000


def test_a_probe_sends_at_most_two_statements_and_one_a_column_and_a_hop(scratch: str) -> None:
    run(scratch, LARGE)
    run(
        scratch,
        """
        CREATE TABLE loose (code int PRIMARY KEY); INSERT INTO loose SELECT generate_series(0, 3);
        ALTER TABLE orders ADD c1 int, ADD c2 int; UPDATE orders SET c1 = id % 5, c2 = id % 5;
        ALTER TABLE orders ADD FOREIGN KEY (c1) REFERENCES loose NOT VALID;
        """,
    )
    layout = layouts_of(scratch)["orders"]
    with statements() as sent, Reader(source_url(scratch)) as reader:
        sent.clear()  # what SQLAlchemy asks on connecting
        found = probe(reader, layout, row_limit=1_000_000)
        count = len(sent)
    assert count == reader.statements == 4
    assert count <= 2 + len(layout.columns) + len(layout.relations)
    assert values(found)["data:hop:Order|C1|Loose"]["coverage"] == 0.8


def plan_of(url: str, statement: sa.Executable) -> list[str]:
    compiled = statement.compile(  # type: ignore[attr-defined]
        dialect=PGDialect_psycopg(), compile_kwargs={"literal_binds": True}
    )
    with psycopg.connect(url) as database:
        database.execute("SET max_parallel_workers_per_gather = 0")
        rows = database.execute(f"EXPLAIN (COSTS OFF) {compiled}").fetchall()
    return [row[0] for row in rows]


def test_counts_and_fills_are_one_scan_and_vocabularies_another(scratch: str) -> None:
    """What the benchmark shows in seconds: nothing is read a second time for a second column."""
    run(scratch, LARGE)
    layout = layouts_of(scratch)["orders"]
    words = [column for column in layout.columns if column.name in ("status", "zone", "gift")]
    owners = [vocabularies.Owners(("customer_id",))]
    for statement in (
        one_pass(layout, Part(), layout.columns, [("customer_id",)], backend="postgresql"),
        vocabularies.words(layout, Part(), words, owners, exact=False, backend="postgresql"),
    ):
        plan = plan_of(scratch, statement)
        (scan,) = (line for line in plan if "Scan" in line and "Subquery" not in line)
        assert "Seq Scan on orders" in scan
        above_the_scan = plan[plan.index(scan) - 1]
        assert "Sort" not in above_the_scan


def test_a_hop_is_a_join_and_not_a_query_a_row(scratch: str) -> None:
    run(scratch, LARGE)
    layout = layouts_of(scratch)["orders"]
    plan = plan_of(scratch, hop(layout, Part(), layout.relations[0]))
    assert any("Hash" in line and "Join" in line for line in plan)
    assert not any("SubPlan" in line for line in plan)


@pytest.mark.parametrize("dialect", [mysql, mssql, oracle, sqlite])
def test_other_databases_are_sent_nothing_of_postgresqls(dialect: Any) -> None:
    relation = Relation(("a", "b"), "s", "others", ("c", "d"))
    layout = Layout("s", "things", (Column("a", "text"), Column("b", "integer")), key=("b",))
    backend = dialect.dialect().name
    for statement in (
        one_pass(layout, Part(), layout.columns, [("a", "b")], backend=backend),
        hop(layout, Part(0.1), relation),
        diversity(layout, Part(0.1), [("a",), ("a", "b")]),
        vocabularies.words(
            layout,
            Part(0.1),
            layout.columns[:1],
            [vocabularies.Owners(("b",))],
            exact=True,
            backend=backend,
        ),
    ):
        spelled = str(statement.compile(dialect=dialect.dialect()))
        for word in ("~>=~", "TABLESAMPLE", "GROUPING", "bit_or", "hashint8", "::", "btrim"):
            assert word not in spelled


def test_what_takes_longer_than_a_check_may_times_out(scratch: str) -> None:
    run(scratch, "CREATE TABLE a (b int)")
    layout = layouts_of(scratch)["a"]
    with Reader(source_url(scratch)) as reader:
        reader.allow(0)
        assert probe(reader, layout, row_limit=10).failure == "timeout"
        reader.allow(9)
        assert probe(reader, layout, row_limit=10).failure == ""


def test_an_empty_table_costs_one_statement(scratch: str) -> None:
    run(scratch, "CREATE TABLE a (id int PRIMARY KEY, b int REFERENCES a, c text)")
    found, reader = probed(scratch, "a")
    assert reader.statements == 1
    assert values(found)["data:hop:A|B|A"] == {"reached": 0, "count": 0, "coverage": None}


def test_no_statement_reads_what_it_does_not_need(scratch: str) -> None:
    with statements() as sent:
        learned_postgres(scratch, LARGE)
    ours = [statement for statement in sent if "orders" in statement or "customers" in statement]
    assert ours
    for statement in ours:
        assert statement.lstrip().upper().startswith("SELECT")
        assert not re.search(r"SELECT\s+(\w+\.)?\*", statement)


def test_a_transaction_is_read_only_and_bounded(scratch: str) -> None:
    names = [
        *("transaction_read_only", "statement_timeout", "lock_timeout", "application_name"),
        *("max_parallel_workers_per_gather", "idle_in_transaction_session_timeout"),
    ]
    with Reader(source_url(scratch)) as reader:
        ask = sa.select(*(sa.func.current_setting(name).label(name) for name in names))
        assert dict(reader.rows(ask)[0]._mapping) == {
            "transaction_read_only": "on",
            "statement_timeout": "30s",
            "lock_timeout": "200ms",
            "application_name": "ken",
            "max_parallel_workers_per_gather": "0",
            "idle_in_transaction_session_timeout": "1min",
        }
        with pytest.raises(Unreadable) as refusal:
            reader.rows(sa.text("CREATE TABLE a (b int)"))
        assert refusal.value.code == "25006"
        assert reader.rows(sa.text("SELECT 1"))[0][0] == 1


def test_a_locked_table_is_not_waited_for(scratch: str) -> None:
    run(scratch, "CREATE TABLE a (b int)")
    layout = layouts_of(scratch)["a"]
    with psycopg.connect(scratch) as other, Reader(source_url(scratch)) as reader:
        other.execute("LOCK TABLE a IN ACCESS EXCLUSIVE MODE")
        assert probe(reader, layout, row_limit=10).failure == "55P03"
        other.rollback()
        assert probe(reader, layout, row_limit=10).failure == ""


def test_a_table_that_takes_too_long_fails_by_itself(scratch: str) -> None:
    run(
        scratch,
        "CREATE FUNCTION slow() RETURNS int LANGUAGE sql VOLATILE AS 'SELECT 1 FROM pg_sleep(9)';"
        "CREATE VIEW waits AS SELECT slow() AS a; CREATE TABLE quick (a int)",
    )
    found = layouts_of(scratch)
    with Reader(source_url(scratch), statement_seconds=0.1) as reader:
        assert probe(reader, found["waits"], row_limit=10).failure == "57014"
        assert probe(reader, found["quick"], row_limit=10).failure == ""
        assert reader.statements == 2

"""PostgreSQL databases as they are found: names, types, keys, parts, rights."""

from contextlib import suppress

import psycopg
import pytest

from facts.models import Fact
from tests.facts.probing.conftest import Lesson
from tests.facts.probing.databases import latin1_postgres, url_of
from tests.facts.probing.learning import learned, learned_postgres, run

FOUR = "generate_series(1, 4)"


def counts(lesson: Lesson) -> dict[str, int]:
    return {
        ref.removeprefix("data:label:"): value["count"]
        for ref, value in lesson.values.items()
        if ref.startswith("data:label:") and value is not None
    }


def words(lesson: Lesson, key: str) -> list:
    value = lesson.values[f"data:vocabulary:{key}"]
    return [entry["value"] for entry in value["values"]]


def test_names_of_every_kind_are_read(scratch: str) -> None:
    lesson = learned_postgres(
        scratch,
        f'''
        CREATE TABLE "заказы" ("статус" text); INSERT INTO "заказы" SELECT 'новый' FROM {FOUR};
        CREATE TABLE "say ""hi""" ("its/is" text);
        INSERT INTO "say ""hi""" SELECT 'yes' FROM {FOUR};
        CREATE TABLE "50% off/all.of it" ("a%(b)s %%" text, "x:y" int, "{{0}}" int);
        INSERT INTO "50% off/all.of it" SELECT 'half', 7, 8 FROM {FOUR};
        CREATE TABLE "select" ("from" text, "Where" text);
        INSERT INTO "select" SELECT 'here', 'there' FROM {FOUR};
        CREATE TABLE "back\\slash" ("new\nline" text);
        ''',
    )
    assert counts(lesson) == {
        "Заказы": 4,
        "SayHi": 4,
        "50OffAllOfIt": 4,
        "Select": 4,
        "BackSlash": 0,
    }
    assert words(lesson, "Заказы|статус") == ["новый"]
    assert words(lesson, "SayHi|itsIs") == ["yes"]
    assert words(lesson, "50OffAllOfIt|aBS") == ["half"]
    assert words(lesson, "50OffAllOfIt|xY") == [7]
    assert words(lesson, "Select|from") == ["here"]
    assert words(lesson, "Select|where") == ["there"]


def test_tables_may_be_called_as_our_statements_call_things(scratch: str) -> None:
    lesson = learned_postgres(
        scratch,
        """
        CREATE TABLE source (id int PRIMARY KEY, which text); INSERT INTO source VALUES (1);
        CREATE TABLE target
            (id int PRIMARY KEY, source_id int, value0 int, records int, owners int);
        INSERT INTO target SELECT n, n, 7, 8, 9 FROM generate_series(1, 4) AS n;
        ALTER TABLE target ADD FOREIGN KEY (source_id) REFERENCES source NOT VALID;
        CREATE TABLE nothing (); INSERT INTO nothing DEFAULT VALUES;
        """,
        mapping={
            "hops": [{"from": "source", "columns": "id", "to": "target", "key": "id", "verb": "TO"}]
        },
    )
    assert lesson.failures == {}
    assert lesson.value("hop", "Target", "SOURCE", "Source")["reached"] == 1
    assert lesson.value("hop", "Source", "TO", "Target")["reached"] == 1
    assert words(lesson, "Target|value0") == [7]
    assert words(lesson, "Target|owners") == [9]
    assert counts(lesson) == {"Source": 1, "Target": 4, "Nothing": 1}


def test_two_schemas_with_one_table_name_are_two_labels(scratch: str) -> None:
    lesson = learned_postgres(
        scratch,
        f"""
        CREATE TABLE orders (id int PRIMARY KEY); INSERT INTO orders SELECT * FROM {FOUR};
        CREATE SCHEMA archive; CREATE TABLE archive.orders (id int PRIMARY KEY, now_id int
            REFERENCES public.orders);
        INSERT INTO archive.orders VALUES (1, 1), (2, NULL);
        """,
    )
    assert counts(lesson) == {"Order": 4, "ArchiveOrder": 2}
    assert lesson.value("hop", "ArchiveOrder", "NOW", "Order")["coverage"] == 0.5


def test_the_types_there_are(scratch: str) -> None:
    lesson = learned_postgres(
        scratch,
        """
        CREATE TYPE mood AS ENUM ('sad', 'happy'); CREATE DOMAIN size AS text CHECK (value <> '');
        CREATE TYPE pair AS (a int, b int);
        CREATE TABLE things (a text, b varchar(9), c char(3), d name, e mood, f size, g boolean,
            h smallint, i int, j bigint, k numeric(9, 2), l real, m double precision, n date,
            o time, p timetz, q timestamp, r timestamptz, s uuid, t json, u jsonb, v bytea,
            w text[], x int[], y mood[], z interval, aa inet, ab pair, ac point, ad tsvector,
            ae int4range, af money, ag bit(3), ah pg_lsn, ai oid, aj "char");
        INSERT INTO things SELECT 'a', 'b', 'c', 'd', 'sad', 'xl', true, 1, 2, 3, 4.50, 5.5, 6.5,
            '2024-05-01', '09:30', '09:30+01', '2024-05-01 10:00', '2024-05-01 10:00+02',
            '6ba7b810-9dad-11d1-80b4-00c04fd430c8', '{}', '{}', 'x', '{k,l}', '{1,2}', '{sad}',
            '1 day', '10.0.0.1', '(1,2)', '(1,2)', 'a', '[1,2)', 9.99, '101', '0/1', 1, 'q'
        FROM generate_series(1, 3);
        """,
    )
    (layout,) = lesson.layouts.values()
    assert {column.name: column.type for column in layout.columns} == {
        **dict.fromkeys("abcdf", "text"),
        "aj": "text",
        "e": "enum",
        "g": "boolean",
        **dict.fromkeys(["h", "i", "j", "ai"], "integer"),
        **dict.fromkeys("klm", "number"),
        "n": "date",
        **dict.fromkeys("op", "time"),
        **dict.fromkeys("qr", "timestamp"),
        "s": "uuid",
        **dict.fromkeys("tu", "json"),
        "v": "binary",
        **dict.fromkeys("wxy", "array"),
        **dict.fromkeys(["z", "aa", "ab", "ac", "ad", "ae", "af", "ag", "ah"], "other"),
    }
    assert lesson.failures == {}
    kept = {
        column.name: words(lesson, f"Thing|{column.property}")
        for column in layout.columns
        if words(lesson, f"Thing|{column.property}")
    }
    assert kept == {
        "a": ["a"],
        "b": ["b"],
        "c": ["c  "],
        "d": ["d"],
        "e": ["sad"],
        "f": ["xl"],
        "g": [True],
        "h": [1],
        "i": [2],
        "j": [3],
        "k": [4.5],
        "l": [5.5],
        "m": [6.5],
        "n": ["2024-05-01"],
        "o": ["09:30:00"],
        "p": ["09:30:00+01"],
        "q": ["2024-05-01 10:00:00"],
        "r": ["2024-05-01 08:00:00+00"],
        "w": [["k", "l"]],
        "x": [[1, 2]],
        "ai": [1],
        "aj": ["q"],
    }
    assert all(
        lesson.value("fill", "Thing", column.property)["filled"] == 3 for column in layout.columns
    )


def test_blank_is_not_filled_whatever_it_is_blank_with(scratch: str) -> None:
    lesson = learned_postgres(
        scratch,
        r"""
        CREATE TABLE notes (a text, b varchar(20), c char(4));
        INSERT INTO notes VALUES ('x', ' x', 'x'), ('', '', ''), (E' \t\n', E'\r ', ' '),
            (NULL, NULL, NULL), ('ж', '漢', ' ж'), (' 漢', E'\tz', '.');
        """,
    )
    for column in "abc":
        assert lesson.value("fill", "Note", column) == {"filled": 3, "count": 6, "fill": 0.5}


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
    assert counts(lesson) == {"Day": 3, "Parent": 3}


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
    assert counts(learned_postgres(scratch, script)) == {"Order": 4}
    assert counts(learned_postgres(scratch, "", mapping=mapping)) == {
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
    assert counts(lesson) == {"Order": 4, "Halved": 4}
    assert lesson.value("fill", "Halved", "status")["filled"] == 4
    assert words(lesson, "Halved|status") == []
    assert "secret1" not in lesson.everything


def test_500_columns_are_one_pass(scratch: str) -> None:
    columns = ", ".join(f"c{number} text" for number in range(500))
    values = ", ".join("'x'" if number % 2 else "NULL" for number in range(500))
    lesson = learned_postgres(
        scratch,
        f"CREATE TABLE wide ({columns}); INSERT INTO wide SELECT {values} FROM {FOUR}",
    )
    fills = [lesson.value("fill", "Wide", f"c{number}")["fill"] for number in range(500)]
    assert fills == [float(number % 2) for number in range(500)]
    assert words(lesson, "Wide|c499") == ["x"]
    assert words(lesson, "Wide|c498") == []


@pytest.fixture
def reader(scratch: str) -> str:
    """A role that owns nothing and may do nothing; its URL."""
    with psycopg.connect(scratch, autocommit=True) as database:
        name = database.info.dbname
        # The role is the server's, and other tests may be making it this moment.
        with suppress(psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation):
            database.execute("CREATE ROLE ken_reader LOGIN PASSWORD 'ken'")
    return url_of(name, user="ken_reader")


def test_row_level_security_is_said_and_counts_are_as_the_role_sees_them(
    scratch: str, reader: str
) -> None:
    run(
        scratch,
        f"""
        CREATE TABLE shops (id int PRIMARY KEY); INSERT INTO shops SELECT * FROM {FOUR};
        CREATE TABLE sales (shop_id int REFERENCES shops, status text);
        INSERT INTO sales SELECT n, 'open' FROM {FOUR} AS n;
        ALTER TABLE shops ENABLE ROW LEVEL SECURITY;
        CREATE POLICY few ON shops FOR SELECT USING (id <= 2);
        GRANT USAGE ON SCHEMA public TO ken_reader; GRANT SELECT ON shops, sales TO ken_reader;
        """,
    )
    lesson = learned(reader)
    assert counts(lesson) == {"Shop": 2, "Sale": 4}
    assert lesson.value("properties", "Shop")["row_security"] is True
    assert "row_security" not in lesson.value("properties", "Sale")
    assert lesson.value("hop", "Sale", "SHOP", "Shop")["reached"] == 2


def test_a_refused_column_is_not_a_refused_table(scratch: str, reader: str) -> None:
    run(
        scratch,
        f"""
        CREATE TABLE staff (id int PRIMARY KEY, team text, salary int, boss int
            REFERENCES staff);
        INSERT INTO staff SELECT n, 'north', 10000 + n FROM {FOUR} AS n;
        CREATE TABLE payroll (id int); CREATE SCHEMA hidden; CREATE TABLE hidden.notes (a int);
        GRANT USAGE ON SCHEMA public TO ken_reader;
        GRANT SELECT (id, team) ON staff TO ken_reader;
        """,
    )
    lesson = learned(reader)
    assert counts(lesson) == {"Staff": 4}
    assert words(lesson, "Staff|team") == ["north"]
    assert lesson.failures == {
        "data:fill:Staff|salary": "42501",
        "data:vocabulary:Staff|salary": "42501",
        "data:fill:Staff|boss": "42501",
        "data:vocabulary:Staff|boss": "42501",
        "data:hop:Staff|BOSS|Staff": "42501",
        "data:label:Payroll": "42501",
        "data:fill:Payroll|id": "42501",
        "data:vocabulary:Payroll|id": "42501",
    }
    assert not Fact.objects.filter(key__contains="Note").exists()


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
    assert counts(lesson) == {"Mine": 0}


def test_a_database_in_another_encoding_is_read(db: None) -> None:
    lesson = learned_postgres(
        latin1_postgres(),
        "DROP TABLE IF EXISTS cafés; CREATE TABLE cafés (größe text);"
        "INSERT INTO cafés SELECT 'mäßig' FROM generate_series(1, 3)",
    )
    assert words(lesson, "Cafés|größe") == ["mäßig"]


def test_nothing_of_the_statistics_is_kept_but_shares(scratch: str) -> None:
    lesson = learned_postgres(
        scratch,
        f"""
        CREATE TABLE users (id int, word text);
        INSERT INTO users SELECT n, 'hash-of-two' FROM {FOUR} AS n WHERE n < 3;
        INSERT INTO users SELECT n, 'hash-' || n FROM generate_series(3, 400) AS n; ANALYZE;
        """,
    )
    column = lesson.layouts["users"].column("word")
    assert column is not None
    assert column.distinct is not None
    assert "hash-of-two" not in lesson.everything

"""Names as PostgreSQL databases have them: scripts, quotes, our own words, schemas, encodings."""

from tests.facts.probing.databases import latin1_postgres
from tests.facts.probing.learning import FOUR, learned_postgres


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
    assert lesson.counts() == {
        "Заказы": 4,
        "SayHi": 4,
        "50OffAllOfIt": 4,
        "Select": 4,
        "BackSlash": 0,
    }
    assert lesson.words("Заказы|статус") == ["новый"]
    assert lesson.words("SayHi|itsIs") == ["yes"]
    assert lesson.words("50OffAllOfIt|aBS") == ["half"]
    assert lesson.words("50OffAllOfIt|xY") == [7]
    assert lesson.words("Select|from") == ["here"]
    assert lesson.words("Select|where") == ["there"]


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
    assert lesson.words("Target|value0") == [7]
    assert lesson.words("Target|owners") == [9]
    assert lesson.counts() == {"Source": 1, "Target": 4, "Nothing": 1}


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
    assert lesson.counts() == {"Order": 4, "ArchiveOrder": 2}
    assert lesson.value("hop", "ArchiveOrder", "NOW", "Order")["coverage"] == 0.5


def test_a_database_in_another_encoding_is_read(db: None) -> None:
    lesson = learned_postgres(
        latin1_postgres(),
        "DROP TABLE IF EXISTS cafés; CREATE TABLE cafés (größe text);"
        "INSERT INTO cafés SELECT 'mäßig' FROM generate_series(1, 3)",
    )
    assert lesson.words("Cafés|größe") == ["mäßig"]

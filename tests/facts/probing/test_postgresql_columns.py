"""Columns of PostgreSQL databases: their types, how many, what is blank, what hints they give."""

from tests.facts.probing.learning import FOUR, learned_postgres


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
        column.name: lesson.words(f"Thing|{column.property}")
        for column in layout.columns
        if lesson.words(f"Thing|{column.property}")
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


def test_500_columns_are_one_pass(scratch: str) -> None:
    columns = ", ".join(f"c{number} text" for number in range(500))
    values = ", ".join("'x'" if number % 2 else "NULL" for number in range(500))
    lesson = learned_postgres(
        scratch,
        f"CREATE TABLE wide ({columns}); INSERT INTO wide SELECT {values} FROM {FOUR}",
    )
    fills = [lesson.value("fill", "Wide", f"c{number}")["fill"] for number in range(500)]
    assert fills == [float(number % 2) for number in range(500)]
    assert lesson.words("Wide|c499") == ["x"]
    assert lesson.words("Wide|c498") == []


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

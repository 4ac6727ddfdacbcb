from datetime import UTC, date, datetime, timedelta
from enum import StrEnum

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from facts.arrays import array

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
TYPES = {
    "text": st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])),
    "bigint": st.integers(-(2**63), 2**63 - 1),
    "float8": st.floats(allow_nan=False, allow_infinity=False),
    "boolean": st.booleans(),
    "timestamptz": st.integers(0, 2**52).map(
        lambda microseconds: EPOCH + timedelta(microseconds=microseconds)
    ),
    "date": st.dates(),
}


@pytest.mark.django_db
@pytest.mark.parametrize("kind", TYPES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(data=st.data())
def test_what_is_written_is_what_the_database_reads(kind, data):
    values = data.draw(st.lists(st.none() | TYPES[kind], max_size=20))

    with connection.cursor() as cursor:
        cursor.execute(f"SELECT %s::{kind}[]", [array(values)])
        [(read,)] = cursor.fetchall()

    assert read == values


def test_a_member_of_an_enumeration_is_written_as_what_it_is():
    class Outcome(StrEnum):
        CONFIRMED = "confirmed"

    assert array([Outcome.CONFIRMED, True, None, 1]) == '{"confirmed",t,NULL,1}'
    assert array([date(2026, 3, 2)]) == "{2026-03-02}"


def test_what_has_no_place_in_an_array_is_refused():
    with pytest.raises(TypeError, match="a bytes has no place"):
        array([b"x"])

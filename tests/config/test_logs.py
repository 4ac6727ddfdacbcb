import json
import logging

import pytest
from django.db import IntegrityError, transaction

from config.logs import JsonFormatter
from facts.models import Account


def line_of(record):
    text = JsonFormatter().format(record)
    assert "\n" not in text
    return json.loads(text)


def record(name, message, **more):
    return logging.makeLogRecord(
        {
            "name": name,
            "msg": message,
            "levelno": 30,
            "levelname": "WARNING",
            "created": 0.5,
            **more,
        }
    )


def test_a_line_says_when_who_and_what():
    assert line_of(record("ken", "two\nlines")) == {
        "at": "1970-01-01T00:00:00.500+00:00",
        "level": "warning",
        "logger": "ken",
        "message": "two\nlines",
    }


@pytest.mark.django_db
def test_an_exception_is_told_by_its_class_and_place_and_not_by_the_row_it_quotes():
    Account.objects.create(external_id="jane.doe@example.com")
    with pytest.raises(IntegrityError, match="jane") as raised, transaction.atomic():
        Account(external_id="jane.doe@example.com").save(force_insert=True)
    told = line_of(record("ken", "it failed", exc_info=(raised.type, raised.value, raised.tb)))

    assert "jane.doe" not in json.dumps(told)
    assert told["exception"] == "IntegrityError"


def test_what_a_task_returned_or_raised_is_not_told():
    told = line_of(record("django-q", "Failed 'facts.tasks.tick' (ten-four) - jane : Traceback"))

    assert told["message"] == "Failed 'facts.tasks.tick' (ten-four)"

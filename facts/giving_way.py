"""Giving way: what the database rolled back so that another transaction could go on.

Facts are locked before targets and checks, each in the order of their keys. But a transaction that
observes also asks again for what rests on its facts, so two can wait for each other all the same,
and PostgreSQL ends one. Nothing of it was written, so it is done once more, by whoever opened the
transaction: inside of it nothing can be repeated.
"""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from django.db import OperationalError, connection

_CODES = ("40001", "40P01")  # serialisation failure, deadlock

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def gave_way(fault: BaseException) -> bool:
    """Whether the database chose this transaction to give way, and nothing else is wrong."""
    return (
        isinstance(fault, OperationalError) and getattr(fault.__cause__, "sqlstate", None) in _CODES
    )


def once_more(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Let ``function``, which is one transaction, start again once where it had to give way.

    Called within somebody else's transaction it raises as before: that one is gone as a whole.
    """

    @wraps(function)
    def repeated(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        if connection.in_atomic_block:
            return function(*args, **kwargs)
        try:
            return function(*args, **kwargs)
        except OperationalError as fault:
            if not gave_way(fault):
                raise
        return function(*args, **kwargs)

    return repeated

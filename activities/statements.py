"""The statements in ``sql/``: one file each, with what it reads and why in its head.

A file may hold parts, ``$name``, which stand in ``sql/name.sql``: the rule how votes become
sessions is written once and used wherever sessions are made.
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from string import Template

from activities import rules

_SQL = Path(__file__).parent / "sql"

MEASURES = {  # parameters of every statement, microseconds
    "gap": rules.GAP // rules.MICROSECOND,
    "minute": rules.MINUTE,
}


@cache
def statement(name: str, **chosen: str) -> str:
    """The text of ``sql/<name>.sql`` with its parts in place.

    ``chosen`` says which file a part is where there is a choice.
    """
    template = Template((_SQL / f"{name}.sql").read_text().strip())
    parts = {part: statement(chosen.get(part, part)) for part in template.get_identifiers()}
    return template.substitute(parts)


def array(numbers: Iterable[int]) -> str:
    """Whole numbers as PostgreSQL spells an array; adapting a list one by one takes far longer."""
    return f"{{{','.join(map(str, numbers))}}}"

"""Breakers by names that mean something else than they seem, and by values that nearly match.

As in breaking: each changes a rendered query in place, and returns False where it does not apply.
"""

import random
import re

from tests.facts.answers.fuzzing.rendering import Query
from tests.facts.answers.fuzzing.world import DOCUMENT, TABLES, TIES


def _names(query: Query) -> list[str]:
    return [found[0] for found in DOCUMENT["labels"][query.spec.base]["columns"].values()]


def _plain_table(query: Query) -> bool:
    return bool(re.fullmatch(r"(\w+|\"\w+\") (AS )?\w+", query.from_))


def _renamed_columns(query: Query, chance: random.Random) -> bool:
    """A subquery that gives one column under another's name."""
    if not _plain_table(query):
        return False
    names = _names(query)
    swapped = {"status": "channel", "channel": "status", "name": "country", "country": "name"}
    swapped |= {"carrier_id": "customer_id", "customer_id": "carrier_id", "tier": "name"}
    given = [f"{one} AS {swapped.get(one, one)}" for one in names]
    if len({one.rpartition(" ")[2] for one in given}) < len(names) or "*" in query.given[0]:
        return False
    query.from_ = f"(SELECT {', '.join(given)} FROM {TABLES[query.spec.base]}) {query.base}"
    return True


def _listed_aliases(query: Query, chance: random.Random) -> bool:
    """An alias that names the columns anew, in another order."""
    if not _plain_table(query) or "*" in query.given[0]:
        return False
    names = _names(query)
    query.from_ = (
        f"{TABLES[query.spec.base]} AS {query.base} ({', '.join([names[0], *names[:0:-1]])})"
    )
    return query.spec.base in ("Carrier", "Region")


def _shadowed_table(query: Query, chance: random.Random) -> bool:
    """A CTE that has the name of a table and fewer rows."""
    label = chance.choice(list(query.aliases))
    if any(one.startswith(f"{TABLES[label]} ") for one in query.ctes):
        return False
    where = chance.choice(("id > 3", "id IS NOT NULL", "id IN (SELECT id FROM carriers)"))
    query.ctes.insert(0, f"{TABLES[label]} AS (SELECT * FROM {TABLES[label]} WHERE {where})")
    return True


def _shadowed_alias(query: Query, chance: random.Random) -> bool:
    """An inner table under the outer one's alias, so that the condition is within itself."""
    for at, one in enumerate(query.where):
        found = re.match(r"EXISTS \(SELECT \S+ FROM (\S+)( AS)? (\w+) WHERE", one)
        if found:
            query.where[at] = re.sub(rf"\b{found[3]}\b", query.base, one)
            return True
    return False


def _inner_name(query: Query, chance: random.Random) -> bool:
    """The outer row's name left out where the inner table has a column of that name."""
    for at, one in enumerate(query.where):
        if one.startswith("EXISTS") and f"{query.base}.id" in one:
            query.where[at] = one.replace(f"{query.base}.id", "id")
            return True
    return False


def _outer_condition(query: Query, chance: random.Random) -> bool:
    """A condition on the left side in the ON of its LEFT JOIN."""
    near = [label for label, tie in TIES[query.spec.base].items() if tie[2]]
    if not query.where or "," in query.from_ or not near or "*" in query.given[0]:
        return False
    own = [one for one in query.where if "EXISTS" not in one and " IN (SELECT" not in one]
    own = [one for one in own if set(re.findall(r"\b(\w+)\.\w", one)) == {query.base}]
    if not own:
        return False
    moved = chance.choice(own)
    query.where.remove(moved)
    mine, theirs, _ = TIES[query.spec.base][near[0]]
    word = chance.choice(("LEFT JOIN", "LEFT JOIN", "RIGHT JOIN", "JOIN"))
    query.joins.append(
        f" {word} {TABLES[near[0]]} odd ON odd.{theirs} = {query.base}.{mine} AND {moved}"
    )
    if chance.random() < 0.5:
        query.where.append(chance.choice(("odd.id IS NULL", "odd.id IS NOT NULL", "odd.id > 1")))
    return True


def _missing_other(query: Query, chance: random.Random) -> bool:
    """A LEFT JOIN asking for NULL of what may be NULL, or on a condition too many."""
    if "," in query.from_ or "*" in query.given[0]:
        return False
    label, (mine, theirs, _) = chance.choice(list(TIES[query.spec.base].items()))
    column = {"Refund": "reason", "Order": "status"}.get(label, "name")
    more = chance.choice(("", f" AND gap.{column} = 'late'", f" AND {query.base}.id > 4"))
    query.joins.append(
        f" LEFT JOIN {TABLES[label]} gap ON gap.{theirs} = {query.base}.{mine}{more}"
    )
    asked = ("{} IS NULL", "({} IS NULL OR gap.id > 2)", "coalesce({}, 'late') = 'late'")
    query.where.append(chance.choice(asked).format(f"gap.{column}"))
    return True


def _not_in_null(query: Query, chance: random.Random) -> bool:
    for at, one in enumerate(query.where):
        found = re.search(r" IN \((?!SELECT)([^()]*)\)", one)
        if found:
            word = chance.choice((" IN", " IN", " NOT IN")) if "NOT IN" not in one else " IN"
            query.where[at] = one.replace(found[0], f"{word} ({found[1]}, NULL)", 1)
            return True
    return False


def _null_let_in(query: Query, chance: random.Random) -> bool:
    """A condition that NULL passes too."""
    for at, one in enumerate(query.where):
        found = re.search(r"\b\w+\.\w+\b", one)
        if found and "SELECT" not in one:
            more = (
                f"({one} OR {found[0]} IS NULL)",
                f"({one}) IS NOT FALSE",
                f"NOT (({one}) IS FALSE)",
            )
            query.where[at] = chance.choice(more)
            if re.search(r" (<>|!=) ", one):
                query.where[at] = re.sub(r" (<>|!=) ", " IS DISTINCT FROM ", one, count=1)
            return True
    return False


def _all_or_any(query: Query, chance: random.Random) -> bool:
    for at, one in enumerate(query.where):
        found = re.search(r"= ANY\(ARRAY", one)
        if found:
            word = chance.choice(("<> ANY(ARRAY", "= ALL(ARRAY", "<> ALL(ARRAY", ">= ANY(ARRAY"))
            query.where[at] = one.replace(found[0], word)
            return True
    return False


def _near_value(query: Query, chance: random.Random) -> bool:
    """A value that is nearly the same: in case, in time, by a rounding cast."""
    swaps = {
        "'late'": "'Late'",
        "'gold'": "'Gold'",
        "'UPS'": "'ups'",
        "'2026-12-31'": "'2026-12-31 23:59:59'",
        "now()": "current_date",
        "days'": "hours'",
        " LIKE ": " ILIKE ",
        "'a%b'": "'a_b'",
        "99.5": "100",
        "100.01": "100.01::integer",
        "49.99": "(49.99)::integer",
    }
    for at, one in enumerate(query.where):
        for old, new in swaps.items():
            if old in one:
                query.where[at] = one.replace(old, new)
                return True
    return False


def _rounding(query: Query, chance: random.Random) -> bool:
    """A column cast to what rounds it, cuts it or shifts it."""
    casts = {
        "total": ("integer", "numeric(10, 0)", "real"),
        "amount": ("integer",),
        "placed_at": ("date", "timestamptz", "timestamp(0)"),
        "priority": ("numeric", "smallint", "text"),
        "status": ("varchar(3)", "char(2)"),
        "name": ("varchar(2)", "char(3)"),
    }
    for at, one in enumerate(query.where):
        for name, types in casts.items():
            found = re.search(rf"\b\w+\.{name}\b", one)
            if found and "ARRAY" not in one:
                query.where[at] = one.replace(found[0], f"{found[0]}::{chance.choice(types)}")
                return True
    return False


def _compared_to_itself(query: Query, chance: random.Random) -> bool:
    name = chance.choice(_names(query))
    other = chance.choice(_names(query))
    one = f"{query.base}.{name}"
    query.where.append(
        chance.choice(
            (
                f"{one} = {one}",
                f"({one} IS NULL OR {one} IS NOT NULL)",
                f"({one} = {one}) IS UNKNOWN",
                f"{one} IS NOT DISTINCT FROM {query.base}.{name}",
                f"({one}::text = {query.base}.{other}::text) IS NOT TRUE",
                f"({one}, {query.base}.{other}) IN (({one}, {query.base}.{other}))",
            )
        )
    )
    return True


def _same_hop_twice(query: Query, chance: random.Random) -> bool:
    """One more record across the same hop, with a condition of its own."""
    label, (mine, theirs, _) = chance.choice(list(TIES[query.spec.base].items()))
    column = {"Refund": "reason", "Order": "status"}.get(label, "name")
    value = chance.choice(("late", "UPS", "damaged"))
    query.where.append(
        f"EXISTS (SELECT 1 FROM {TABLES[label]} more WHERE more.{theirs} = {query.base}.{mine} "
        f"AND more.{column} {chance.choice(('=', '<>'))} '{value}')"
    )
    return True


def _window(query: Query, chance: random.Random) -> bool:
    if query.tail or query.distinct or "*" in query.given[0]:
        return False
    query.given.append(chance.choice(("row_number() OVER () AS n", "count(*) OVER () AS n")))
    if chance.random() < 0.5:
        query.given[-1] = "unnest(ARRAY[1, 2]) AS n"
    return True


def _nested_cut(query: Query, chance: random.Random) -> bool:
    """The whole query in a subquery of another that picks fewer rows, or counts them."""
    if query.ctes or query.params or query.spec.measure != "rows" or query.given[0][-1] == "*":
        return False
    inner = query.sql()
    query.given, query.joins, query.where, query.tail = ["q.id"], [], [], ""
    query.from_, query.distinct, query.key_at = f"({inner}) q", False, (0,)
    way = chance.random()
    if way < 0.4:
        query.where = [chance.choice(("q.id > 2", "q.id IS NOT NULL", "q.id = 1"))]
    elif way < 0.7:
        query.tail = chance.choice((" LIMIT 4", " ORDER BY q.id OFFSET 1", " GROUP BY q.id"))
    else:
        query.joins = [" JOIN refunds again ON again.order_id = q.id"]
    return "GROUP" not in inner or "DISTINCT" not in inner


def _filtered_outer(query: Query, chance: random.Random) -> bool:
    """A LEFT JOIN of a subquery that filters."""
    if "," in query.from_ or "*" in query.given[0]:
        return False
    label, (mine, theirs, _) = chance.choice(list(TIES[query.spec.base].items()))
    column = {"Refund": "reason", "Order": "status"}.get(label, "name")
    value = chance.choice(("late", "UPS", "lost"))
    inner = f"(SELECT * FROM {TABLES[label]} WHERE {column} = '{value}')"
    query.joins.append(f" LEFT JOIN {inner} few ON few.{theirs} = {query.base}.{mine}")
    more = (f"few.{column} = '{value}'", "few.id IS NULL", "few.id IS NOT NULL", "few.id <> 2")
    if chance.random() < 0.7:
        query.where.append(chance.choice(more))
    return True


def _right_base(query: Query, chance: random.Random) -> bool:
    """The base on the right of an outer join."""
    if not _plain_table(query) or query.given[0] == "*":
        return False
    label, (mine, theirs, _) = chance.choice(list(TIES[query.spec.base].items()))
    word = chance.choice(("RIGHT JOIN", "RIGHT JOIN", "LEFT JOIN", "JOIN", "FULL OUTER JOIN"))
    on = f"before.{theirs} = {query.base}.{mine}"
    on += chance.choice(("", "", " AND before.id > 1", f" AND {query.base}.id > 3"))
    query.from_ = f"{TABLES[label]} before {word} {query.from_} ON {on}"
    if chance.random() < 0.4:
        query.where.append(chance.choice(("before.id IS NULL", "before.id > 0")))
    return True


def _count_of_other(query: Query, chance: random.Random) -> bool:
    """Another record's key counted, which may be missing or repeated."""
    others = [name for label, name in query.aliases.items() if label != query.spec.base]
    if query.spec.measure != "count" or not others:
        return False
    word = chance.choice(("", "DISTINCT "))
    query.given[-1] = f"count({word}{chance.choice(others)}.id)"
    return True


def _truth_of_exists(query: Query, chance: random.Random) -> bool:
    for at, one in enumerate(query.where):
        if one.startswith("EXISTS"):
            words = ("IS TRUE", "IS FALSE", "IS NOT TRUE", "IS NOT NULL", "= true", "IS NOT FALSE")
            query.where[at] = f"({one}) {chance.choice(words)}"
            return True
    return False


SHADOWS = [
    *(_filtered_outer, _filtered_outer, _right_base, _right_base, _count_of_other),
    _truth_of_exists,
    *(_renamed_columns, _listed_aliases, _shadowed_table, _shadowed_table, _shadowed_alias),
    *(_inner_name, _outer_condition, _outer_condition, _missing_other, _missing_other),
    *(
        _not_in_null,
        _not_in_null,
        _null_let_in,
        _null_let_in,
        _null_let_in,
        _all_or_any,
        _near_value,
        _near_value,
        _rounding,
        _rounding,
    ),
    *(_compared_to_itself, _same_hop_twice, _window, _nested_cut),
]

"""Shapes of queries that look like what was asked and may give something else.

Each takes a rendered query and changes it in place; it returns False where it does not apply.
"""

import random
import re

from tests.facts.answers.fuzzing.rendering import Query
from tests.facts.answers.fuzzing.shadowing import SHADOWS
from tests.facts.answers.fuzzing.specs import column
from tests.facts.answers.fuzzing.world import TABLES, TIES


def _limit(query: Query, chance: random.Random) -> bool:
    if query.spec.measure != "rows" and not query.spec.groups:
        return False
    query.tail = re.sub(r" (LIMIT|OFFSET).*", "", query.tail)
    cuts = (" LIMIT 5", " LIMIT 2", " LIMIT 1", " OFFSET 1", " FETCH FIRST 2 ROWS ONLY")
    query.tail += chance.choice(cuts)
    return True


def _outer_filter_in_on(query: Query, chance: random.Random) -> bool:
    """A joined label's join made a LEFT JOIN, its conditions left where they are in ON."""
    for at, join in enumerate(query.joins):
        found = re.match(r" (INNER )?JOIN ", join, re.IGNORECASE)
        if found:
            query.joins[at] = " LEFT JOIN " + join[found.end() :]
            return True
    return False


def _where_into_outer(query: Query, chance: random.Random) -> bool:
    """A LEFT JOIN whose WHERE conditions move into its ON."""
    for at, join in enumerate(query.joins):
        if not re.match(r" LEFT ", join) or not query.where:
            continue
        name = re.search(r"(\w+) ON ", join)
        own = [one for one in query.where if name and f"{name[1]}." in one and "EXISTS" not in one]
        if own:
            query.where = [one for one in query.where if one not in own]
            query.joins[at] = f"{join} AND {' AND '.join(own)}"
            return True
    return False


def _wrong_key(query: Query, chance: random.Random) -> bool:
    keys = r"\.(carrier_id|customer_id|order_id|region_id)\b"
    other = {"carrier_id": "customer_id", "customer_id": "id", "order_id": "id", "region_id": "id"}
    for parts in (query.joins, query.where):
        for at, part in enumerate(parts):
            found = re.search(keys, part)
            if found:
                parts[at] = part[: found.start(1)] + other[found[1]] + part[found.end(1) :]
                return True
    return False


def _fan_out(query: Query, chance: random.Random) -> bool:
    many = [label for label, tie in TIES[query.spec.base].items() if not tie[2]]
    if not many or "," in query.from_ or query.given[0][-1] == "*":
        return False
    mine, theirs, _ = TIES[query.spec.base][many[0]]
    word = chance.choice(("JOIN", "LEFT JOIN"))
    query.joins.append(f" {word} {TABLES[many[0]]} fan ON fan.{theirs} = {query.base}.{mine}")
    return True


def _no_distinct(query: Query, chance: random.Random) -> bool:
    found, query.distinct = query.distinct, False
    changed = [one.replace("(DISTINCT ", "(") for one in query.given]
    found = found or changed != query.given
    query.given = changed
    return found


def _distinct_of_other(query: Query, chance: random.Random) -> bool:
    if query.spec.measure == "rows":
        query.distinct = True
        query.given = [*query.given, "1 AS one"]
        return True
    query.given[-1] = (
        f"count(DISTINCT {query.base}.{column(query.spec.base, _some(query, chance))})"
    )
    return True


def _some(query: Query, chance: random.Random) -> str:
    names = {"Order": ("status", "total"), "Refund": ("reason",), "Region": ("name",)}
    return chance.choice(names.get(query.spec.base, ("name",)))


def _count_of_property(query: Query, chance: random.Random) -> bool:
    if query.spec.measure == "rows":
        return False
    name = column(query.spec.base, _some(query, chance))
    number = "total" if query.spec.base == "Order" else "id"
    query.given[-1] = chance.choice(
        (
            f"count({query.base}.{name})",
            f"count({query.base}.{name})",
            f"count({query.base}.{name})",
            f"sum(DISTINCT {query.base}.{number})",
            f"coalesce(sum({query.base}.{number}), 0)",
            f"count(*) FILTER (WHERE {query.base}.{name} IS NOT NULL)",
            f"sum(CASE WHEN {query.base}.id > 0 THEN 1 END)",
            f"avg({query.base}.{number})",
            f"max({query.base}.{number})",
        )
    )
    return True


def _or_more(query: Query, chance: random.Random) -> bool:
    if not query.where:
        return False
    at = chance.randrange(len(query.where))
    more = chance.choice((f"{query.base}.id = 3", f"{query.base}.id IS NULL", "NULL", "false"))
    query.where[at] = f"({query.where[at]} OR {more})"
    return True


def _whole_or(query: Query, chance: random.Random) -> bool:
    if len(query.where) < 2:
        return False
    query.where = [" OR ".join(f"({one})" for one in query.where)]
    return True


def _negated(query: Query, chance: random.Random) -> bool:
    if not query.where:
        return False
    at = chance.randrange(len(query.where))
    one = query.where[at]
    query.where[at] = chance.choice(
        (
            f"NOT ({one})",
            f"({one}) IS NOT FALSE",
            f"({one}) IS NOT TRUE",
            f"({one}) IS NULL",
            f"({one}) IS NOT NULL",
            f"NOT ({one}) IS FALSE",
            f"coalesce({one}, true)",
            f"({one}) = true",
            f"({one}) IS DISTINCT FROM false",
            f"CASE WHEN {one} THEN true END",
        )
    )
    return True


def _not_distributed(query: Query, chance: random.Random) -> bool:
    """NOT a AND NOT b where NOT (a AND b) was meant."""
    if len(query.where) < 2:
        return False
    query.where = [f"NOT ({' AND '.join(query.where)})"]
    return True


def _uncorrelated(query: Query, chance: random.Random) -> bool:
    for at, one in enumerate(query.where):
        found = re.search(r"WHERE (\w+\.\w+ = \w+\.\w+)", one)
        if one.startswith("EXISTS") and found:
            query.where[at] = one.replace(found[1], chance.choice(("true", "1 = 1", "id = id")))
            return True
    return False


def _unqualified(query: Query, chance: random.Random) -> bool:
    """A name inside a subquery that means another row than it seems."""
    for at, one in enumerate(query.where):
        found = re.search(r"\(SELECT (?:DISTINCT )?(\w+)\.", one)
        if found:
            bare = one.replace(f"SELECT {found[1]}.", "SELECT ").replace("order_id", "id")
            query.where[at] = bare
            return True
    return False


def _union(query: Query, chance: random.Random) -> bool:
    word = chance.choice(("UNION", "UNION ALL", "EXCEPT", "INTERSECT ALL"))
    query.tail += f" {word} {query.sql().replace(':p', ':p')}" if not query.ctes else ""
    return not query.ctes and "ORDER" not in query.tail


def _group(query: Query, chance: random.Random) -> bool:
    if "GROUP" in query.tail or query.spec.measure != "rows" or query.distinct:
        return False
    if len(query.given) > 1 or "*" in query.given[0]:
        return False
    query.tail = chance.choice(
        (f" GROUP BY {query.base}.id HAVING count(*) > 1", f" GROUP BY {query.base}.id, 1")
    )
    return True


def _two_witnesses(query: Query, chance: random.Random) -> bool:
    """Each condition met by a record of its own."""
    for at, one in enumerate(query.where):
        found = re.fullmatch(r"EXISTS \(SELECT (.*?) WHERE (\S+ = \S+) AND (.*?) AND (.*)\)", one)
        if found and found[3].count("(") == found[3].count(")"):
            start = f"EXISTS (SELECT {found[1]} WHERE {found[2]} AND "
            query.where[at] = f"{start}{found[3]}) AND {start}{found[4]})"
            return True
    return False


def _self_join(query: Query, chance: random.Random) -> bool:
    if "," in query.from_ or query.given[0][-1] == "*":
        return False
    name = {"Order": "status", "Refund": "reason"}.get(query.spec.base, "name")
    tie = chance.choice(("id", name))
    query.joins.append(f" JOIN {TABLES[query.spec.base]} twin ON twin.{tie} = {query.base}.{tie}")
    return True


def _cross(query: Query, chance: random.Random) -> bool:
    if query.given[0] == "*":
        return False
    query.joins.append(chance.choice((" CROSS JOIN regions any_of", " JOIN regions r9 ON true")))
    return True


def _other_key(query: Query, chance: random.Random) -> bool:
    """Another record's key given in the place of the one asked for."""
    others = [name for label, name in query.aliases.items() if label != query.spec.base]
    if query.spec.measure != "rows" or query.given != [f"{query.base}.id"] or query.tail:
        return False
    query.given[0] = f"{chance.choice(others)}.id" if others else f"{query.base}.{_fk(query)}"
    return True


def _fk(query: Query) -> str:
    return {"Order": "carrier_id", "Refund": "order_id", "Customer": "region_id"}.get(
        query.spec.base, "rating"
    )


def _cut_inside(query: Query, chance: random.Random) -> bool:
    found = re.match(r"(\w+|\"\w+\") (?:AS )?(\w+)$", query.from_)
    if not found:
        return False
    inner = chance.choice(
        ("LIMIT 10", "ORDER BY id DESC LIMIT 9", "OFFSET 2", "TABLESAMPLE SYSTEM (50)")
    )
    query.from_ = f"(SELECT * FROM {found[1]} {inner}) {found[2]}"
    return True


def _inner_aggregate(query: Query, chance: random.Random) -> bool:
    """EXISTS over a count is always true; a subquery that groups gives other rows."""
    for at, one in enumerate(query.where):
        if one.startswith("EXISTS (SELECT "):
            query.where[at] = re.sub(r"SELECT .*? FROM", "SELECT count(*) FROM", one, count=1)
            return True
    return False


def _not_in(query: Query, chance: random.Random) -> bool:
    for at, one in enumerate(query.where):
        if " IN (SELECT" in one and not one.startswith("EXISTS"):
            query.where[at] = one.replace(" IN (SELECT", " NOT IN (SELECT", 1)
            return True
        if one.startswith("EXISTS"):
            query.where[at] = f"NOT {one}"
            return True
    return False


def _right(query: Query, chance: random.Random) -> bool:
    for at, join in enumerate(query.joins):
        found = re.match(r" (INNER |LEFT |LEFT OUTER )?JOIN ", join, re.IGNORECASE)
        if found:
            word = chance.choice((" RIGHT JOIN ", " FULL JOIN ", " NATURAL JOIN "))
            rest = join[found.end() :]
            query.joins[at] = word + (rest.split(" ON ")[0] if "NATURAL" in word else rest)
            return True
    return False


BREAKERS = [
    *SHADOWS,
    *(_limit, _outer_filter_in_on, _outer_filter_in_on, _where_into_outer, _where_into_outer),
    *(_wrong_key, _wrong_key, _fan_out, _fan_out, _no_distinct, _no_distinct, _distinct_of_other),
    *(_count_of_property, _or_more, _or_more, _whole_or, _negated, _negated, _not_distributed),
    *(_count_of_property, _count_of_property, _limit, _limit),
    *(_uncorrelated, _unqualified, _union, _group, _two_witnesses, _self_join, _cross),
    *(_other_key, _cut_inside, _inner_aggregate, _not_in, _right),
]


def broken(query: Query, chance: random.Random) -> bool:
    """Change ``query`` by one breaker that applies to it; whether one did."""
    return any(breaker(query, chance) for breaker in chance.sample(BREAKERS, 10))

"""Writing a spec as a query in one of many ways that all give the same.

``Query`` is the result and where its key (or its number and groups) stands in it, which is how the
runner reads it. A breaker (see breaking) turns a query into one that may give something else.
"""

import random
import re
from dataclasses import dataclass, field
from typing import Any

from tests.facts.answers.fuzzing.specs import Pred, Spec, column, tree
from tests.facts.answers.fuzzing.spelling import condition
from tests.facts.answers.fuzzing.world import DOCUMENT, TABLES, TIES


@dataclass
class Query:
    """The parts of a SELECT, put together by ``sql``."""

    spec: Spec
    chance: random.Random
    base: str  # its alias
    from_: str
    joins: list[str] = field(default_factory=list)
    where: list[str] = field(default_factory=list)
    given: list[str] = field(default_factory=list)
    key_at: tuple[int, ...] = (0,)
    aliases: dict[str, str] = field(default_factory=dict)
    ctes: list[str] = field(default_factory=list)
    distinct: bool = False
    tail: str = ""
    wrapped: bool = False
    params: dict[str, Any] = field(default_factory=dict)

    def sql(self) -> str:
        with_ = f"WITH {', '.join(self.ctes)} " if self.ctes else ""
        where = f" WHERE {' AND '.join(self.where)}" if self.where else ""
        word = "DISTINCT " if self.distinct else ""
        return (
            f"{with_}SELECT {word}{', '.join(self.given)} FROM {self.from_}"
            f"{''.join(self.joins)}{where}{self.tail}"
        )

    def run_sql(self) -> str:
        """The query with its parameters' values in their places."""
        return re.sub(r":(p\d+)\b", lambda found: _literal(self.params[found[1]]), self.sql())


def _literal(value: Any) -> str:
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return repr(value)


class Renderer:
    """Writes one spec."""

    def __init__(self, spec: Spec, chance: random.Random) -> None:
        self.spec, self.chance = spec, chance
        self.children = tree(spec.base, spec.all_labels())
        self.repeats = self.comma = False
        self.names = iter(chance.sample("abcdefghijklmnopqrstuvwxyz", 26))
        self.query = Query(spec, chance, "", "")

    def render(self) -> Query:
        chance, spec, query = self.chance, self.spec, self.query
        query.base = self.alias(spec.base)
        grouped = {label for label, _ in spec.groups}
        own = self.conditions(spec.base, query.base)
        if own and chance.random() < 0.2:
            query.from_, own = self.narrowed(spec.base, query.base, own)
        else:
            query.from_ = self.table(spec.base, query.base)
        query.where += own
        query.aliases[spec.base] = query.base
        self.leave_out(own)
        for child in chance.sample(self.children[spec.base], len(self.children[spec.base])):
            self.attach(spec.base, query.base, child, grouped)
        self.decorate()
        chance.shuffle(query.where)
        self.give()
        return query

    def comma_is_near(self) -> bool:
        """Whether FROM may get a comma, which binds less than the joins after it."""
        return len(self.spec.all_labels()) == 1

    def leave_out(self, own: list[str]) -> None:
        """Sometimes a LEFT JOIN of what must be missing, in the place of a NOT EXISTS."""
        for pred in self.spec.preds:
            if (
                self.comma_is_near()
                or not pred.absent
                or pred.label != self.spec.base
                or self.chance.random() < 0.5
            ):
                continue
            spelled = condition(pred, self.query.base, self.chance)
            if spelled not in self.query.where:
                continue
            self.query.where.remove(spelled)
            alias = self.alias(pred.absent)
            tie = self.tie(pred.label, self.query.base, pred.absent, alias)
            inner = f" AND {pred.raw.replace('{a}', alias)}" if pred.raw else ""
            self.query.joins.append(f" LEFT JOIN {TABLES[pred.absent]} {alias} ON {tie}{inner}")
            key = self.chance.choice(("id", TIES[pred.label][pred.absent][1]))
            self.query.where.append(f"{alias}.{key} IS NULL")

    def alias(self, label: str) -> str:
        return self.chance.choice((next(self.names), f"{label[:2].lower()}{next(self.names)}"))

    def table(self, label: str, alias: str) -> str:
        name = TABLES[label]
        name = self.chance.choice((name, name, name.upper(), f'"{name}"'))
        return f"{name} {self.chance.choice(('', 'AS '))}{alias}"

    def conditions(self, label: str, alias: str) -> list[str]:
        return [
            self.bound(pred, condition(pred, alias, self.chance))
            for pred in self.spec.preds
            if pred.label == label
        ]

    def bound(self, pred: Pred, spelled: str) -> str:
        """Sometimes the value as a parameter."""
        if (
            pred.op in ("=", "<", ">=")
            and isinstance(pred.value, str | int)
            and not isinstance(pred.value, bool)
            and not pred.raw
            and self.chance.random() < 0.15
        ):
            name = f"p{len(self.query.params)}"
            text = spelled.partition(".")[0]
            where = f"{text}.{column(pred.label, pred.property)}"
            if re.fullmatch(r"\w+", text):
                self.query.params[name] = pred.value
                return f"{where} {pred.op} :{name}"
        return f"({spelled})" if re.search(r" (OR|AND) ", spelled) else spelled

    def narrowed(self, label: str, alias: str, own: list[str]) -> tuple[str, list[str]]:
        """Some conditions inside a subquery or a CTE."""
        chance = self.chance
        inside = [one for one in own if chance.random() < 0.6 and ":p" not in one]
        rest = [one for one in own if one not in inside]
        inner = self.alias(label)
        moved = [re.sub(rf"\b{alias}\.", f"{inner}.", one) for one in inside]
        names = [found[0] for found in DOCUMENT["labels"][label]["columns"].values()]
        given = chance.choice((f"{inner}.*", "*", ", ".join(f"{inner}.{name}" for name in names)))
        where = f" WHERE {' AND '.join(moved)}" if moved else ""
        select = f"SELECT {given} FROM {TABLES[label]} {inner}{where}"
        if chance.random() < 0.5:
            return f"({select}) {chance.choice(('', 'AS '))}{alias}", rest
        name = f"w{len(self.query.ctes)}"
        self.query.ctes.append(f"{name} AS ({select})")
        return f"{name} {alias}", rest

    def attach(self, parent: str, outer: str, label: str, grouped: set[str]) -> None:
        """One label that hangs on another: joined, or asked for by EXISTS or IN."""
        to_one = TIES[parent][label][2]
        inside = self.below(label)
        must_join = bool(grouped & inside)
        counts = self.spec.measure == "sum" or self.spec.groups
        may_join = to_one or (not counts and self.spec.measure in ("rows", "count"))
        if must_join or (may_join and self.chance.random() < (0.6 if to_one else 0.3)):
            self.repeats |= not to_one
            self.join(parent, outer, label, grouped)
        else:
            self.query.where.append(self.semi(parent, outer, label))

    def below(self, label: str) -> set[str]:
        return {label}.union(*(self.below(child) for child in self.children[label]))

    def tie(self, parent: str, outer: str, label: str, alias: str) -> str:
        mine, theirs, _ = TIES[parent][label]
        sides = [f"{outer}.{mine}", f"{alias}.{theirs}"]
        self.chance.shuffle(sides)
        return " = ".join(sides)

    def join(self, parent: str, outer: str, label: str, grouped: set[str]) -> None:
        chance, query = self.chance, self.query
        alias = self.alias(label)
        query.aliases[label] = alias
        own = self.conditions(label, alias)
        tie = self.tie(parent, outer, label, alias)
        source = self.table(label, alias)
        if own and chance.random() < 0.15:
            source, own = self.narrowed(label, alias, own)
        way = chance.random()
        key = f"{alias}.{TIES[parent][label][1]}"
        if way < 0.5:
            inside = [one for one in own if chance.random() < 0.4]
            query.where += [one for one in own if one not in inside]
            on = " AND ".join(chance.sample([tie, *inside], len(inside) + 1))
            query.joins.append(f" {chance.choice(('JOIN', 'INNER JOIN', 'join'))} {source} ON {on}")
        elif way < 0.65 and len(tree(self.spec.base, self.spec.all_labels())) == 2:
            self.comma = True
            query.from_ += f", {source}"
            query.where += [tie, *own]
        elif way < 0.75:
            query.joins.append(f" CROSS JOIN {source}")
            query.where += [tie, *own]
        else:
            query.joins.append(f" LEFT {chance.choice(('', 'OUTER '))}JOIN {source} ON {tie}")
            query.where += [*own, f"{key} IS NOT NULL"]
        for child in self.children[label]:
            self.attach(label, alias, child, grouped)

    def semi(self, parent: str, outer: str, label: str) -> str:
        chance = self.chance
        alias = self.alias(label)
        inner = self.conditions(label, alias)
        joins = ""
        for child in self.children[label]:
            if chance.random() < 0.5:
                name = self.alias(child)
                joins += f" JOIN {self.table(child, name)} ON {self.tie(label, alias, child, name)}"
                inner += self.conditions(child, name)
                inner += [self.semi(child, name, one) for one in self.children[child]]
            else:
                inner.append(self.semi(label, alias, child))
        source = self.table(label, alias)
        mine, theirs, _ = TIES[parent][label]
        if chance.random() < 0.5:
            given = f"{chance.choice(('', '', 'DISTINCT '))}{alias}.{theirs}"
            where = f" WHERE {' AND '.join(inner)}" if inner else ""
            return f"{outer}.{mine} IN (SELECT {given} FROM {source}{joins}{where})"
        given = chance.choice(("1", "*", f"{alias}.id", "true"))
        where = " AND ".join([self.tie(parent, outer, label, alias), *inner])
        return f"EXISTS (SELECT {given} FROM {source}{joins} WHERE {where})"

    def decorate(self) -> None:
        """What changes nothing."""
        chance, query, spec = self.chance, self.query, self.spec
        spare = [label for label, tie in TIES[spec.base].items() if tie[2]]
        if spare and not self.comma and chance.random() < 0.12:
            label = chance.choice(spare)
            alias = self.alias(label)
            tie = self.tie(spec.base, query.base, label, alias)
            query.joins.append(f" LEFT JOIN {TABLES[label]} {alias} ON {tie}")
        if chance.random() < 0.08:
            query.where.append(chance.choice(("1 = 1", "TRUE", "NOT FALSE")))
        if chance.random() < 0.05:
            query.ctes.append(f"unused AS (SELECT * FROM {TABLES['Carrier']} WHERE name = 'UPS')")

    def give(self) -> None:
        chance, query, spec = self.chance, self.query, self.spec
        key = f"{query.base}.id"
        if spec.measure == "rows":
            self.give_rows(key)
            return
        shown = [f"{query.aliases[label]}.{column(label, name)}" for label, name in spec.groups]
        if spec.measure == "sum":
            number = f"sum({query.base}.{column(spec.base, spec.summed)})"
        elif self.repeats:
            number = f"count(DISTINCT {key})"
        else:
            number = chance.choice(
                ("count(*)", f"count({key})", "COUNT(1)", f"count(DISTINCT {key})")
            )
        query.given = [*shown, number + chance.choice(("", " AS n"))]
        query.key_at = tuple(range(len(query.given)))
        if shown:
            ordinals = ", ".join(str(at + 1) for at in range(len(shown)))
            query.tail = f" GROUP BY {chance.choice((', '.join(shown), ordinals))}"
            if chance.random() < 0.3:
                query.tail += " ORDER BY " + chance.choice((number, shown[0]))

    def give_rows(self, key: str) -> None:
        chance, query, spec = self.chance, self.query, self.spec
        query.given = [key]
        if not self.repeats:
            way = chance.random()
            columns = [found[0] for found in DOCUMENT["labels"][spec.base]["columns"].values()]
            if way < 0.2:
                query.given += [f"{query.base}.{name}" for name in chance.sample(columns, 2)]
            elif way < 0.3:
                query.given = [f"{query.base}.*"]
            elif way < 0.35 and not query.joins and "," not in query.from_:
                query.given = ["*"]
            elif way < 0.4:
                query.given += [f"coalesce({query.base}.{columns[1]}::text, 'none') AS shown"]
            query.distinct = chance.random() < 0.15 and way >= 0.4
            if chance.random() < 0.05 and way >= 0.4 and not query.distinct:
                query.tail = f" GROUP BY {key}"
        elif chance.random() < 0.8:
            query.distinct = True
        else:
            query.tail = f" GROUP BY {key}"
        if spec.limit is not None:
            query.tail += f" LIMIT {spec.limit}"
        elif chance.random() < 0.2:
            query.tail += f" ORDER BY {key}{chance.choice(('', ' DESC', ' DESC NULLS LAST'))}"


def render(spec: Spec, chance: random.Random) -> Query:
    return Renderer(spec, chance).render()

"""Taking a SELECT apart: FROM, joins and WHERE into one pattern. Pure.

A subquery or a CTE that only picks and filters is part of the query around it, as often as it is
named; one that nobody names restricts nothing. EXISTS and IN add records that must be there.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sqlglot import exp

from facts.answers.pattern import Group, Limited, Link, Opaque, Pattern, Said
from facts.answers.predicates import NotOne, condition_of
from facts.answers.rowwise import rowwise_refs
from facts.answers.scopes import Scope, Source, Vocabulary
from facts.answers.unreadable import Unreadable, only

_SELECT = ("expressions", "from_", "joins", "where", "with_")
_DEEPEST = 20  # subqueries in subqueries


@dataclass(frozen=True)
class Reader:
    """Reads SELECTs into ``pattern``. What is said goes to ``sink``."""

    pattern: Pattern
    vocabulary: Vocabulary
    sink: list[Said]
    joined: bool = True
    group: int | None = None
    ctes: Mapping[str, tuple[exp.Expr, "Reader"]] = field(default_factory=dict)
    depth: int = 0

    def scope_of(
        self, select: exp.Expr, *others: str, outer: Scope | None = None
    ) -> tuple["Reader", Scope]:
        """Read all but what a SELECT gives; ``others`` are arguments that the caller reads."""
        if not isinstance(select, exp.Select) or self.depth > _DEEPEST:
            raise Unreadable(select.key)
        only(select, *_SELECT, *others)
        reader = replace(self, depth=self.depth + 1)._with_ctes(select)
        scope = Scope(self.vocabulary, self.pattern.labels, outer)
        from_ = select.args.get("from_")
        if from_ is None:
            raise Unreadable("no-from")
        only(from_, "this")
        reader._add_source(from_.this, scope)
        for join in select.args.get("joins") or ():
            reader._join(join, scope)
        where = select.args.get("where")
        if where is not None:
            only(where, "this")
            reader.say(where.this, scope, holds=True)
        return reader, scope

    def say(self, node: exp.Expr, scope: Scope, *, holds: bool) -> None:
        """Keep what ``node`` being true, or being false, says."""
        if isinstance(node, exp.Paren | exp.Not):
            only(node, "this")
            self.say(node.this, scope, holds=holds is isinstance(node, exp.Paren))
        elif isinstance(node, exp.And if holds else exp.Or):
            self._say_one_or_both(node, scope, holds=holds)
        elif isinstance(node, exp.Exists):
            self._say_exists(node, scope, holds=holds)
        elif isinstance(node, exp.In) and node.args.get("query") is not None:
            self._say_in(node, scope, holds=holds)
        elif isinstance(node, exp.Boolean) or _is_same_number(node):
            if bool(node.this) is not holds:
                raise Unreadable("nothing")
        elif holds and _is_truth(node):
            only(node, "this", "expression")
            self.say(node.this, scope, holds=bool(node.expression.this))
        elif holds and isinstance(node, exp.Between):
            self._say_between(node, scope)
        elif holds and _is_link(node):
            self._say_link(node, scope)
        else:
            self._say_condition(node, scope, holds=holds)

    def _say_one_or_both(self, node: exp.Expr, scope: Scope, *, holds: bool) -> None:
        only(node, "this", "expression")
        self.say(node.this, scope, holds=holds)
        self.say(node.expression, scope, holds=holds)

    def _say_between(self, node: exp.Expr, scope: Scope) -> None:
        """Two orders: of texts each is told by its own spelling."""
        only(node, "this", "low", "high")
        self._say_condition(exp.GTE(this=node.this, expression=node.args["low"]), scope, holds=True)
        high = exp.LTE(this=node.this.copy(), expression=node.args["high"])
        self._say_condition(high, scope, holds=True)

    def _say_condition(self, node: exp.Expr, scope: Scope, *, holds: bool) -> None:
        try:
            said: Said = Limited(condition_of(node, scope, holds=holds))
        except NotOne:
            said = Opaque(rowwise_refs(node, scope))
        if not said.refs:
            raise Unreadable("constant-condition")
        self.sink.append(said)

    def _say_link(self, node: exp.Expr, scope: Scope) -> None:
        only(node, "this", "expression")
        left, right = scope.ref(node.this), scope.ref(node.expression)
        same = left[0] == right[0]
        self.sink.append(Opaque(frozenset((left, right))) if same else Link(left, right))

    def _say_exists(self, node: exp.Expr, scope: Scope, *, holds: bool) -> None:
        only(node, "this")
        select = node.this.this if isinstance(node.this, exp.Subquery) else node.this
        if holds:
            _, inner = replace(self, joined=False).scope_of(select, outer=scope)
            check_given(select, inner)
            return
        self._say_absent(select, scope)

    def _say_absent(self, select: exp.Expr, scope: Scope) -> None:
        """NOT EXISTS: a group of records that must not be there."""
        if self.group is not None:
            raise Unreadable("not-exists-in-join")
        self.pattern.groups.append(Group(absent=True))
        group = len(self.pattern.groups) - 1
        reader = replace(self, joined=False, sink=self.pattern.groups[group].said, group=group)
        _, inner = reader.scope_of(select, outer=scope)
        check_given(select, inner)

    def _say_in(self, node: exp.Expr, scope: Scope, *, holds: bool) -> None:
        """``property IN (SELECT one property ...)``. NOT IN is never true beside a NULL."""
        only(node, "this", "query")
        query = node.args["query"]
        if not holds or not isinstance(node.this, exp.Column):
            raise Unreadable("in-query")
        only(query, "this")
        _, inner = replace(self, joined=False).scope_of(query.this, "distinct", outer=scope)
        _check_distinct(query.this)
        given = [plain(one) for one in query.this.expressions]
        if len(given) != 1 or not isinstance(given[0], exp.Column):
            raise Unreadable("in-query")
        self.sink.append(Link(scope.ref(node.this), inner.ref(given[0])))

    def _with_ctes(self, select: exp.Select) -> "Reader":
        found = select.args.get("with_")
        if found is None:
            return self
        only(found, "expressions")
        reader = self
        for cte in found.expressions:
            only(cte, "this", "alias", "materialized")
            only(cte.args["alias"], "this")
            name = self.vocabulary.name(cte.args["alias"].this)
            if not isinstance(cte.this, exp.Select):
                raise Unreadable("with-no-select")
            reader = replace(reader, ctes={**reader.ctes, name: (cte.this, reader)})
        return reader

    def _add_source(self, item: exp.Expr, scope: Scope) -> None:
        alias = item.args.get("alias")
        if alias is not None:
            only(alias, "this")
        name = self.vocabulary.name(alias.this) if alias is not None else ""
        if isinstance(item, exp.Subquery):
            only(item, "this", "alias")
            scope.add(name or f" {len(scope.sources)}", self._derived(item.this))
        elif isinstance(item, exp.Table) and isinstance(item.this, exp.Identifier):
            own = self.vocabulary.name(item.this)
            scope.add(name or own, self._table_or_cte(item, own))
        else:
            raise Unreadable(f"from-{item.key}")

    def _table_or_cte(self, item: exp.Table, name: str) -> Source:
        if item.args.get("db") is None and name in self.ctes:
            only(item, "this", "alias")
            select, reader = self.ctes[name]
            ours = replace(
                reader, sink=self.sink, joined=self.joined, group=self.group, depth=self.depth
            )
            return ours._derived(select)
        label = self.vocabulary.label_of(item)
        node = self.pattern.add(label, joined=self.joined, group=self.group)
        columns = self.vocabulary.schema.tables[label].columns
        named = {self.vocabulary.column_name(one.name): name for name, one in columns.items()}
        if len(named) != len(columns):
            raise Unreadable("columns-alike")
        return Source({name: (node, property_) for name, property_ in named.items()})

    def _derived(self, select: exp.Expr) -> Source:
        """A subquery in FROM that picks columns and filters rows, and nothing else."""
        _, scope = self.scope_of(select)
        columns: dict[str, tuple[int, str] | None] = {}
        for given in select.expressions:
            for name, ref in self._offers(given, scope):
                columns[name] = None if name in columns else ref
        return Source(columns)

    def _offers(self, given: exp.Expr, scope: Scope) -> list[tuple[str, tuple[int, str] | None]]:
        star = starred(given, scope)
        if star is not None:
            return [offer for source in star for offer in source.columns.items()]
        inner = plain(given)
        if isinstance(inner, exp.Column):
            alias = given.args["alias"] if isinstance(given, exp.Alias) else inner.this
            return [(self.vocabulary.name(alias), scope.ref(inner))]
        rowwise_refs(inner, scope)
        if isinstance(given, exp.Alias):
            return [(self.vocabulary.name(given.args["alias"]), None)]
        return []

    def _join(self, join: exp.Join, scope: Scope) -> None:
        only(join, "this", "side", "kind", "on")
        side, kind = join.args.get("side") or "", join.args.get("kind") or ""
        if kind not in ("", "INNER", "OUTER", "CROSS") or side not in ("", "LEFT", "RIGHT"):
            raise Unreadable("join")
        if side == "":
            if kind == "OUTER":
                raise Unreadable("join")
            self._add_source(join.this, scope)
            self._say_on(join, scope)
            return
        if self.group is not None:
            raise Unreadable("join-in-join")
        said: list[Said] = []
        self.pattern.groups.append(Group(said))
        optional = replace(self, sink=said, group=len(self.pattern.groups) - 1)
        if side == "RIGHT":
            self._turn_round(scope, len(self.pattern.groups) - 1)
            self._add_source(join.this, scope)
        else:
            optional._add_source(join.this, scope)
        optional._say_on(join, scope)

    def _turn_round(self, scope: Scope, group: int) -> None:
        """A RIGHT JOIN's left side is the optional one; that is done for one table alone."""
        nodes = {ref[0] for one in scope.sources.values() for ref in one.columns.values() if ref}
        only_one = len(scope.sources) == 1 and len(nodes) == 1
        node = self.pattern.nodes[min(nodes)] if only_one else None
        if (
            node is None
            or node.group != self.group
            or any(ref[0] in nodes for said in self.sink for ref in said.refs)
        ):
            raise Unreadable("right-join")
        node.group = group

    def _say_on(self, join: exp.Join, scope: Scope) -> None:
        on = join.args.get("on")
        if on is not None:
            self.say(on, scope, holds=True)


def starred(given: exp.Expr, scope: Scope) -> list[Source] | None:
    """The sources that ``*`` or ``t.*`` stands for."""
    if isinstance(given, exp.Star):
        only(given)
        return list(scope.sources.values())
    if isinstance(given, exp.Column) and isinstance(given.this, exp.Star):
        only(given, "this", "table")
        only(given.this)
        name = scope.vocabulary.name(given.args["table"])
        if name in scope.sources:
            return [scope.sources[name]]
        raise Unreadable("unknown-table")
    return None


def plain(given: exp.Expr) -> exp.Expr:
    """What is given, without the name it is given."""
    if not isinstance(given, exp.Alias):
        return given
    only(given, "this", "alias")
    inner: exp.Expr = given.this
    return inner


def _is_link(node: exp.Expr) -> bool:
    return (
        isinstance(node, exp.EQ)
        and isinstance(node.this, exp.Column)
        and isinstance(node.expression, exp.Column)
    )


def _is_truth(node: exp.Expr) -> bool:
    """``(condition) IS TRUE`` or ``IS FALSE``: true where that is true, or is false."""
    return (
        isinstance(node, exp.Is)
        and isinstance(node.this, exp.Paren)
        and isinstance(node.expression, exp.Boolean)
        and not node.args.get("negate")
    )


def _is_same_number(node: exp.Expr) -> bool:
    """``1 = 1``."""
    return (
        isinstance(node, exp.EQ)
        and isinstance(node.this, exp.Literal)
        and not node.this.is_string
        and node.this == node.expression
    )


def check_given(select: exp.Expr, scope: Scope) -> None:
    """In EXISTS what is given does not matter, unless it is a count: that is always there."""
    for given in select.expressions:
        if starred(given, scope) is None:
            rowwise_refs(plain(given), scope)


def _check_distinct(select: exp.Expr) -> None:
    distinct = select.args.get("distinct")
    if distinct is not None:
        only(distinct)

"""Which names a piece of Python reaches outside itself: read from its syntax, run never."""

import ast
from collections.abc import Iterable, Iterator

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Dotted = tuple[str, ...]  # a.b.c in parts

SAYS_NOTHING = ("annotation", "returns", "type_comment", "kind")  # nothing of these is run

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_Scope = _Function | _Comprehension | ast.ClassDef


def free_names(node: ast.AST, local: frozenset[str] = frozenset()) -> Iterator[Dotted]:
    """The dotted names in ``node`` that it does not bind itself: ``a.b.c`` of ``a.b.c(1).d``.

    Errors are left out: what is raised and caught is known by its name, and no value comes of it.
    """
    if isinstance(node, ast.Raise):
        return
    if isinstance(node, ast.ExceptHandler):
        for caught in node.body:
            yield from free_names(caught, local)
        return
    if isinstance(node, ast.Attribute | ast.Name):
        names: list[str] = []
        inner: ast.AST = node
        while isinstance(inner, ast.Attribute):
            names.append(inner.attr)
            inner = inner.value
        if not isinstance(inner, ast.Name):
            yield from free_names(inner, local)
        elif inner.id not in local:
            yield (inner.id, *reversed(names))
        return
    inside = local
    if isinstance(node, _Function | _Comprehension):
        inside = local | set(_bound(node))
    for below in children(node):
        yield from free_names(below, inside)


def imports(nodes: Iterable[ast.AST], package: str) -> Iterator[tuple[str, Dotted]]:
    """Each name that ``nodes`` import within ``package``, and the dotted path it stands for."""
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                path = tuple(alias.name.split("."))
                yield (alias.asname, path) if alias.asname else (path[0], path[:1])
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")
            base = parts[: len(parts) - node.level + 1] if node.level else []
            base += node.module.split(".") if node.module else []
            for alias in node.names:
                yield alias.asname or alias.name, (*base, alias.name)


def top_level(tree: ast.AST) -> Iterator[ast.AST]:
    """What a module states at its top, within its ``if`` and ``try`` too."""
    for node in ast.iter_child_nodes(tree):
        yield node
        if isinstance(node, ast.If | ast.Try | ast.With | ast.For | ast.While):
            yield from top_level(node)


def defines(node: ast.AST) -> Iterator[str]:
    """The names that a statement at the top of a module gives something to."""
    if isinstance(node, Definition):
        yield node.name
    elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            yield from (name.id for name in ast.walk(target) if isinstance(name, ast.Name))


def children(node: ast.AST) -> Iterator[ast.AST]:
    """What stands right below ``node``, without annotations, which nothing reaches by running."""
    for name, value in ast.iter_fields(node):
        if name not in SAYS_NOTHING:
            for below in value if isinstance(value, list) else [value]:
                if isinstance(below, ast.AST):
                    yield below


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """``node`` and all below it, without annotations."""
    yield node
    for below in children(node):
        yield from walk(below)


def _bound(scope: ast.AST) -> Iterator[str]:
    """The names that a function or a comprehension binds in its own scope, imports left out."""
    waiting = list(children(scope))
    while waiting:
        node = waiting.pop()
        match node:
            case (
                ast.arg(arg=name)
                | ast.Name(id=name, ctx=ast.Store())
                | ast.ExceptHandler(name=str(name))
                | ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                yield name
        if not isinstance(node, _Scope):
            waiting += children(node)

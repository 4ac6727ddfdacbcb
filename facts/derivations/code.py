"""What a build is made of: its function and everything of ours that it reaches, as one digest.

The digest moves when the code does, and not with comments, docstrings, annotations of arguments or
layout. It follows names statically through our own modules: functions, classes, constants, imports.
Other people's packages are pinned and are not followed, nor is the guard: it looks at every value
again whenever one is written or loaded, so that a change in it needs no rebuild. While it looks it
refuses what no build may reach: a clock, chance, the environment, files, network and database.
"""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from facts.canonical import digest
from facts.derivations.names import (
    SAYS_NOTHING,
    Definition,
    Dotted,
    defines,
    free_names,
    imports,
    top_level,
    walk,
)
from facts.errors import ImpureBuild

_NOT_FOLLOWED = ("facts.guard",)
_IMPURE = (
    *("os", "sys", "io", "pathlib", "subprocess", "socket", "tempfile", "threading", "locale"),
    *("time", "random", "secrets", "uuid", "platform", "getpass", "django", "psycopg", "requests"),
    *("datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today"),
    *("datetime.date.today", "zoneinfo.available_timezones"),
)
_IMPURE_BUILTINS = frozenset(
    {"open", "input", "eval", "exec", "__import__", "globals", "id", "hash", "print"}
)


@dataclass(slots=True)
class Code:
    """Our own code under ``root``, module by module as it is asked for."""

    root: Path
    modules: dict[str, "_Module | None"] = field(default_factory=dict)

    def digest_of(self, function: Callable[..., Any]) -> str:
        """The digest of a function's code and of all it reaches in our own modules.

        Raises ImpureBuild where it reaches what no build may, or is no named function of a module.
        """
        if not function.__qualname__.isidentifier():
            raise ImpureBuild(f"{function.__qualname__} is no named function of a module")
        return self.digest_at(function.__module__, function.__qualname__)

    def digest_at(self, module_name: str, function_name: str) -> str:
        """The same, of the function that has this name in a module of ours."""
        reached: dict[str, Any] = {}
        waiting = [(module_name, function_name)]
        while waiting:
            place = waiting.pop()
            name = ".".join(place)
            if name in reached:
                continue
            module = self.module(place[0])
            nodes = [] if module is None else module.definitions.get(place[1], [])
            if module is None or not nodes:
                raise ImpureBuild(f"the code of {name} can't be found")
            reached[name] = [_plain(node) for node in nodes]
            for node in nodes:
                waiting += self._reached_from(module, node, by=name)
        return digest(reached)

    def module(self, name: str) -> "_Module | None":
        """Our own module of that name, None for somebody else's."""
        if name not in self.modules:
            path = self.root.joinpath(*name.split("."))
            files = (path.with_suffix(".py"), path / "__init__.py")
            self.modules[name] = next(
                (_Module(name, each) for each in files if each.exists()), None
            )
        return self.modules[name]

    def _reached_from(
        self, module: "_Module", node: ast.AST, *, by: str
    ) -> Iterator[tuple[str, str]]:
        """The definitions of ours that ``node`` names. Raises ImpureBuild."""
        local = dict(imports(walk(node), module.package))
        for names in free_names(node):
            known = local.get(names[0]) or module.imports.get(names[0])
            if known is None and names[0] in module.definitions:
                yield module.name, names[0]
            elif known is None and names[0] in _IMPURE_BUILTINS:
                raise ImpureBuild(f"{by} uses {names[0]}, which no build may")
            elif known is not None and (place := self._resolved((*known, *names[1:]), by=by)):
                yield place

    def _resolved(self, dotted: Dotted, *, by: str) -> tuple[str, str] | None:
        """Where the name after the longest module of ours in ``dotted`` is defined."""
        if _within(dotted, _NOT_FOLLOWED):
            return None
        for end in range(len(dotted) - 1, 0, -1):
            module = self.module(".".join(dotted[:end]))
            if module is None:
                continue
            name = dotted[end]
            if name in module.definitions:
                return module.name, name
            if again := module.imports.get(name):
                return self._resolved((*again, *dotted[end + 1 :]), by=by)
            raise ImpureBuild(f"{by} uses {'.'.join(dotted)}, which can't be found")
        if _within(dotted, _IMPURE):
            raise ImpureBuild(f"{by} uses {'.'.join(dotted)}, which no build may")
        return None


@dataclass
class _Module:
    """What a module of ours defines and imports, by name."""

    name: str
    path: Path

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.path.read_text())

    @property
    def package(self) -> str:
        return self.name if self.path.name == "__init__.py" else self.name.rpartition(".")[0]

    @cached_property
    def imports(self) -> dict[str, Dotted]:
        return dict(imports(top_level(self.tree), self.package))

    @cached_property
    def definitions(self) -> dict[str, list[ast.AST]]:
        found: dict[str, list[ast.AST]] = {}
        for node in top_level(self.tree):
            for name in defines(node):
                found.setdefault(name, []).append(node)
        return found


def _within(dotted: Dotted, places: tuple[str, ...]) -> bool:
    """Whether a dotted name is one of ``places`` or in it."""
    return any(dotted[: len(parts)] == parts for parts in (tuple(p.split(".")) for p in places))


def _plain(node: Any) -> Any:
    """A node as plain data, without what says nothing: places, docstrings, annotations."""
    if isinstance(node, list):
        return [_plain(each) for each in node]
    if isinstance(node, ast.AST):
        fields = {
            name: value
            for name, value in ast.iter_fields(node)
            if name not in SAYS_NOTHING and value not in (None, [])
        }
        if isinstance(node, Definition) and ast.get_docstring(node, clean=False) is not None:
            fields["body"] = node.body[1:]
        return [type(node).__name__, {name: _plain(value) for name, value in fields.items()}]
    if isinstance(node, str | int | float | bool | None):
        return node
    return repr(node)  # bytes, a complex number, an ellipsis

"""Which rows are an account's or a person's: whatever a foreign key leads to them from.

Read from the models as they are, so a room that adds a table with an account or a person in it
needs to say nothing here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from django.apps import apps
from django.db import models
from django.db.models import CASCADE, SET_NULL, ForeignKey, Q, QuerySet

from facts.models import Account, Person

Key: TypeAlias = "ForeignKey[Any, Any]"


@dataclass(frozen=True, slots=True)
class Reach:
    """A model whose rows go, and the lookups that lead from it to who goes."""

    model: type[models.Model]
    paths: tuple[str, ...]

    def rows(self, root: Account | Person) -> QuerySet[Any]:
        """The rows that are ``root``'s, ``root`` itself among them."""
        wanted = Q(pk__in=[])
        for path in self.paths:
            wanted |= Q(**{path: root.pk})
        return self.model._base_manager.filter(wanted)


@cache
def reached(root: type[Account] | type[Person]) -> tuple[Reach, ...]:
    """Every model with rows of ``root``, those that point before those they point to.

    A model with a foreign key to ``root`` is reached by that one; another one by the foreign keys
    to what is reached already.
    """
    order: list[type[models.Model]] = []

    def visit(model: type[models.Model]) -> None:
        for key in _keys_to(model, CASCADE):
            if key.model not in [model, *order]:
                visit(key.model)
        order.append(model)

    visit(root)
    paths: dict[type[models.Model], tuple[str, ...]] = {root: ("pk",)}
    for model in reversed(order[:-1]):
        parents = [key for key in _keys_of(model, CASCADE) if key.related_model in paths]
        direct = tuple(key.name for key in parents if key.related_model is root)
        paths[model] = direct or tuple(
            f"{key.name}__{path}" for key in parents for path in paths[key.related_model]
        )
    return tuple(Reach(model, paths[model]) for model in order)


def loose_ends(model: type[models.Model]) -> list[Key]:
    """The foreign keys to ``model`` that are emptied when its rows go."""
    return list(_keys_to(model, SET_NULL))


def _keys_to(model: type[models.Model], on_delete: object) -> Iterator[Key]:
    for other in apps.get_models(include_auto_created=True):
        for key in [] if other._meta.proxy else _keys_of(other, on_delete):
            if key.related_model is model:
                yield key


def _keys_of(model: type[models.Model], on_delete: object) -> list[Key]:
    return [
        field
        for field in model._meta.concrete_fields
        if isinstance(field, ForeignKey) and field.remote_field.on_delete is on_delete
    ]

"""Model fields that keep a law by themselves, whichever path a value takes."""

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models.fields.json import KeyTransform

from facts import guard

if TYPE_CHECKING:
    _CharField = models.CharField[str, str]
    _TextField = models.TextField[str, str]
else:
    _CharField, _TextField = models.CharField, models.TextField  # no parameter when they run


class GuardedJSONField(models.JSONField):
    """JSON that passes the guard when it is written and again when it is loaded.

    The guard sits in the field so that no path (the admin, ``bulk_create``, a row that raw SQL
    wrote before a rule existed) gets round it. An instance that was saved holds what was kept. A
    part of a vocabulary (``value__values``) is loaded as None: without its context nothing in it
    can be judged.
    """

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        value = super().pre_save(model_instance, add)
        if not hasattr(value, "as_sql"):
            value = guard.clean(value)
            setattr(model_instance, self.attname, value)
        return value

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        if not hasattr(value, "as_sql"):
            value = guard.clean(value)
        return super().get_db_prep_value(value, connection, prepared)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        if "values" in _path(expression):
            return None
        return guard.clean(super().from_db_value(value, expression, connection))


class GuardedCharField(_CharField):
    """A name or a title that passes the guard when it is written and again when it is loaded.

    What may not stand is replaced by the reason. Whoever takes a name from outside asks
    ``guard.text_reason`` first and refuses it.
    """

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        cleaned = _clean_text(value) if isinstance(value, str) else value
        return super().get_db_prep_value(cleaned, connection, prepared)

    def from_db_value(self, value: Any, _expression: Any, _connection: Any) -> Any:
        return _clean_text(value) if isinstance(value, str) else value


class GuardedTextField(_TextField):
    """A longer text of which no part may look like what must not be kept; as GuardedCharField."""

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        cleaned = _clean_text(value) if isinstance(value, str) else value
        return super().get_db_prep_value(cleaned, connection, prepared)

    def from_db_value(self, value: Any, _expression: Any, _connection: Any) -> Any:
        return _clean_text(value) if isinstance(value, str) else value


class GuardedDocumentField(models.JSONField):
    """JSON of a document that people or programs wrote, no vocabulary of a source.

    Each text in it passes the rule for texts, when it is written and again when it is loaded. Its
    lists of values are somebody's words and no values that a source's records share, so the rule
    for vocabularies does not touch them.
    """

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        if not hasattr(value, "as_sql"):
            value = clean_document(value)
        return super().get_db_prep_value(value, connection, prepared)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return clean_document(super().from_db_value(value, expression, connection))


def clean_document(value: Any) -> Any:
    """``value`` with each text, keys too, replaced where it may not be kept."""
    if isinstance(value, str):
        return _clean_text(value)
    if isinstance(value, dict):
        return {clean_document(key): clean_document(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [clean_document(item) for item in value]
    return value


_clean_name = lru_cache(maxsize=10_000)(guard.clean)  # names are few and read over and over
_clean_long = lru_cache(maxsize=1_000)(guard.clean)
NAME = 200  # characters, up to which a text is as short as a name


def _clean_text(text: str) -> Any:
    return _clean_name(text) if len(text) <= NAME else _clean_long(text)


def _path(expression: Any) -> list[str]:
    """The keys that an expression takes out of a document, the outermost last."""
    keys = []
    while isinstance(expression, KeyTransform):
        keys.append(str(expression.key_name))
        expression = expression.get_source_expressions()[0]
    return keys

"""What may be kept of a customer's data: vocabulary, and nothing about a person or a secret.

Pure, total and idempotent: every function answers for any JSON and raises nothing. Callers:

* the model fields call ``clean`` on whatever is written and again on whatever is loaded;
* the probe asks ``property_rule`` before it queries, so that what must not be kept never leaves
  the source, and ``is_person_like`` to find the owners of a table's records;
* preferences and answers ask ``text_reason`` and refuse what it names.
"""

from facts.guard.cleaning import CODES, clean
from facts.guard.names import TYPES, property_rule
from facts.guard.person_names import is_person_like
from facts.guard.texts import IN_WORDS, text_reason
from facts.guard.values import value_reason

__all__ = [
    "CODES",
    "IN_WORDS",
    "TYPES",
    "clean",
    "is_person_like",
    "property_rule",
    "text_reason",
    "value_reason",
]

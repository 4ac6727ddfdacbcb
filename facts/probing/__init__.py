"""Reading somebody else's database: what is in it, and nothing about anybody in it.

``connect`` registers a source and learns it, ``learn`` learns it again, and ``run_check`` does one
unit of that work for the scheduler.
"""

from facts.probing.checking import Outcome, run_check
from facts.probing.connecting import connect
from facts.probing.errors import BadMapping, SourceRefused, UnknownSource
from facts.probing.learning import Learned, learn

__all__ = [
    "BadMapping",
    "Learned",
    "Outcome",
    "SourceRefused",
    "UnknownSource",
    "connect",
    "learn",
    "run_check",
]

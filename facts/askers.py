"""The names under which Ken itself asks for facts. Its own wishes are no use of a fact."""

DEPENDENCY = "dependency"  # what a derived fact rests on changed, or is not there yet
LAPSE = "lapse"  # a fact's trust changed by the passing of time
RACE = "race"  # a build lost its race against another measurement
READER = "reader"  # a header or a page found it stale, or not there
KNOWLEDGE = "knowledge"  # a cold read found it stale

OWN = frozenset({DEPENDENCY, LAPSE, RACE, READER, KNOWLEDGE})

SPEC = "spec:"  # and a spec's id; it weighs by its demand, which goes when the spec is retired

OWN_PATTERNS = (*sorted(OWN), f"{SPEC}%")
"""All of Ken's own names, as LIKE matches them."""

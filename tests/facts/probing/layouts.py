"""Layouts for tests that probe without storing."""

from facts.probing.layout import Layout
from facts.probing.naming import named


def named_alone(layout: Layout, *others: Layout) -> Layout:
    """The layout with its names, as if it and ``others`` were all there is."""
    everything = [layout, *others]
    return named(
        everything,
        everything=everything,
        known={},
        taken=(),
        source="main",
        default_schema=layout.schema,
    )[0]

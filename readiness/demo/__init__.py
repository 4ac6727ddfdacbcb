"""The demo account: a small trading company that nobody owns, the same on every machine."""

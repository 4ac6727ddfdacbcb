"""The embedded PostgreSQL of a machine that has none, and Django's way to it."""

"""Saying numbers to people. Pure."""


def counted(number: int, thing: str) -> str:
    """A number of things: 1 account, 2 accounts."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"

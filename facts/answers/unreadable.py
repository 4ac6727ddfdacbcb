"""Refusing what is not understood, node by node."""

from sqlglot import exp


class Unreadable(Exception):
    """The query does something whose meaning is not read; ``code`` says what, without a value."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def only(node: exp.Expr, *names: str) -> None:
    """Raise Unreadable if ``node`` says more than the arguments that its reader reads.

    ``x IS NOT NULL`` is an Is with ``negate``: a reader that looks at the operands alone turns its
    meaning round. So an argument nobody reads ends the reading.
    """
    for name, value in node.args.items():
        if name not in names and value not in (None, False, []):
            raise Unreadable(f"{node.key}-{name.strip('_')}")

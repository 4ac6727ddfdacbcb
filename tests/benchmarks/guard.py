"""What the guard costs: 1,000 values of a vocabulary, a small fact, a property's name.

Run ``python -m tests.benchmarks.guard``. Times are the best of several runs on whatever machine
this is; the ratios say how they compare with parsing the same document as JSON.
"""

import json
import time
from collections.abc import Callable
from typing import Any

from facts import guard
from facts.guard.names import rule_of
from facts.guard.reading import daring_readings, readings

VALUES = 1000
GOAL = 50  # milliseconds for a vocabulary of a thousand values
RUNS = 7
ORDINARY = [
    *("In Progress", "Shipped", "Germany", "Sales Representative", "CARGO TRANSPORT 5", "v1.2.3"),
    *("PO-2024-000123", "2024-05-01", "10237f64-0bc0-487d-9011-acf99444131e", "København"),
    *("Dave Abbruzzese/Eddie Vedder/Jeff Ament/Mike McCready", "Заявка закрыта", "H12345"),
]
VOCABULARIES: dict[str, Callable[[int], str]] = {
    "ordinary words, names and numbers": lambda n: f"{ORDINARY[n % len(ORDINARY)]} {n}",
    "statuses": lambda n: f"Status {n}",
    "in Cyrillic": lambda n: f"Заявка номер {n} закрыта",
    "as long as may be": lambda n: f"part{n}-" * 12,
    "order numbers": lambda n: f"PO-2024-{n:06}",
    "UUIDs": lambda n: f"{n:08x}-0bc0-487d-9011-acf99444131e",
    "phone numbers": lambda n: f"+1 415 555 {n:04}",
    "IBANs with a wrong checksum": lambda n: f"DE89 3704 0044 0532 01{n % 100:02} {n // 100:02}",
}


def best(work: Callable[[], Any], *, times: int = 1) -> float:
    """Milliseconds of one call, the best of several runs."""
    taken = []
    for _ in range(RUNS):
        start = time.process_time()
        for _ in range(times):
            work()
        taken.append((time.process_time() - start) / times * 1000)
    return min(taken)


def vocabulary(value: Callable[[int], str]) -> dict[str, Any]:
    return {
        "of": "Order|reference",
        "type": "text",
        "values": [{"value": value(n), "records": 10 + n} for n in range(VALUES)],
        "more": 0,
    }


def names_afresh() -> None:
    for cached in (rule_of, readings, daring_readings):
        cached.cache_clear()
    for n in range(100):
        guard.property_rule("Order", f"billing_reference_{n}", "text")


def main() -> None:
    print(f"{VALUES} values of a vocabulary, CPU milliseconds (goal {GOAL})")
    for name, value in VOCABULARIES.items():
        document = vocabulary(value)
        text = json.dumps(document)
        cost = best(lambda document=document: guard.clean(document))
        parse = best(lambda text=text: json.loads(text))
        kept = len(guard.clean(document)["values"])
        print(f"  {cost:6.1f}  {cost / parse:5.1f} x parsing, {kept:4} kept  {name}")
    small = {"filled": 829, "count": 830, "fill": 0.9988}
    print(
        f"a fact of three numbers      {best(lambda: guard.clean(small), times=2000) * 1000:.1f} us"
    )
    print(f"a property's name, first time {best(names_afresh) * 10:.0f} us")


if __name__ == "__main__":
    main()

import csv
from datetime import UTC, datetime

from hypothesis import given, strategies
from hypothesis.strategies import text

from facts.models import Account
from readiness import exporting
from readiness.listing import Row
from readiness.rollup import Level

NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)


def row(account="acme", **said):
    nothing = {"level": Level.NOT_READY, "shown": None, "gap": None, "vetoes": ()}
    times = {"rolled_up_at": None, "probed_at": None}
    return Row(account=Account(external_id=account), **{**nothing, **times, **said})


def read(*rows):
    return list(csv.reader("".join(exporting.lines(rows)).splitlines(keepends=True)))


def test_a_line_says_what_the_list_says():
    ready = row(
        level=Level.ALMOST_READY,
        shown=73,
        gap="Still learning Shipment.",
        vetoes=["Shipment", "Carrier"],
        rolled_up_at=NINE,
        probed_at=NINE,
    )

    assert read(ready, row("globex")) == [
        ["account", "level", "number", "gap", "vetoes", "rolled up", "last probe"],
        ["acme", "almost-ready", "73", "Still learning Shipment.", "Shipment, Carrier",
         "2026-03-02T09:00:00Z", "2026-03-02T09:00:00Z"],
        ["globex", "not-ready", "", "", "", "", ""],
    ]  # fmt: skip


@given(
    strategies.sampled_from(["", " ", "   "]),
    strategies.sampled_from(list("=+-@\t\r\n")),
    text(strategies.characters(codec="utf-8", exclude_characters="\0"), max_size=20),
)
def test_no_id_becomes_a_formula(blanks, sign, rest):
    written = "".join(exporting.lines([row(f"{blanks}{sign}{rest}")]))
    first = next(csv.reader([written.split("\r\n", 1)[1]]))[0] if "\n" not in rest + sign else None

    assert exporting.safe(f"{blanks}{sign}{rest}").startswith("'")
    assert first is None or first.startswith("'")


def test_what_is_no_formula_stays_as_it_is():
    assert exporting.safe("acme = 4") == "acme = 4"
    assert exporting.safe("") == ""

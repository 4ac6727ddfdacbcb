"""Law 8. One trust function, one rollup: every number and level anyone sees comes from them."""

import ast
import json
from pathlib import Path

import pytest
from django.core.management import call_command

from facts import derivations, trust
from readiness import overall
from readiness.knowledge import get_knowledge
from readiness.reading import header_of, readiness_of
from tests.facts.observing import DAY, NINE, ORDERS, observe, stored
from tests.facts.program import program
from tests.readiness.test_knowledge import table

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("facts", "specs", "activities", "readiness")


@pytest.fixture
def aged(acme, time_machine):
    """Acme's orders, confirmed on three days and looked at 20 days later."""
    table(acme, "Order", 830)
    for day in (1, 2):
        observe(acme, value={"count": 830}, now=NINE + day * DAY)
    now = NINE + 20 * DAY
    time_machine.move_to(now, tick=False)
    derivations.settle(acme, clock=lambda: now)
    return acme


def test_every_surface_shows_the_trust_of_the_one_function(aged, capsys):
    now = NINE + 20 * DAY
    state = str(trust.state(stored(aged).evidence, now=now))

    call_command("facts", "acme", "--prefix", "data:label:Order", "--json")
    by_command = json.loads(capsys.readouterr().out)["trust"]
    by_api = program(aged).get(f"facts/{ORDERS}").json()["trust"]
    (by_knowledge,) = get_knowledge(aged, "data", now=now)["types"]
    (by_readiness,) = readiness_of(aged, now=now)["items"]

    told = [by_command, by_api, by_knowledge["trust"], by_readiness["trust"]]
    assert told == [state] * 4


def test_every_surface_shows_the_level_and_number_of_the_one_rollup(aged, capsys):
    now = NINE + 20 * DAY
    rolled = aged.facts.at(overall.REF).get().value

    call_command("readiness", "acme", "--json")
    by_command = json.loads(capsys.readouterr().out)
    by_api = program(aged).get("readiness").json()
    by_knowledge = get_knowledge(aged, "account", now=now)["readiness"]
    for told in (by_command, by_api, by_knowledge):
        assert (told["level"], told["shown"]) == (rolled["level"], rolled["shown"])
    assert header_of(aged, None, now=now) == f"Knowledge: {rolled['level']}, {rolled['shown']}%."


@pytest.mark.parametrize(
    ("word", "only_in"),
    [
        ("PRIOR_SUPPORT", {"facts/trust.py"}),
        ("CONFIRM_HALF_LIFE", {"facts/trust.py"}),
        ("READY_AT", set()),
        ("NAMES_IN_GAP", {"readiness/rollup.py"}),
    ],
)
def test_no_other_module_computes_what_the_one_does(word, only_in):
    found = set()
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            names = {
                node.id
                for node in ast.walk(ast.parse(path.read_text()))
                if isinstance(node, ast.Name)
            }
            if word in names:
                found.add(str(path.relative_to(ROOT)))

    assert found <= only_in

"""An explanation in lines that a person reads. Pure: from plain data to text."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from facts.wording import counted

Told = dict[str, Any]

_BECAUSE = {
    "new": "it was never made",
    "worth": "the freshness it buys is worth its cost then",
    "floor": "nothing waits longer, though it is not worth its cost",
    "lapse": "the trust of a fact lapses then",
    "asked": "somebody asked for what was never measured",
    "retry": "it failed and is tried again then",
}


def lines(told: Told) -> Iterator[str]:
    """The fact, what it rests on in turn, and the checks that measure it."""
    yield from _fact(told, "")
    for check in told["checks"]:
        yield ""
        yield from _check(check)


def _fact(told: Told, indent: str) -> Iterator[str]:
    whose = f" of {told['person']}" if told["person"] else ""
    said = [told["trust"]]
    said += [f"failing ({told['failing']})"] if told["failing"] else []
    said += [
        f"version {told['version']} measured {_time(told['measured_at'])}"
        if told["measured_at"]
        else "never measured"
    ]
    said += [f"asked for {_time(told['requested_at'])}"] if told["open"] else []
    said += ["newer than what was built from it"] if told.get("newer") else []
    yield f"{indent}{told['ref']}{whose}: {', '.join(said)}"
    if derived := told.get("derived"):
        yield from _derived(derived, f"{indent}  ")


def _derived(told: Told, indent: str) -> Iterator[str]:
    target = f" for {told['target']}" if told["target"] else ""
    yield f"{indent}built by {told['derivation']}{target}, code {told['built_by'] or 'none yet'}"
    if told["code"] != told["built_by"]:
        yield f"{indent}the code is {told['code'] or 'no longer there'} now"
    if told["due_at"]:
        yield f"{indent}due {_time(told['due_at'])}, weight {_number(told['weight'])}"
    for ref in told.get("missing", ()):
        yield f"{indent}waits for {ref}"
    for part in told["inputs"]:
        now = "gone" if part["now"] is None else part["now"][:12]
        was = f"{(part['built'] or 'nothing')[:12]} -> {now}" if part["changed"] else now
        yield f"{indent}input {part['part']}: {'changed, ' if part['changed'] else ''}{was}"
    for place in told["rests_on"]:
        facts = place["facts"]
        yield f"{indent}rests on {place['place']}{'' if facts else ', where nothing is known'}"
        for fact in facts:
            yield from _fact(fact, f"{indent}  ")
        if place["more"]:
            yield f"{indent}  and {place['more']} more"


def _check(told: Told) -> Iterator[str]:
    yield f"check of {told['check']}, source {told['source']}"
    if told["leased_until"]:
        yield f"  being made, leased until {_time(told['leased_until'])}"
    yield f"  due {_time(told['due_at'])}: {_BECAUSE[told['because']]}"
    weight = told["weight"]
    yield (
        f"  weight {_number(weight['total'])} = 1 + {counted(weight['askers'], 'open asker')}"
        f" + {_number(weight['use'])} uses a day + {_number(weight['demand'])} demand"
    )
    rate = told["change_rate"]
    yield (
        f"  changes {_number(rate['per_day'])} times a day"
        f" (a {_number(rate['a'])} in b {_number(rate['b'])} days)"
    )
    yield (
        f"  costs {_number(told['cost'])} seconds, of {_number(told['budget'])} an hour;"
        f" threshold {_number(told['threshold'])} weighted days of freshness a second"
    )
    yield from _worth(told)
    last = told["last_checked"]
    yield f"  last checked {_time(last)}" if last else "  never checked"
    if told["failures"]:
        yield f"  failed {told['failures']} times in a row"
    if told["source_failures"]:
        yield f"  its source does not answer; tried again {_time(told['source_retry_at'])}"
    for request in told["requests"]:
        yield f"  {request['by']} asked for {request['ref']} {_time(request['at'])}"


def _worth(told: Told) -> Iterator[str]:
    worth = told["worth"]
    if worth is None:
        return
    days = worth["after_days"]
    yield (
        f"  has to buy {_number(worth['price'])} weighted days of freshness,"
        f" bought {_number(worth['bought_now'])} so far;"
        f" all of it {'never' if days is None else f'after {_number(days)} days'},"
        f" due after {_number(told['longest_wait'])} days at the latest"
    )


def _number(number: float | None) -> str:
    return "?" if number is None else f"{number:.3g}"


def _time(moment: datetime | None) -> str:
    return "never" if moment is None else f"{moment:%Y-%m-%d %H:%M:%S %Z}"

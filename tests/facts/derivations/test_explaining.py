import pytest

from facts import derivations, store
from facts.canonical import digest
from facts.derivations.catalogue import REF
from facts.derivations.explaining import MOST, explain
from facts.errors import UnknownRef
from facts.refs import Ref
from tests.facts.derivations.deriving import TOTAL, count, run, target_in, total
from tests.facts.observing import MINUTE, NINE, stored

LATER = NINE + 10 * MINUTE


def test_a_measured_fact_says_what_it_is_and_that_it_is_not_derived(acme):
    count(acme, "Order", 830)
    told = explain(acme, Ref.parse("data:label:Order"), now=NINE)

    assert told["ref"] == "data:label:Order"
    assert told["digest"] == digest({"count": 830})
    assert told["trust"] == "believed"
    assert told["measured_at"] == NINE
    assert "derived" not in told


def test_a_derived_fact_names_its_inputs_by_their_hashes(acme, derived):
    count(acme, "Order", 830)
    run(acme)

    told = explain(acme, TOTAL, now=LATER)["derived"]

    counts = digest({"Order": 830})
    assert told["inputs"] == [{"part": "counts", "built": counts, "now": counts, "changed": False}]
    assert told["hash"] == told["built_from"] == total(acme).built_from
    assert (told["derivation"], told["built_by"], told["code"]) == ("total", "1", "1")


def test_what_changed_since_is_named_by_part_and_by_fact(acme, derived):
    count(acme, "Order", 830)
    count(acme, "Carrier", 3)
    run(acme, now=NINE + MINUTE)
    count(acme, "Order", 840, now=LATER)

    told = explain(acme, TOTAL, now=LATER)["derived"]

    assert [(part["part"], part["changed"]) for part in told["inputs"]] == [("counts", True)]
    assert told["hash"] != told["built_from"]
    (place,) = told["rests_on"]
    assert (place["place"], place["more"]) == ("data:label:", 0)
    assert [(fact["ref"], fact["newer"]) for fact in place["facts"]] == [
        ("data:label:Carrier", False),
        ("data:label:Order", True),
    ]


def test_new_code_shows_beside_the_code_it_was_built_by(acme, derived):
    count(acme, "Order", 830)
    run(acme)
    derived.register(version="2")

    told = explain(acme, TOTAL, now=LATER)["derived"]

    assert (told["built_by"], told["code"]) == ("1", "2")
    assert told["hash"] != told["built_from"]
    assert [part["changed"] for part in told["inputs"]] == [False]


def test_it_goes_down_to_the_measurements_through_what_is_derived_in_turn(acme, derived):
    count(acme, "Order", 830)
    run(acme)
    above = Ref.parse("account:total:above")
    derivations.register(
        derived.declared(
            name="above",
            inputs=lambda target, reading: {
                "total": [fact.value for fact in reading.at(TOTAL).values()]
            },
            build=lambda inputs: {(None, above): {"seen": len(inputs["total"])}},
        )
    )
    run(acme, derivation="above")

    (place,) = explain(acme, above, now=LATER)["derived"]["rests_on"]
    (fact,) = place["facts"]
    assert (place["place"], fact["ref"]) == (str(TOTAL), str(TOTAL))
    ((label,),) = [each["facts"] for each in fact["derived"]["rests_on"]]
    assert label["ref"] == "data:label:Order"
    assert explain(acme, TOTAL, now=LATER)["derived"]["dependents"] == ["above:"]


def test_it_stores_and_builds_nothing(acme, derived):
    count(acme, "Order", 830)
    run(acme)
    count(acme, "Order", 840, now=LATER)
    before = (stored(acme, TOTAL).version, target_in(acme).asked, len(derived.builds))

    explain(acme, TOTAL, now=LATER)

    assert (stored(acme, TOTAL).version, target_in(acme).asked, len(derived.builds)) == before


def test_what_is_missing_is_said_in_place_of_inputs(acme, derived):
    count(acme, "Order", 830)
    run(acme)
    derived.missing = (Ref.parse("data:label:Parcel"),)
    told = explain(acme, TOTAL, now=LATER)["derived"]
    assert (told["inputs"], told["missing"]) == ([], ["data:label:Parcel"])


def test_a_list_that_is_cut_says_how_many_more_there_are(acme, derived):
    for n in range(MOST + 3):
        count(acme, f"T{n:02}", n)
    run(acme)
    (place,) = explain(acme, TOTAL, now=LATER)["derived"]["rests_on"]
    assert (len(place["facts"]), place["more"]) == (MOST, 3)


def test_a_fact_whose_derivation_is_gone_still_says_what_it_was_built_from(acme, derived):
    count(acme, "Order", 830)
    run(acme)
    derivations.unregister("total")
    told = explain(acme, TOTAL, now=LATER)["derived"]
    assert (told["code"], told["inputs"]) == (None, [])
    assert told["built_from"] == total(acme).built_from


def test_a_fact_only_asked_for_is_told_as_never_measured(acme):
    store.request(acme, Ref.parse("data:label:Order"), by="alice", now=NINE)
    told = explain(acme, Ref.parse("data:label:Order"), now=LATER)
    assert (told["version"], told["trust"], told["open"]) == (0, "unknown", True)


def test_an_unknown_ref_is_refused(acme, globex):
    count(globex, "Order", 830)
    with pytest.raises(UnknownRef, match=r"^nothing is known or asked for at data:label:Order$"):
        explain(acme, Ref.parse("data:label:Order"), now=NINE)


def test_the_catalogue_is_explained_part_by_part(acme):
    count(acme, "Order", 830)
    derivations.settle(acme, clock=lambda: NINE)
    count(acme, "Order", 840, now=LATER)

    inputs = explain(acme, REF, now=LATER)["derived"]["inputs"]

    assert [part["part"] for part in inputs if part["changed"]] == ["counts"]

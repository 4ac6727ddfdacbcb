from facts.models import Person
from tests.facts.program import program


def test_the_planner_reads_header_readiness_and_knowledge(known, alice):
    planner = program(known, person=alice)

    assert planner.get("header").json() == {"text": "Works on: Refunding.\nKnowledge: ready, 100%."}
    assert planner.get("readiness").json()["level"] == "ready"
    assert planner.get("knowledge/data").json()["types"][0]["type"] == "Order"
    assert planner.get("knowledge/user").json()["activities"][0]["title"] == "Refunding"


def test_a_reader_of_the_whole_account_names_the_person_in_the_path(known):
    planner = program(known)

    assert planner.get("header").json()["text"] == "Knowledge: ready, 100%."
    assert planner.get("people/alice/header").json()["text"].startswith("Works on: Refunding.")
    assert planner.get("people/zoe/header").status_code == 404
    assert planner.get("knowledge/user").status_code == 404
    assert planner.get("knowledge/weather").status_code == 400


def test_a_token_of_one_person_reads_no_other_and_an_observer_none(known, globex):
    bob = program(known, person=Person.objects.create(account=known, external_id="bob"))

    assert bob.get("people/alice/header").status_code == 404
    assert "Refunding" not in bob.get("header").content.decode()
    assert program(known, observer="probe", name="prober").get("readiness").status_code == 403
    assert program(globex).get("readiness").json()["level"] == "not-ready"

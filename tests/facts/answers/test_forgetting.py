from facts import forgetting
from facts.answers.who import Who
from facts.models import Answer, AnswerOutcome, Fact, Observation, Person
from tests.facts.answers.shop import LATER, after, ask, late, offer, proven, tell


def test_forgetting_an_account_erases_its_answers_and_their_facts(shop, globex):
    proven(shop, question=late(text="A canary asks which orders are late?"))
    ask(shop)

    forgotten = forgetting.forget(shop, now=LATER, canary="canary")

    assert forgotten.searched.is_clean
    assert forgotten.erased["answers"] == 1
    for model in (Answer, AnswerOutcome, Fact, Observation):
        assert not model.objects.exists()


def test_forgetting_a_person_erases_what_they_proposed_and_what_names_them(shop, alice):
    hers = Who(name=f"person:{alice.pk}", is_person=True, person=alice)
    offer(shop, who=hers, question=late(text="Which orders of mine are late?"))
    things = [{"kind": "Person", "identity": "alice"}]
    proven(shop, question=late(text="Which orders of alice are late?", things=things))
    others = proven(shop)
    tell(others, who=hers, now=after(1))

    forgotten = forgetting.forget(shop, alice, now=after(2))

    assert forgotten.searched.is_clean
    assert list(Answer.objects.all()) == [others]
    assert list(Fact.objects.filter(namespace="answer")) == [others.fact]
    assert not Person.objects.exists()
    assert not Observation.objects.filter(by=hers.name).exists()
    assert ask(shop, now=after(2)).verdict == "serve"

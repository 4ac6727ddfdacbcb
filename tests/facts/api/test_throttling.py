from facts.models import Token
from tests.facts.program import problem, program


def test_a_token_past_its_calls_is_told_when_to_come_again(acme, settings):
    settings.CALLS_PER_MINUTE = 2
    reader, other = program(acme), program(acme, name="other")

    statuses = [reader.get("facts").status_code for _ in range(2)]
    refused = reader.get("facts")

    assert statuses == [200, 200]
    assert problem(refused)["type"] == "/problems/too-many-calls"
    assert refused.status_code == 429
    assert 1 <= int(refused["Retry-After"]) <= 60
    assert other.get("facts").status_code == 200


def test_a_call_past_the_limit_leaves_nothing(acme, settings):
    settings.CALLS_PER_MINUTE = 1
    reader = program(acme)
    reader.get("facts")

    assert reader.post("facts/requests/data:label:Order").status_code == 429
    assert not acme.facts.exists()
    assert Token.objects.get().calls == 1

import pytest

from facts.answers.asking import Question
from facts.answers.errors import BadAnswer
from facts.answers.keepable import demand_keepable
from facts.models import Answer, Fact
from tests.facts.answers.shop import LATE, LATE_ORDERS, late, offer, proven, stood

CARD = "4111 1111 1111 1111"
ADDRESS = "ann.miller@example.com"
KEY = "sk_live_51H8xY2eZvKYlo2C9aXbT7QpR"


@pytest.mark.parametrize(
    ("proposed", "where", "code", "secret"),
    [
        ({"question": late(text=f"Orders of {ADDRESS}?")}, "question", "email", ADDRESS),
        ({"question": late(ADDRESS), "query": LATE}, "question", "email", ADDRESS),
        (
            {"question": late(things=[{"kind": "Customer", "identity": ADDRESS}])},
            "question",
            "email",
            ADDRESS,
        ),
        ({"query": f"SELECT id FROM orders WHERE status = '{KEY}'"}, "query", "credential", KEY),
        ({"query": f"{LATE} AND note = '{CARD}'"}, "query", "card", CARD),
        ({"query": f"{LATE} -- {ADDRESS}"}, "query", "email", ADDRESS),
        ({"params": {"who": ADDRESS}}, "params", "email", ADDRESS),
        ({"params": {"who": [{"deep": CARD}]}}, "params", "card", CARD),
        ({"params": {ADDRESS: 1}}, "params", "email", ADDRESS),
        ({"params": {"card": 4111111111111111}}, "params", "card", "4111111111111111"),
    ],
)
def test_what_must_not_be_kept_is_refused_with_the_reason_and_never_quoted(
    shop, proposed, where, code, secret
):
    with pytest.raises(BadAnswer) as refusal:
        offer(shop, **proposed)

    assert where in str(refusal.value)
    assert code in str(refusal.value)
    assert secret not in str(refusal.value)
    assert not Answer.objects.exists()
    assert not Fact.objects.filter(namespace="answer").exists()


@pytest.mark.parametrize(
    "condition",
    ["secret_token = 'abc'", "secret_token IN ('abc', 'def')", "lower(o.secret_token) LIKE 'ab%'"],
)
def test_no_query_that_compares_a_credential_is_kept(shop, condition):
    with pytest.raises(BadAnswer, match="credential"):
        offer(shop, query=f"SELECT id FROM orders o WHERE {condition}")


@pytest.mark.parametrize(
    "query",
    [
        "SELECT x.id FROM (SELECT id, secret_token AS x FROM orders) x WHERE x.x = 'hunter'",
        "WITH x AS (SELECT id, secret_token AS x FROM orders) SELECT id FROM x WHERE x = 'hunter'",
        "WITH x (i, s) AS (SELECT id, secret_token FROM orders) SELECT i FROM x WHERE s = 'hunter'",
        "SELECT id FROM orders WHERE CASE secret_token WHEN 'hunter' THEN true ELSE false END",
        "SELECT id, NULLIF(secret_token, 'hunter') FROM orders",
        "SELECT id, secret_token || 'hunter' FROM orders",
        "SELECT id FROM orders WHERE 'hunter' IN (SELECT secret_token FROM orders)",
        "SELECT secret_token FROM orders INTERSECT SELECT 'hunter'",
    ],
)
def test_no_roundabout_comparison_of_a_credential_is_kept(shop, query):
    with pytest.raises(BadAnswer, match="credential"):
        offer(shop, query=query)


def test_that_a_credential_is_there_may_be_asked():
    query = "SELECT id, secret_token FROM orders WHERE secret_token IS NOT NULL"

    demand_keepable(Question.from_document(LATE_ORDERS), query, "postgres", {})


@pytest.mark.parametrize("comment", ["-- Bob owes us", "/* Bob owes us */", "/*+ HASH(o) */"])
def test_a_query_is_kept_without_comments(shop, comment):
    with pytest.raises(BadAnswer, match="comment"):
        offer(shop, query=f"SELECT {comment}\n id FROM orders o WHERE status = 'late'")


def test_no_question_for_the_value_of_a_credential_is_kept(shop):
    asked = {
        **LATE_ORDERS,
        "constraints": [
            {"label": "Order", "op": "rows"},
            {"label": "Order", "property": "secretToken", "op": "=", "value": "abc"},
        ],
    }
    with pytest.raises(BadAnswer, match="credential"):
        offer(shop, question=asked)


def test_prose_and_names_of_people_are_what_questions_are_made_of(shop):
    text = "Which orders did Ann Miller place, I wonder. And are they late?"
    things = [{"kind": "Customer", "identity": "Ann Miller"}]

    answer = proven(shop, question=late(text=text, things=things))

    assert (stood(answer).text, stood(answer).things) == (text, things)


def test_what_raw_sql_put_there_is_withheld_when_it_is_loaded_and_not_served(shop):
    from django.db import connection

    from tests.facts.answers.shop import ask

    answer = proven(shop)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE facts_answer SET query = %s, params = jsonb_build_object('who', %s::text)",
            [f"{LATE} -- {ADDRESS}", ADDRESS],
        )

    assert ADDRESS not in repr(stood(answer).__dict__)
    assert (ask(shop).verdict, ask(shop).reason) == ("refused", "withheld")

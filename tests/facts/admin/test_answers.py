import re

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.utils import timezone

from facts.models import Answer
from tests.facts.answers.shop import (
    ASSISTANT,
    LATE,
    LATE_AND_THERE,
    ORDERS,
    ask,
    late,
    learn,
    offer,
    proven,
    stood,
    tell,
    without,
)

LIST = "/admin/facts/answer/"


@pytest.fixture
def shop(acme):
    learn(acme)
    return acme


def page_of(answer):
    return f"{LIST}{answer.pk}/change/"


def test_the_list_shows_standing_uses_and_a_chart(shop, support):
    now = timezone.now()
    answer = proven(shop, now=now)
    for _ in range(3):
        ask(shop, now=now)

    text = support.get(LIST).content.decode()

    assert "Which orders are late?" in text
    assert "badge-proven" in text
    assert ">believed<" in text
    assert ">served<" in text
    assert re.search(r'field-uses">3<', text)
    assert 'aria-label="Trust 0.83 now; 1 confirmed and 0 refuted since' in text
    assert "<script" not in text.split('id="result_list"')[1].split("</table>")[0]
    assert "style=" not in text.split('id="result_list"')[1].split("</table>")[0]
    assert answer.account.external_id in text


def test_the_list_takes_the_same_queries_for_one_answer_and_for_many(
    shop, support, django_assert_max_num_queries
):
    proven(shop, now=timezone.now())
    with django_assert_max_num_queries(20) as one:
        support.get(LIST)
    for number in range(12):
        proven(shop, question=late(text=f"Late orders, the {number}th?"), now=timezone.now())
    with django_assert_max_num_queries(20) as many:
        support.get(LIST)

    assert len(one) == len(many)


def test_the_page_shows_question_constraints_and_query_side_by_side(shop, support):
    things = [{"kind": "Carrier", "identity": "UPS"}]
    answer = proven(shop, question=late(things=things), query=LATE_AND_THERE, now=timezone.now())

    text = support.get(page_of(answer)).content.decode()

    for part in ("Which orders are late?", "UPS", "<td>status</td>", "deleted_at IS NULL"):
        assert part in text
    assert "It also restricts" in text
    assert '<h2 id="history">' in text


@pytest.mark.parametrize(
    ("who", "may"),
    [
        ("Support", {"verify", "withdraw", "retire"}),
        ("Operators", set()),
        ("Spec reviewers", set()),
        ("administrator", {"verify", "withdraw", "retire"}),
    ],
)
def test_a_group_does_what_it_may_and_no_more(shop, login, who, may):
    client, done = login(who), set()
    answer = proven(shop)
    for word in ("verify", "withdraw", "retire"):
        status = client.post(f"{LIST}{answer.pk}/{word}/").status_code
        assert status in (302, 403)
        done |= {word} if status == 302 else set()

    assert done == may
    assert client.get(LIST).status_code == 200
    assert client.get(f"{LIST}add/").status_code == 403
    assert client.get(f"{LIST}{answer.pk}/delete/").status_code == 403


def test_verifying_withdrawing_and_retiring_each_leave_a_line_by_who_did_it(shop, support):
    answer = proven(shop, now=timezone.now())

    support.post(f"{LIST}{answer.pk}/verify/")
    assert stood(answer).fact.verified_by.username == "support"
    assert ask(shop, now=timezone.now()).answer.verified

    support.post(f"{LIST}{answer.pk}/withdraw/")
    assert stood(answer).fact.verified_at is None

    support.post(f"{LIST}{answer.pk}/retire/")
    assert (stood(answer).state, stood(answer).fact.value) == ("retired", {"absent": True})
    assert ask(shop, now=timezone.now()).reason == "unknown-question"
    assert [
        (entry.user.username, entry.change_message) for entry in LogEntry.objects.order_by("pk")
    ] == [
        ("support", "Verified."),
        ("support", "Withdrew the verification."),
        ("support", "Retired."),
    ]


def test_what_can_not_be_done_is_told_and_stops_no_other(shop, support):
    first = proven(shop, now=timezone.now())
    second = offer(shop, question=late(text="Late orders?"), now=timezone.now()).answer
    support.post(f"{LIST}{first.pk}/retire/")

    told = support.post(
        LIST, {"action": "verify_selected", "_selected_action": [first.pk, second.pk]}, follow=True
    ).content.decode()

    assert "was replaced or retired" in told
    assert stood(second).fact.verified_at is not None
    assert stood(first).fact.verified_at is None


def test_a_get_changes_nothing(shop, support):
    answer = proven(shop)
    for word in ("verify", "withdraw", "retire"):
        assert support.get(f"{LIST}{answer.pk}/{word}/").status_code == 405

    assert stood(answer).state == "proposed"
    assert not LogEntry.objects.exists()


def test_what_somebody_should_look_at_is_found(shop, support):
    user = User.objects.create(username="rita")
    now = timezone.now()
    names = ("contested", "refuted", "unproven", "schema-changed")
    answers = {
        name: offer(shop, question=late(text=f"Is it {name} and late?"), now=now).answer
        for name in names
    }
    for name in names:
        if name != "unproven":
            tell(answers[name], now=now)
    for name in ("contested", "refuted"):
        tell(answers[name], "refuted", who=ASSISTANT, now=now)
    fact = stood(answers["contested"]).fact
    fact.verified_by, fact.verified_at = user, now
    fact.save()
    Answer.objects.filter(pk=answers["schema-changed"].pk).update(schema_changed_at=now)

    said = support.get(page_of(answers["contested"])).content.decode()
    assert ">verified<" in said
    assert ">contested<" in said
    assert "no evidence yet" not in said
    assert "no evidence yet" in support.get(page_of(answers["unproven"])).content.decode()
    for name in names:
        text = support.get(f"{LIST}?look={name}").content.decode()
        assert [one for one in names if f"Is it {one} and late?" in text] == [name]


def test_a_changed_schema_is_shown_and_verifying_is_looking(shop, support):
    answer = proven(shop, now=timezone.now())
    learn(shop, (without(ORDERS, "status"),), now=timezone.now())
    assert "schema changed" in support.get(page_of(answer)).content.decode()

    told = support.post(f"{LIST}{answer.pk}/verify/", follow=True).content.decode()
    assert "can&#x27;t be analysed" in told or "does not answer" in told
    learn(shop, now=timezone.now())
    support.post(f"{LIST}{answer.pk}/verify/")

    assert stood(answer).schema_changed_at is None
    assert stood(answer).query == LATE

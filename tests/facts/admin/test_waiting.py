"""The admin's home: what waits for somebody, each counted for those who can do it."""

import re

import pytest
from django.contrib.auth.models import User

from activities.models import UnmappedAction
from facts import store
from facts.models import Answer, Fact, Person, Source
from facts.refs import Ref
from specs import reviewing
from tests.facts.observing import NINE, observe
from tests.specs.loaded import spec


@pytest.fixture
def chores(acme, alice):
    """Two specs in review, an unmapped action, a silent source, a failing fact and two answers."""
    author = User.objects.create_user("author")
    for name in ("late-orders", "refunds"):
        draft = reviewing.save_draft(document=spec(name), author=author, now=NINE)
        reviewing.submit(draft, now=NINE)
    for person in (alice, Person.objects.create(account=acme, external_id="bob")):
        UnmappedAction.objects.create(
            account=acme, person=person, name="pay", count=3, last_at=NINE
        )
    Source.objects.create(account=acme, encrypted_url="-", failure="unreachable")
    observe(acme)
    observe(acme, outcome="failed", failure="42501", now=NINE)
    _answer(acme, "refuted since", verified_at=NINE, refuted=True, digest="x")
    _answer(acme, "never confirmed")


def _answer(account, text, **standing):
    """An answer whose value has the digest x, and its fact as it stands."""
    ref = Ref.of("answer", "question", text.replace(" ", "-"))
    fact = store.request(account, ref, by="crm", now=NINE)
    Fact.objects.filter(pk=fact.pk).update(**standing)
    Answer.objects.create(
        account=account,
        fact=fact,
        text=text,
        query="SELECT 1",
        dialect="sqlite",
        analysis={},
        schema={},
        value_digest="x",
        proposed_by="crm",
        proposed_at=NINE,
    )


def home(client):
    """What waits, and where it leads."""
    html = client.get("/admin/").content.decode()
    part = html.split('id="chores"')[1].split("</section>")[0]
    found = re.findall(r'<a href="([^"]*)"><strong>(\d+)</strong> ([^<]*)</a>', part)
    return {words.replace("&#x27;", "'"): (int(count), where) for where, count, words in found}


VERIFY = {
    "verified answer is contested": (1, "/admin/facts/answer/?look=contested"),
    "answer to verify": (1, "/admin/facts/answer/?look=unproven"),
}
SOURCE = {"source does not answer": (1, "/admin/facts/source/")}
FACTS = {"facts can't be read or were refuted": (2, "/admin/facts/fact/?standing=failing")}
ACTION = {"action to map to a verb": (1, "/admin/activities/unmappedname/")}
SPECS = {"specs in review": (2, "/admin/specs/spec/?state=in-review")}


@pytest.mark.parametrize(
    ("who", "waits"),
    [
        ("Support", SOURCE | FACTS | ACTION | VERIFY),
        ("Operators", SOURCE | FACTS | ACTION),
        ("Spec reviewers", SOURCE | FACTS | SPECS),
        ("administrator", SOURCE | FACTS | ACTION | SPECS | VERIFY),
        ("nobody", {}),
    ],
)
def test_each_sees_what_waits_for_them(who, waits, login, chores):
    assert home(login(who)) == waits


def test_every_chore_leads_to_a_list_of_as_many(administrator, chores):
    for count, where in home(administrator).values():
        answer = administrator.get(where)
        assert answer.status_code == 200
        assert answer.context["cl"].result_count == count


def test_where_nothing_waits_the_home_says_so(administrator, db):
    assert "Nothing." in administrator.get("/admin/").content.decode()
    assert home(administrator) == {}

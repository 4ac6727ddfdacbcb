"""The person's page, "what I work on": read, one click per act, without JavaScript."""

import re
from html import unescape

import pytest
import time_machine
from django.contrib.auth.models import Group, User
from django.test import Client

from activities import reads, verbs
from activities.documents import Registry
from activities.models import Feedback
from facts.derivations import settle
from facts.models import Fact, Person
from tests.activities.diary import DAY, LATER, MONDAY, Diary


@pytest.fixture
def clock():
    with time_machine.travel(LATER, tick=False) as traveller:
        yield traveller


@pytest.fixture
def page(diary, clock):
    """alice, logged in, with two activities: refunding 4 sessions, replying 3."""
    diary.came_back_to("alice", "refund", sessions=4)
    diary.came_back_to("alice", "reply", since=MONDAY + 6 * DAY)
    settle(diary.account, clock=lambda: LATER)
    user = User.objects.create_user("alice", password="sesame")
    Person.objects.filter(external_id="alice").update(user=user)
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    return Page(client)


class Page:
    """The page as a person without JavaScript uses it."""

    def __init__(self, client):
        self.client = client
        self.html = ""
        self.open()

    def open(self):
        answer = self.client.get("/me/")
        assert answer.status_code == 200
        self.html = answer.content.decode()

    @property
    def text(self):
        return " ".join(unescape(re.sub(r"<[^>]*>", " ", self.html)).split())

    @property
    def buttons(self):
        return re.findall(r'<button[^>]* aria-label="([^"]*)"', self.html)

    def click(self, label):
        """Send the form of the button with this label, and follow where it leads."""
        form = next(f for f in re.findall(r"<form.*?</form>", self.html, re.DOTALL) if label in f)
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form))
        button = next(b for b in re.findall(r"<button[^>]*>", form) if label in b)
        name, value = re.search(r'name="(\w+)" value="([^"]*)"', button).groups()
        action = re.search(r'action="([^"]*)"', form)[1]
        answer = self.client.post(action, {**fields, name: value}, follow=True)
        assert answer.redirect_chain == [("/me/", 302)]
        self.html = answer.content.decode()


def test_the_page_shows_what_the_assistant_thinks_and_why(page):
    assert "Refund 4 sessions on 4 days." in page.text
    assert "Reply 3 sessions on 3 days." in page.text
    assert page.text.index("Refund") < page.text.index("Reply")
    assert page.buttons == [
        "Hide Refund for 30 days",
        "Refund is not mine",
        "Hide Reply for 30 days",
        "Reply is not mine",
    ]


def test_not_mine_is_one_click_and_says_what_it_did(page):
    page.click("Refund is not mine")

    assert "Noted: “Refund” is not yours." in page.text
    assert "Refund 4 sessions" not in page.text
    assert "Not mine Refund, since 22 March 2026" in page.text
    assert "Take back that Refund is not mine" in page.buttons
    assert [each.verb for each in stored()] == ["reply"]


def test_hide_is_one_click_and_says_until_when(page):
    page.click("Hide Reply for 30 days")

    assert "“Reply” is hidden until 21 April 2026, 09:00." in page.text
    assert "Hidden for now Reply, until 21 April 2026, 09:00 UTC" in page.text
    assert [each.verb for each in stored()] == ["refund"]


def test_both_are_taken_back_by_one_click(page, clock):
    page.click("Refund is not mine")
    page.click("Hide Reply for 30 days")
    clock.shift(60)

    page.click("Take back that Refund is not mine")
    assert "Taken back: “Refund”" in page.text
    page.click("Show Reply again")

    assert "Refund 4 sessions on 4 days." in page.text
    assert "Reply 3 sessions on 3 days." in page.text
    assert "Hidden for now" not in page.text


def test_a_hide_is_gone_from_the_page_when_it_ended(page, clock):
    page.click("Hide Reply for 30 days")
    clock.shift(30 * 86_400)
    page.client.force_login(User.objects.get())
    page.open()

    assert "Hidden for now" not in page.text


def stored():
    person = Person.objects.get(external_id="alice")
    return reads.activities_of(person.account, person)


def test_figures_about_others_are_shown_from_three_colleagues_on(page, diary):
    for colleague in ("bob", "carol"):
        diary.did(colleague, "invoice", MONDAY)
    settle(diary.account, clock=lambda: LATER)
    page.open()
    assert "colleagues" not in page.text.split("Refund")[1]

    diary.did("dave", "refund", MONDAY)
    settle(diary.account, clock=lambda: LATER)
    page.open()

    assert "4 sessions on 4 days, 3.8 times as often as your colleagues." in page.text  # 15/4
    assert "3 sessions on 3 days, and none by your 3 colleagues." in page.text


def test_the_page_shows_exactly_what_the_assistant_is_told(page):
    told = Fact.objects.get(person__external_id="alice", kind="header").value["text"]
    assert told.startswith("Works on: Refund, Reply.")
    assert f"<code>{told}</code>" in unescape(page.html)

    page.click("Refund is not mine")

    assert "<code>Works on: Reply.\n" in unescape(page.html)


def test_a_header_not_written_yet_is_asked_for_and_the_page_says_so(diary, clock):
    diary.did("bob", "reply", MONDAY)
    user = User.objects.create_user("bob")
    bob = diary.person("bob")
    Person.objects.filter(pk=bob.pk).update(user=user)
    client = Client()
    client.force_login(user)

    assert "Nothing yet: the text" in client.get("/me/").content.decode()
    assert bob.facts.get(kind="header").is_open


def test_times_are_told_in_the_zone_that_the_browser_said(page):
    page.client.cookies["zone"] = "Asia/Tokyo"
    page.click("Hide Reply for 30 days")

    assert "until 21 April 2026, 18:00 JST" in page.text
    assert 'datetime="2026-04-21T18:00:00+09:00"' in page.html


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../../etc/passwd", ""])
def test_a_zone_that_is_none_tells_times_in_the_sites(page, zone):
    page.client.cookies["zone"] = zone
    page.click("Hide Reply for 30 days")

    assert "until 21 April 2026, 09:00 UTC" in page.text


def test_a_forged_form_does_nothing(page):
    answer = page.client.post("/me/say/", {"verb": "refund", "act": "not-mine"})

    assert answer.status_code == 403
    assert not Feedback.objects.exists()


def test_an_act_is_never_a_link(page):
    assert page.client.get("/me/say/?verb=refund&act=not-mine").status_code == 405
    assert not Feedback.objects.exists()


@pytest.mark.parametrize(("fields", "status"), [({"act": "sleep"}, 400), ({}, 400)])
def test_an_unknown_act_is_refused(page, fields, status):
    client = Client()
    client.force_login(User.objects.get())

    assert client.post("/me/say/", {"verb": "refund", **fields}).status_code == status


def test_a_verb_that_is_none_is_refused_in_words(page):
    client = Client()
    client.force_login(User.objects.get())

    answer = client.post("/me/say/", {"verb": "<b>", "act": "hide"}, follow=True)

    assert "The registry has no such verb" in answer.content.decode()
    assert not Feedback.objects.exists()


def test_nobody_sees_or_rejects_anybody_elses(page, diary):
    """bob's login posts what it likes: it is bob who says it."""
    diary.did("bob", "reply", MONDAY)
    user = User.objects.create_user("bob")
    Person.objects.filter(external_id="bob").update(user=user)
    client = Client()
    client.force_login(user)

    assert "Refund" not in client.get("/me/").content.decode()
    client.post("/me/say/", {"verb": "refund", "act": "not-mine", "person": "alice"})

    assert [(said.person.external_id) for said in Feedback.objects.all()] == ["bob"]
    assert [each.verb for each in stored()] == ["refund", "reply"]


def test_a_login_without_a_person_is_told_what_to_do(db):
    client = Client()
    client.force_login(User.objects.create_user("stranger"))

    for answer in (client.get("/me/"), client.post("/me/say/", {"act": "hide", "verb": "x"})):
        assert answer.status_code == 404
        assert "Please ask support" in answer.content.decode()


@pytest.mark.parametrize(("group", "is_told_where"), [("Operators", True), ("Support", False)])
def test_staff_who_may_tie_a_login_are_told_where_and_not_sent_to_themselves(
    db, group, is_told_where
):
    user = User.objects.create_user("staff", is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    client = Client()
    client.force_login(user)

    html = client.get("/me/").content.decode()

    assert ('href="/admin/facts/person/">among the people' in html) is is_told_where
    assert ("as the group Operators does, can tie it" in html) is not is_told_where
    assert "Please ask support" not in html


def test_the_page_says_when_preferences_are_read(page):
    assert "when the assistant asks what it knows of you ( get-knowledge about user )." in page.text


def test_nobody_comes_in_without_a_login(db):
    for answer in (Client().get("/me/"), Client().post("/me/say/")):
        assert answer.status_code == 302
        assert answer.url.startswith("/accounts/login/?next=/me/")


def test_the_login_page_leads_to_the_page(page):
    client = Client()

    answer = client.post(
        "/accounts/login/", {"username": "alice", "password": "sesame"}, follow=True
    )

    assert answer.redirect_chain == [("/", 302), ("/me/", 302)]


def test_somebody_without_activities_is_told_how_one_comes_about(diary):
    diary.did("bob", "reply", MONDAY)
    user = User.objects.create_user("bob")
    Person.objects.filter(external_id="bob").update(user=user)
    client = Client()
    client.force_login(user)

    assert "at least three sessions" in client.get("/me/").content.decode()


def test_what_a_registry_calls_a_verb_is_text_on_the_page(diary, clock):
    title = "<script>alert(1)</script>"
    verbs.replace(Registry(("x",), {"x": "x"}, {"x": title}), now=MONDAY)
    page_diary = Diary("globex")
    page_diary.came_back_to("alice", "x")
    settle(page_diary.account, clock=lambda: LATER)
    user = User.objects.create_user("alice")
    page_diary.account.people.update(user=user)
    client = Client()
    client.force_login(user)

    html = client.get("/me/").content.decode()

    assert "<script>" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_the_page_is_read_by_a_fixed_number_of_queries(page, django_assert_num_queries):
    # session, login, person, facts, feedback, preferences, header
    with django_assert_num_queries(7):
        page.client.get("/me/")
    page.click("Refund is not mine")
    with django_assert_num_queries(7):
        page.client.get("/me/")

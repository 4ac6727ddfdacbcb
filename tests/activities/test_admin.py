"""Staff: the registry with its preview, what is not mapped, settings, and feedback to read."""

import re

import pytest
import time_machine
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.test import Client

from activities import feedback, reads, verbs, votes
from activities.events import Event
from activities.models import (
    AccountSettings,
    Action,
    Feedback,
    PersonSettings,
    RegistryVersion,
    Session,
    UnmappedName,
    Verb,
)
from facts.derivations import settle
from tests.activities.diary import DAY, LATER, MINUTE, MONDAY, Diary


@pytest.fixture
def staff(diary):
    """A superuser's browser at the time of LATER."""
    client = Client()
    client.force_login(User.objects.create_superuser("root"))
    with time_machine.travel(LATER, tick=False):
        yield client


def permitted(*permissions):
    user = User.objects.create_user("sue", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client


def text(answer):
    assert answer.status_code == 200
    return answer.content.decode()


MAP = "/admin/activities/action/map/"


@pytest.mark.parametrize(
    "model",
    ["verb", "action", "unmappedname", "feedback", "accountsettings", "personsettings"],
)
def test_each_list_opens_and_searches(staff, diary, model):
    diary.came_back_to("alice", "refund")
    diary.did("alice", "merge", MONDAY)
    diary.settle_in(service=["bot"])
    feedback.hide(diary.person("alice"), "refund", now=LATER)

    assert f"/admin/activities/{model}/" in text(staff.get(f"/admin/activities/{model}/"))
    assert staff.get(f"/admin/activities/{model}/?q=a").status_code == 200


def test_unmapped_actions_stand_by_how_often_they_come_with_how_many_people(diary):
    globex = Diary("globex")
    diary.did("alice", "merge", MONDAY, MONDAY + DAY)
    diary.did("bob", "merge", MONDAY)
    globex.did("alice", "merge", MONDAY)
    diary.did("alice", "split", *(MONDAY + MINUTE * n for n in range(9)))

    found = UnmappedName.objects.order_by("-times")

    assert list(found.values_list("name", "times", "people", "accounts")) == [
        ("split", 9, 1, 1),
        ("merge", 4, 3, 2),
    ]


def test_an_unmapped_action_is_mapped_in_place(staff, diary):
    diary.did("alice", "merge", MONDAY)
    shown = text(staff.get(MAP, {"name": "merge"}))
    assert "It came 1 time" in shown

    preview = text(staff.post(MAP, {"name": "merge", "verb": "invoice"}))
    assert "Nobody’s activities change now." in preview
    assert not Action.objects.filter(name="merge").exists()

    answer = staff.post(MAP, {"name": "merge", "verb": "invoice", "shown": "invoice"}, follow=True)
    assert "“merge” is “Invoice” from now on" in text(answer)
    assert Action.objects.get(name="merge").verb.name == "invoice"
    assert not UnmappedName.objects.exists()
    assert LogEntry.objects.get().change_message == "Mapped to invoice."
    assert diary.did("alice", "merge", MONDAY).accepted == 1


def test_a_registry_change_shows_beforehand_whose_activities_would_change(staff, diary):
    diary.came_back_to("alice", "reply")
    Diary("globex").came_back_to("bob", "refund")
    version = RegistryVersion.objects.get().version

    shown = text(staff.post(MAP, {"name": "reply", "verb": "invoice"}))

    assert "<td>acme</td><td>alice</td><td>invoice</td>\n      <td>appears</td>" in shown
    assert "<td>acme</td><td>alice</td><td>reply</td>\n      <td>goes</td>" in shown
    assert "globex" not in shown
    assert RegistryVersion.objects.get().version == version
    assert verbs.current().actions["reply"] == "reply"


def test_another_choice_than_the_one_shown_is_shown_first(staff, diary):
    diary.came_back_to("alice", "reply")

    shown = text(staff.post(MAP, {"name": "reply", "verb": "refund", "shown": "invoice"}))

    assert "If it is “Refund”" in shown
    assert verbs.current().actions["reply"] == "reply"


def test_a_change_put_in_force_reaches_the_activities_by_their_derivation(staff, diary):
    diary.came_back_to("alice", "reply")
    settle(diary.account, clock=lambda: LATER)

    staff.post(MAP, {"name": "reply", "verb": "", "shown": ""})
    settle(diary.account, clock=lambda: LATER)

    assert reads.activities_of(diary.account) == []


def test_a_name_that_may_not_be_kept_is_not_mapped(staff):
    shown = text(
        staff.post(MAP, {"name": "alice@example.com", "verb": "refund", "shown": "refund"})
    )

    assert "may not be kept: email" in shown
    assert not Action.objects.filter(name__contains="@").exists()


def test_only_who_may_change_actions_maps_one(diary):
    client = permitted("view_action", "view_unmappedname")

    assert client.get("/admin/activities/unmappedname/").status_code == 200
    assert client.get(MAP, {"name": "reply"}).status_code == 403
    assert client.post(MAP, {"name": "reply", "verb": "", "shown": ""}).status_code == 403
    assert Action.objects.get(name="reply").verb.name == "reply"


def test_a_verb_is_called_otherwise_and_its_rank_stays(staff, diary):
    refund = Verb.objects.get(name="refund")

    answer = staff.post(f"/admin/activities/verb/{refund.pk}/change/", {"title": "Refund handling"})

    assert answer.status_code == 302
    refund.refresh_from_db()
    assert (refund.title, refund.rank) == ("Refund handling", 1)


def test_a_new_verb_ranks_last(staff, diary):
    answer = staff.post("/admin/activities/verb/add/", {"name": "audit", "title": "Auditing"})

    assert answer.status_code == 302
    assert verbs.current().verbs == ("refund", "invoice", "reply", "audit")


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("refund", "already exists"),
        ("alice@example.com", "a verb&#x27;s name may not be kept: email"),
        (" ", "This field is required"),
    ],
)
def test_a_new_verb_is_refused_as_the_registry_would(staff, name, fault):
    shown = text(staff.post("/admin/activities/verb/add/", {"name": name, "title": "A"}))

    assert fault in shown
    assert verbs.current().verbs == ("refund", "invoice", "reply")


def test_a_title_that_may_not_be_kept_is_refused(staff, diary):
    refund = Verb.objects.get(name="refund")

    shown = text(
        staff.post(
            f"/admin/activities/verb/{refund.pk}/change/", {"title": "Ask alice@example.com"}
        )
    )

    assert "the title of refund may not be kept: email" in shown
    refund.refresh_from_db()
    assert refund.title == "Refund"


def test_feedback_is_read_and_given_by_no_staff(staff, diary):
    diary.came_back_to("alice", "refund")
    said = feedback.reject(diary.person("alice"), "refund", now=LATER)

    assert staff.get("/admin/activities/feedback/add/").status_code == 403
    assert staff.post("/admin/activities/feedback/add/", {}).status_code == 403
    assert staff.get(f"/admin/activities/feedback/{said.pk}/change/").status_code == 200
    for path in ("change", "delete"):
        url = f"/admin/activities/feedback/{said.pk}/{path}/"
        assert staff.post(url, {"post": "yes"}).status_code == 403
    assert "delete_selected" not in text(staff.get("/admin/activities/feedback/"))
    assert Feedback.objects.get() == said


def test_a_wrong_mapping_shows_by_the_share_of_people_who_reject_it(staff, diary):
    """Of acme's four who refund two reject it and one hides it; nobody rejects replying."""
    names = ("alice", "bob", "carol", "dave")
    for name in names:
        diary.came_back_to(name, "refund", sessions=5)
    for n in range(40):
        diary.did(f"other {n}", "invoice", MONDAY)
    diary.came_back_to("erin", "reply")
    settle(diary.account, clock=lambda: LATER)
    assert len(reads.activities_of(diary.account)) == 5
    feedback.reject(diary.person("alice"), "refund", now=LATER)
    feedback.reject(diary.person("bob"), "refund", now=LATER)
    feedback.hide(diary.person("carol"), "refund", now=LATER)

    shown = " ".join(text(staff.get("/admin/activities/feedback/by-verb/")).split())

    assert "<td>4</td><td>2</td><td>50%</td><td>1</td>" in shown
    assert "Reply" not in shown
    lines = re.search(r'href="([^"]*)">acme<', shown)[1].replace("&amp;", "&")
    assert "3 feedback" in text(staff.get(lines))
    assert permitted().get("/admin/activities/feedback/by-verb/").status_code == 403


def test_a_zone_is_set_only_if_the_database_knows_it_and_moves_the_activities(staff, diary):
    url = f"/admin/activities/accountsettings/{diary.account.pk}/change/"

    assert "There is no such zone" in text(staff.post(url, {"zone": "Europe/Atlantis"}))
    assert staff.post(url, {"zone": "Asia/Tokyo"}).status_code == 302
    assert AccountSettings.objects.get(account=diary.account).zone == "Asia/Tokyo"


def test_an_account_without_events_gets_its_zone_before_they_come(staff, globex):
    url = "/admin/activities/accountsettings/add/"

    assert staff.post(url, {"account": globex.pk, "zone": "Asia/Tokyo"}).status_code == 302
    votes.take([Event("globex", "alice", "refund", 0)], now=LATER)

    assert Session.objects.get().account == globex
    assert AccountSettings.objects.get(account=globex).zone == "Asia/Tokyo"


def test_a_machine_is_marked_in_the_admin(staff, diary):
    diary.came_back_to("bot", "refund")
    settle(diary.account, clock=lambda: LATER)
    assert len(reads.activities_of(diary.account)) == 1

    answer = staff.post(
        "/admin/activities/personsettings/add/",
        {"person": diary.person("bot").pk, "zone": "", "service": "on"},
    )
    settle(diary.account, clock=lambda: LATER)

    assert answer.status_code == 302
    assert PersonSettings.objects.get().account == diary.account
    assert reads.activities_of(diary.account) == []

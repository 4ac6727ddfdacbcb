"""The review of specs in the admin: each journey by the person who makes it."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from facts.models import Account
from specs import admin_views, reviewing
from specs.documents import pretty
from specs.models import SpecVersion
from tests.facts.observing import NINE, observe
from tests.specs.loaded import CARRIER, ORDER, feature, load, spec, staff, states

BAD = (
    '{\n  "id": "a",\n  "needs": [\n    {"level": "MUST", "label": "Order", "min_count": 1}\n  ]\n}'
)


@pytest.fixture
def ann(db):
    """Writes specs."""
    return staff("ann", "view_spec", "change_spec")


@pytest.fixture
def ben(db):
    """Writes and reviews specs."""
    return staff("ben", "view_spec", "change_spec", "review_spec")


@pytest.fixture
def cleo(db):
    """Reviews specs too, so that nobody is the only reviewer."""
    return staff("cleo", "review_spec")


@pytest.fixture
def sue(db):
    """Reads specs."""
    return staff("sue", "view_spec", "view_specversion")


@pytest.fixture
def waiting(ann) -> SpecVersion:
    """A version by ann in review, beside one in force."""
    load(spec("a", ORDER))
    draft = reviewing.save_draft(document=spec("a", ORDER, CARRIER), author=ann, now=NINE)
    return reviewing.submit(draft, now=NINE)


def url(name: str, *arguments: object) -> str:
    return reverse(f"admin:specs_spec_{name}", args=arguments)


def told(response) -> list[str]:
    return [str(message) for message in get_messages(response.wsgi_request)]


def write(client, text: str, *spec_id: str):
    return client.post(url("edit", *spec_id) if spec_id else url("add"), {"document": text})


def test_a_new_spec_is_written_submitted_tried_and_approved(client, ann, ben):
    client.force_login(ann)
    written = write(client, pretty(spec("a")))
    assert written.url == url("version", "a", 1)
    client.post(url("submit", "a", 1))
    assert states() == [("a", 1, "in-review")]

    client.force_login(ben)
    assert "Approve" in client.get(url("dry_run", "a", 1)).text
    approved = client.post(url("approve", "a", 1))

    assert told(approved) == ["Version 1 is in force. Every account will be judged by it."]
    version = SpecVersion.objects.get()
    assert (version.state, version.author, version.reviewer) == ("active", ann, ben)
    log = LogEntry.objects.order_by("pk").values_list("user__username", "change_message")
    assert list(log) == [
        ("ann", "Wrote version 1."),
        ("ann", "Version 1 is in review."),
        ("ben", "Version 1 is in force. Every account will be judged by it."),
    ]


def test_faults_stand_beside_the_text_as_it_was_typed_and_nothing_is_saved(client, ann):
    client.force_login(ann)
    page = write(client, BAD)

    assert page.context["text"] == BAD
    assert [(line, str(fault)) for line, fault in page.context["faults"]] == [
        (4, '/needs/0/level unknown word "MUST", one of REQUIRED, IMPROVES, ADVISORY'),
        (4, "/needs/0/min_count unknown key, did you mean minCount"),
    ]
    assert "did you mean minCount" in page.text
    assert states() == []


def test_text_that_is_no_json_is_told_where_it_ends(client, ann):
    client.force_login(ann)
    page = write(client, '{"id": "a", <script>alert(1)</script>')
    ((line, fault),) = page.context["faults"]
    assert (line, fault.message) == (
        1,
        "is no JSON: Expecting property name enclosed in double quotes, line 1 column 13",
    )
    assert "<script>alert" not in page.text


def test_the_editor_starts_from_ones_own_draft_or_from_what_is_in_force(client, ann, ben):
    load(spec("a", ORDER))
    reviewing.save_draft(document=spec("a", CARRIER), author=ann, now=NINE)

    client.force_login(ann)
    assert client.get(url("edit", "a")).context["text"] == pretty(spec("a", CARRIER))
    assert client.get(url("edit", "a") + "?from=1").context["text"] == pretty(spec("a", ORDER))
    client.force_login(ben)
    assert client.get(url("edit", "a")).context["text"] == pretty(spec("a", ORDER))


def test_a_spec_that_is_edited_stays_itself(client, ann):
    load(spec("a"))
    client.force_login(ann)
    page = write(client, pretty(spec("b")), "a")
    assert [str(fault) for _line, fault in page.context["faults"]] == [
        "/id is not a: another id is another spec"
    ]
    assert states() == [("a", 1, "active")]


def test_a_version_is_shown_beside_the_one_in_force(client, sue, waiting):
    client.force_login(sue)
    page = client.get(url("version", "a", 2))

    rows = [(row.kind, row.text.strip()) for row in page.context["rows"] if row.kind != "same"]
    order = '{ "level": "REQUIRED", "label": "Order", "minCount": 1 }'
    carrier = '{ "level": "REQUIRED", "label": "Carrier", "minCount": 1 }'
    assert page.context["against"].number == 1
    assert rows == [("removed", order), ("added", f"{order},"), ("added", carrier)]


def test_the_dry_run_tells_what_would_change(client, sue, waiting, acme):
    observe(acme)
    client.force_login(sue)
    page = client.get(url("dry_run", "a", 2))

    (change,) = page.context["changes"]
    assert (change.account, change.after) == ("acme", "unknown")
    assert "Carrier, at least 1: unknown, not measured yet" in page.text
    assert "Approve" not in page.text
    assert states() == [("a", 1, "active"), ("a", 2, "in-review")]


def test_a_long_list_of_changes_says_how_many_more(client, sue, waiting, monkeypatch):
    monkeypatch.setattr(admin_views, "MOST_CHANGES", 1)
    for name in ("acme", "globex"):
        observe(Account.objects.create(external_id=name))
    client.force_login(sue)
    page = client.get(url("dry_run", "a", 2))
    assert (len(page.context["changes"]), page.context["more"]) == (1, 1)
    assert "and 1 more" in page.text


def test_nobody_is_offered_to_approve_their_own(client, ben, cleo):
    draft = reviewing.save_draft(document=spec("a"), author=ben, now=NINE)
    reviewing.submit(draft, now=NINE)
    client.force_login(ben)

    assert "somebody else approves it" in client.get(url("dry_run", "a", 1)).text
    refused = client.post(url("approve", "a", 1))

    assert told(refused) == ["a version 1 is ben's own: somebody else approves it"]
    assert states() == [("a", 1, "in-review")]


def test_a_version_sent_back_shows_its_author_why(client, ann, ben, waiting):
    client.force_login(ben)
    client.post(url("send_back", "a", 2), {"remark": "Carriers are <b>optional</b>."})
    client.force_login(ann)

    page = client.get(url("version", "a", 2)).text
    assert "Carriers are &lt;b&gt;optional&lt;/b&gt;." in page
    assert "Go on writing" in page
    assert states() == [("a", 1, "active"), ("a", 2, "draft")]


def test_retiring_says_what_it_does_and_does_it(client, ben):
    load(spec("a"))
    client.force_login(ben)
    assert "Its verdicts become absent" in client.get(url("retire", "a")).text

    retired = client.post(url("retire", "a"))

    assert told(retired) == ["A is retired. Its verdicts and its demand are withdrawn."]
    assert states() == [("a", 1, "retired")]
    assert "No version is in force" in client.get(url("change", "a")).text


def test_a_feature_that_is_needed_is_not_offered_for_retirement(client, ben):
    load(spec("a"), spec("b", feature("a")))
    client.force_login(ben)
    assert "Retire or change first" in client.get(url("retire", "a")).text
    client.post(url("retire", "a"))
    assert states() == [("a", 1, "active"), ("b", 1, "active")]


def test_the_list_shows_what_is_in_force_and_what_waits(
    client, sue, waiting, django_assert_max_num_queries
):
    load(spec("b") | {"title": "Refunds"})
    client.force_login(sue)
    with django_assert_max_num_queries(9):
        page = client.get(url("changelist"))

    model_admin = page.context["cl"].model_admin
    assert [
        (model_admin.title(each), model_admin.in_force(each), model_admin.waiting(each))
        for each in page.context["cl"].result_list
    ] == [("A", "version 1", "version 2 in review (ann)"), ("Refunds", "version 1", "")]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("state=active", ["a", "b"]),
        ("state=in-review", ["a"]),
        ("state=retired", ["c"]),
        ("state=draft", []),
        ("q=Refunds", ["b"]),
        ("", ["a", "b", "c"]),
    ],
)
def test_the_list_is_searched_and_filtered(client, sue, waiting, query, found):
    load(spec("b") | {"title": "Refunds"}, spec("c"))
    load(spec("b", CARRIER) | {"title": "Refunds"})  # so that b has a version that retired
    reviewing.retire("c", now=NINE)
    client.force_login(sue)
    results = client.get(f"{url('changelist')}?{query}").context["cl"].result_list
    assert [each.id for each in results] == found


def test_every_version_leads_to_its_page(client, sue, waiting):
    client.force_login(sue)
    page = client.get(reverse("admin:specs_specversion_changelist")).text
    assert url("version", "a", 1) in page
    assert url("version", "a", 2) in page


GETS = {"change": ["a"], "edit": ["a"], "version": ["a", 2], "dry_run": ["a", 2], "retire": ["a"]}
POSTS = {"submit": ["a", 2], "approve": ["a", 2], "send_back": ["a", 2], "retire": ["a"]}
MAY = {
    "nobody": set(),
    "sue": {"get change", "get version", "get dry_run"},
    "ann": {"get change", "get version", "get dry_run", "get edit", "post submit"},
    "cleo": {
        *("get change", "get version", "get dry_run", "get retire"),
        *("post approve", "post send_back", "post retire"),
    },
}


@pytest.mark.parametrize("who", MAY)
def test_each_may_do_what_their_permissions_say_and_nothing_else(who, request, client, waiting):
    user = staff("nobody") if who == "nobody" else request.getfixturevalue(who)
    client.force_login(user)
    steps = [("get", name, args) for name, args in GETS.items()]
    steps += [("post", name, args) for name, args in POSTS.items()]

    allowed = set()
    for method, name, arguments in steps:
        response = getattr(client, method)(url(name, *arguments))
        if response.status_code != 403:
            allowed.add(f"{method} {name}")
    assert allowed == MAY[who]


def test_who_is_not_logged_in_is_asked_to_log_in(client, waiting):
    for name, arguments in GETS.items():
        assert client.get(url(name, *arguments)).url.startswith("/admin/login/")
    assert client.post(url("approve", "a", 2)).url.startswith("/admin/login/")
    assert states() == [("a", 1, "active"), ("a", 2, "in-review")]


def test_an_act_needs_a_post_from_ones_own_page(ben, waiting):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ben)
    assert strict.get(url("approve", "a", 2)).status_code == 405
    assert strict.post(url("approve", "a", 2)).status_code == 403
    assert states() == [("a", 1, "active"), ("a", 2, "in-review")]


def test_what_is_not_there_is_not_found(client, ben, waiting):
    client.force_login(ben)
    for path in (url("change", "z"), url("edit", "z"), url("version", "a", 9), url("retire", "z")):
        assert client.get(path).status_code == 404


def test_nothing_of_a_spec_can_be_deleted(client, django_user_model, waiting):
    client.force_login(django_user_model.objects.create_superuser("root"))
    assert client.post(url("delete", "a"), {"post": "yes"}).status_code == 403
    assert len(states()) == 2


@pytest.mark.django_db
def test_the_groups_have_what_they_need():
    reviewers = Group.objects.get(name="Spec reviewers").permissions
    names = {"view_spec", "change_spec", "review_spec", "view_specversion"}
    assert set(reviewers.values_list("codename", flat=True)) >= names
    support = Group.objects.get(name="Support").permissions
    specs = support.filter(content_type__app_label="specs")
    assert set(specs.values_list("codename", flat=True)) == {"view_spec", "view_specversion"}

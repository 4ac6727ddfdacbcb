import gzip
import io
import json
import sys

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.utils import timezone

from activities.models import AccountSettings, Action, PersonSettings, Verb, Vote
from facts.derivations import settle
from facts.models import Account, Fact
from tests.activities.diary import DAY, MONDAY

REGISTRY = {"verbs": ["refund", "hand_over"], "actions": {"Refund": "refund", "Home": None}}


@pytest.fixture
def run(db, capsys):
    """Runs a command and returns what it wrote, to stdout and to stderr, line by line."""

    def run(*arguments):
        out, err = io.StringIO(), io.StringIO()
        call_command(*map(str, arguments), stdout=out, stderr=err)
        return out.getvalue().splitlines(), err.getvalue().splitlines()

    return run


@pytest.fixture
def file(tmp_path):
    """Writes a file and returns its path."""

    def file(content, name="file"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return path

    return file


def act(at, **more):
    return {"account": "acme", "person": "alice", "action": "Refund", "at": at, **more}


def jsonl(*documents):
    return b"".join(json.dumps(document).encode() + b"\n" for document in documents)


def test_load_verbs_puts_a_registry_in_force_and_says_so(run, file):
    out, _ = run("load_verbs", file(REGISTRY))

    assert out == ["Registry 1 is in force: 2 verbs, 2 actions. 0 accounts have new sessions."]
    assert list(Verb.objects.order_by("rank").values_list("name", "title")) == [
        ("refund", "Refund"),
        ("hand_over", "Hand over"),
    ]
    assert dict(Action.objects.values_list("name", "verb__name")) == {
        "Refund": "refund",
        "Home": None,
    }


def test_the_same_registry_again_is_no_new_one(run, file):
    run("load_verbs", file(REGISTRY))
    out, _ = run("load_verbs", file(REGISTRY), "--json")

    assert json.loads(out[0])["version"] == 1


def test_a_faulty_registry_leaves_the_one_in_force(run, file):
    run("load_verbs", file(REGISTRY))

    with pytest.raises(CommandError) as refusal:
        run("load_verbs", file({"verbs": ["a", "a"], "actions": {}}))

    assert str(refusal.value) == "the verb a stands twice; a verb has one rank"
    assert set(Verb.objects.values_list("name", flat=True)) == {"refund", "hand_over"}


@pytest.mark.parametrize("command", ["load_verbs", "load_people", "load_events"])
def test_a_file_that_is_not_there_is_refused_in_one_line(run, command, tmp_path):
    with pytest.raises(CommandError) as refusal:
        run(command, tmp_path / "nowhere")

    assert str(refusal.value) == f"{tmp_path}/nowhere can't be read: No such file or directory"


def test_a_dry_run_says_whose_activities_would_change_and_changes_nothing(run, file):
    run("load_verbs", file(REGISTRY))
    at = [(MONDAY + DAY * day).isoformat() for day in range(3)]
    run("load_events", file(jsonl(*(act(each) for each in at))))

    with time_machine.travel(MONDAY + 5 * DAY, tick=False):
        out, _ = run(
            "load_verbs",
            file({**REGISTRY, "actions": {"Refund": "hand_over"}}),
            "--dry-run",
            "--json",
        )

    assert [json.loads(line) for line in out] == [
        {"account": "acme", "person": "alice", "verb": "hand_over", "change": "comes"},
        {"account": "acme", "person": "alice", "verb": "refund", "change": "goes"},
    ]
    assert Action.objects.get(name="Refund").verb.name == "refund"


def test_load_people_sets_zones_and_machines_of_the_accounts_it_names(run, file):
    run("load_people", file({"acme": {"zones": {"alice": "UTC"}, "service": ["old bot"]}}))
    out, _ = run(
        "load_people",
        file({"acme": {"zones": {"*": "Asia/Tokyo", "bob": "UTC"}, "service": ["bot"]}}),
    )

    assert out == ["1 account, 1 person with a zone of their own, 1 service account."]
    assert AccountSettings.objects.get().zone == "Asia/Tokyo"
    settings = PersonSettings.objects.values_list("person__external_id", "zone", "service")
    assert sorted(settings) == [("bob", "UTC", False), ("bot", "", True)]


def test_a_zone_that_does_not_exist_is_refused_and_nothing_is_taken(run, file):
    with pytest.raises(CommandError) as refusal:
        run("load_people", file({"acme": {}, "globex": {"zones": {"*": "Europe/Atlantis"}}}))

    assert str(refusal.value).startswith("there is no zone 'Europe/Atlantis'")
    assert not Account.objects.exists()


def test_load_events_tells_refused_lines_by_number_and_reason_and_goes_on(run, file):
    run("load_verbs", file(REGISTRY))
    lines = jsonl(
        act("2026-03-02T09:00:00Z"),
        act("2026-03-02T09:00:00"),
        act("2026-03-02T09:00:30Z"),
        act("2999-01-01T00:00:00Z"),
        act("2026-03-02T09:00:00Z", action="Merge"),
        act("2026-03-02T09:00:00Z", on_behalf_of="bob"),
        act("2026-03-02T09:00:00Z", action="Home"),
    )

    out, err = run("load_events", file(lines + b"not json\n"))

    assert err == [
        "line 2: at has no offset from UTC, so it is no instant",
        "line 4: at lies in the future",
        "line 8: the line is no JSON",
        "new account: acme",
    ]
    assert out == ["2 accepted, 1 folded, 1 unmapped, 1 on behalf of somebody, 3 refused."]


def test_load_events_fails_where_lines_are_refused_and_none_is_taken(run, file):
    with pytest.raises(CommandError) as refusal:
        run("load_events", file(b"not json\n"))

    assert str(refusal.value) == "nothing was accepted; 1 line refused"


def test_the_same_lines_again_are_no_failure_though_one_is_refused(run, file):
    run("load_verbs", file(REGISTRY))
    lines = jsonl(act("2026-03-02T09:00:00Z")) + b"not json\n"
    run("load_events", file(lines))

    out, err = run("load_events", file(lines))

    assert out == ["0 accepted, 1 folded, 0 unmapped, 0 on behalf of somebody, 1 refused."]
    assert err == ["line 2: the line is no JSON"]


def test_accounts_that_a_file_is_the_first_to_name_are_told(run, file):
    names = ["globex", "acmee", "umbrella", "acme", "initech"]
    zones = {name: {"zones": {"*": "UTC"}} for name in names}
    run("load_people", file({"acme": zones["acme"]}))

    out, err = run("load_people", file(zones))
    assert out == ["5 accounts, 0 people with a zone of their own, 0 service accounts."]
    assert err == [
        "new account: acmee",
        "new account: globex",
        "new account: initech",
        "and 1 more",
    ]
    assert run("load_people", file(zones), "--json")[1] == []


def test_load_events_reads_packed_files_and_standard_input(run, file, monkeypatch):
    run("load_verbs", file(REGISTRY))
    packed = gzip.compress(jsonl(act("2026-03-02T09:00:00Z")))
    out, _ = run("load_events", file(packed), "--json")
    assert json.loads(out[0])["accepted"] == 1

    for content in (
        jsonl(act("2026-03-03T09:00:00Z")),
        gzip.compress(jsonl(act("2026-03-04T09:00:00Z"))),
    ):
        stdin = io.TextIOWrapper(io.BufferedReader(io.BytesIO(content)))
        monkeypatch.setattr(sys, "stdin", stdin)
        out, _ = run("load_events", "-", "--json")
        assert json.loads(out[0])["accepted"] == 1


def test_a_packed_file_that_breaks_off_keeps_what_came_before(run, file):
    run("load_verbs", file(REGISTRY))
    whole = gzip.compress(jsonl(*(act(f"2026-03-02T09:{n:02}:00Z") for n in range(60))), 0)

    with pytest.raises(CommandError) as refusal:
        run("load_events", file(whole[:-2000]))

    assert str(refusal.value).startswith("the packed file is damaged after line ")
    number = int(str(refusal.value).split("line ")[1].split(";")[0])
    assert 0 < number < 60
    assert Vote.objects.count() == number


def test_without_a_registry_everything_is_unmapped(run, file):
    out, _ = run("load_events", file(jsonl(act("2026-03-02T09:00:00Z"))))

    assert out == ["0 accepted, 0 folded, 1 unmapped, 0 on behalf of somebody, 0 refused."]


def test_activities_as_of_a_moment_are_printed_and_stored_nowhere(run, file):
    run("load_verbs", file({**REGISTRY, "titles": {"refund": "Refund handling"}}))
    days = [(MONDAY + DAY * day).isoformat() for day in range(3)]
    events = [act(at, person=person) for at in days for person in ("bob", "alice")]
    events += [act(MONDAY.isoformat(), person=f"p{n}", action="Refund") for n in range(3)]
    run("load_events", file(jsonl(*events)))

    out, _ = run("activities", "acme", "--as-of", "2026-03-10T00:00:00+01:00", "--json")

    figures = {  # 4 / (6/4 + 1): bob's three and one of each of three others
        "verb": "refund",
        "title": "Refund handling",
        "sessions": 3,
        "days": 3,
        "others": 6,
        "colleagues": 4,
        "lift": "8/5",
        "first": "2026-03-02T09:00:00+00:00",
        "last": "2026-03-04T09:00:00+00:00",
    }
    assert [json.loads(line) for line in out] == [
        {"account": "acme", "person": "alice", **figures},
        {"account": "acme", "person": "bob", **figures},
    ]
    assert list(json.loads(out[0])) == ["account", "person", *figures]
    assert not Fact.objects.filter(namespace="user", kind="activity").exists()

    out, _ = run("activities", "acme", "--as-of", "2026-03-10T00:00:00Z", "--person", "bob")
    assert out == [
        "bob: Refund handling: 3 sessions on 3 days, lift 1.6 times (6 sessions by 4 colleagues)"
    ]


def test_activities_are_those_stored_and_say_so_where_there_is_news(run, file):
    run("load_verbs", file(REGISTRY))
    today = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    run("load_events", file(jsonl(*(act((today - DAY * n).isoformat()) for n in range(1, 4)))))

    out, err = run("activities", "acme", "--json")
    assert (out, err) == ([], ["There is news that is not built in yet: `settle` does that."])
    assert run("activities", "acme")[0] == ["nobody works on anything that shows yet"]
    alone = run("activities", "acme", "--person", "alice")[0]
    assert alone == ["alice works on nothing that shows yet"]

    settle(Account.objects.get())
    out, err = run("activities", "acme", "--json")
    assert [json.loads(line)["verb"] for line in out] == ["refund"]
    assert err == []
    assert run("activities", "acme", "--as-of", timezone.now().isoformat(), "--json")[0] == out


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (["initech"], "no account has the id 'initech'"),
        (["acme", "--person", "nobody"], "account acme has no person 'nobody'"),
        (["acme", "--as-of", "2026-03-10T00:00:00"], "T needs an offset from UTC"),
        (["acme", "--as-of", "yesterday"], "T is an instant such as"),
        (["acme", "--as-of", "0001-01-01T00:00:00+14:00"], "T is an instant such as"),
        (["acme", "--as-of", "0001-01-09T00:00:00Z"], "T lies before the year 1900"),
    ],
)
def test_activities_refuses_what_it_does_not_know(run, acme, arguments, refusal):
    with pytest.raises(CommandError) as refused:
        run("activities", *arguments)

    assert refusal in str(refused.value)

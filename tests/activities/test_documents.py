import json

import pytest

from activities.documents import Registry, Zones, zones_of
from activities.errors import BadPeople, BadRegistry

SMALL = {"verbs": ["refund", "hand_over"], "actions": {"Refund paid": "refund", "Home": None}}


def test_a_registry_ranks_verbs_and_maps_actions():
    registry = Registry.parse(json.dumps({**SMALL, "titles": {"refund": "Refund handling"}}))

    assert registry.verbs == ("refund", "hand_over")
    assert registry.actions == {"Refund paid": "refund", "Home": None}
    assert registry.titles == {"refund": "Refund handling", "hand_over": "Hand over"}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{", "the registry is no JSON: Expecting property name enclosed in double quotes"),
        ("[" * 100_000, "the registry is no JSON that can be read"),
        ("[]", "the registry must be a JSON object"),
        ('{"verbs": []}', "the registry lacks 'actions'; it takes actions, titles, verbs"),
        (
            '{"verbs": [], "actions": {}, "verb": 1}',
            "the registry has no place for 'verb'; it takes actions, titles, verbs",
        ),
        ('{"verbs": [], "verbs": [], "actions": {}}', "the registry has the key 'verbs' twice"),
        (
            '{"verbs": ["a"], "actions": {"x": "a", "x": null}}',
            "the registry has the key 'x' twice in one object",
        ),
        ('{"verbs": {"a": 1}, "actions": {}}', "verbs must be a list of names"),
        ('{"verbs": ["a", 1], "actions": {}}', "verbs must be a list of names"),
        ('{"verbs": ["a", "a"], "actions": {}}', "the verb a stands twice; a verb has one rank"),
        ('{"verbs": [""], "actions": {}}', "a verb's name has 1 to 100 printable characters"),
        ('{"verbs": [" a"], "actions": {}}', "a verb's name has 1 to 100 printable characters"),
        ('{"verbs": ["a"], "actions": []}', "actions and titles must be objects"),
        (
            '{"verbs": ["a"], "actions": {"x": "b"}}',
            "the action 'x' is of no verb of the list; it may be null or one of a",
        ),
        ('{"verbs": ["a"], "actions": {"": "a"}}', "an action's name has 1 to 200 printable"),
        (
            '{"verbs": ["a"], "actions": {"mail alice@example.com": "a"}}',
            "an action's name may not be kept: email",
        ),
        ('{"verbs": ["alice@example.com"], "actions": {}}', "a verb's name may not be kept: email"),
        (
            '{"verbs": ["a"], "actions": {}, "titles": {"b": "B"}}',
            "a title is given to a verb that is not in the list",
        ),
        (
            '{"verbs": ["a"], "actions": {}, "titles": {"a": 7}}',
            "the title of a must be a text of 1 to 100 printable characters",
        ),
        ('{"verbs": ["a"], "actions": {"x": NaN}}', "the registry holds a number"),
    ],
)
def test_a_faulty_registry_is_refused_with_one_line_that_says_where(text, fault):
    with pytest.raises(BadRegistry) as refusal:
        Registry.parse(text)

    assert str(refusal.value).startswith(fault)
    assert "\n" not in str(refusal.value)


def test_registries_that_differ_in_titles_or_navigation_count_alike():
    one = Registry.parse(json.dumps(SMALL))
    other = Registry.parse(
        json.dumps(
            {
                "verbs": SMALL["verbs"],
                "actions": {"Refund paid": "refund", "Help": None},
                "titles": {"refund": "Refunds"},
            }
        )
    )
    turned = Registry.parse(json.dumps({**SMALL, "verbs": ["hand_over", "refund"]}))

    assert one.counts_like(other)
    assert not one.counts_like(turned)
    assert not one.counts_like(one.with_action("Home", "hand_over"))


def test_an_action_is_mapped_to_a_verb_of_the_registry_only():
    with pytest.raises(BadRegistry) as refusal:
        Registry.parse(json.dumps(SMALL)).with_action("Home", "sleep")

    assert str(refusal.value) == "the registry has no verb 'sleep'"


def test_the_zones_of_an_account_are_its_own_and_its_peoples():
    text = (
        '{"acme": {"zones": {"*": "Asia/Kathmandu", "alice": "UTC"}, "service": ["bot"]}, "b": {}}'
    )

    assert zones_of(text) == {
        "acme": Zones("Asia/Kathmandu", {"alice": "UTC"}, frozenset({"bot"})),
        "b": Zones(None, {}, frozenset()),
    }


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[]", "the file must be a JSON object"),
        ('{"acme": []}', "the account 'acme' must have an object with zones and service"),
        ('{"acme": {"zone": {}}}', "the account 'acme' has no place for 'zone'"),
        ('{"acme": {"zones": {"*": 1}}}', "zones of the account 'acme' must be"),
        ('{"acme": {"service": "bot"}}', "service of the account 'acme' must be a list"),
        ('{"acme": {"service": [1]}}', "service of the account 'acme' must be a list"),
        ('{"": {}}', "an account's id has 1 to 200 printable characters"),
    ],
)
def test_a_faulty_file_of_people_is_refused_with_one_line_that_says_where(text, fault):
    with pytest.raises(BadPeople) as refusal:
        zones_of(text)

    assert str(refusal.value).startswith(fault)

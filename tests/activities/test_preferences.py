import pytest

from activities import preferences
from activities.errors import BadPreferences
from activities.models import Preferences
from tests.facts.observing import NINE


def test_a_person_writes_and_replaces_and_takes_back_their_own_words(alice):
    preferences.write(alice, "  Short answers.\r\nNo tables.  ", now=NINE)
    assert preferences.text_of(alice) == "Short answers.\nNo tables."

    preferences.write(alice, "", now=NINE)
    assert preferences.text_of(alice) == ""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x" * 501, "at most 500 characters; these 501"),
        ("write to ann@example.com", "email"),
        ("Password for the shop: Sommer2024!", "credential"),
        ("nul\0", "NUL"),
    ],
)
def test_what_can_not_be_kept_is_refused_with_the_reason_and_the_old_words_stay(
    alice, text, reason
):
    preferences.write(alice, "Short answers.", now=NINE)
    with pytest.raises(BadPreferences, match=reason):
        preferences.write(alice, text, now=NINE)

    assert preferences.text_of(alice) == "Short answers."


def test_what_raw_sql_wrote_before_the_rule_is_not_told(alice):
    preferences.write(alice, "Short answers.", now=NINE)
    Preferences.objects.update(text="write to ann@example.com")

    assert preferences.text_of(alice) == ""


def test_the_page_keeps_them_and_says_so(client, alice, django_user_model):
    alice.user = django_user_model.objects.create_user("alice")
    alice.save()
    client.force_login(alice.user)

    page = client.post("/me/preferences/", {"text": "Short answers."}, follow=True)
    assert "your assistant reads this as your own words" in page.content.decode()
    assert ">Short answers.</textarea>" in page.content.decode()

    page = client.post("/me/preferences/", {"text": "mail ann@example.com"}, follow=True)
    assert "looks like: email" in page.content.decode()
    assert preferences.text_of(alice) == "Short answers."

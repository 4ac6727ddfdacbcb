import re
from html import unescape

import pytest
from django.contrib.auth.models import User

from activities import preferences
from activities.errors import BadPreferences
from activities.models import Preferences
from facts import guard
from tests.facts.observing import NINE


def test_a_person_writes_and_replaces_and_takes_back_their_own_words(alice):
    preferences.write(alice, "  Short answers.\r\nNo tables.  ", now=NINE)
    assert preferences.text_of(alice) == "Short answers.\nNo tables."

    preferences.write(alice, "", now=NINE)
    assert preferences.text_of(alice) == ""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x" * 501, "it has 501 characters; at most 500 can be kept"),
        ("write to ann@example.com", "looks like an e-mail address"),
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
    assert ">\nShort answers.</textarea>" in page.content.decode()


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("mail <ann@example.com>", "it holds something that looks like an e-mail address"),
        ("call +31 6 12345678", "it holds something that looks like a phone number"),
        ("Password: Sommer2024!", "like a password, a key or another credential"),
        ("x" * 501, "it has 501 characters; at most 500 can be kept"),
    ],
)
def test_a_refusal_stands_beside_what_was_typed_and_nothing_of_it_is_kept(
    client, alice, caplog, typed, why
):
    alice.user = User.objects.create_user("alice")
    alice.save()
    client.force_login(alice.user)
    preferences.write(alice, "Short answers.", now=NINE)

    answer = client.post("/me/preferences/", {"text": typed})

    html = unescape(answer.content.decode())
    assert answer.status_code == 400
    assert re.search(rf'id="refusal" role="alert">This was not saved: [^<]*{why}\.<', html)
    assert 'aria-describedby="refusal preferences-limit"' in html
    assert f">\n{typed}</textarea>" in html
    assert typed not in caplog.text
    assert preferences.text_of(alice) == "Short answers."
    again = client.get("/me/preferences/", follow=True)
    assert again.redirect_chain == [("/me/", 302)]
    assert ">\nShort answers.</textarea>" in again.content.decode()
    assert "This was not saved" not in again.content.decode()


def test_each_code_of_a_text_has_its_words():
    assert set(guard.IN_WORDS) == {"email", "credential", "card", "account", "phone", "person"}
    assert set(guard.IN_WORDS) <= guard.CODES

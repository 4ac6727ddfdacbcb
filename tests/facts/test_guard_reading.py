"""How names and texts are read, however they were written."""

import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from facts.guard.folding import fold, plain, words_of
from facts.guard.reading import daring_readings, readings


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("order_status", "order status"),
        ("orderStatus", "order status"),
        ("OrderStatus", "order status"),
        ("ORDER_STATUS", "order status"),
        ("order-status", "order status"),
        ("Order Status", "order status"),
        ("order.status", "order status"),
        ("XMLHttpRequest", "xml http request"),
        ("sha256Sum", "sha 256 sum"),
        ("address2", "address 2"),
        ("Straße", "strasse"),
        ("PRÉNOM", "prenom"),
        ("имяКлиента", "имя клиента"),
        ("mot d'accès", "mot dacces"),
        ("ＦＵＬＬ", "full"),
        ("zero\u200bwidth", "zerowidth"),
        ("", ""),
    ],
)
def test_a_name_is_read_as_its_words(name, words):
    assert " ".join(words_of(name)) == words


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("userpassword", "user password"),
        ("dbpwd", "db pwd"),
        ("telno", "tel no"),
        ("раssword", "password"),
        ("schluessel", "schlussel"),
        ("p_i_n", "pin"),
    ],
)
def test_a_name_is_also_read_the_way_it_was_meant(name, way):
    assert way in [reading.replace("pass word", "password") for reading in readings(name)]


def test_a_word_that_is_made_of_no_known_ones_stays_one():
    assert readings("monkey") == ("monkey",)
    assert readings("keynote") == ("keynote",)
    assert readings("compass") == ("compass",)


def test_figures_are_read_as_letters_only_where_one_dares():
    assert "passw0rd" not in " ".join(readings("passw0rd"))
    assert any("password" in way.replace(" ", "") for way in daring_readings("passw0rd"))


def test_what_prints_nothing_is_gone_from_every_text():
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        if unicodedata.category(character) == "Cf":
            assert plain(f"a{character}b") == "ab", hex(code)


@example("a\u200b\u0301")
@given(st.text())
def test_folding_twice_is_folding_once(text):
    assert plain(plain(text)) == plain(text)
    assert fold(fold(text)) == fold(text)

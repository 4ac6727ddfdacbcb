"""What values say of themselves: as many ordinary words that stay as secrets that go."""

import base64
import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from facts import guard

SHARED = {"of": "Thing|label", "type": "text", "records": 5}


def reasons(values, **context):
    """The reason for each of the values, where there is one."""
    found = {value: guard.value_reason(value, **{**SHARED, **context}) for value in values}
    return {value: reason for value, reason in found.items() if reason}


ORDINARY = {
    "statuses": [
        "Open", "In Progress", "on hold", "Won't fix", "N/A", "unknown", "(none)", "true", "-",
        "?", "Заявка закрыта", "工单已关闭", "Zgłoszenie zamknięte", "newticket_submitter",
    ],
    "dates and times": [
        "Monday", "понедельник", "月曜日", "May 2024", "Q1 2024", "W18 2024", "FY2024/25",
        "2024-05-01", "2024-05-01 12:30", "2024-05-01T10:00:00+00:00", "20240501",
        "01.05.2024", "12:30:45", "09:00-17:00", "24/7", "2019-2020", "Europe/Berlin",
        "UTC+02:00", "+0200", "1735689600000",
    ],
    "numbers of things": [
        "H12345", "PO-2024-000123", "INV/2024/0042", "ORD-000000123456", "05-2024-001",
        "0815-4711", "12345678", "1234567890", "CUST-2024-0000012345-EU", "1Z999AA10123456784",
        "RR123456789DE", "SKU 1234-5678", "MBP14-M3PRO-18GB-512SSD", "sk-1234-blue",
        "key-ring-black-leather", "4006381333931", "978-3-16-148410-0",
        "AL47 2121 1009 0000 0002 3569 8740",
    ],
    "amounts": [
        "5 EUR", "10 items @ 5 EUR", "5 @ 10", "1.234,56", "1,234,567,890",
        "10 boxes x 20 bags", "24 - 12 oz bottles", "350 g - 1000 ml", "10 20 30 40 50 60 70",
        "36 37 38 39 40 41 42 43 44 45 46",
        "1.5e-3", "100+", ">= 10",
    ],
    "names of things": [
        "DHL Express", "Speedy Express", "Apple Inc.", "Müller GmbH & Co. KG",
        "Save-a-lot Markets", "Boeing 737-800", "iPhone 15 Pro Max", "PG-13", "Rock And Roll",
        "Secret Garden", "Compass Group", "Passat", "Wall Street", "Pinot Grigio", "Tel Aviv",
        "Co. Cork", "Ms.", "Dr.", "Sales Representative", "Elisabeth II", "Jagger/Richards",
        "Password Manager Pro",
        "Dave Grohl, Taylor Hawkins, Nate Mendel, Chris Shiflett/FOO FIGHTERS",
    ],
    "machines' words": [
        "v1.2.3-rc.1", "#ff00aa", "rgb(255, 0, 0)", "application/json", "en_US", "DE-BY",
        "192.168.0.1", "2001:db8::1", "00:1B:44:11:3A:B7", "lodash@4.17.21", "use @types/node",
        "ed25519", "AES-256-GCM", "https://example.com/a?page=2",
        "java.lang.IllegalArgumentException", "getHTTPResponseCodeFromServer",
        "some_very_long_snake_case_identifier_2024",
        "com.example.application.ServiceImplementation", "kubernetes.io/dockerconfigjson",
    ],
    "hashes": [
        "9f86d08", "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "d41d8cd98f00b204e9800998ecf8427e", "10237f64-0bc0-487d-9011-acf99444131e",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    ],
    "names beside an at sign": [
        "Team @home", "lunch @noon in Berlin", "react@18 npm.org", "5@kg 3.com", "@work see x.com",
        "admin@web see example.com", "git@web x.com/shop",
    ],
    "what is encoded": [
        "T3JkZXI6OQ==", "VXNlcjoxMjM0NTY3", "Tm90aWZpY2F0", "Notification", "Auftragsbestätigung",
        "Kundenauftrag", "Verkaufschance", "InternationalShipments",
    ],
    "numbers of eleven digits": [
        "44981401355", "12345678901", "20240000017",
        "98921401356",  # would be a Pole's who was born in 1898
    ],
    "words about secrets": [
        "Reset password", "Password changed", "Password expired", "Password: required",
        "PIN required", "Invalid password", "Password is too short", "Token: expired",
        "API key missing", "Passwort vergessen", "Mot de passe oublié", "La clave es simple",
        "Boarding pass",
    ],
}  # fmt: skip

WITHHELD = {
    "email": [
        "ann@example.com", "write to ann@example.com today", "ANN@EXAMPLE.COM",
        "ann+tag@example.co.uk", '"ann smith"@example.com', "Ann <ann@example.com>",
        "a@b@c@example.com", "анна@пример.рф", "用户@例子.公司", "ann@xn--80ak6aa92e.com",
        "ann@[192.168.2.1]", "ann@[IPv6:2001:db8::1]", "ann@192.168.2.1", "root@localhost",
        "a\u200bnn@exam\u00adple.com", "ann＠example．com", "ann@example。com",
        "ann%40example.com", "ann%2540example%252Ecom", "ann&#64;example.com",
        "ann\\u0040example.com", "ann(at)example.com", "ann [at] example [dot] com",
        "ann(ät)example.de", "ann at example dot com", "ann_at_example.com",
        "ann @ example.com", "ann@exam ple.com", "write to ann@exam ple.co.uk",
    ],
    "credential": [
        "AKIAIOSFODNN7EXAMPLE", "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "pk_9f8e7d6c5b4a3928", "sk-proj-abcdefghij1234567890", "xoxb-123456789012-abcdefghij",
        "glpat-abcdefghij1234567890", "eyJhbGciOiJIUzI1NiJ9.eyJJc3N1ZXIi.ovqRikAo",
        "m0-abcdefghijklmnopqrstuvwxyz012345", "Zf3D0LXCM3EIMbgJpUNnkRtOfOueHznB",
        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "JBSWY3DPEHPK3PXP",
        "-----BEGIN OPENSSH PRIVATE KEY-----", "$2b$12$abcdefghijklmnopqrstuv",
        "pbkdf2_sha256$600000$abc$def012345", "{SSHA}aBcDeFgHiJkLmNoP",
        "md5900150983cd24fb0d6963f7d28e17f72", "postgres://app:hunter2@db/shop",
        "https://x.example/cb?access_token=abcd1234", "Bearer abcdef1234567890",
        "Basic dXNlcjpwYXNzd29yZA==", "YWRtaW46YWRtaW4=", "cm9vdDpyb290",
        "111111-222222-333333-444444-555555-666666-777777-888888",
        "curl -u admin:hunter2 https://x", "password: hunter2", "DB_PASSWORD=hunter2",
        '"password": "hunter2"', "<password>hunter2</password>",
        "Password for the shop: hunter2", "password is swordfish",
        "password was changed to hunter2", "password hunter2", 'password "hunter"',
        "hunter2 is the password", "the pin is 1234",
        "legal winner thank year wave sausage worth useful legal winner thank yellow",
        "PIN 1234", "PIN-Code 4711",
        "Kennwort lautet Sommer", "mot de passe : azerty", "contraseña: perro",
        "senha: cachorro", "wachtwoord: hond", "hasło: kot", "heslo: kočka", "lösenord: katt",
        "salasana: kissa", "пароль от вайфая: кошка", "пароль кошка1", "jelszó: macska",
        "şifre: kedi", "密码是1234",
    ],
    "card": [
        "4012-8888-8888-1881", "4012888888881881", "4012 8888 8888 1881",
        "4012–8888–8888–1881", "４０１２８８８８８８８８１８８１", "٤٠١٢٨٨٨٨٨٨٨٨١٨٨١",
        "3782 822463 10005", "5105105105105100", "card 4012888888881881 exp 12/26",
        "7 4012 8888 8888 1881 0",
    ],
    "account": [
        "DE89370400440532013000", "DE89 3704 0044 0532 0130 00", "gb82west12345698765432",
        "IBAN DE89370400440532013000 Ann", "AB12 DE89 3704 0044 0532 0130 00 0",
        "19-2000145399/0800",
        "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "0x52908400098527886E0F7030069857D2E4169EE7",
    ],
    "phone": [
        "+1 415 555 0132", "+49 (0)30 1234567", "0049 30 1234567", "tel:+14155550132",
        "call +14155550132 now", "(171) 555-7788", "415-555-0132", "1-800-555-0199",
        "030-0074321", "030 / 12 34 56 78", "01 23 45 67 89", "8 (495) 123-45-67",
    ],
    "person": [
        "536-90-4399", "44051401359", "RCCMNL83S18D969H", "390.533.447-05", "131052-308T",
        "1 84 12 76 451 089 46", "Mr. John Smith", "Frau Müller", "Luisenstr. 48",
        "23 Tsawassen Blvd.", "Rua do Paço, 67",
    ],
    "free-text": [
        "Please leave the parcel with the neighbour.", "Does it work with the new model?",
        "large box with ten bags and also one can for each of them", "first\nsecond",
        "<p>Open</p>",
        "これはとても長い文章なので語彙として保存する価値がないと判断されるべきです",
    ],
    "blank": ["", "   ", "\t", "\u00a0", "\u200b", "\u3164"],
    "long": ["word" * 26],
}  # fmt: skip


@pytest.mark.parametrize("kind", ORDINARY)
def test_ordinary_words_stay(kind):
    assert reasons(ORDINARY[kind]) == {}


@pytest.mark.parametrize("reason", WITHHELD)
def test_what_is_no_word_goes_and_says_why(reason):
    assert reasons(WITHHELD[reason]) == dict.fromkeys(WITHHELD[reason], reason)


def test_a_value_is_kept_from_three_records_on():
    assert [guard.value_reason("Open", **{**SHARED, "records": n}) for n in (0, 1, 2, 3)] == [
        *("shared", "shared", "shared"),
        None,
    ]


def test_three_records_are_not_three_people():
    owners = [
        guard.value_reason("Reims", of="Order|city", type="text", records=9, owners=n)
        for n in (0, 1, 2, 3)
    ]
    assert owners == ["owners", "owners", "owners", None]


@pytest.mark.parametrize(
    "context",
    [
        {"of": ""},
        {"of": "Order"},
        {"of": "Order|"},
        {"of": "Order|a|b"},
        {"records": None},
        {"records": "9"},
        {"records": True},
        {"records": 3.0},
        {"owners": "9"},
        {"owners": 6},  # more than the five records
    ],
)
def test_without_the_context_it_needs_the_guard_keeps_nothing(context):
    assert guard.value_reason("Open", **{**SHARED, **context}) == "context"


def test_where_owners_are_counted_a_street_is_the_owners_rules_business():
    assert guard.value_reason("Luisenstr. 48", **SHARED, owners=2) == "owners"
    assert guard.value_reason("Luisenstr. 48", **SHARED, owners=3) is None


@pytest.mark.parametrize(
    ("type", "kept", "lost"),
    [
        ("boolean", [True, False, "t", "false", 0, 1], ["hunter2", "maybe", 2]),
        ("integer", [0, -7, 42, "17", 1735689600000], ["hunter2", 1.5, "1 2"]),
        ("number", [1.5, 0, "12.50", "1e3"], ["hunter2", "1.2.3"]),
        ("date", ["2024-05-01"], ["hunter2", "2024", "May", 20240501]),
        ("time", ["12:30", "12:30:45.5+02"], ["hunter2", "noon"]),
        (
            "timestamp",
            ["2024-05-01 12:30:00", "2024-05-01T12:30:00.123+02:00", "2024-05-01"],
            ["hunter2"],
        ),
        ("uuid", ["10237f64-0bc0-487d-9011-acf99444131e"], ["hunter2"]),
        ("array", [["Trailers", "Deleted Scenes"], []], [["ann@example.com"], [["a"]], [None]]),
        ("text", [True, 5, 1.5], [None, {"a": 1}, ["Open"]]),
    ],
)
def test_a_value_fits_its_propertys_type(type, kept, lost):
    context = {"of": "Thing|label", "type": type, "records": 5}

    assert [value for value in kept if guard.value_reason(value, **context)] == []
    assert [value for value in lost if not guard.value_reason(value, **context)] == []


def test_numbers_may_be_cards_and_peoples_numbers_too():
    assert guard.value_reason(4012888888881881, of="A|b", type="integer", records=5) == "card"
    assert guard.value_reason("44051401359", of="A|b", type="integer", records=5) == "person"
    assert guard.value_reason(10**5000, of="A|b", type="integer", records=5) == "long"


FLAGS_AND_DATES = [
    "true", "f", "yes", "No", "0", "1", "ja", "нет", "2024-05-01", "2024-05-01T12:30:00Z",
    "1735689600", "1735689600000",
]  # fmt: skip


@pytest.mark.parametrize(
    "name", ["has_password", "token_expires_at", "two_factor_enabled", "api_key_active", "mfa"]
)
def test_a_name_that_only_mentions_a_credential_keeps_flags_and_dates(name):
    assert reasons(FLAGS_AND_DATES, of=f"Account|{name}") == {}
    assert reasons(
        ["hunter2", "12345", "Sommer2024", "2024"], of=f"Account|{name}"
    ) == dict.fromkeys(["hunter2", "12345", "Sommer2024", "2024"], "credential")


def test_a_text_column_named_password_keeps_not_even_what_looks_like_a_date():
    assert reasons(FLAGS_AND_DATES, of="Account|password") == dict.fromkeys(
        FLAGS_AND_DATES, "credential"
    )
    for type, value in (("date", "2024-05-01"), ("boolean", True)):
        assert guard.value_reason(value, of="Account|password", type=type, records=5) is None


def test_outer_blanks_belong_to_the_value_and_hide_nothing():
    assert guard.value_reason("  Open ", **SHARED) is None
    assert guard.value_reason("  ann@example.com ", **SHARED) == "email"


def test_what_people_write_on_purpose_may_be_free_text():
    wish = "Please answer in short sentences, and round to whole euros.\nI count weeks from Monday."

    twelve = "please answer with short words and never show tables without units"

    assert guard.text_reason(wish) is None
    assert guard.text_reason(twelve) is None
    assert guard.text_reason(f"{wish} Write to ann@example.com.") == "email"
    assert guard.text_reason(f"{wish} My password is hunter2.") == "credential"


def test_a_long_text_without_an_end_is_judged_in_good_time():
    # Each made a pattern of ours or its like backtrack once; linear ones take milliseconds.
    hard = [
        "a@",
        "( a ) ",
        "password for ",
        "token(",
        "DE89 0000 ",
        "%25",
        "12-",
        "A1",
        "://:",
        "1 is ",
    ]

    found = [guard.text_reason((part * 50_000)[:100_000]) for part in hard]

    assert len(found) == len(hard)


@settings(max_examples=300, deadline=None)
@given(st.emails(), st.text(max_size=20), st.text(max_size=20))
def test_no_address_is_kept_whatever_stands_around_it(address, before, after):
    assert guard.text_reason(address) == "email"
    assert guard.text_reason(f"{before} {address} {after}") is not None
    assert guard.value_reason(address, **SHARED) is not None


def test_random_keys_go_in_every_base_and_stay_in_hexadecimal():
    bytes_of = random.Random(7).randbytes
    keys = [bytes_of(32) for _ in range(500)]

    def told(write):
        return sum(guard.text_reason(write(key)) is not None for key in keys)

    assert told(lambda key: base64.b64encode(key).decode()) >= 498
    assert told(lambda key: base64.urlsafe_b64encode(key).decode().rstrip("=")) >= 490
    assert told(lambda key: base64.b32encode(key).decode().lower().rstrip("=")) >= 495
    assert told(bytes.hex) == 0


def test_three_of_a_hundred_bare_numbers_pass_for_somebodys_and_no_more():
    # One in a hundred each by the sums of Turkey and of Brazil, which no date narrows.
    figures = random.Random(11).randrange
    numbers = [str(figures(10**10, 10**11)) for _ in range(10_000)]

    assert sum(guard.text_reason(number) is not None for number in numbers) <= 340


@settings(max_examples=500, deadline=None)
@example("DE89İ704 0044 0532 0101 01")
@given(st.text() | st.integers() | st.floats(allow_nan=False) | st.booleans() | st.none())
def test_every_value_has_an_answer(value):
    assert guard.value_reason(value, **SHARED) in {*guard.CODES, None}

"""What the rules leave of each vocabulary of the given databases, worked out by hand.

The lists come from plain SQL over the databases (how many records share a value, how many of the
people behind them), not from the probe. Beside each value that is withheld stands why.
"""

from collections.abc import Callable

import pytest

from tests.facts.probing.conftest import Lesson

pytestmark = pytest.mark.django_db  # so that there is a database for the lessons

# Customers in a country, of those who ordered; a country of one or two customers is about them.
ORDERED_FROM = {
    "Germany": (122, 11),
    "USA": (122, 13),
    "Brazil": (83, 9),
    "France": (77, 10),
    "UK": (56, 7),
    "Venezuela": (46, 4),
    "Canada": (30, 3),
    "Italy": (28, 3),
    "Mexico": (28, 5),
    "Spain": (23, 4),
    "Argentina": (16, 3),
    # Austria 2, Belgium 2, Denmark 2, Finland 2, Portugal 2, Sweden 2, Switzerland 2 customers;
    # Ireland, Norway, Poland 1: owners
}
LIVING_IN = {
    "USA": 13,
    "France": 11,
    "Germany": 11,
    "Brazil": 9,
    "UK": 7,
    "Mexico": 5,
    "Spain": 5,
    "Venezuela": 4,
    "Argentina": 3,
    "Canada": 3,
    "Italy": 3,
    # ten countries of one or two customers: shared
}
CONTACT_TITLES = {
    "Owner": 17,
    "Sales Representative": 17,
    "Marketing Manager": 12,
    "Sales Manager": 11,
    "Accounting Manager": 10,
    "Sales Associate": 7,
    "Marketing Assistant": 6,
    "Sales Agent": 5,
    # Order Administrator 2, Assistant Sales Agent 2, and two titles of one: shared
}
DISTRICTS = """
    Buenos Aires 10, California 9, Shandong 9, West Bengali 9, So Paulo 8, Uttar Pradesh 8,
    England 7, Maharashtra 7, Southern Tagalog 6, Gois 5, Hubei 5, Karnataka 5, Punjab 5,
    Tamil Nadu 5, Texas 5, Gauteng 4, Guanajuato 4, Guangdong 4, Illinois 4, Inner Mongolia 4,
    Moskova 4, Mxico 4, Oyo & Osun 4, Rajasthan 4, Taipei 4, West Java 4, Andhra Pradesh 3,
    Bihar 3, Central 3, Central Java 3, Central Luzon 3, Coahuila de Zaragoza 3, Dhaka 3,
    Esfahan 3, Galicia 3, Gujarat 3, Henan 3, Hiroshima 3, Liaoning 3, Madhya Pradesh 3,
    Minas Gerais 3, Nordrhein-Westfalen 3, Okayama 3, Ondo & Ekiti 3, Ontario 3,
    Rio Grande do Sul 3, Saitama 3, Sichuan 3, Slaskie 3, Sumy 3
"""  # and the empty text three times: blank
TEMPLATES = [
    *("assigned_cc", "assigned_owner", "closed_cc", "closed_owner", "closed_submitter"),
    *("escalated_cc", "escalated_owner", "escalated_submitter", "newticket_cc"),
    *("newticket_submitter", "resolved_cc", "resolved_owner", "resolved_submitter"),
    *("updated_cc", "updated_owner", "updated_submitter"),
]  # and merged twice: shared
LOCALES = dict.fromkeys(["cs", "de", "es", "fi", "it", "pl", "ru", "zh"], 16)
HEADINGS = dict.fromkeys(
    [
        *("Ticket Chiuso", "Ticket Fermé", "Ticket cerrado", "Ticket geschlossen"),
        *("Zgłoszenie zamknięte", "Заявка закрыта", "工单已关闭"),
    ],
    3,
)


def _people(shared: dict[str, int]) -> dict[str, tuple[int, int]]:
    """A table of people: each record is somebody, and its own owner."""
    return {value: (records, records) for value, records in shared.items()}


def _nobodys(shared: dict) -> dict:
    """A table that leads to nobody: records are counted, owners are not."""
    return {value: (records, None) for value, records in shared.items()}


def _listed(text: str) -> dict[str, int]:
    return {
        name.strip().rpartition(" ")[0]: int(name.strip().rpartition(" ")[2])
        for name in text.split(",")
    }


EXPECTED: list[tuple[str, str, str, dict, dict]] = [
    # set, label, property; what stays as {value: (records, owners)}; what else the value says
    ("northwind", "Order", "shipCountry", ORDERED_FROM, {"dropped": {"owners": 10}}),
    (
        "northwind",
        "Order",
        "shipRegion",
        {"SP": (49, 6), "RJ": (34, 3), "OR": (28, 4), "WA": (19, 3)},
        # Co. Cork, ID, NM, Lara, Táchira, Nueva Esparta, Québec, BC, Essex, Isle of Wight, AK, CA,
        # MT, WY: one or two customers each
        {"dropped": {"owners": 14}},
    ),
    ("northwind", "Customer", "contactTitle", _people(CONTACT_TITLES), {}),
    ("northwind", "Customer", "country", _people(LIVING_IN), {}),
    ("northwind", "Customer", "contactName", {}, {"withheld": "person"}),
    ("northwind", "Product", "discontinued", _nobodys({0: 67, 1: 10}), {}),
    ("northwind", "Employee", "title", _people({"Sales Representative": 6}), {}),
    ("northwind", "Employee", "titleOfCourtesy", _people({"Ms.": 4, "Mr.": 3}), {}),
    ("northwind_sqlite", "Order", "shipCountry", ORDERED_FROM, {"dropped": {"owners": 10}}),
    ("northwind_sqlite", "Customer", "contactTitle", _people(CONTACT_TITLES), {}),
    ("northwind_sqlite", "Customer", "country", _people(LIVING_IN), {}),
    ("northwind_sqlite", "Product", "discontinued", _nobodys({"0": 69, "1": 8}), {}),
    (
        "chinook",
        "Customer",
        "country",
        _people(
            {
                "USA": 13,
                "Canada": 8,
                "Brazil": 5,
                "France": 5,
                "Germany": 4,
                "United Kingdom": 3,
            }
        ),
        {},
    ),
    ("chinook", "Customer", "company", {}, {}),  # ten companies of one customer each: shared
    ("chinook", "Customer", "email", {}, {"withheld": "person"}),
    ("chinook", "Customer", "firstName", {}, {"withheld": "person"}),
    (
        "chinook",
        "Invoice",
        "billingCountry",
        {
            "USA": (91, 13),
            "Canada": (56, 8),
            "Brazil": (35, 5),
            "France": (35, 5),
            "Germany": (28, 4),
            "United Kingdom": (21, 3),
        },
        # eighteen countries of one or two customers (Czech Republic, India, Portugal): owners
        {"dropped": {"owners": 18}},
    ),
    ("chinook", "Employee", "title", _people({"Sales Support Agent": 3}), {}),
    (
        "pagila",
        "Film",
        "rating",
        _nobodys({"PG-13": 223, "NC-17": 210, "R": 195, "PG": 194, "G": 178}),
        {},
    ),
    (
        "pagila",
        "Film",
        "rentalDuration",
        _nobodys({6: 212, 3: 203, 4: 203, 5: 191, 7: 191}),
        {},
    ),
    ("pagila", "Actor", "firstName", {}, {"withheld": "person"}),  # JULIA four times
    ("pagila", "Actor", "lastName", {}, {"withheld": "person"}),  # KILMER five times
    ("pagila", "Address", "district", _nobodys(_listed(DISTRICTS)), {"dropped": {"blank": 1}}),
    ("pagila", "Customer", "active", _people({1: 584, 0: 15}), {}),  # type: ignore[dict-item]
    ("pagila", "Customer", "email", {}, {"withheld": "person"}),
    ("pagila", "Staff", "password", {}, {"withheld": "credential"}),
    ("helpdesk", "HelpdeskTicket", "submitterEmail", {}, {"withheld": "person"}),
    # No ticket is assigned, so tickets lead to nobody.
    ("helpdesk", "HelpdeskTicket", "status", _nobodys({1: 3}), {}),
    (
        "helpdesk",
        "HelpdeskEmailtemplate",
        "templateName",
        _nobodys(dict.fromkeys(TEMPLATES, 10)),
        {},
    ),
    (
        "helpdesk",
        "HelpdeskEmailtemplate",
        "locale",
        _nobodys({"en": 17, "fr": 17} | LOCALES),
        {},
    ),
    (
        "helpdesk",
        "HelpdeskEmailtemplate",
        "heading",
        _nobodys({"Ticket Closed": 4} | HEADINGS),
        {},
    ),
    ("helpdesk", "HelpdeskQueue", "title", {}, {}),  # two queues of two titles: shared
]


@pytest.mark.parametrize(
    ("place", "stays", "said"),
    [(line[:3], *line[3:]) for line in EXPECTED],
    ids=["-".join(line[:3]) for line in EXPECTED],
)
def test_a_vocabulary_is_what_the_rules_leave_of_it(
    lesson: Callable[[str], Lesson], place: tuple[str, str, str], stays: dict, said: dict
) -> None:
    name, label, word = place
    value = lesson(name).value("vocabulary", label, word)
    kept = {
        entry["value"]: (entry["records"], entry.get("owners")) for entry in value.pop("values")
    }
    assert kept == stays
    assert value.pop("of") == f"{label}|{word}"
    assert value.pop("more") == 0
    value.pop("type")
    assert value == said


def test_composers_stay_up_to_the_limit_and_the_rest_is_counted(
    lesson: Callable[[str], Lesson],
) -> None:
    """208 are shared by three tracks: 200 are read, two of them are prose and one is too long."""
    value = lesson("chinook").value("vocabulary", "Track", "composer")
    assert value["more"] == 8
    assert value["dropped"] == {"long": 1, "free-text": 2}
    assert len(value["values"]) == 197
    assert value["values"][0] == {"value": "Steve Harris", "records": 80}

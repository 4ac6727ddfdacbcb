"""What the guard leaves of real databases' vocabularies, worked out by hand.

Every list starts from the given truth: the values that three records share, before any guard.
"""

import json

import pytest

from facts import guard
from tests.conftest import given

# (label, property, type, owners counted) and what is withheld of it: the rule for all of it, or
# for single values. What is not named here stays.
NORTHWIND = {
    # An order belongs to a customer; three of them must share a place. In the data one customer
    # each stands behind NM, Isle of Wight, AK and the like: that is the probe's to count.
    "orders.ship_country": ("Order", "shipCountry", "text", {}),
    "orders.ship_region": ("Order", "shipRegion", "text", {}),
    # Titles say what somebody does, not who it is.
    "customers.contact_title": ("Customer", "contactTitle", "text", {}),
    "customers.country": ("Customer", "country", "text", {}),
    "customers.contact_name": ("Customer", "contactName", "text", "person"),
    "products.discontinued": ("Product", "discontinued", "integer", {}),
    "employees.title": ("Employee", "title", "text", {}),
    "employees.title_of_courtesy": ("Employee", "titleOfCourtesy", "text", {}),
}
NORTHWIND_SQLITE = {
    "Orders.ShipCountry": ("Order", "ShipCountry", "text", {}),
    "Customers.ContactTitle": ("Customer", "ContactTitle", "text", {}),
    "Customers.Country": ("Customer", "Country", "text", {}),
    "Products.Discontinued": ("Product", "Discontinued", "text", {}),
}
CHINOOK = {
    "customer.country": ("Customer", "country", "text", {}),
    "customer.company": ("Customer", "company", "text", {}),
    "customer.email": ("Customer", "email", "text", "person"),
    "customer.first_name": ("Customer", "firstName", "text", "person"),
    "invoice.billing_country": ("Invoice", "billingCountry", "text", {}),
    # Composers are the public makers of works that are for sale: a catalogue's vocabulary.
    "track.composer": ("Track", "composer", "text", {}),
    "employee.title": ("Employee", "title", "text", {}),
}
PAGILA = {
    "film.rating": ("Film", "rating", "enum", {}),
    "film.rental_duration": ("Film", "rentalDuration", "integer", {}),
    # Names of people, though these are known ones: the guard can't tell them from customers'.
    "actor.first_name": ("Actor", "firstName", "text", "person"),
    "actor.last_name": ("Actor", "lastName", "text", "person"),
    # A district is coarse and an address is nobody's until somebody has it; blank is no word.
    "address.district": ("Address", "district", "text", {"": "blank"}),
    "customer.active": ("Customer", "active", "integer", {}),
    "customer.email": ("Customer", "email", "text", "person"),
    # Its one hash stands in two rows, which the rule of three stops; the name stops it earlier.
    "staff.password": ("Staff", "password", "text", "credential"),
}
HELPDESK = {
    # The one address on exactly three tickets.
    "helpdesk_ticket.submitter_email": ("HelpdeskTicket", "submitterEmail", "text", "person"),
    "helpdesk_ticket.status": ("HelpdeskTicket", "status", "integer", {}),
    "helpdesk_emailtemplate.template_name": ("HelpdeskEmailtemplate", "templateName", "text", {}),
    "helpdesk_emailtemplate.locale": ("HelpdeskEmailtemplate", "locale", "text", {}),
    "helpdesk_emailtemplate.heading": ("HelpdeskEmailtemplate", "heading", "text", {}),
    "helpdesk_queue.title": ("HelpdeskQueue", "title", "text", {}),
}
SETS = {
    "northwind": NORTHWIND,
    "northwind_sqlite": NORTHWIND_SQLITE,
    "chinook": CHINOOK,
    "pagila": PAGILA,
    "helpdesk": HELPDESK,
}


def truth():
    return json.loads(given("data/truth.json").read_text())


@pytest.mark.parametrize("database", SETS)
def test_of_a_real_database_all_stays_that_is_not_named_here(database):
    vocabularies = truth()[database]["vocabulary"]
    assert set(SETS[database]) == set(vocabularies)

    for column, (label, name, type, withheld) in SETS[database].items():
        listed = vocabularies[column]["values"]
        entries = [{"value": value, "records": records} for value, records in listed]
        cleaned = guard.clean({"of": f"{label}|{name}", "type": type, "values": entries, "more": 0})

        if isinstance(withheld, str):
            assert (cleaned["values"], cleaned["withheld"]) == ([], withheld), column
        else:
            kept = [entry for entry in entries if entry["value"] not in withheld]
            assert cleaned["values"] == kept, column
            assert cleaned.get("dropped", {}) == dict.fromkeys(withheld.values(), 1), column


# Columns of the five sets that hold credentials or addresses, and why each keeps nothing.
NEVER = {
    ("chinook", "Employee", "email"): "person",
    ("chinook", "Customer", "phone"): "person",
    ("chinook", "Customer", "fax"): "person",
    ("helpdesk", "HelpdeskTicket", "secretKey"): "credential",
    ("helpdesk", "HelpdeskQueue", "emailBoxPass"): "credential",
    ("helpdesk", "AuthUser", "password"): "credential",
    ("helpdesk", "AuthUser", "email"): "person",
    ("helpdesk", "DjangoSession", "sessionKey"): "credential",
    ("helpdesk", "DjangoSession", "sessionData"): "credential",
    ("northwind", "Customer", "phone"): "person",
    ("northwind", "Customer", "address"): "person",
    ("northwind", "Order", "shipName"): "person",
    ("northwind", "Order", "shipAddress"): "person",
    ("northwind", "Employee", "birthDate"): "person",
    ("northwind", "Employee", "notes"): "free-text",
    ("northwind", "Employee", "photo"): None,  # by its type
}


def test_columns_of_credentials_and_people_are_not_even_asked():
    rules = {
        column: guard.property_rule(column[1], column[2], "text", owned=True) for column in NEVER
    }

    assert rules == NEVER
    assert guard.property_rule("Employee", "photo", "binary") == "type"


def test_nothing_that_must_not_appear_gets_through_by_its_look_alone():
    for database in truth().values():
        for value in database.get("guard", {}).get("must_not_appear", ()):
            if "@" in value:
                assert guard.text_reason(value) == "email"

"""The tables of a trading company that hardly change: places, goods, whom it deals with. Pure."""

from collections.abc import Iterator
from datetime import timedelta

from readiness.demo import planted
from readiness.demo.company import PLACES, Company, Row

_GOODS = "Tea Coffee Cocoa Honey Saffron Pepper Rice Lentils Olives Almonds Figs Dates".split(" ")
_GRADES = ("Classic", "Organic", "Reserve", "Bulk")
PRODUCTS = len(_GOODS) * len(_GRADES)
SUPPLIERS, TERRITORIES, EMPLOYEES = 30, 8, 12
CARRIERS = ("Swift Parcel", "Northern Freight", "Harbour Lines", "Air Courier", "Rail Cargo")


def regions(_company: Company) -> Iterator[Row]:
    """Four of them."""
    for number, name in enumerate(("North", "South", "East", "West"), 1):
        yield Row(None, (number, name))


def territories(_company: Company) -> Iterator[Row]:
    """Two in every region."""
    for number in range(1, TERRITORIES + 1):
        yield Row(None, (number, f"Territory {number}", number % 4 + 1))


def employees(company: Company) -> Iterator[Row]:
    """A dozen, with names, addresses and salaries."""
    chance, names = company.chance("employees"), planted.full_names()
    titles = ("Sales Representative", "Sales Manager", "Support Agent", "Buyer")
    for number in range(1, EMPLOYEES + 1):
        first, last = chance.choice(names).split()
        boss = None if number == 1 else chance.randint(1, min(number - 1, 3))
        mail = f"{first}.{last}@staff.example".lower()
        hired = company.today - timedelta(days=chance.randint(300, 4_000))
        values = (number, first, last, mail, planted.DESK_PHONE, titles[number % 4], boss)
        yield Row(None, (*values, hired, chance.randint(28, 70) * 1_000))


def territory_assignments(_company: Company) -> Iterator[Row]:
    """Whose territory is whose: one or two each."""
    for employee in range(1, EMPLOYEES + 1):
        for territory in sorted({employee % TERRITORIES + 1, employee * 3 % TERRITORIES + 1}):
            yield Row(None, (employee, territory, None))


def customers(company: Company) -> Iterator[Row]:
    """Companies with somebody to write to, whose address stands in notes, too."""
    chance, names = company.chance("customers"), planted.full_names()
    for number in range(1, company.customers + 1):
        name, (country, city) = chance.choice(names), chance.choice(PLACES)
        mail = planted.mail_of(name, number)
        yield Row(
            None,
            (
                *(number, f"{name.split()[1]} Trading {number}", name, mail),
                None if number % 4 == 0 else f"+49 40 55501{number:04}",
                planted.BANK_ACCOUNT if number % 5 == 0 else None,
                *(country, city, None if number % 6 == 0 else number % TERRITORIES + 1),
                chance.choice(("14 days", "30 days", "30 days", "prepaid")),
                f"Please write to {mail} before shipping" if number % 9 == 0 else None,
                company.today - timedelta(days=chance.randint(60, 2_000)),
            ),
        )


def customer_segments(company: Company) -> Iterator[Row]:
    """What kind of customer nine of ten are."""
    chance = company.chance("customer_segments")
    segments = ("retail", "wholesale", "online", "catering")
    for customer in range(1, company.customers + 1):
        if chance.random() < 0.9:
            yield Row(None, (customer, chance.choice(segments), None))


def suppliers(company: Company) -> Iterator[Row]:
    """Whom goods are bought of; all portals have one password."""
    chance = company.chance("suppliers")
    for number in range(1, SUPPLIERS + 1):
        rating = chance.choice(("A", "B", "C")) if number % 3 else None
        mail = planted.SHARED_MAIL if number % 2 else None
        home = f"https://supplier{number}.example" if number % 2 else None
        country, _ = chance.choice(PLACES)
        name = f"Supplier {number} Ltd"
        yield Row(None, (number, name, country, rating, mail, planted.SHARED_PASSWORD, home))


def supplier_contracts(company: Company) -> Iterator[Row]:
    """Eight a supplier, most of them over."""
    chance, names = company.chance("supplier_contracts"), planted.full_names()
    for number in range(1, 8 * SUPPLIERS + 1):
        until = company.today + timedelta(days=chance.randint(-900, 400))
        status = "in force" if until > company.today else "ended"
        discount = chance.choice((0, 0.02, 0.05))
        supplier = number % SUPPLIERS + 1
        yield Row(None, (number, supplier, status, discount, chance.choice(names), until))


def carriers(_company: Company) -> Iterator[Row]:
    """Who brings the goods, with the key of their interface."""
    services = ("parcel", "freight", "freight", "express", "freight")
    for number, (name, service) in enumerate(zip(CARRIERS, services, strict=True), 1):
        yield Row(None, (number, name, service, planted.CARRIER_KEY, number % 2 == 0))


def categories(_company: Company) -> Iterator[Row]:
    """Three kinds of goods."""
    for number, name in enumerate(("Drinks", "Spices", "Dry goods"), 1):
        yield Row(None, (number, name))


def products(company: Company) -> Iterator[Row]:
    """Every good in every grade."""
    chance = company.chance("products")
    names = [(good, grade) for good in _GOODS for grade in _GRADES]
    for number, (good, grade) in enumerate(names, 1):
        level = chance.choice((10, 25, 50))
        yield Row(
            None,
            (
                *(number, f"{grade} {good}", number % 3 + 1, number % SUPPLIERS + 1, grade),
                *(chance.choice(("kg", "box", "sack")), chance.randint(200, 9_000) / 100),
                chance.randint(0, 400),
                level if chance.random() < company.reorder_level_filled else None,
                number % 11 == 0,
            ),
        )


def scanners(company: Company) -> Iterator[Row]:
    """Hand-held ones; somebody noted the key that unlocks them where their label should stand."""
    chance, names = company.chance("scanners"), planted.full_names()
    for number in range(1, 25):
        label = planted.RECOVERY_KEY if number % 4 == 0 else None
        site = chance.choice(("North gate", "South gate", "Returns"))
        model = chance.choice(("S20", "S30"))
        yield Row(None, (number, model, site, label, chance.choice(names)))


def settings(_company: Company) -> Iterator[Row]:
    """What a program should not keep in a table."""
    values = ("smtp.example", planted.MAIL_PASSWORD, planted.SESSION_TOKEN)
    for name, value in zip(("mail_host", "mail_password", "api_token"), values, strict=True):
        yield Row(None, (name, value))


TABLES = (
    *(regions, territories, employees, territory_assignments, customers, customer_segments),
    *(suppliers, supplier_contracts, carriers, categories, products, scanners, settings),
)

"""What a company's database holds and nobody may keep: names, ways to reach people, secrets. Pure.

All of it is made up. It stands where such things stand in real databases, often in several rows,
so that "at least three share it" alone would let it by.
"""

from itertools import product

FIRST_NAMES = (
    "Ottokar Wilhelmina Leocadia Ambrosius Philippa Thaddeus Ludmilla Cornelius Apollonia Balthasar"
).split(" ")
LAST_NAMES = (
    "Vintersborg Quastenhof Ballamore Tarnowskaya Ellingsworth Pfefferkorn Castellanos Drummondsey"
).split(" ")

SHARED_PASSWORD = "Herbstwind-4417!"  # noqa: S105 - of no account anywhere
CARRIER_KEY = "sk_demo_4f9a7c21b8e35d60a7719c42"
SHARED_MAIL = "orders@larkspur-mail.example"
RECOVERY_KEY = "418275-660143-297418-053625-718806-254309-631587-472912"
SESSION_TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJkZW1vLXNjYW5uZXIifQ.Zk3vQ1x9aS8mT4wLr7bC2nH6uYp0"  # noqa: S105
BANK_ACCOUNT = "DE89370400440532013000"  # the specimen IBAN
TICKET_WITH_PASSWORD = "The password for the supplier portal: Mondlicht7-alt, please change it"  # noqa: S105
MAIL_PASSWORD = "kupfer.Draht-2209"  # noqa: S105
DESK_PHONE = "+49 40 5550 1187"

SECRETS = (
    *(SHARED_PASSWORD, CARRIER_KEY, SHARED_MAIL, RECOVERY_KEY, SESSION_TOKEN, BANK_ACCOUNT),
    *(TICKET_WITH_PASSWORD, MAIL_PASSWORD, DESK_PHONE),
)


def full_names() -> list[str]:
    """Everybody's, customers and employees alike."""
    return [f"{first} {last}" for first, last in product(FIRST_NAMES, LAST_NAMES)]


def mail_of(name: str, number: int) -> str:
    """The address of somebody of this name."""
    return f"{name.lower().replace(' ', '.')}@customer{number}.example"


def planted() -> list[str]:
    """Everything that must stand in no table of ours: whole values, and what they are made of."""
    return [*SECRETS, *FIRST_NAMES, *LAST_NAMES, "larkspur-mail.example", "Mondlicht7-alt"]

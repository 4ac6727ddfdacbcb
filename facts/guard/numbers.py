"""Cards, accounts, phones and people's numbers, wherever they stand in a text.

A number is told by its checksum where it has one (python-stdnum), a phone number by how it is
written (and by phonenumbers where it names its country), so that order numbers, dates, versions
and hashes stay. What every tenth number would pass for (BSN, Steuer-ID, CPR, ABA) is known by
its column's name only.
"""

import re
from collections.abc import Callable
from functools import partial
from string import ascii_uppercase

import phonenumbers
from stdnum import bitcoin, iban, luhn
from stdnum.be import nn
from stdnum.br import cpf
from stdnum.cn import ric
from stdnum.cz import bankaccount as cz_account
from stdnum.cz import rc
from stdnum.es import ccc, dni, nie
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.in_ import aadhaar
from stdnum.it import codicefiscale
from stdnum.kr import rrn
from stdnum.no import fodselsnummer
from stdnum.nz import bankaccount as nz_account
from stdnum.pl import pesel
from stdnum.se import personnummer
from stdnum.tr import tckimlik
from stdnum.us import ssn

LONGEST_CARD = 19  # digits
SMALLEST_GROUP = 3  # of the digits that a card prints
SHORTEST_IBAN = 15  # characters, Norway's
WALLET = 26  # characters of the shortest address of a wallet

_MANY_DIGITS = re.compile(r"(?:\d\D{0,3}){7}")  # fewer are no number of these
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"))

# What is made of many digits and is none of them, taken out first.
_INNOCENT = re.compile(
    r"""(?<!\w)(?:
      [0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}                                      # UUID
    | \d{4}-\d\d-\d\d(?:[T\s]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\s?Z|\s?[+-]\d\d(?::?\d\d)?)?)?
    | (?:\d{1,2}[./]){2}\d{4}                                                          # dates
    | 97[89][-\s](?:\d+[-\s]){3}[\dX]                                                  # ISBN
    | (?:\d{1,3}\.){3}\d{1,3}                                                          # IPv4
    )(?!\w)""",
    re.VERBOSE | re.IGNORECASE,
)

_GROUPS = re.compile(r"(?<![\w.,])\d+(?:[\s._/-]\d+)*(?!\w)")
_ISSUERS = {  # by length; thirteen are left out, a barcode has as many
    14: re.compile(r"30[0-59]|3[689]"),
    15: re.compile(r"3[47]"),
    16: re.compile(
        r"4|5[0-8]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720|6(?:011|4[4-9]|5|2|3|7)|35(?:2[89]|[3-8])"
    ),
    19: re.compile(r"4|6[0257]"),
}

# Looked ahead for, so that one may start within what looks like another: AB12 DE89 3704 ...
_IBAN = re.compile(
    r"(?<!\w)(?=([A-Z]{2}\d\d(?:[ .-]?[A-Z0-9]){11,30})(?!\w))", re.IGNORECASE | re.ASCII
)

_GAP = re.compile(r"[ .-]")
_AS_FIGURES = {ord(letter): str(ord(letter) - ord("A") + 10) for letter in ascii_uppercase}
_IBAN_CHECK = partial(iban.is_valid, check_country=False)  # the checksum, not the bank's code

_INTERNATIONAL = re.compile(
    r"(?<![\w.,+])(?:\(?\+|(?<!\d[ -])00(?=[1-9]))\s?\(?\d(?:[\s().\[\]/-]{0,3}\d){6,14}(?!\w)"
)
_NATIONAL = re.compile(
    r"""(?<![\w.,:+/-])(?<!\d[\s-])(?:
      (?:[78]\s?)?\(0?\d{1,4}\)[\s.-]?\d{2,4}(?:[\s./-]?\d{2,4}){1,3}           # (415) 555-0132
    | (?:1[\s.-])?[2-9]\d\d(?P<between>[\s.-])[2-9]\d\d(?P=between)\d{4}  # 415-555-0132
    | 0(?=(?:\D{0,3}\d){9})\d{1,4}(?:\s?[/-]\s?|\s)\d{2,8}(?:[\s.-]\d{2,4}){0,4}  # 030-0074321
    | 0[1-9](?P<pairs>[\s.-]?)\d\d(?:(?P=pairs)\d\d){3}             # 01 23 45 67 89
    )(?![\w/:])(?!-\d)""",
    re.VERBOSE,
)

_WALLET = re.compile(
    r"(?<!\w)(?:[13][a-km-zA-HJ-NP-Z1-9]{25,34}|bc1[0-9a-z]{8,87}|0x[0-9a-fA-F]{40})(?!\w)"
)


def _is_pesel(number: str) -> bool:
    """Of somebody born from 1900 to 2099: the month says the century, and many numbers have it."""
    return number[2] in "0123" and bool(pesel.is_valid(number))


# How a number is written, and the checks one of which it then passes.
_CHECKED: dict[str, list[tuple[re.Pattern[str], list[Callable[[str], bool]]]]] = {
    "person": [
        (
            re.compile(r"(?<![\w.,-])\d{11}(?![\w-])"),
            [_is_pesel, fodselsnummer.is_valid, tckimlik.is_valid, cpf.is_valid, nn.is_valid],
        ),
        (re.compile(r"(?<!\w)\d{3}\.\d{3}\.\d{3}-\d\d(?!\w)"), [cpf.is_valid]),
        (re.compile(r"(?<!\w)\d\d\.\d\d\.\d\d-\d{3}\.\d\d(?!\w)"), [nn.is_valid]),
        (re.compile(r"(?<![\w-])\d{3}[- ]\d\d[- ]\d{4}(?![\w-])"), [ssn.is_valid]),
        (re.compile(r"(?<![\w-])(?:\d\d)?\d{6}[-+]\d{4}(?![\w-])"), [personnummer.is_valid]),
        (re.compile(r"(?<![\w-])\d{6}-[1-8]\d{6}(?![\w-])"), [rrn.is_valid]),
        (re.compile(r"(?<!\w)\d{6}/\d{3,4}(?!\w)"), [rc.is_valid]),
        (re.compile(r"(?<!\w)\d{6}[-+A-FU-Y]\d{3}[0-9A-Y](?!\w)", re.IGNORECASE), [hetu.is_valid]),
        (re.compile(r"(?<!\w)\d{17}[\dX](?!\w)", re.IGNORECASE), [ric.is_valid]),
        (
            re.compile(r"(?<![\w.,])[12](?:[ ]?\d\d){2}[ ]?\d[\dAB](?:[ ]?\d{3}){2}[ ]?\d\d(?!\w)"),
            [nir.is_valid],
        ),
        (
            re.compile(r"(?<!\w)[A-Z]{6}\d\d[A-Z]\d\d[A-Z]\d{3}[A-Z](?!\w)", re.IGNORECASE),
            [codicefiscale.is_valid],
        ),
        (
            re.compile(r"(?<!\w)(?:\d{8}|[XYZ]-?\d{7})-?[A-Z](?!\w)", re.IGNORECASE),
            [dni.is_valid, nie.is_valid],
        ),
        (
            re.compile(r"(?<!\w)(?<!\d[ -])[2-9]\d{3}(?P<gap>[ -])\d{4}(?P=gap)\d{4}(?![ -]?\d)"),
            [aadhaar.is_valid],
        ),
    ],
    "account": [
        (re.compile(r"(?<!\w)\d{4}[ -]?\d{4}[ -]?\d\d[ -]?\d{10}(?!\w)"), [ccc.is_valid]),
        (re.compile(r"(?<!\w)\d\d-\d{4}-\d{7}-\d{2,3}(?!\w)"), [nz_account.is_valid]),
        (re.compile(r"(?<!\w)(?:\d{1,6}-)?\d{6,10}/\d{4}(?!\w)"), [cz_account.is_valid]),
    ],
}


def number_reason(text: str) -> str | None:
    """Which of them stands in ``text`` (made plain before): card, account, phone, person, None."""
    if len(text) >= WALLET and any(_is_wallet(match[0]) for match in _WALLET.finditer(text)):
        return "account"
    if not _MANY_DIGITS.search(text):
        return None
    return _reason_by_digits(_INNOCENT.sub(" ", text.translate(_DASHES)))


def _reason_by_digits(text: str) -> str | None:
    if any(_is_phone(match[0]) for match in _INTERNATIONAL.finditer(text)):
        return "phone"
    if any(_holds_card(match[0]) for match in _GROUPS.finditer(text)):
        return "card"
    if any(_is_iban(match[1]) for match in _IBAN.finditer(text)):
        return "account"
    for reason, kinds in _CHECKED.items():
        for written, checks in kinds:
            if written.search(text) and _holds_checked(text, written, checks):
                return reason
    return "phone" if _NATIONAL.search(text) else None


def _holds_checked(
    text: str, written: re.Pattern[str], checks: list[Callable[[str], bool]]
) -> bool:
    return any(_passes(check, match[0]) for match in written.finditer(text) for check in checks)


def _passes(check: Callable[[str], bool], written: str) -> bool:
    try:
        return check(written)
    except Exception:  # noqa: BLE001 - a checksum that trips over a number doesn't know it
        return False


def _is_wallet(written: str) -> bool:
    return written.startswith("0x") or _passes(bitcoin.is_valid, written)


def _holds_card(written: str) -> bool:
    """Whether all of it is a card's number, or some groups next to each other are.

    Cards print groups of four or more; smaller ones are sizes, years and amounts in a row.
    """
    groups = re.findall(r"\d+", written)
    if _is_card("".join(groups)):
        return True
    for first in range(len(groups)):
        digits = ""
        for group in groups[first:]:
            digits += group
            if len(group) < SMALLEST_GROUP or len(digits) > LONGEST_CARD:
                break
            if _is_card(digits):
                return True
    return False


def _is_card(digits: str) -> bool:
    issuer = _ISSUERS.get(len(digits))
    return bool(issuer and issuer.match(digits)) and _passes(luhn.is_valid, digits)


def _is_iban(written: str) -> bool:
    """Whether it starts with an IBAN: words may follow one that is written in groups."""
    head, *groups = _GAP.split(f"{written[:4]} {written[4:]}".upper())
    start, remainder = head, 0
    for group in groups:
        start, remainder = start + group, _remainder(f"{remainder}{group}")
        if (
            len(start) >= SHORTEST_IBAN
            and _remainder(f"{remainder}{head}") == 1  # the library's check, at a tenth of its cost
            and _passes(_IBAN_CHECK, start)
        ):
            return True
    return False


def _remainder(number: str) -> int:
    """Of a division by 97, letters being numbers from ten on (ISO 7064, MOD 97-10)."""
    return int(number if number.isdecimal() else number.translate(_AS_FIGURES)) % 97


def _is_phone(written: str) -> bool:
    digits = re.sub(r"\D", "", written).removeprefix("00")
    try:
        return phonenumbers.is_possible_number(phonenumbers.parse(f"+{digits}"))
    except phonenumbers.NumberParseException:
        return False

"""What one text says about itself, wherever it stands."""

import re

from facts.guard.emails import has_address
from facts.guard.folding import plain
from facts.guard.numbers import number_reason
from facts.guard.secrets import secret_reason

_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
IN_WORDS = {  # what each code of ``text_reason`` means to a person
    "email": "an e-mail address",
    "credential": "a password, a key or another credential",
    "card": "the number of a payment card",
    "account": "the number of a bank account",
    "phone": "a phone number",
    "person": "a number that a state gives to a person",
}
HARMLESS_LENGTH = 15  # letters up to which a text of nothing but ASCII letters can't be any of it


def text_reason(text: str) -> str | None:
    """Why ``text`` may not be kept wherever it stands, as a code, or None.

    ``email``, ``credential``, ``card``, ``account``, ``phone`` or ``person`` (somebody's number by
    a state). Free text may pass: this is the rule for what people write on purpose, their
    preferences, an answer's question, and for names.
    """
    if len(text) <= HARMLESS_LENGTH and text.isascii() and text.isalpha():
        return None
    if _UUID.fullmatch(text):
        return None
    text = plain(text)
    if has_address(text):
        return "email"
    return number_reason(text) or secret_reason(text)

"""E-mail addresses, wherever they stand in a text and however they are written."""

import html
import re
from urllib.parse import unquote

from facts.guard import words

DECODINGS = 3  # %2540 is an at sign too

# An at sign between something and a domain: a name whose end can be a top-level domain (never a
# figure: "10 @ 5.00"), an address literal, or the machine itself.
_NAME = r"""[^\s@/\\(){}<>,;:"'|=]+"""
_TOP = r"(?:xn--|[a-z\x80-\U0010ffff][a-z0-9\x80-\U0010ffff-])"
_ADDRESS = re.compile(
    rf"\S\s*@\s*(?:{_NAME}\.{_TOP}|\[[\w.:]+\]|(?:\d{{1,3}}\.){{3}}\d{{1,3}}(?![\d.])|localhost\b)"
    rf"|\S@{_NAME}\s*\.\s*{_TOP}|\S\s*@\s*{_NAME}\s+\.\s*{_TOP}",
    re.IGNORECASE,
)

# "ann@exam ple.com": torn once, and only before an ending that most addresses have.
_ENDING = "|".join(words.listed("email", "endings"))
_TORN = re.compile(
    rf"\w@[a-z][\w-]{{0,62}}\s[a-z][\w.-]{{0,63}}\.(?:{_ENDING})(?![\w/])", re.IGNORECASE
)

# "ann (at) example [dot] com", "ann at example dot com"
_AT, _DOT = (
    "|".join(re.escape(word) for word in sorted(words.listed("email", name)))
    for name in ("at", "dot")
)
_BRACKETED_AT = re.compile(rf"\s*[(\[{{<*|]\s*(?:{_AT}|@)\s*[)\]}}>*|]\s*", re.IGNORECASE)
_BRACKETED_DOT = re.compile(rf"\s*[(\[{{<*|]\s*(?:{_DOT}|\.)\s*[)\]}}>*|]\s*", re.IGNORECASE)
_SPOKEN = re.compile(
    rf"\w\s+at\s+[\w-]+\s+(?:{_DOT})\s+[a-z]{{2,4}}\b"
    r"|\w[_-]at[_-][\w-]+\.(?:com|org|net|edu|gov|io|[a-z]{2})\b",
    re.IGNORECASE,
)
_ESCAPED = re.compile(r"(?:\\u\{?0*|\\x|%u00|=|\+AE)(?:40\}?|A-)", re.IGNORECASE)
_ESCAPED_DOT = re.compile(r"(?:\\u\{?0*|\\x|%u00|=)2e\}?", re.IGNORECASE)
_WRITTEN_OUT = re.compile(r"[(\[{<*|]|[\s_-]at[\s_-]|%\w|\\[ux]|=40|\+AE", re.IGNORECASE)


def has_address(text: str) -> bool:
    """Whether an e-mail address, or what would be one, stands in ``text`` (made plain before)."""
    text = text.replace("。", ".")  # as domains are typed in Japanese and Chinese
    if "@" in text and (_ADDRESS.search(text) or _TORN.search(text)):
        return True
    if "&" in text and (shown := html.unescape(text)) != text:
        return has_address(shown)
    if not _WRITTEN_OUT.search(text):
        return False
    decoded = text
    for _ in range(DECODINGS):
        decoded = unquote(decoded)
    decoded = _ESCAPED_DOT.sub(".", _ESCAPED.sub("@", decoded))
    written = _BRACKETED_DOT.sub(".", _BRACKETED_AT.sub("@", decoded))
    return any(_ADDRESS.search(form) for form in (decoded, written)) or bool(_SPOKEN.search(text))

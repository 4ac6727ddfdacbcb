"""Credentials in a text: tokens and keys by their shape, and secrets that prose tells.

What each issuer's tokens look like follows the rules of gitleaks and of GitHub's secret scanning.
Placeholders are withheld too: a real key that ends in EXAMPLE is a real key. A hash without a
salt, a UUID or a commit stays: in hexadecimal they are names of things.
"""

import re
from base64 import b64decode

from facts.guard.prose import tells_secret

SHORTEST = 16  # characters of the shortest token whose shape alone gives it away

_SHAPES = [
    (start, re.compile(pattern))
    for start, pattern in (
        # A text that holds the first is searched for the second.
        ("-----BEGIN", r"-----BEGIN[ A-Z0-9]*(?:PRIVATE|SECRET|ENCRYPTED|CERTIFICATE|MESSAGE)"),
        ("PuTTY-User-Key-File", r""),
        ("AGE-SECRET-KEY-1", r""),
        ("nsec1", r"\bnsec1[a-z0-9]{40}"),
        ("prv", r"\b[xyz]prv[A-Za-z0-9]{60}"),
        ("eyJ", r"\beyJ[\w-]{8,500}\.[\w-]"),  # JWT, JWE
        ("A", r"\b(?:AKIA|ASIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ABIA|ACCA)[A-Z0-9]{16}\b"),  # AWS
        ("gh", r"\bgh[pousr]_\w{20,}"),
        ("github_pat_", r"\bgithub_pat_\w{20,}"),
        ("gl", r"\bgl(?:pat|ptt|dt|rt|cbt)-[\w-]{20,}"),  # GitLab
        ("xox", r"\bxox[abeoprs]-[\w-]{10,}"),  # Slack
        ("xapp-", r"\bxapp-\d-[\w-]{10,}"),
        ("hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows)/\S{12,}"),
        ("discord", r"discord(?:app)?\.com/api/webhooks/\S{12,}"),
        ("AIza", r"\bAIza[\w-]{30,}"),  # Google
        ("ya29.", r"\bya29\.[\w-]{20,}"),
        ("1//0", r"\b1//0[\w-]{20,}"),
        ("GOCSPX-", r"\bGOCSPX-[\w-]{20,}"),
        ("k_", r"\b[srp]k_(?:live_|test_)?(?=\w*\d)[0-9A-Za-z]{8,}"),  # Stripe and its like
        ("whsec_", r"\bwhsec_\w{16,}"),
        (
            "sk-",
            r"\bsk-(?:[a-z]{1,12}\d{0,4}-){0,4}(?=\w*\d)\w{16,}",
        ),  # OpenAI, Anthropic and their like
        ("SG.", r"\bSG\.[\w-]{16,}\.[\w-]{16,}"),
        ("key-", r"\bkey-[0-9a-f]{32}\b"),
        ("hf_", r"\bhf_[A-Za-z]{30,}"),
        ("npm_", r"\bnpm_\w{30,}"),
        ("pypi-", r"\bpypi-[\w-]{40,}"),
        ("_v1_", r"\bdo[opr]_v1_\w{32,}"),  # DigitalOcean
        ("shp", r"\bshp(?:at|ca|pa|ss)_\w{20,}"),  # Shopify
        ("sq0", r"\bsq0\w{3}-[\w-]{20,}"),  # Square
        ("EAA", r"\bEAAC?\w{40,}"),  # Facebook
        ("dapi", r"\bdapi[0-9a-f]{32}"),
        ("PMAK-", r"\bPMAK-[\w-]{40,}"),
        ("rubygems_", r"\brubygems_\w{30,}"),
        ("hvs.", r"\bhvs\.[\w-]{20,}"),  # HashiCorp Vault
        ("vault:v", r"\bvault:v\d:\S{16,}"),
        ("ATATT3", r"\bATATT3[\w=-]{40,}"),  # Atlassian
        ("lin_api_", r"\blin_api_\w{20,}"),
        ("secret_", r"\bsecret_\w{30,}"),
        (
            "$",
            r"\$(?:2[abxy]?|[156]|7|g?y|argon2(?:id?|d)|scrypt|pbkdf2[\w-]*|apr1|P|H|sha1)\$\S{8,}",
        ),
        ("$", r"\b(?:pbkdf2|bcrypt|scrypt|argon2|sha\d+|md5|crypt)(?:_sha\d+)?\$+[\w./$=+,-]{8,}"),
        ("}", r"\{(?:S?SHA\d{0,3}|S?MD5|B?CRYPT|PBKDF2[\w-]*|ARGON2)\}\S{8,}"),  # LDAP
        ("SCRAM-SHA-256$", r""),
        ("md5", r"\bmd5[0-9a-f]{32}\b"),  # PostgreSQL's roles
        ("-", r"\b(?:\d{6}-){7}\d{6}\b"),  # BitLocker
        ("-", r"\b(?=[A-Z0-9-]{0,28}\d)(?:[A-Z0-9]{5}-){4}[A-Z0-9]{5}\b"),  # product keys
    )
]
_PARAMETER = re.compile(
    r"[?&;](?:[\w-]{0,40}(?:token|secret|passw|pwd|signature|credential|api-?_?key)[\w-]{0,40}"
    r"|key|sig|auth|code)=[^&\s]{4,}",
    re.IGNORECASE,
)
_LONG_RUN = re.compile(rf"\S{{{SHORTEST}}}|-----BEGIN")
_URL = re.compile(r"://[^\s/?#@:]*:[^\s/?#@]+@")  # with a password before its host
_HEADER = re.compile(
    r"\b(?:bearer|basic|digest|negotiate|token|apikey)\s+(?=\S*[\d=+/])[\w.~+/=-]{12,}",
    re.IGNORECASE,
)
_HEADERS_RUN = re.compile(r"\s\S{12}")
_COMMAND = re.compile(r"\s(?:-u|--user)[\s=]*[^\s:]+:\S+|\bmysql\w*\s.{0,200}?\s-p\S+")

# A recovery phrase (BIP-39) has 12, 15, 18, 21 or 24 words of three to eight letters, and none of
# those that a sentence can't do without.
_RECOVERY_BLANKS = 11
_RECOVERY_PHRASE = re.compile(
    r"(?!.*\b(?:the|and|for|with|not|please|are|but|from|have|their|und|les|des|por|per)\b)"
    r"\W*[a-z]{3,8}(?:[\s,]+[a-z]{3,8}){11}(?:(?:[\s,]+[a-z]{3,8}){3}){0,4}\W*"
)

_RUN = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
# user:password in base64, as HTTP sends it. An API's id of a record (Product:12) is none.
_ENCODED = re.compile(r"(?<![\w+/-])[A-Za-z0-9+/]{10,200}={0,2}(?![\w+/=-])")
_PAIR = re.compile(rb"(?![A-Z]\w*:\d+$)[\w.@+-]{2,}:(?!//)[!-~]{3,}")
_SEPARATOR = re.compile(r"[_-]")
_PIECES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_HEXADECIMAL = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_BASE32 = re.compile(r"(?=(?:[A-Z]*[2-7]){2})(?:[A-Z2-7]{16}|[A-Z2-7]{32})")


def secret_reason(text: str) -> str | None:
    """``credential`` where one stands in ``text`` (made plain before), else None."""
    return "credential" if _shows(text) or tells_secret(text) else None


def _shows(text: str) -> bool:
    """Whether a shape gives it away; each is asked for only where it could be."""
    if _LONG_RUN.search(text) and (
        any(start in text and shape.search(text) for start, shape in _SHAPES)
        or _PARAMETER.search(text)
        or any(map(_is_random, _RUN.findall(text)))
    ):
        return True
    return bool(
        any(map(_is_encoded_pair, _ENCODED.findall(text)))
        or ("://" in text and _URL.search(text))
        or (_HEADERS_RUN.search(text) and _HEADER.search(text))
        or (" -" in text and _COMMAND.search(text))
        or (sum(map(text.count, " ,\n\t")) >= _RECOVERY_BLANKS and _RECOVERY_PHRASE.fullmatch(text))
    )


def _is_encoded_pair(run: str) -> bool:
    """Whether it decodes to a name and a password; base64 comes in fours."""
    return len(run) % 4 == 0 and _PAIR.fullmatch(b64decode(run)) is not None


def _is_random(run: str) -> bool:
    """Whether nobody would have thought of this run of letters and digits.

    Random base64 has a separator about every 32 characters, names about every six: there each
    part is judged for itself. Hexadecimal parts are names of things.
    """
    parts = [part for part in _SEPARATOR.split(run.rstrip("=")) if not _is_hash(part)]
    if len(parts) - 1 > len(run) / 10:
        return any(len(part) >= SHORTEST and _is_random(part) for part in parts)
    bare = "".join(parts)
    if _BASE32.fullmatch(bare):
        return True
    return _has_short_pieces(bare, padded=run.endswith("="))


def _is_hash(part: str) -> bool:
    return len(part) >= SHORTEST and _HEXADECIMAL.fullmatch(part) is not None


def _has_short_pieces(bare: str, *, padded: bool) -> bool:
    """Whether its pieces (a word, a figure, an abbreviation) are too short for a name.

    In names they are about five characters long, in random base64 less than two. Single-case runs
    have longer pieces and are judged by their length.
    """
    letters = "".join(filter(str.isalpha, bare))
    digits = sum(map(str.isdigit, bare))
    if not letters:
        return False
    if letters.islower() or letters.isupper():
        return len(bare) >= 28 and digits >= 3 and len(letters) >= 6 and "/" not in bare
    piece = len(bare) / len(_PIECES.findall(bare))
    if digits:
        return piece < (3.6 if len(bare) >= 32 else 3) and (len(bare) >= 20 or padded)
    return piece < 2.4 and len(bare) >= 24

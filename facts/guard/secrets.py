"""Credentials in a text: tokens and keys by their shape, and secrets that prose tells.

What each issuer's tokens look like follows the rules of gitleaks and of GitHub's secret scanning.
Placeholders are withheld too: a real key that ends in EXAMPLE is a real key. A hash without a
salt, a UUID or a commit stays: as hexadecimal they are names of things.
"""

import re

from facts.guard.prose import tells_secret

SHORTEST = 16  # characters of the shortest token whose shape alone gives it away

_SHAPES = re.compile(
    r"""
      -----BEGIN[ A-Z0-9]*(?:PRIVATE|SECRET|ENCRYPTED|CERTIFICATE|MESSAGE)
    | PuTTY-User-Key-File | AGE-SECRET-KEY-1 | \bnsec1[a-z0-9]{40} | \b[xyz]prv[A-Za-z0-9]{60}
    | \beyJ[\w-]{8,}(?:\.[\w-]+){1,4}                                      # JWT, JWE
    | \b(?:AKIA|ASIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ABIA|ACCA)[A-Z0-9]{16}\b
    | \bgh[pousr]_\w{20,} | \bgithub_pat_\w{20,} | \bgl(?:pat|ptt|dt|rt|cbt)-[\w-]{20,}
    | \bxox[abeoprs]-[\w-]{10,} | \bxapp-\d-[\w-]{10,}
    | \bAIza[\w-]{30,} | \bya29\.[\w-]{20,} | \b1//0[\w-]{20,} | \bGOCSPX-[\w-]{20,}
    | \b[srp]k_(?:live|test)_\w{8,} | \bwhsec_\w{16,} | \bsk-(?:[a-z]+\d*-)*(?=\w*\d)\w{16,}
    | \bSG\.[\w-]{16,}\.[\w-]{16,} | \bkey-[0-9a-f]{32}\b | \bhf_[A-Za-z]{30,} | \bnpm_\w{30,}
    | \bpypi-[\w-]{40,}
    | \bdo[opr]_v1_\w{32,} | \bshp(?:at|ca|pa|ss)_\w{20,} | \bsq0\w{3}-[\w-]{20,}
    | \bEAAC?\w{40,}
    | \bdapi[0-9a-f]{32} | \bPMAK-[\w-]{40,} | \brubygems_\w{30,} | \bhvs\.[\w-]{20,}
    | \bATATT3[\w=-]{40,} | \blin_api_\w{20,} | \bsecret_\w{30,} | \bvault:v\d:\S{16,}
    | \b[spr]k_(?=\w*\d)[0-9A-Za-z]{12,}
    | \$(?:2[abxy]?|5|6|1|7|y|gy|argon2(?:id?|d)|scrypt|pbkdf2[\w-]*|apr1|P|H|sha1)\$[./\w$=,+-]{8,}
    | \b(?:pbkdf2|bcrypt|scrypt|argon2|sha1|sha256|sha512|md5|crypt)(?:_sha\d+)?\$+[\w./$=+,-]{8,}
    | \{(?:S?SHA(?:\d{3})?|S?MD5|CRYPT|BCRYPT|PBKDF2[\w-]*|ARGON2)\}\S{8,} | \bSCRAM-SHA-256\$\S{8,}
    | \bmd5[0-9a-f]{32}\b
    | \b(?:\d{6}-){7}\d{6}\b                                               # BitLocker
    | \b(?:[A-Z0-9]{5}-){4}[A-Z0-9]{5}\b                                   # product keys
    """,
    re.VERBOSE,
)
_LONG_RUN = re.compile(rf"\S{{{SHORTEST}}}|-----BEGIN|PuTTY")
_URL = re.compile(r"://[^\s/?#@:]*:[^\s/?#@]+@")  # with a password before its host
_HEADER = re.compile(
    r"\b(?:bearer|basic|digest|negotiate|token|apikey)\s+(?=\S*[\d=+/])[\w.~+/=-]{12,}",
    re.IGNORECASE,
)
_PARAMETER = re.compile(
    r"[?&;](?:[\w-]*(?:token|secret|passw|pwd|signature|credential|api-?_?key)[\w-]*|key|sig|auth|code)"
    r"=[^&\s]{4,}",
    re.IGNORECASE,
)

# A recovery phrase (BIP-39) has 12, 15, 18, 21 or 24 words of three to eight letters.
_RECOVERY_PHRASE = re.compile(
    r"\W*[a-z]{3,8}(?:[\s,]+[a-z]{3,8}){11}(?:(?:[\s,]+[a-z]{3,8}){3}){0,4}\W*"
)

_RUN = re.compile(r"[A-Za-z0-9+/]{16,}={0,2}")
_PIECES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_BASE32 = re.compile(r"(?=(?:[A-Z]*[2-7]){2})(?:[A-Z2-7]{16}|[A-Z2-7]{32})")


def secret_reason(text: str) -> str | None:
    """``credential`` where one stands in ``text`` (made plain before), else None."""
    return "credential" if _shows(text) or tells_secret(text) else None


def _shows(text: str) -> bool:
    if _LONG_RUN.search(text) and (
        _SHAPES.search(text) or _PARAMETER.search(text) or any(map(_is_random, _RUN.findall(text)))
    ):
        return True
    return bool(_URL.search(text) or _HEADER.search(text) or _RECOVERY_PHRASE.fullmatch(text))


def _is_random(run: str) -> bool:
    """Whether nobody would have thought of this run of letters and digits.

    In names, pieces (a word, a figure, an abbreviation) are about five characters long; in random
    base64 less than two. Single-case runs have longer pieces and are judged by their length.
    """
    bare = run.rstrip("=")
    if _BASE32.fullmatch(bare):
        return True
    letters = re.sub(r"[^A-Za-z]", "", bare)
    digits = sum(map(str.isdigit, bare))
    if not letters or re.fullmatch(r"[0-9a-f]+|[0-9A-F]+", bare):
        return False
    if letters.islower() or letters.isupper():
        return len(bare) >= 28 and digits >= 3 and len(letters) >= 6 and "/" not in bare
    piece = len(bare) / len(_PIECES.findall(bare))
    if digits:
        return piece < (3.6 if len(bare) >= 32 else 3) and (len(bare) >= 20 or bare != run)
    return piece < 2.4 and len(bare) >= 24

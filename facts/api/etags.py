"""Entity tags of facts: the version first, so that the tag read is the tag to write with.

``"8-3f2a..."``: 8 is the version, the rest a hash of what was read, because trust and requests
move without it. If-Match takes the whole tag or ``"8"`` and compares the version alone.
"""

import re
from hashlib import sha256
from http import HTTPStatus

from django.utils.http import parse_etags
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from facts.errors import KenError
from facts.problems import Invalid, answers_with

_TAG = re.compile(r'(?:W/)?"(\d{1,18})(?:-[0-9a-f]*)?"')


class VersionNotNamed(KenError):
    """A measurement came without the version it started from."""

    code = "version-not-named"


answers_with(HTTPStatus.PRECONDITION_REQUIRED, VersionNotNamed)


def etag_of(version: int, document: object) -> str:
    """The tag of a fact's representation."""
    return f'"{version}-{sha256(JSONRenderer().render(document)).hexdigest()[:16]}"'


def is_known(request: Request, etag: str) -> bool:
    """Whether the client says it has this representation already (If-None-Match)."""
    known = parse_etags(request.headers.get("If-None-Match", ""))
    return "*" in known or etag in [tag.removeprefix("W/") for tag in known]


def version_named(request: Request) -> int:
    """The version in If-Match. Raises VersionNotNamed without one, Invalid for what is none."""
    named = request.headers.get("If-Match", "").strip()
    if not named:
        raise VersionNotNamed('say which version you measured from: If-Match: "8", or "0"')
    if not (tag := _TAG.fullmatch(named)):
        raise Invalid('one version in quotes, such as "8"', header="If-Match")
    return int(tag[1])

"""Entity tags of answers, and of facts the version first: the tag read is the tag to write with.

``W/"8-3f2a..."``: 8 is the version, the rest a hash of what was read, because trust and requests
move without it. It is weak, for the time of the newest request is left out: whoever reads a stale
fact asks for it and would never find it unchanged. If-Match takes the whole tag or ``"8"`` and
compares the version alone.
"""

import re
from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from http import HTTPStatus
from typing import Any

from django.utils.http import parse_etags
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from facts.errors import KenError
from facts.problems import Invalid, answers_with

PRIVATE = "private, no-cache"  # kept by the client alone, and asked for again each time

_TAG = re.compile(r'(?:W/)?"(\d{1,18})(?:-[0-9a-f]*)?"')


class VersionNotNamed(KenError):
    """A measurement came without the version it started from."""

    code = "version-not-named"


answers_with(HTTPStatus.PRECONDITION_REQUIRED, VersionNotNamed)


def etag_of(version: int, document: Mapping[str, object]) -> str:
    """The tag of a fact's representation."""
    said = {name: value for name, value in document.items() if name != "requested_at"}
    return f'W/"{version}-{_hash(said, 16)}"'


def weak_etag_of(document: object) -> str:
    """The tag of what is said again in other words, such as at another time."""
    return f'W/"{_hash(document, 32)}"'


def _hash(document: object, digits: int) -> str:
    return sha256(JSONRenderer().render(document)).hexdigest()[:digits]


def tag(request: Request, response: Response) -> None:
    """Give an answer to a read its tag, or answer 304 where the client has it already."""
    response.headers.setdefault("Cache-Control", PRIVATE)
    if response.status_code == HTTPStatus.OK and "ETag" not in response.headers:
        response.add_post_render_callback(partial(_tagged, request))


def _tagged(request: Request, response: Any) -> None:
    etag = f'"{sha256(response.content).hexdigest()[:32]}"'
    response.headers["ETag"] = etag
    if is_known(request, etag):
        response.status_code, response.content = HTTPStatus.NOT_MODIFIED, b""
        del response.headers["Content-Type"]


def answered(request: Request, document: object, etag: str) -> Response:
    """The document under a tag of its own, or 304 where the client has it already."""
    if is_known(request, etag):
        return Response(status=HTTPStatus.NOT_MODIFIED, headers={"ETag": etag})
    return Response(document, headers={"ETag": etag})


def is_known(request: Request, etag: str) -> bool:
    """Whether the client says it has this representation already (If-None-Match)."""
    known = parse_etags(request.headers.get("If-None-Match", ""))
    return "*" in known or _opaque(etag) in map(_opaque, known)


def _opaque(etag: str) -> str:
    return etag.removeprefix("W/")


def version_named(request: Request) -> int:
    """The version in If-Match. Raises VersionNotNamed without one, Invalid for what is none."""
    named = request.headers.get("If-Match", "").strip()
    if not named:
        raise VersionNotNamed('say which version you measured from: If-Match: "8", or "0"')
    if not (tag := _TAG.fullmatch(named)):
        raise Invalid('one version in quotes, such as "8"', header="If-Match")
    return int(tag[1])

"""Bodies: JSON of a bounded size that PostgreSQL can hold."""

import json
import math
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import IO, Any, NoReturn

from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser
from rest_framework.renderers import JSONRenderer

BODY_LIMIT = 5 * 1024 * 1024  # bytes: 5,000 lines of a kilobyte

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_SUSPECT = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")


class TooLarge(APIException):
    status_code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    default_code = "too-large"
    default_detail = f"a body has at most {BODY_LIMIT:,} bytes; send it in parts"


class BoundedJSONParser(BaseParser):
    """Strict JSON: bounded, UTF-8, no name twice in an object, no NaN, no NUL, no lone surrogate.

    Read at most one byte past the limit, whatever Content-Length says.
    """

    media_type = "application/json"
    renderer_class = JSONRenderer

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,  # noqa: ARG002 - DRF's signature
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> Any:
        body = stream.read(BODY_LIMIT + 1)
        if len(body) > BODY_LIMIT:
            raise TooLarge
        try:
            found = json.loads(
                body.decode(),
                object_pairs_hook=_without_doubles,
                parse_float=_finite,
                parse_constant=_refuse,
            )
        except json.JSONDecodeError as fault:
            raise ParseError(
                f"the body is no JSON: line {fault.lineno}, column {fault.colno}"
            ) from None
        except UnicodeDecodeError:
            raise ParseError("the body is no UTF-8") from None
        except RecursionError:
            raise ParseError("the body is nested too deeply") from None
        except ValueError:  # a whole number of thousands of digits
            raise ParseError("a number in the body is too long") from None
        if _SUSPECT.search(body) and _is_unstorable(found):
            raise ParseError("text with a NUL or half a surrogate pair can't be stored")
        return found


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ParseError("an object in the body has a name twice")
    return found


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ParseError("a number in the body is too large")
    return number


def _refuse(_text: str) -> NoReturn:
    raise ParseError("NaN and Infinity are no JSON")


def _is_unstorable(value: Any) -> bool:
    if isinstance(value, str):
        return _UNSTORABLE.search(value) is not None
    if isinstance(value, dict):
        return any(map(_is_unstorable, value)) or any(map(_is_unstorable, value.values()))
    return isinstance(value, list) and any(map(_is_unstorable, value))

"""Where in a text a JSON pointer leads, so that a fault can stand beside its line."""

import json
import re

_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


def line_of(text: str, pointer: str) -> int:
    """The line, from 1 on, of what ``pointer`` names, or of the nearest thing around it.

    ``text`` is JSON; of text that is none the line is 1.
    """
    at = _after_space(text, 0)
    try:
        for step in pointer.split("/")[1:]:
            at = _child(text, at, step.replace("~1", "/").replace("~0", "~"))
    except LookupError:  # a key that is missing: its object is the place
        pass
    except (ValueError, RecursionError):
        return 1
    return text.count("\n", 0, at) + 1


def _child(text: str, at: int, step: str) -> int:
    """Where the key ``step`` of the object at ``at`` stands, or its item of that index."""
    opening, at = text[at], at + 1
    if opening not in "{[":
        raise LookupError(step)
    index = 0
    while text[at := _after_space(text, at)] not in "}]":
        start = at
        if opening == "{":
            key, at = _DECODER.raw_decode(text, at)
            at = _after_space(text, at) + 1  # past the colon
            found = key == step
        else:
            found = str(index) == step
        value = _after_space(text, at)
        if found:
            return value if _is_container(text, value) else start
        _, at = _DECODER.raw_decode(text, value)
        at = _after_space(text, at)
        at += text[at] == ","
        index += 1
    raise LookupError(step)


def _is_container(text: str, at: int) -> bool:
    return text[at] in "{["


def _after_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at

"""Where the values of a JSON text stand, so that one can be changed and the others kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_BLANK = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()

Range = tuple[int, int]


def after_blanks(text: str, at: int) -> int:
    """The first place from `at` on that is not white space."""
    found = _BLANK.match(text, at)
    return found.end() if found else at


def value_at(text: str, at: int) -> tuple[Any, int]:
    """The value that begins at a place, and where it ends."""
    value, end = _DECODER.raw_decode(text, at)
    return value, end


def array_elements(text: str, at: int) -> Iterator[Range]:
    """The ranges of the elements of the array that begins at a place; the text is valid JSON."""
    at = after_blanks(text, at + 1)
    while text[at] != "]":
        end = value_at(text, at)[1]
        yield at, end
        at = _next(text, end)


def members(text: str, at: int) -> dict[str, Range]:
    """The ranges of an object's values by their keys; of a key that is there twice, the last."""
    found: dict[str, Range] = {}
    at = after_blanks(text, at + 1)
    while text[at] != "}":
        key, end = value_at(text, at)
        start = after_blanks(text, after_blanks(text, end) + 1)  # behind the colon
        end = value_at(text, start)[1]
        found[key] = start, end
        at = _next(text, end)
    return found


def _next(text: str, at: int) -> int:
    """The next element, or the bracket that ends them."""
    at = after_blanks(text, at)
    return after_blanks(text, at + 1) if text[at] == "," else at

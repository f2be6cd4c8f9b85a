"""Answers as they came, read and brought into a form that has canonical JSON."""

from __future__ import annotations

import json
import math
from typing import Any, Final

LARGEST: Final = 2**53 - 1
DEEPEST: Final = 100
"""Levels of nesting; answers have about six."""


def parse_json(content: bytes) -> Any:
    """Return what JSON text says; NaN and infinities, which JSON lacks, as text.

    Raises
    ------
    ValueError
        If it is not JSON, or is nested deeper than the interpreter's stack.
    """
    try:
        return json.loads(content.decode("utf-8", "backslashreplace"), parse_constant=str)
    except RecursionError as error:
        raise ValueError("the JSON is nested too deeply") from error


def plain(value: Any, depth: int = 0) -> Any:
    """Return a JSON value with every part that has no canonical form put as text.

    Lone surrogates are escaped; infinities and integers beyond 2^53 - 1 become text. This is for
    the record alone: what a turn says is taken from the value itself.

    Raises
    ------
    ValueError
        If it is nested beyond `DEEPEST`.
    """
    if depth > DEEPEST:
        raise ValueError("the JSON is nested too deeply")
    match value:
        case str():
            return escape(value)
        case dict():
            return {escape(key): plain(item, depth + 1) for key, item in value.items()}
        case list():
            return [plain(item, depth + 1) for item in value]
        case int() if abs(value) > LARGEST:
            return str(value)
        case float() if not math.isfinite(value):
            return str(value)
    return value


def count(figure: Any) -> int | None:
    """Return a server's number of something; None for what is no such number."""
    valid = isinstance(figure, int) and not isinstance(figure, bool) and 0 <= figure <= LARGEST
    return figure if valid else None


def escape(text: str) -> str:
    """Return a text with lone surrogates as escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")

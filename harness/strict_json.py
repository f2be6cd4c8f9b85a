"""JSON read as it is written here: UTF-8, plain values, every key once, no depth without bound."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any, Final, NoReturn

DEEPEST: Final = 64
"""Levels of nesting that are read unless told otherwise; nothing of ours comes near it."""


def strict_json(content: bytes | str, *, deepest: int = DEEPEST) -> Any:
    """Parse JSON that has one meaning.

    Parameters
    ----------
    content
        The text, or its bytes in UTF-8 without a byte order mark.
    deepest
        Levels of nesting that are accepted.

    Raises
    ------
    ValueError
        If the bytes are of another encoding, if the text is no JSON, holds NaN, an infinity or a
        number beyond every float, has a key twice in one object, or is nested more deeply.
    """
    text = content if isinstance(content, str) else content.decode("utf-8")
    try:
        value = json.loads(
            text, parse_constant=_no_number, parse_float=_finite, object_pairs_hook=_unique
        )
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    if _is_deep(value, deepest):
        raise ValueError("it is nested too deeply")
    return value


def _no_number(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number of JSON")


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"{text} is too large a number")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} stands twice")
    return found


def _is_deep(value: object, deepest: int) -> bool:
    # Level by level: how deep a value can be walked by recursion depends on the stack.
    level = [value]
    for _ in range(deepest):
        level = [child for item in level for child in _children(item)]
        if not level:
            return False
    return True


def _children(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()

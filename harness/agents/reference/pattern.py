"""Patterns of JSON Schema: whether they tell an identifier, and where they match in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

_ORDINARY: Final = ("la", "no", "hello", "Hello", "Hello world", "the order of today", "3", "12")
"""Texts that are no identifiers; a pattern that one of them matches does not tell one."""
_LONGEST: Final = 500


@lru_cache(maxsize=4096)
def compiled(pattern: str) -> re.Pattern[str] | None:
    """Return the compiled pattern, or None if it is none or too long to trust."""
    if len(pattern) > _LONGEST:
        return None
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return None


def matches(pattern: str, value: str) -> bool:
    """Whether a text satisfies JSON Schema's ``pattern``."""
    expression = compiled(pattern)
    return expression is not None and expression.search(value) is not None


def admits(schema: Mapping[str, Any], value: object) -> bool:
    """Whether a scalar keeps to the schema's pattern, length and bounds; a list always does.

    A first sieve: what is sent is validated as a whole.
    """
    pattern = schema.get("pattern")
    if isinstance(value, str):
        shortest, longest = schema.get("minLength", 0), schema.get("maxLength")
        return (
            (not isinstance(pattern, str) or matches(pattern, value))
            and not (isinstance(shortest, int) and len(value) < shortest)
            and not (isinstance(longest, int) and len(value) > longest)
        )
    if isinstance(value, int | float) and not isinstance(value, bool):
        low, high = schema.get("minimum"), schema.get("maximum")
        return not (isinstance(low, int | float) and value < low) and not (
            isinstance(high, int | float) and value > high
        )
    return True


@lru_cache(maxsize=4096)
def is_specific(pattern: str) -> bool:
    """Whether a pattern tells an identifier: it compiles and matches no ordinary text."""
    expression = compiled(pattern)
    return expression is not None and not any(expression.search(text) for text in _ORDINARY)


def tells_kind(pattern: str) -> bool:
    """Whether a pattern begins with a letter of its own, as ``^INV-`` does.

    Eight digits may number an order or a case; such a value needs a noun beside it.
    """
    return re.match(r"\^[A-Za-z]", pattern) is not None


@lru_cache(maxsize=4096)
def _loose(pattern: str) -> re.Pattern[str] | None:
    """Return a whole-text pattern that finds its text inside another, at the edges of a token."""
    if not (pattern.startswith("^") and pattern.endswith("$")) or pattern.endswith("\\$"):
        return None
    # Particles of Korean and Japanese follow without a space: only Latin letters and digits join.
    edges = r"(?<![A-Za-z0-9_])(?<![A-Za-z0-9][-./])"
    return compiled(rf"{edges}(?:{pattern[1:-1]})(?![A-Za-z0-9_])(?![-/.:@][A-Za-z0-9])")


def find_pattern(pattern: str, text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the parts of a text that satisfy a pattern, with start and end."""
    loose = _loose(pattern)
    if loose is not None:
        for match in loose.finditer(text):
            if match.group() and matches(pattern, match.group()):
                yield match.group(), match.start(), match.end()
        return
    for token in re.finditer(r"[A-Za-z0-9][A-Za-z0-9_./:#@+-]*", text):
        if matches(pattern, token.group()):
            yield token.group(), token.start(), token.end()

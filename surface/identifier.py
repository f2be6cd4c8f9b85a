"""Identifiers: which arguments are some, and where they occur (protocol, section 4)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

from router.contract import ParameterSpec
from surface.pointer import leaves


def is_identifier(parameter: ParameterSpec) -> bool:
    """Whether a parameter takes an identifier: by name, registration or semantic id."""
    semantic_id = parameter.semantic_id or ""
    return (
        parameter.identifier
        or parameter.name.endswith("_id")
        or semantic_id.endswith((".id", ".identifier"))
    )


def identifiers(
    parameters: Collection[ParameterSpec], arguments: Mapping[str, Any]
) -> tuple[str, ...]:
    """Return the identifiers among the arguments of a call, as texts."""
    found: list[str] = []
    for parameter in parameters:
        if is_identifier(parameter) and parameter.name in arguments:
            found.extend(texts_in(arguments[parameter.name]))
    return tuple(found)


def occurs(identifier: str, texts: Collection[str]) -> bool:
    """Whether an identifier stands in one of the texts, not as part of a longer identifier.

    Letters of other scripts may follow it directly, as particles do in Korean and Japanese.
    """
    if identifier in texts:
        return True
    pattern = re.compile(
        rf"(?<![0-9A-Za-z_])(?<![0-9A-Za-z]-){re.escape(identifier)}(?![0-9A-Za-z_]|-[0-9A-Za-z])"
    )
    return any(identifier in text and pattern.search(text) is not None for text in texts)


def texts_in(value: Any) -> tuple[str, ...]:
    """Return every text and integer in a value, integers in decimal."""
    return tuple(
        str(int(item)) if not isinstance(item, str) else item
        for item in leaves(value)
        if isinstance(item, str)
        or (isinstance(item, int | float) and not isinstance(item, bool) and item == int(item))
    )

"""The one string that the research retriever receives (protocol, section 3).

Canonical JSON escapes line breaks, so nothing inside a state can look like the marker line; and no
query may hold the marker. What an agent is shown never holds a rendered query.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from conditions.contract import MARKER, STATE_FIELDS, State
from conditions.error import StateError
from router.canonical import canonical_json

__all__ = ["read_state", "render_query", "split_query"]

_SEPARATOR: Final = f"\n\n{MARKER}\n"
_SUFFIX_FIELDS: Final = tuple(name for name in STATE_FIELDS if name != "original_query")


def render_query(state: State) -> str:
    """Return the query unchanged, a blank line, the marker line and the other eleven fields."""
    suffix = canonical_json({name: getattr(state, name) for name in _SUFFIX_FIELDS})
    return f"{state.original_query}{_SEPARATOR}{suffix.decode()}"


def split_query(text: str) -> tuple[str, Mapping[str, Any] | None]:
    """Split a retrieval query at its last marker line.

    Returns
    -------
    tuple of str and mapping or None
        The query and the eleven other fields as parsed JSON; None for a bare query.

    Raises
    ------
    StateError
        When something other than a state's eleven fields follows the marker line.
    """
    query, separator, suffix = text.rpartition(_SEPARATOR)
    if not separator:
        return text, None
    try:
        fields = json.loads(suffix)
    except ValueError as error:
        raise StateError(
            f"What follows the line {MARKER} is not JSON.", "Build the text with render_query."
        ) from error
    if not isinstance(fields, dict) or fields.keys() != set(_SUFFIX_FIELDS):
        raise StateError(
            f"What follows the line {MARKER} is not the eleven fields of a state.",
            "Build the text with render_query.",
        )
    return query, fields


def read_state(query: str, fields: Mapping[str, Any]) -> State:
    """Rebuild a state from what `split_query` returns.

    Raises
    ------
    StateError
        When a field is missing, unknown, of another type or breaks the contract.
    """
    typed = {
        name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()
    }
    return State.of({**typed, "original_query": query})

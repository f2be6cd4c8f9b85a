"""Typing that documents carry in extension keywords of a schema.

====================  ================  ====================================================
keyword               member            value
====================  ================  ====================================================
``x-semantic-id``     ``semantic_id``   text such as ``order.id``
``x-unit``            ``unit``          text
``x-dimension``       ``dimension``     text
``x-qualifiers``      ``qualifiers``    object of texts
``x-identifier``      ``identifier``    true or false
====================  ================  ====================================================

Nothing is inferred from names, formats or descriptions: what is not declared is not typed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

from router.interchange.place import Place

__all__ = ["TYPING", "Typed", "is_typed", "read_keyword", "take_typing", "write_typing"]

TYPING: Final[Mapping[str, str]] = {
    "x-semantic-id": "semantic_id",
    "x-unit": "unit",
    "x-dimension": "dimension",
    "x-qualifiers": "qualifiers",
    "x-identifier": "identifier",
}
"""Members of a parameter or field by the keyword that declares them."""


class Typed(Protocol):
    """A parameter or an output field."""

    @property
    def semantic_id(self) -> str | None:
        """What the value means."""

    @property
    def unit(self) -> str | None:
        """The unit of the value."""

    @property
    def dimension(self) -> str | None:
        """What is measured."""

    @property
    def qualifiers(self) -> dict[str, str]:
        """What else tells values apart."""

    @property
    def identifier(self) -> bool:
        """Whether the value identifies something."""


def read_keyword(keyword: str, place: Place) -> Any:
    """The value of a typing keyword.

    Raises
    ------
    InterchangeError
        When it is not of the keyword's kind.
    """
    if keyword == "x-qualifiers":
        return {key: value.text() for key, value in place.members()}
    return place.flag() if keyword == "x-identifier" else place.name()


def is_typed(schema: Mapping[str, Any]) -> bool:
    """Whether a schema carries typing at its top."""
    return not TYPING.keys().isdisjoint(schema)


def take_typing(schema: dict[str, Any]) -> dict[str, Any]:
    """Remove the typing from a schema that was read, and return it by member."""
    return {member: schema.pop(keyword) for keyword, member in TYPING.items() if keyword in schema}


def write_typing(schema: dict[str, Any], typed: Typed) -> None:
    """Add the typing that is declared to a schema."""
    for keyword, member in TYPING.items():
        value = getattr(typed, member)
        if value:
            schema[keyword] = dict(value) if keyword == "x-qualifiers" else value

"""The frozen record that the router's models are, and the types of their members."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue

from router.frozen import freeze

__all__ = ["Json", "Name", "Opaque", "Qualifiers", "Record", "Trimmed"]


class Record(BaseModel):
    """A record that owns what it holds: frozen, without unknown members.

    Its sequences are tuples. Its JSON members are copies that cannot be changed in place either.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    def _replaced(self, values: Mapping[str, Any]) -> Self:
        """A copy with some of the members that were given replaced by values known to be valid.

        What ``model_copy`` returns for a record without extra and private members, several times
        as fast: retrieval in view of a state makes one for each route left out.
        """
        copy = object.__new__(type(self))
        members = copy.__dict__
        members.update(self.__dict__)
        members.update(values)
        put = object.__setattr__  # the record's own refuses, since it is frozen
        put(copy, "__pydantic_fields_set__", self.__pydantic_fields_set__)
        put(copy, "__pydantic_extra__", None)
        put(copy, "__pydantic_private__", None)
        return copy


def _trimmed(value: str) -> str:
    if not value or value != value.strip():
        raise ValueError("must not be empty, nor begin or end with white space")
    return value


if TYPE_CHECKING:
    # A host's ``{"type": "string"}`` is a dict[str, str] to a type checker, which a dictionary of
    # JSON values does not accept.
    Json = dict[str, Any]
else:
    Json = Annotated[dict[str, JsonValue], AfterValidator(freeze)]
"""A JSON object."""
Opaque = Annotated[dict[str, Any], AfterValidator(freeze)]
"""The host's own notes: any values, which the router neither reads nor hashes."""
Qualifiers = Annotated[dict[str, str], AfterValidator(freeze)]
Name = Annotated[str, Field(min_length=1)]
Trimmed = Annotated[str, AfterValidator(_trimmed)]
"""A name that is compared by spelling: not empty, no white space around it."""

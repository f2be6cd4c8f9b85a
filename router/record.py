"""The frozen record that the router's models are, and the types of their members."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue

from router.frozen import freeze

__all__ = ["Json", "Name", "Opaque", "Qualifiers", "Record", "Trimmed"]


class Record(BaseModel):
    """A record that owns what it holds: frozen, without unknown members.

    Its sequences are tuples. Its JSON members are copies that cannot be changed in place either.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")


def _trimmed(value: str) -> str:
    if not value or value != value.strip():
        raise ValueError("must not be empty, nor begin or end with white space")
    return value


Json = Annotated[dict[str, JsonValue], AfterValidator(freeze)]
"""A JSON object."""
Opaque = Annotated[dict[str, Any], AfterValidator(freeze)]
"""The host's own notes: any values, which the router neither reads nor hashes."""
Qualifiers = Annotated[dict[str, str], AfterValidator(freeze)]
Name = Annotated[str, Field(min_length=1)]
Trimmed = Annotated[str, AfterValidator(_trimmed)]
"""A name that is compared by spelling: not empty, no white space around it."""

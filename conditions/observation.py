"""What the state contract keeps of one observation (protocol, section 3).

Names and value types of the fields are kept of every observation. Registered metadata and stable
identifiers are kept of completed calls only. The values themselves are dropped.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from conditions.error import StateError
from router.contract import FieldSpec

__all__ = [
    "IDENTIFIER_SEMANTICS",
    "NOT_FIELDS",
    "VALUE_TYPES",
    "Observed",
    "read_observation",
    "value_type",
]

NOT_FIELDS: Final = frozenset({"status", "error"})
"""Keys that describe the turn and not the data, at any depth; what is below them is not read."""

IDENTIFIER_SEMANTICS: Final = (".id", ".identifier")
"""A semantic id with one of these endings names an identifier."""

VALUE_TYPES: Final = frozenset(
    {"null", "boolean", "integer", "number", "string", "array", "object"}
)
"""The closed list of value types."""

_MAX_DEPTH: Final = 100
"""Bounds the walk; an object that contains itself reaches it."""


@dataclass(frozen=True, slots=True)
class Observed:
    """What one observation adds to a state; sets, because the state sorts."""

    field_names: frozenset[str] = frozenset()
    value_types: frozenset[str] = frozenset()
    semantic_ids: frozenset[str] = frozenset()
    units: frozenset[str] = frozenset()
    dimensions: frozenset[str] = frozenset()
    qualifiers: frozenset[str] = frozenset()
    identifiers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Field:
    """A field, or an element of one, with the registered fields that describe it."""

    name: str
    value: object
    specs: tuple[FieldSpec, ...]


def value_type(value: object) -> str:
    """Name the JSON type of a value; an integral number is ``integer``.

    Raises
    ------
    StateError
        For NaN, infinities and types that JSON does not have.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        if not math.isfinite(value):
            raise StateError(
                f"An observation holds {value}, which JSON cannot write.",
                "Leave the field out or make it null.",
            )
        return "integer" if value.is_integer() else "number"
    if isinstance(value, str):
        return "string"
    if isinstance(value, Mapping):
        return "object"
    if isinstance(value, list | tuple):
        return "array"
    raise StateError(
        f"An observation holds a {type(value).__name__}, which is not a JSON type.",
        "Give null, booleans, numbers, strings, arrays and objects only.",
    )


def read_observation(
    observation: Mapping[str, object], fields: Iterable[FieldSpec], *, completed: bool
) -> Observed:
    """Read what the state contract keeps of an observation.

    Parameters
    ----------
    observation
        The JSON object that a call answered. It is not itself a field.
    fields
        The endpoint's registered output fields, found by their pointer (``items[].order_id``).
        What is registered for an array describes its elements too.
    completed
        Whether the call's status was ``ok`` or ``executed``. Otherwise only names and value types
        are kept.

    Raises
    ------
    StateError
        For what JSON cannot write, keys that are not strings, and nesting deeper than 100.
    """
    registered = {spec.pointer: spec for spec in fields}
    found = list(_walk(observation, None, registered, 0))
    names = frozenset(field.name for field in found)
    types = frozenset(value_type(field.value) for field in found)
    if not completed:
        return Observed(field_names=names, value_types=types)
    specs = [spec for field in found for spec in field.specs]
    return Observed(
        field_names=names,
        value_types=types,
        semantic_ids=frozenset(spec.semantic_id for spec in specs if spec.semantic_id),
        units=frozenset(spec.unit for spec in specs if spec.unit),
        dimensions=frozenset(spec.dimension for spec in specs if spec.dimension),
        qualifiers=frozenset(f"{k}={v}" for spec in specs for k, v in spec.qualifiers.items()),
        identifiers=frozenset(text for field in found if (text := _identifier(field)) is not None),
    )


def _walk(
    parent: Mapping[str, object],
    prefix: str | None,
    registered: Mapping[str, FieldSpec],
    depth: int,
) -> Iterator[_Field]:
    """Yield the fields below an object (the root has no prefix), array elements among them."""
    for key, value in parent.items():
        if not isinstance(key, str):
            raise StateError(
                f"An observation has the key {key!r}, which is not a string.",
                "Give JSON objects with string keys.",
            )
        if key not in NOT_FIELDS:
            pointer = key if prefix is None else f"{prefix}.{key}"
            yield from _field(key, value, pointer, (), registered, depth + 1)


def _field(
    name: str,
    value: object,
    pointer: str,
    inherited: tuple[FieldSpec, ...],
    registered: Mapping[str, FieldSpec],
    depth: int,
) -> Iterator[_Field]:
    """Yield a field (or array element) and everything below it."""
    if depth > _MAX_DEPTH:
        raise StateError(
            f"An observation is nested deeper than {_MAX_DEPTH} levels, or contains itself.",
            "Flatten the observation.",
        )
    own = registered.get(pointer)
    specs = inherited if own is None else (*inherited, own)
    yield _Field(name, value, specs)
    if isinstance(value, Mapping):
        yield from _walk(value, pointer, registered, depth)
    elif isinstance(value, list | tuple):
        for element in value:
            yield from _field(name, element, f"{pointer}[]", specs, registered, depth + 1)


def _identifier(field: _Field) -> str | None:
    """Return a field's value as an identifier, or None where it is not a stable identifier."""
    value = field.value
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # as JSON writes it: 3.0 and 3 are the same number
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    named = field.name.endswith("_id") or any(
        spec.identifier or (spec.semantic_id or "").endswith(IDENTIFIER_SEMANTICS)
        for spec in field.specs
    )
    return str(value) if named else None

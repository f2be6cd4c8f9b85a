"""Composing what a service file leaves out: schemas of fields and objects, example observations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from router.contract import FieldSpec, ParameterSpec
from surface.unit import convert
from surface.vocabulary import Term

_BOUNDS: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_SIGNIFICANT_DIGITS: Final = 6


def field_schema(term: Term, unit: str | None, *, many: bool) -> dict[str, Any]:
    """Return the JSON Schema of a field that carries a term in a unit.

    Bounds are converted with the unit; a converted integer becomes a number.
    """
    schema = dict(term.json_schema)
    if unit is not None and term.unit is not None and unit != term.unit:
        for bound in _BOUNDS:
            if bound in schema:
                schema[bound] = in_unit(schema[bound], term.unit, unit)
        schema.pop("multipleOf", None)
        if schema.get("type") == "integer":
            schema["type"] = "number"
    return {"type": "array", "items": schema, "minItems": 1} if many else schema


def in_unit(value: float, source: str, target: str) -> float:
    """Convert a value and round it to six significant digits, so that it can be written down."""
    converted = float(f"{convert(value, source, target):.{_SIGNIFICANT_DIGITS}g}")
    return int(converted) if converted.is_integer() else converted


def field_example(term: Term, unit: str | None) -> Any:
    """Return the term's example, in a unit."""
    if unit is not None and term.unit is not None and unit != term.unit:
        return in_unit(term.example, term.unit, unit)
    return term.example


def input_schema(parameters: Iterable[ParameterSpec]) -> dict[str, Any]:
    """Return the object schema of an endpoint's arguments, descriptions included."""
    listed = tuple(parameters)
    return {
        "type": "object",
        "properties": {
            item.name: {**item.json_schema, "description": item.description} for item in listed
        },
        "required": sorted(item.name for item in listed if item.required),
        "additionalProperties": False,
    }


def output_schema(fields: Iterable[FieldSpec]) -> dict[str, Any]:
    """Return the object schema of an endpoint's observation: every declared field, nothing else."""
    root = _object()
    for field in fields:
        node = root
        keys = field.pointer.split(".")
        for position, key in enumerate(keys):
            last = position == len(keys) - 1
            leaf = dict(field.json_schema) if last else None
            node = _descend(node, key, leaf)
    return root


def example_observation(examples: Mapping[str, Any]) -> dict[str, Any]:
    """Return an observation that holds an example at each pointer, one element an array."""
    root: dict[str, Any] = {}
    for pointer, value in examples.items():
        node = root
        keys = pointer.split(".")
        for position, key in enumerate(keys):
            name, is_array = key.removesuffix("[]"), key.endswith("[]")
            if position == len(keys) - 1:
                node[name] = [value] if is_array else value
            elif is_array:
                node = node.setdefault(name, [{}])[0]
            else:
                node = node.setdefault(name, {})
    return root


def _object() -> dict[str, Any]:
    return {"type": "object", "properties": {}, "required": [], "additionalProperties": False}


def _descend(node: dict[str, Any], key: str, leaf: dict[str, Any] | None) -> dict[str, Any]:
    """Return the schema below `key`, made when missing; `leaf` ends the path."""
    name, is_array = key.removesuffix("[]"), key.endswith("[]")
    child = leaf if leaf is not None else _object()
    properties: dict[str, Any] = node["properties"]
    if name not in properties:
        properties[name] = {"type": "array", "items": child} if is_array else child
        node["required"] = sorted([*node["required"], name])
    found: dict[str, Any] = properties[name]["items"] if is_array else properties[name]
    return found

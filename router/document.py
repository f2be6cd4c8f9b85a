"""What the lexical channel reads of an endpoint: weighted pieces of its declaration."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from router.contract import EndpointSpec, ToolSpec

__all__ = ["ONCE", "FieldWeights", "Piece", "pieces"]

ONCE = 4
"""The weight of a word that stands once in an endpoint's description."""


@dataclass(frozen=True, slots=True)
class FieldWeights:
    """How much one occurrence of a word counts, in units of 1/``ONCE`` of an occurrence."""

    endpoint_name: int = 12
    tool_name: int = 8
    description: int = ONCE
    tool_description: int = 1
    parameter: int = 2
    """Name and aliases, description, unit and the literals of the schema."""
    output: int = 1
    """Name and aliases, description."""


Piece = tuple[int, str]
"""A text after the weight of each of its words."""

# What stands in a pattern for varying characters; the rest is literal (``SHP-``).
_VARYING = re.compile(r"\\.|\[[^\]]*\]|\{[^}]*\}|\(\?[:=!]")


def pieces(tool: ToolSpec, endpoint: EndpointSpec, weights: FieldWeights) -> Iterator[Piece]:
    """The texts that describe an endpoint, heaviest first.

    Where an endpoint declares no parameters, or no output fields, its input or output schema is
    read instead. Literals of parameter schemas (enumerated values, constants, examples, the fixed
    part of a pattern) count as parameter text: they are what a query in another language shares
    with an English catalog.
    """
    yield weights.endpoint_name, endpoint.name
    for alias in endpoint.operation_aliases:
        yield weights.endpoint_name, alias
    yield weights.tool_name, tool.key
    yield weights.description, endpoint.description
    for parameter in endpoint.parameters:
        for name in (parameter.name, *parameter.aliases):
            yield weights.parameter, name
        yield weights.parameter, parameter.description
        yield weights.parameter, parameter.unit or ""
        for literal in _literals(parameter.json_schema):
            yield weights.parameter, literal
    if not endpoint.parameters:
        for text in (*_properties(endpoint.input_schema), *_literals(endpoint.input_schema)):
            yield weights.parameter, text
    yield weights.tool_description, tool.description
    for output in endpoint.output_fields:
        for name in (output.name, *output.aliases):
            yield weights.output, name
        yield weights.output, output.description
    if not endpoint.output_fields:
        for text in _properties(endpoint.output_schema):
            yield weights.output, text


def _subschemas(schema: Mapping[str, JsonValue]) -> Iterator[Mapping[str, JsonValue]]:
    """A schema and the schemas inside it, by key in code point order."""
    yield schema
    for key in sorted(schema):
        value = schema[key]
        if key in {"properties", "patternProperties", "$defs"} and isinstance(value, dict):
            candidates: list[JsonValue] = [value[name] for name in sorted(value)]
        elif key in {"items", "additionalProperties", "not", "if", "then", "else"}:
            candidates = [value]
        elif key in {"allOf", "anyOf", "oneOf", "prefixItems"} and isinstance(value, list):
            candidates = value
        else:
            continue
        for candidate in candidates:
            if isinstance(candidate, dict):
                yield from _subschemas(candidate)


def _properties(schema: Mapping[str, JsonValue]) -> Iterator[str]:
    """Names and descriptions of the properties of a schema."""
    for part in _subschemas(schema):
        properties = part.get("properties")
        if isinstance(properties, dict):
            yield from sorted(properties)
        description = part.get("description")
        if isinstance(description, str):
            yield description


def _literals(schema: Mapping[str, JsonValue]) -> Iterator[str]:
    """Texts that a valid value contains, or may be."""
    for part in _subschemas(schema):
        for key in ("enum", "examples"):
            values = part.get(key)
            if isinstance(values, list):
                yield from (value for value in values if isinstance(value, str))
        constant = part.get("const")
        if isinstance(constant, str):
            yield constant
        pattern = part.get("pattern")
        if isinstance(pattern, str):
            yield _VARYING.sub(" ", pattern)

"""Validation: whether arguments satisfy a tool's schema."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import jsonschema
from jsonschema.exceptions import SchemaError, UnknownType

from harness.agents.protocol import ToolSchema


@lru_cache(maxsize=4096)
def _validator(tool: ToolSchema) -> jsonschema.Draft202012Validator | None:
    schema = dict(tool.parameters)
    return jsonschema.Draft202012Validator(schema) if _is_schema(schema) else None


def _is_schema(schema: Mapping[str, Any]) -> bool:
    """Whether a tool's parameters are a JSON Schema; its parts are checked one by one.

    Tools share parts: the same identifier is a parameter of many. Checking against the metaschema
    is what takes time, and it treats each part alike wherever it stands.
    """
    properties, required = schema.get("properties", {}), schema.get("required", [])
    plain = (
        isinstance(properties, dict)
        and isinstance(required, list)
        and all(isinstance(name, str) for name in (*properties, *required))
        and len(set(required)) == len(required)
    )
    if not plain:
        return _checks(schema)
    rest = {name: part for name, part in schema.items() if name not in {"properties", "required"}}
    return all(_part_checks(_Part(part)) for part in (rest, *properties.values()))


class _Part:
    """A part of a schema, compared by what it says, types included."""

    def __init__(self, schema: Any) -> None:
        self.schema = schema
        self._written = repr(schema)

    def __hash__(self) -> int:
        return hash(self._written)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Part) and self._written == other._written


@lru_cache(maxsize=8192)
def _part_checks(part: _Part) -> bool:
    return _checks(part.schema)


def _checks(schema: Any) -> bool:
    try:
        jsonschema.Draft202012Validator.check_schema(schema)
    except (SchemaError, re.error, RecursionError):
        return False
    return True


def is_valid(tool: ToolSchema, arguments: Mapping[str, Any]) -> bool:
    """Whether arguments satisfy the tool's schema; False if the schema cannot be checked."""
    validator = _validator(tool)
    if validator is None:
        return False
    try:
        return bool(validator.is_valid(dict(arguments)))
    except (UnknownType, re.error, OverflowError, RecursionError):
        return False

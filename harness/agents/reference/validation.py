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
    try:
        jsonschema.Draft202012Validator.check_schema(schema)
    except (SchemaError, re.error, RecursionError):
        return None
    return jsonschema.Draft202012Validator(schema)


def is_valid(tool: ToolSchema, arguments: Mapping[str, Any]) -> bool:
    """Whether arguments satisfy the tool's schema; False if the schema cannot be checked."""
    validator = _validator(tool)
    if validator is None:
        return False
    try:
        return bool(validator.is_valid(dict(arguments)))
    except (UnknownType, re.error, OverflowError, RecursionError):
        return False

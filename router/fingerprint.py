"""Digests of what tools declare."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from operator import attrgetter
from typing import Any, Protocol

from pydantic import BaseModel

from router.canonical import canonical_json, digest

__all__ = [
    "FINGERPRINT_VERSION",
    "Keyed",
    "catalog_fingerprint",
    "endpoint_fingerprint",
    "tool_fingerprint",
]

FINGERPRINT_VERSION = 2
"""Part of every fingerprint; raised when what is hashed changes."""

# Members at their defaults are left out, so that a member added later changes no fingerprint of a
# tool that does not use it. Whoever changes the meaning of a default raises the version. Metadata
# is the host's own and may have no JSON form.
_NOTES = "metadata"
_UNORDERED = {"endpoints": "name", "parameters": "name", "output_fields": "pointer"}
"""Members that are sets, and what orders them."""


class Keyed(Protocol):
    """A tool, as far as a fingerprint has to know it."""

    @property
    def key(self) -> str:
        """The tool's name across a catalog."""
        ...


def endpoint_fingerprint(endpoint: BaseModel) -> str:
    """SHA-256 of what an endpoint declares, whatever the order of parameters and fields.

    Raises
    ------
    CanonicalError
        When it holds a value without a canonical JSON form, such as NaN.
    """
    return digest({"version": FINGERPRINT_VERSION, "endpoint": _document(endpoint)})


def tool_fingerprint(tool: BaseModel) -> str:
    """SHA-256 of what a tool and its endpoints declare.

    Raises
    ------
    CanonicalError
        As :func:`endpoint_fingerprint`.
    """
    return digest({"version": FINGERPRINT_VERSION, "tool": _document(tool)})


def catalog_fingerprint(tools: Iterable[Keyed]) -> str:
    """SHA-256 of a catalog: its tools are a set, ordered by key.

    Raises
    ------
    CanonicalError
        As :func:`endpoint_fingerprint`.
    """
    # The digest of {"version": ..., "tools": [...]}, one tool at a time: a document of a whole
    # catalog is hundreds of thousands of objects, which the garbage collector walks many times.
    before, after = canonical_json({"version": FINGERPRINT_VERSION, "tools": []}).split(b"[]")
    content, mark = hashlib.sha256(before), b"["
    for tool in sorted(tools, key=lambda tool: tool.key):
        content.update(mark + canonical_json(_document(tool)))
        mark = b","
    content.update((b"]" if mark == b"," else b"[]") + after)
    return content.hexdigest()


def _document(value: Any) -> Any:
    """What ``model_dump(exclude_defaults=True)`` gives of a record, sets in order, notes left out.

    Written out, because it takes a fraction of the time.
    """
    if isinstance(value, BaseModel):
        members = value.__dict__
        return {
            name: _document(_in_order(name, members[name]))
            for name, default in _defaults(type(value))
            if members[name] != default
        }
    if isinstance(value, tuple):
        return [_document(item) for item in value]
    return value


def _in_order(name: str, value: Any) -> Any:
    """A member with its items in code point order, where their order means nothing."""
    key = _UNORDERED.get(name)
    return value if key is None else tuple(sorted(value, key=attrgetter(key)))


@lru_cache(maxsize=64)
def _defaults(kind: type[BaseModel]) -> tuple[tuple[str, Any], ...]:
    """The members of a record that are hashed, each with its default."""
    return tuple(
        (name, field.get_default(call_default_factory=True, validated_data={}))
        for name, field in kind.model_fields.items()
        if name != _NOTES
    )

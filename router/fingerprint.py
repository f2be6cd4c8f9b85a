"""Digests of what tools declare."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from router.canonical import digest

if TYPE_CHECKING:
    from router.contract import EndpointSpec, ToolSpec

__all__ = [
    "FINGERPRINT_VERSION",
    "catalog_fingerprint",
    "endpoint_fingerprint",
    "tool_fingerprint",
]

FINGERPRINT_VERSION = 2
"""Part of every fingerprint; raised when what is hashed changes."""

# Members at their defaults are left out, so that a member added later changes no fingerprint of a
# tool that does not use it. Whoever changes the meaning of a default raises the version. Metadata
# is the host's own and may have no JSON form.
_ENDPOINT_NOTES: dict[str, Any] = {"metadata": True}
_TOOL_NOTES: dict[str, Any] = {"metadata": True, "endpoints": {"__all__": _ENDPOINT_NOTES}}


def endpoint_fingerprint(endpoint: EndpointSpec) -> str:
    """SHA-256 of what an endpoint declares, whatever the order of parameters and fields.

    Raises
    ------
    CanonicalError
        When it holds a value without a canonical JSON form, such as NaN.
    """
    return digest({"version": FINGERPRINT_VERSION, "endpoint": _endpoint_document(endpoint)})


def tool_fingerprint(tool: ToolSpec) -> str:
    """SHA-256 of what a tool and its endpoints declare.

    Raises
    ------
    CanonicalError
        As :func:`endpoint_fingerprint`.
    """
    return digest({"version": FINGERPRINT_VERSION, "tool": _tool_document(tool)})


def catalog_fingerprint(tools: Iterable[ToolSpec]) -> str:
    """SHA-256 of a catalog: its tools are a set, ordered by key.

    Raises
    ------
    CanonicalError
        As :func:`endpoint_fingerprint`.
    """
    rows = [_tool_document(tool) for tool in sorted(tools, key=lambda tool: tool.key)]
    return digest({"version": FINGERPRINT_VERSION, "tools": rows})


def _tool_document(tool: ToolSpec) -> dict[str, Any]:
    ordered = sorted(tool.endpoints, key=lambda endpoint: endpoint.name)
    return tool.model_copy(
        update={"endpoints": tuple(_in_order(endpoint) for endpoint in ordered)}
    ).model_dump(exclude_defaults=True, exclude=_TOOL_NOTES)


def _endpoint_document(endpoint: EndpointSpec) -> dict[str, Any]:
    return _in_order(endpoint).model_dump(exclude_defaults=True, exclude=_ENDPOINT_NOTES)


def _in_order(endpoint: EndpointSpec) -> EndpointSpec:
    """The endpoint with everything it declares in code point order."""
    return endpoint.model_copy(
        update={
            "parameters": tuple(sorted(endpoint.parameters, key=lambda item: item.name)),
            "output_fields": tuple(sorted(endpoint.output_fields, key=lambda item: item.pointer)),
        }
    )

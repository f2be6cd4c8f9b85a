from __future__ import annotations

import hashlib

from router import EndpointSpec, ToolSpec
from router.fingerprint import catalog_fingerprint
from tests.unit.router.shop import ORDERS


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_an_endpoint_is_hashed_as_declared() -> None:
    endpoint = EndpointSpec(name="e", read_only=True)
    assert endpoint.fingerprint == sha256('{"endpoint":{"name":"e","read_only":true},"version":2}')


def test_a_tool_is_hashed_with_its_endpoints() -> None:
    tool = ToolSpec(name="t", namespace="n", endpoints=(EndpointSpec(name="e"),))
    assert tool.fingerprint == sha256(
        '{"tool":{"endpoints":[{"name":"e"}],"name":"t","namespace":"n"},"version":2}'
    )


def test_a_catalog_is_hashed_as_the_list_of_its_tools() -> None:
    tools = [ToolSpec(name="u"), ToolSpec(name="t", endpoints=(EndpointSpec(name="e"),))]
    assert catalog_fingerprint(tools) == sha256(
        '{"tools":[{"endpoints":[{"name":"e"}],"name":"t"},{"name":"u"}],"version":2}'
    )
    assert catalog_fingerprint([]) == sha256('{"tools":[],"version":2}')


def test_the_hosts_notes_are_not_hashed() -> None:
    """They may have no JSON form at all, and say nothing about the capability."""
    endpoint = EndpointSpec(name="e", metadata={"owner": object()})
    tool = ToolSpec(name="t", endpoints=(endpoint,), metadata={"team": object()})
    assert endpoint.fingerprint == EndpointSpec(name="e").fingerprint
    assert tool.fingerprint == ToolSpec(name="t", endpoints=(EndpointSpec(name="e"),)).fingerprint


def test_how_the_host_calls_it_is_hashed() -> None:
    plain = EndpointSpec(name="e")
    assert EndpointSpec(name="e", execution_metadata={"timeout": 3}).fingerprint != (
        plain.fingerprint
    )


def test_a_member_at_its_default_changes_nothing() -> None:
    """What a later release adds must not give every tool another identity."""
    spelled = EndpointSpec(name="e", description="", parameters=(), input_schema={}, method=None)
    assert spelled.fingerprint == EndpointSpec(name="e").fingerprint


def test_the_order_of_declarations_does_not_matter() -> None:
    endpoints = tuple(
        endpoint.model_copy(update={"parameters": endpoint.parameters[::-1]})
        for endpoint in reversed(ORDERS.endpoints)
    )
    assert ORDERS.model_copy(update={"endpoints": endpoints}).fingerprint == ORDERS.fingerprint

from __future__ import annotations

import pytest

from router import (
    CatalogSnapshot,
    DuplicateRouteError,
    EndpointSpec,
    ToolRegistry,
    ToolSpec,
    UnknownRouteError,
)
from tests.unit.router.shop import ORDERS, RETURNS, SHOP, WAREHOUSE


@pytest.fixture
def registry() -> ToolRegistry:
    registry = ToolRegistry()
    for tool in SHOP:
        registry.add_tool(tool)
    return registry


def test_a_snapshot_holds_what_was_added(registry: ToolRegistry) -> None:
    assert registry.snapshot() == CatalogSnapshot.of(SHOP)


def test_the_snapshot_is_kept_until_something_changes(registry: ToolRegistry) -> None:
    before = registry.snapshot()
    assert registry.snapshot() is before
    registry.set_visibility("orders.search", False)
    hidden = registry.snapshot()
    assert hidden is not before
    assert hidden.fingerprint != before.fingerprint
    registry.set_visibility("orders.search", True)
    assert registry.snapshot() == before


def test_a_hidden_route_leaves_no_trace(registry: ToolRegistry) -> None:
    registry.set_visibility("orders.search", False)
    snapshot = registry.snapshot()
    assert "orders.search" not in snapshot
    assert [endpoint.name for endpoint in snapshot.tools["orders"].endpoints] == [
        "find_orders",
        "cancel_order",
    ]
    # The caller's record is not touched.
    assert len(ORDERS.endpoints) == 3
    assert not registry.visibility("orders.search")


def test_a_hidden_tool_leaves_no_trace(registry: ToolRegistry) -> None:
    registry.set_visibility("returns", False)
    assert registry.snapshot() == CatalogSnapshot.of([ORDERS, WAREHOUSE])


def test_a_tool_can_be_added_hidden() -> None:
    registry = ToolRegistry()
    registry.add_tool(RETURNS, visible=False)
    assert registry.snapshot().routes == ()
    registry.set_visibility("returns.refund", True)
    assert registry.snapshot().routes == ("returns.refund",)


def test_removal_forgets_visibility(registry: ToolRegistry) -> None:
    registry.set_visibility("returns", False)
    registry.remove("returns")
    with pytest.raises(UnknownRouteError):
        registry.visibility("returns.refund")
    registry.add_tool(RETURNS)
    assert registry.visibility("returns.refund")


def test_a_second_tool_of_one_name_is_refused(registry: ToolRegistry) -> None:
    before = registry.snapshot()
    with pytest.raises(DuplicateRouteError, match="tool name 'orders'"):
        registry.add_tool(ToolSpec(name="orders"))
    assert registry.snapshot() is before


def test_a_route_of_two_tools_is_refused(registry: ToolRegistry) -> None:
    registry.add_tool(ToolSpec(name="a.b", endpoints=(EndpointSpec(name="c"),)))
    with pytest.raises(DuplicateRouteError, match=r"'a\.b\.c'"):
        registry.add_tool(ToolSpec(name="a", endpoints=(EndpointSpec(name="b.c"),)))


def test_a_tool_with_two_equal_endpoints_is_refused() -> None:
    twice = ToolSpec(name="t", endpoints=(EndpointSpec(name="e"), EndpointSpec(name="e")))
    with pytest.raises(DuplicateRouteError, match=r"'t\.e'"):
        ToolRegistry().add_tool(twice)


def test_unknown_names_are_refused(registry: ToolRegistry) -> None:
    with pytest.raises(UnknownRouteError, match="'nothing'"):
        registry.remove("nothing")
    with pytest.raises(UnknownRouteError, match="'nothing'"):
        registry.set_visibility("nothing", False)

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


def test_the_version_counts_what_can_be_seen(registry: ToolRegistry) -> None:
    """A counter that moves when a hidden tool comes would say that there is one."""
    assert registry.version == len(SHOP)
    hidden = ToolSpec(name="vault", endpoints=(EndpointSpec(name="open"),))
    registry.add_tool(hidden, visible=False)
    registry.set_visibility("vault", False)
    registry.remove("vault")
    assert registry.version == len(SHOP)
    registry.set_visibility("orders.search", False)
    registry.set_visibility("orders.search", False)
    assert registry.version == len(SHOP) + 1
    registry.remove("returns")
    assert registry.versioned_snapshot() == (registry.snapshot(), len(SHOP) + 2)


def test_hiding_after_the_fact_counts(registry: ToolRegistry) -> None:
    shown = ToolSpec(name="vault", endpoints=(EndpointSpec(name="open"),))
    registry.add_tool(shown, visible=False)
    registry.set_visibility("vault", True)
    assert registry.version == len(SHOP) + 1
    assert "vault.open" in registry.snapshot()


def test_a_tool_can_be_replaced(registry: ToolRegistry) -> None:
    newer = ORDERS.model_copy(update={"endpoints": ORDERS.endpoints[:1]})
    registry.set_visibility("orders.find_orders", False)
    assert registry.register(newer, replace=True) == "orders"
    assert registry.get("orders") is newer
    assert "orders.search" not in registry.snapshot()
    assert registry.visibility("orders.find_orders")
    with pytest.raises(UnknownRouteError):
        registry.visibility("orders.search")


def test_a_replacement_may_not_take_anothers_route(registry: ToolRegistry) -> None:
    registry.add_tool(ToolSpec(name="a.b", endpoints=(EndpointSpec(name="c"),)))
    registry.add_tool(ToolSpec(name="a", endpoints=(EndpointSpec(name="x"),)))
    before = registry.snapshot()
    with pytest.raises(DuplicateRouteError, match=r"'a\.b\.c'"):
        registry.add_tool(ToolSpec(name="a", endpoints=(EndpointSpec(name="b.c"),)), replace=True)
    assert registry.snapshot() is before
    assert registry.get("a").endpoints[0].name == "x"


def test_tools_go_by_their_keys() -> None:
    registry = ToolRegistry()
    one = ToolSpec(name="orders", namespace="eu", endpoints=(EndpointSpec(name="find"),))
    other = ToolSpec(name="orders", namespace="us", endpoints=(EndpointSpec(name="find"),))
    assert [registry.register(other), registry.register(one)] == ["us.orders", "eu.orders"]
    assert registry.keys() == ("us.orders", "eu.orders")
    assert registry.tools() == (other, one)
    assert registry.endpoint("eu.orders", "find") is one.endpoints[0]
    assert registry.snapshot().routes == ("eu.orders.find", "us.orders.find")
    assert list(registry.snapshot().tools) == ["eu.orders", "us.orders"]
    registry.unregister("us.orders")
    assert registry.remove("eu.orders") is one
    for ask in (lambda: registry.get("eu.orders"), lambda: registry.endpoint("eu.orders", "find")):
        with pytest.raises(KeyError):
            ask()

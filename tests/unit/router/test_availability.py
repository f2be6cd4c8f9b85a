from __future__ import annotations

import pytest

from router import SchemaRouter, UnknownRouteError
from tests.unit.router.shop import ORDERS, SHOP


class Clock:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def router(clock: Clock) -> SchemaRouter:
    router = SchemaRouter(clock=clock, unavailable_cooldown_seconds=30)
    for tool in SHOP:
        router.add_tool(tool)
    return router


def routes(router: SchemaRouter) -> list[str]:
    return [one.route_id for one in router.retrieve("find orders", k=50).candidates]


def test_a_marked_route_is_gone_and_comes_back(router: SchemaRouter, clock: Clock) -> None:
    everything = routes(router)
    router.mark_access_unavailable("orders", "find_orders")
    assert router.unavailable_access_paths() == (("orders", "find_orders"),)
    assert routes(router) == [route for route in everything if route != "orders.find_orders"]
    found = router.retrieve("find orders")
    assert found.total_ranked == len(everything) - 1
    assert [one.rank for one in found.candidates] == [1, 2, 3, 4, 5]
    clock.now += 29.999
    assert "orders.find_orders" not in routes(router)
    clock.now = 1030.0
    assert routes(router) == everything
    assert router.unavailable_access_paths() == ()


def test_a_cooldown_can_be_given(router: SchemaRouter, clock: Clock) -> None:
    router.mark_access_unavailable("orders", "search", cooldown_seconds=5)
    router.mark_access_unavailable("orders", "cancel_order", cooldown_seconds=0)
    assert router.unavailable_access_paths() == (("orders", "search"),)
    clock.now += 5
    assert router.unavailable_access_paths() == ()


def test_the_later_mark_holds(router: SchemaRouter, clock: Clock) -> None:
    router.mark_access_unavailable("orders", "search", cooldown_seconds=60)
    router.mark_access_unavailable("orders", "search", cooldown_seconds=1)
    clock.now += 1
    assert router.unavailable_access_paths() == ()


def test_a_mark_can_be_taken_back(router: SchemaRouter) -> None:
    router.mark_access_unavailable("warehouse", "find_bins")
    router.mark_access_unavailable("orders", "search")
    assert router.unavailable_access_paths() == (("orders", "search"), ("warehouse", "find_bins"))
    router.mark_access_available("warehouse", "find_bins")
    router.mark_access_available("orders", "cancel_order")
    assert router.unavailable_access_paths() == (("orders", "search"),)


def test_a_replaced_or_removed_tool_starts_afresh(router: SchemaRouter) -> None:
    router.mark_access_unavailable("orders", "search")
    router.add_tool(ORDERS, replace=True)
    assert router.unavailable_access_paths() == ()
    router.mark_access_unavailable("orders", "search")
    assert router.remove_tool("orders") is ORDERS
    assert router.unavailable_access_paths() == ()


def test_everything_can_be_unavailable(router: SchemaRouter) -> None:
    for tool in SHOP:
        for endpoint in tool.endpoints:
            router.mark_access_unavailable(tool.name, endpoint.name)
    found = router.retrieve("find orders")
    assert (found.candidates, found.total_ranked) == ((), 0)


def test_a_mark_outlives_a_tool_removed_behind_the_routers_back(router: SchemaRouter) -> None:
    router.mark_access_unavailable("orders", "search")
    router.registry.remove("orders")
    assert router.retrieve("find orders").total_ranked == 4


@pytest.mark.parametrize(("tool", "endpoint"), [("orders", "nothing"), ("nothing", "search")])
def test_only_registered_routes_can_be_marked(
    router: SchemaRouter, tool: str, endpoint: str
) -> None:
    with pytest.raises(UnknownRouteError, match="'nothing'"):
        router.mark_access_unavailable(tool, endpoint)
    with pytest.raises(KeyError):
        router.mark_access_available(tool, endpoint)


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf")])
def test_a_cooldown_ends(router: SchemaRouter, seconds: float) -> None:
    with pytest.raises(ValueError, match="finite number of seconds"):
        router.mark_access_unavailable("orders", "search", cooldown_seconds=seconds)
    with pytest.raises(ValueError, match="finite number of seconds"):
        SchemaRouter(unavailable_cooldown_seconds=seconds)
    assert router.unavailable_access_paths() == ()

from __future__ import annotations

import pytest

from router import CatalogSnapshot, EndpointSpec, ToolSpec
from router.mention import MentionIndex
from tests.unit.router.shop import SHOP

SNAPSHOT = CatalogSnapshot.of(SHOP)
BOTH = ["orders.find_orders", "returns.find_orders"]


def named(text: str) -> list[str]:
    return [SNAPSHOT.routes[position] for position in MentionIndex(SNAPSHOT).find(text)]


@pytest.mark.parametrize(
    "text",
    [
        "orders.find_orders",
        "Please call orders.find_orders.",
        "Orders.Find_Orders first",
        "`orders.find_orders`",
        "orders.find_orders를 호출해 주세요",
        "まずorders.find_ordersを呼んで",
        "ｏｒｄｅｒｓ．ｆｉｎｄ＿ｏｒｄｅｒｓ",
        "das orders.find_orders-Werkzeug",
        "api.orders.find_orders(customer)",
    ],
)
def test_a_full_route_id_names_its_route_alone(text: str) -> None:
    assert named(text) == ["orders.find_orders"]


def test_an_endpoint_name_names_every_route_that_has_it() -> None:
    assert named("use find_orders") == BOTH


def test_a_qualified_and_a_bare_name_both_count() -> None:
    assert named("not orders.find_orders but find_orders") == BOTH


@pytest.mark.parametrize(
    "text",
    [
        "find orders",
        "refind_orders",
        "find_orders_all",
        "my_find_orders",
        "find_orders2",
        "search the orders and refund them",
        "",
        "orders",
    ],
)
def test_prose_and_longer_names_name_nothing(text: str) -> None:
    assert named(text) == []


@pytest.mark.parametrize("text", ["use `search`", "search(query)", "call orders.search"])
def test_an_ordinary_word_counts_where_it_is_marked_as_code(text: str) -> None:
    assert named(text) == ["orders.search"]


def test_the_longest_name_wins() -> None:
    names = ("get-order", "get-order-items")
    tool = ToolSpec(name="t", endpoints=tuple(EndpointSpec(name=name) for name in names))
    mentions = MentionIndex(CatalogSnapshot.of([tool]))
    assert mentions.find("get-order-items") == [1]
    assert mentions.find("get-order, then get-order-items") == [0, 1]


def test_camel_case_is_code() -> None:
    tool = ToolSpec(name="Shop", endpoints=(EndpointSpec(name="findOrders"),))
    assert MentionIndex(CatalogSnapshot.of([tool])).find("try findOrders here") == [0]


def test_overlapping_names_are_both_named() -> None:
    names = ("a_b", "b_c")
    tool = ToolSpec(name="t", endpoints=tuple(EndpointSpec(name=name) for name in names))
    mentions = MentionIndex(CatalogSnapshot.of([tool]))
    assert mentions.find("a_b b_c") == [0, 1]
    assert mentions.find("a_b_c") == []


def test_very_many_mentions_are_found() -> None:
    assert named("orders.find_orders " * 50_000) == ["orders.find_orders"]

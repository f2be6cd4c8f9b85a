from __future__ import annotations

import hashlib
import json
import pickle

import pytest

from router import (
    CanonicalError,
    CatalogSnapshot,
    DuplicateRouteError,
    EndpointSpec,
    ParameterSpec,
    ToolSpec,
    UnknownRouteError,
)
from tests.unit.router.shop import ORDERS, SHOP, WAREHOUSE

TINY = ToolSpec(
    name="t", endpoints=(EndpointSpec(name="e", parameters=(ParameterSpec(name="p"),)),)
)
# The canonical JSON of TINY written by hand from the contract: what it declares, no defaults.
TINY_JSON = (
    '{"tools":[{"endpoints":[{"name":"e","parameters":[{"name":"p"}]}],"name":"t"}],"version":2}'
)


def test_fingerprint_hashes_the_whole_contract() -> None:
    assert CatalogSnapshot.of([TINY]).fingerprint == hashlib.sha256(TINY_JSON.encode()).hexdigest()


# Of TINY and of SHOP, under version 2.
GOLDEN_TINY = "31c8d977a0c8074888f9e529da657df846854b0a471ebb89bc678f78d193ab83"
GOLDEN_SHOP = "3cf6ff092ad4858a8e1a1ac06f04f6c4d04aeb830380c9c23aa4929a93f21d3a"


def test_fingerprints_are_what_they_have_always_been() -> None:
    """Golden values: a change here means that every frozen catalog gets another identity."""
    assert CatalogSnapshot.of([TINY]).fingerprint == GOLDEN_TINY
    assert CatalogSnapshot.of(SHOP).fingerprint == GOLDEN_SHOP


def test_routes_sort_by_code_point_not_by_locale() -> None:
    names = ["a", "B", "é", "z", "_", "1", "가", "ä", "Z"]
    tool = ToolSpec(name="t", endpoints=tuple(EndpointSpec(name=name) for name in names))
    routes = CatalogSnapshot.of([tool]).routes
    assert [route[2:] for route in routes] == ["1", "B", "Z", "_", "a", "z", "ä", "é", "가"]


def test_code_points_and_utf16_disagree_and_code_points_win() -> None:
    high, private = "\U0001f600", "\ue000"
    tool = ToolSpec(name="t", endpoints=(EndpointSpec(name=high), EndpointSpec(name=private)))
    assert CatalogSnapshot.of([tool]).routes == (f"t.{private}", f"t.{high}")


def test_a_route_is_found_by_name_and_by_position() -> None:
    snapshot = CatalogSnapshot.of(SHOP)
    position = snapshot.position("warehouse.find_bins")
    assert snapshot.routes[position] == "warehouse.find_bins"
    assert snapshot.endpoint("warehouse.find_bins") is snapshot.endpoints[position]
    assert snapshot.owners[position] is WAREHOUSE
    assert "warehouse.find_bins" in snapshot
    assert "warehouse" not in snapshot
    assert len(snapshot) == 7
    assert list(snapshot.tools) == ["orders", "returns", "warehouse"]


@pytest.mark.parametrize("ask", ["position", "endpoint"])
def test_an_unknown_route_is_named(ask: str) -> None:
    with pytest.raises(UnknownRouteError, match=r"'orders\.nothing'"):
        getattr(CatalogSnapshot.of(SHOP), ask)("orders.nothing")


def test_a_duplicate_endpoint_is_refused() -> None:
    tool = ToolSpec(name="t", endpoints=(EndpointSpec(name="e"), EndpointSpec(name="e")))
    with pytest.raises(DuplicateRouteError, match=r"'t\.e'"):
        CatalogSnapshot.of([tool])


def test_two_ways_to_one_route_id_are_refused() -> None:
    one = ToolSpec(name="a.b", endpoints=(EndpointSpec(name="c"),))
    other = ToolSpec(name="a", endpoints=(EndpointSpec(name="b.c"),))
    with pytest.raises(DuplicateRouteError, match=r"'a\.b\.c'"):
        CatalogSnapshot.of([one, other])


def test_a_duplicate_tool_is_refused() -> None:
    with pytest.raises(DuplicateRouteError, match="'orders'"):
        CatalogSnapshot.of([ORDERS, ToolSpec(name="orders")])


def test_every_member_counts_in_the_fingerprint() -> None:
    plain = CatalogSnapshot.of(SHOP).fingerprint
    document = json.loads(ORDERS.model_dump_json())
    document["endpoints"][0]["output_fields"][0]["unit"] = "kg"
    changed = ToolSpec.model_validate(document)
    assert CatalogSnapshot.of([changed, *SHOP[1:]]).fingerprint != plain


def test_a_schema_without_canonical_form_is_refused() -> None:
    endpoint = EndpointSpec(name="e", input_schema={"maximum": float("nan")})
    with pytest.raises(CanonicalError):
        CatalogSnapshot.of([ToolSpec(name="t", endpoints=(endpoint,))])


def test_equality_follows_the_fingerprint() -> None:
    one, same = CatalogSnapshot.of(SHOP), CatalogSnapshot.of(reversed(SHOP))
    assert one == same
    assert hash(one) == hash(same)
    assert one != CatalogSnapshot.of(SHOP[1:])
    assert one != one.fingerprint


def test_a_snapshot_survives_pickling() -> None:
    snapshot = CatalogSnapshot.of(SHOP)
    copy = pickle.loads(pickle.dumps(snapshot))
    assert copy == snapshot
    assert copy.routes == snapshot.routes
    assert copy.position("orders.search") == snapshot.position("orders.search")


def test_tools_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        CatalogSnapshot.of(SHOP).tools["x"] = ORDERS  # type: ignore[index]


def test_a_catalog_may_be_empty() -> None:
    assert CatalogSnapshot.of([]).routes == ()

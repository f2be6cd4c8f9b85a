"""Rules over snapshots that the loader itself would never build."""

from __future__ import annotations

from typing import Any

import pytest

from router.contract import EndpointSpec, ToolSpec
from router.snapshot import CatalogSnapshot
from surface.catalog import Catalog
from surface.validation.catalogs import CatalogFiles, check_contents
from surface.validation.example import check_examples
from surface.validation.meeting import meetings
from surface.validation.naming import check_descriptions, check_tool_names, tool_name
from surface.validation.nesting import check_nesting
from surface.vocabulary import Vocabulary
from tests.support.small_surface import REQUIREMENT, sound


def snapshot(**endpoints: dict[str, Any]) -> CatalogSnapshot:
    """One service `s` with the endpoints given, or services where a name has a dot."""
    tools: dict[str, list[EndpointSpec]] = {}
    for name, keys in endpoints.items():
        service, _, operation = name.rpartition("/")
        keys = {"description": f"About {name}.", **keys}
        tools.setdefault(service or "s", []).append(EndpointSpec(name=operation, **keys))
    return CatalogSnapshot.of(
        ToolSpec(name=name, description=f"Service {name}.", endpoints=tuple(listed))
        for name, listed in tools.items()
    )


def test_catalogs_that_nest() -> None:
    small, large = snapshot(a={}), snapshot(a={}, b={})
    assert not list(check_nesting({100: small, 250: large, 500: large}))


def test_a_route_that_the_larger_catalog_lacks() -> None:
    found = list(check_nesting({100: snapshot(a={}, c={}), 250: snapshot(a={}, b={})}))
    assert [(item.place, item.what) for item in found] == [
        ("catalog 250: s.c", "The route stands in catalog 100 and is missing here.")
    ]


def test_a_route_that_the_larger_catalog_changes() -> None:
    changed = snapshot(a={"description": "Something else."}, b={})
    found = list(check_nesting({100: snapshot(a={}), 250: changed, 500: changed}))
    assert [(item.place, item.what) for item in found] == [
        ("catalog 250: s.a", "The route's contract differs from the one in catalog 100.")
    ]


def test_nesting_is_checked_from_each_size_to_the_next() -> None:
    found = list(
        check_nesting({500: snapshot(a={}), 100: snapshot(a={}), 250: snapshot(a={}, b={})})
    )
    assert [item.place for item in found] == ["catalog 500: s.b"]


def test_tool_names() -> None:
    assert tool_name("freight.find_shipments") == "freight__find_shipments"
    assert not list(check_tool_names(sound()[0][500].snapshot))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("a" * 62, "not valid for every provider"),
        ("größe", "not valid for every provider"),
        ("a b", "not valid for every provider"),
        ("a.b", "does not lead back"),
        ("a__b", "does not lead back"),
    ],
)
def test_tool_names_that_providers_or_readers_misread(name: str, words: str) -> None:
    found = list(check_tool_names(snapshot(**{name: {}})))
    assert [item.place for item in found] == [f"s.{name}"]
    assert words in found[0].what


def test_a_service_may_not_end_in_an_underscore() -> None:
    assert list(check_tool_names(snapshot(**{"s_/a": {}})))


def test_two_routes_with_one_tool_name() -> None:
    found = list(check_tool_names(snapshot(**{"a__b/c": {}, "a/b__c": {}})))
    assert any("is that of" in item.what for item in found)


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"destructive": True, "description": "Delete it."}, "exactly when its endpoint is"),
        ({"destructive": False, "description": "Destructive: Read it."}, "exactly when its"),
        (
            {"destructive": True, "read_only": True, "description": "Destructive: Delete it."},
            "destructive and read-only",
        ),
    ],
)
def test_effects_and_descriptions_agree(keys: dict[str, Any], words: str) -> None:
    found = list(check_descriptions(snapshot(a=keys)))
    assert [item.place for item in found] == ["s.a"]
    assert words in found[0].what


def test_a_destructive_twin_needs_words_of_its_own() -> None:
    found = list(
        check_descriptions(
            snapshot(
                a={"description": "Remove an order."},
                b={"description": "Destructive: Remove an order.", "destructive": True},
            )
        )
    )
    assert [item.what for item in found] == ["The description is that of s.a too."]


@pytest.mark.parametrize("name", ["op_1", "op_017", "endpoint99", "list_12"])
def test_numbered_names(name: str) -> None:
    assert ["numbered" in item.what for item in check_descriptions(snapshot(**{name: {}}))] == [
        True
    ]


@pytest.mark.parametrize("name", ["to_iso8601_date", "pm2_reading", "list", "co2"])
def test_names_that_hold_a_number_by_nature(name: str) -> None:
    assert not list(check_descriptions(snapshot(**{name: {}})))


@pytest.mark.parametrize("word", ["Auxiliary", "dummy", "placeholder", "lorem", "miscellaneous"])
def test_filler(word: str) -> None:
    found = list(check_descriptions(snapshot(a={"description": f"Some {word} thing."})))
    assert [item.what for item in found] == [f"{word.casefold()!r} is filler."]


def test_filler_in_a_service() -> None:
    tool = ToolSpec(name="service_017", description="An auxiliary service.")
    found = list(check_descriptions(CatalogSnapshot.of([tool])))
    assert [item.place for item in found] == ["service_017", "service_017"]


@pytest.mark.parametrize(
    ("route", "example", "words"),
    [
        ("freight.find_shipments", None, "exactly when it has output fields"),
        ("freight.release_hold", {"a": 1}, "exactly when it has output fields"),
        ("freight.price_shipment", {"quote_id": "X"}, "does not match the outputs"),
        ("freight.price_shipment", {}, "does not match the outputs"),
    ],
)
def test_examples(route: str, example: dict[str, Any] | None, words: str) -> None:
    good = sound()[0][500]
    changed = Catalog(500, good.snapshot, {**good.examples, route: example})
    assert not list(check_examples(good))
    found = list(check_examples(changed))
    assert [item.place for item in found] == [route]
    assert words in found[0].what


def test_every_rule_is_applied_to_the_catalogs() -> None:
    catalogs = dict(sound()[0])
    files = CatalogFiles(Vocabulary({}), (), ())
    assert not list(check_contents(files, catalogs, REQUIREMENT))
    largest = catalogs[500]
    wrong = {**largest.examples, "freight.price_shipment": {"quote_id": "X"}}
    bare = {**catalogs, 500: Catalog(500, largest.snapshot, wrong)}
    assert [item.place for item in check_contents(files, bare, REQUIREMENT)] == [
        "freight.price_shipment"
    ]
    swapped = {100: catalogs[250], 250: catalogs[100], 500: largest}
    found = list(check_contents(files, swapped, REQUIREMENT))
    assert sum("is missing here" in item.what for item in found) == 2


def test_consumers_and_producers_of_a_term() -> None:
    found = meetings(sound()[0][100].snapshot)
    assert found["customer.id"].consumers == {
        "freight.find_shipments",
        "carrier.open_session",
        "archive.list_datasets",
    }
    assert found["customer.id"].producers == {"carrier.track_parcel"}
    assert found["session.id"].consumers == {"carrier.track_parcel"}

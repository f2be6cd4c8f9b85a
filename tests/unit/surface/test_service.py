"""Service files become contracts; their defects are refused with file, line and field."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from surface.catalog import load_services
from surface.error import SurfaceError
from surface.service import Service
from tests.support.small_surface import SmallSurface, sound

Change = Callable[[dict[str, Any]], Any]


def load(tmp_path: Path, surface: SmallSurface) -> dict[str, Service]:
    _, services = load_services(surface.write(tmp_path) / "catalogs")
    return {service.name: service for service in services}


def test_an_endpoint_becomes_its_contract() -> None:
    endpoint = sound()[0][100].snapshot.endpoint("freight.find_shipments")
    assert (endpoint.read_only, endpoint.destructive) == (True, False)
    assert endpoint.input_schema == {
        "type": "object",
        "properties": {
            "customer_id": {
                "type": "string",
                "pattern": "^CUS-[0-9]{4}$",
                "description": "Customer number",
            },
            "stages": {
                "type": "array",
                "items": {"type": "string", "enum": ["booked", "in_transit", "held"]},
                "minItems": 1,
                "description": "Stage of a shipment",
            },
            "max_count": {"type": "integer", "minimum": 0, "description": "Number of items"},
        },
        "required": ["customer_id"],
        "additionalProperties": False,
    }
    weight = next(item for item in endpoint.output_fields if item.name == "weight")
    assert weight.pointer == "shipments[].weight"
    assert (weight.unit, weight.dimension) == ("lb", "mass")
    assert weight.qualifiers == {"source": "declared"}
    items = endpoint.output_schema["properties"]["shipments"]["items"]
    assert items["required"] == ["shipment_id", "stage", "weight"]
    assert items["additionalProperties"] is False


def test_identifiers_are_registered_as_such() -> None:
    endpoint = sound()[0][100].snapshot.endpoint("freight.find_shipments")
    assert [item.identifier for item in endpoint.parameters] == [True, False, False]
    assert {item.name for item in endpoint.output_fields if item.identifier} == {"shipment_id"}


def test_the_unit_stands_in_a_parameter_s_description() -> None:
    endpoint = sound()[0][100].snapshot.endpoint("climate.set_temperature")
    temperature = endpoint.parameters[1]
    assert temperature.description == "Temperature of the cargo (unit: degF)"
    assert temperature.unit == "degF"


def test_destructive_endpoints_say_so_and_no_others() -> None:
    snapshot = sound()[0][500].snapshot
    marked = {
        route
        for route, endpoint in zip(snapshot.routes, snapshot.endpoints, strict=True)
        if endpoint.description.startswith("Destructive: ")
    }
    assert marked == {"freight.cancel_shipment", "archive.drop_dataset"}
    assert {route for route in snapshot.routes if snapshot.endpoint(route).destructive} == marked


def test_an_example_composes_itself_from_the_terms() -> None:
    examples = sound()[0][100].examples
    assert examples["freight.find_shipments"] == {
        "shipments": [{"shipment_id": "SHP-900001", "stage": "booked", "weight": 22.0462}]
    }
    assert examples["freight.release_hold"] is None


def test_an_example_of_its_own_is_kept(tmp_path: Path) -> None:
    surface = SmallSurface()
    own = {"quote_id": "QT-123456"}
    surface.endpoint("freight.price_shipment")["example"] = own
    listings = load(tmp_path, surface)["freight"].listings
    assert next(item for item in listings if item.route.endswith("price_shipment")).example == own


def test_bounds_are_converted_with_their_unit(tmp_path: Path) -> None:
    surface = SmallSurface()
    surface.vocabulary["goods.weight"]["schema"] = {
        "type": "integer",
        "minimum": 1,
        "maximum": 1000,
    }
    surface.endpoint("freight.price_shipment")["parameters"]["weight"] = {
        "term": "goods.weight",
        "unit": "g",
    }
    service = load(tmp_path, surface)["freight"]
    endpoint = next(
        item.endpoint for item in service.listings if item.route.endswith("price_shipment")
    )
    assert endpoint.parameters[1].json_schema == {
        "type": "number",
        "minimum": 1000,
        "maximum": 1_000_000,
    }


def test_a_repeated_output_gets_a_pointer_of_its_elements(tmp_path: Path) -> None:
    surface = SmallSurface()
    outputs = surface.endpoint("freight.price_shipment")["outputs"]
    outputs["alternatives"] = {"term": "quote.id", "many": True}
    service = load(tmp_path, surface)["freight"]
    listing = next(item for item in service.listings if item.route.endswith("price_shipment"))
    field = listing.endpoint.output_fields[1]
    assert (field.pointer, field.name) == ("alternatives[]", "alternatives")
    assert field.json_schema["type"] == "string"
    assert listing.example == {"quote_id": "QT-900001", "alternatives": ["QT-900001"]}


def _set(key: str, value: Any) -> Change:
    return lambda endpoint: endpoint.__setitem__(key, value)


def _parameter(name: str, use: Any) -> Change:
    return lambda endpoint: endpoint["parameters"].__setitem__(name, use)


def _output(path: str, use: Any) -> Change:
    return lambda endpoint: endpoint["outputs"].__setitem__(path, use)


DEFECTS: list[tuple[str, Change, str, str]] = [
    ("capital name", _set("name", "Find"), "name", "not a valid endpoint name"),
    ("dotted name", _set("name", "a.b"), "name", "not a valid endpoint name"),
    ("name with newline", _set("name", "a\n"), "name", "not a valid endpoint name"),
    ("long name", _set("name", "a" * 56), "name", "not a valid endpoint name"),
    ("name twice", _set("name", "release_hold"), "name", "stands twice"),
    ("unknown tier", _set("tier", 300), "tier", "100, 250 or 500"),
    ("tier as text", _set("tier", "100"), "tier", "100, 250 or 500"),
    ("unknown effect", _set("effect", "delete"), "effect", "read"),
    ("short description", _set("description", "List."), "description", "at least 10"),
    ("unknown key", _set("colour", "red"), "colour", "does not exist"),
    ("unknown term", _parameter("x", "customer.nr"), "parameters.x", "no term 'customer.nr'"),
    ("unknown output term", _output("x", "customer.nr"), "outputs.x", "no term 'customer.nr'"),
    ("parameter name", _parameter("X", "customer.id"), "parameters.X", "not a valid name"),
    (
        "unit of other dimension",
        _parameter("w", {"term": "goods.weight", "unit": "m"}),
        "parameters.w",
        "does not measure",
    ),
    (
        "unit without dimension",
        _parameter("w", {"term": "customer.id", "unit": "m"}),
        "parameters.w",
        "does not measure",
    ),
    (
        "unknown unit",
        _output("w", {"term": "goods.weight", "unit": "parsnip"}),
        "outputs.w",
        "not a unit",
    ),
    (
        "unknown key of use",
        _parameter("w", {"term": "goods.weight", "units": "m"}),
        "parameters.w.units",
        "does not exist",
    ),
    ("path", _output("a..b", "customer.id"), "outputs.a..b", "not a path"),
    ("capital path", _output("A", "customer.id"), "outputs.A", "not a path"),
    ("field status", _output("status", "shipment.stage"), "outputs.status", "describe a turn"),
    (
        "field error",
        _output("errors.error", "reason.text"),
        "outputs.errors.error",
        "describe a turn",
    ),
    (
        "object status",
        _output("status[].x", "reason.text"),
        "outputs.status[].x",
        "describe a turn",
    ),
    (
        "value and object",
        _output("shipments[].stage.x", "reason.text"),
        "outputs.shipments[].stage.x",
        "two ways",
    ),
    ("object and array", _output("shipments.x", "reason.text"), "outputs.shipments.x", "two ways"),
    ("array and value", _output("shipments", "reason.text"), "outputs.shipments", "two ways"),
    (
        "same value twice",
        _output("shipments[].stage[]", "reason.text"),
        "outputs.shipments[].stage[]",
        "two ways",
    ),
    ("example", _set("example", {"shipments": [{}]}), "example", "does not match the outputs"),
    (
        "example without outputs",
        lambda e: e.update(outputs={}, example={"a": 1}),
        "example",
        "has no example",
    ),
]


@pytest.mark.parametrize(
    ("change", "field", "words"), [pytest.param(*rest, id=name) for name, *rest in DEFECTS]
)
def test_a_defect_of_an_endpoint_is_refused(
    tmp_path: Path, change: Change, field: str, words: str
) -> None:
    surface = SmallSurface()
    change(surface.services["freight"]["endpoints"][0])
    with pytest.raises(SurfaceError, match=words) as caught:
        load(tmp_path, surface)
    assert caught.value.file == "catalogs/services/freight.yaml"
    assert caught.value.line is not None
    # The endpoint that stands second under one name is the one that is wrong.
    assert caught.value.field in {f"endpoints[0].{field}", f"endpoints[1].{field}"}


def test_a_tool_name_may_have_64_characters(tmp_path: Path) -> None:
    surface = SmallSurface()
    surface.endpoint("freight.release_hold")["name"] = "a" * (64 - len("freight__"))
    assert len(load(tmp_path, surface)["freight"].listings) == 6


def test_many_written_twice_is_one_pointer_twice(tmp_path: Path) -> None:
    surface = SmallSurface()
    outputs = surface.endpoint("freight.price_shipment")["outputs"]
    outputs["others"] = {"term": "quote.id", "many": True}
    outputs["others[]"] = "quote.id"
    with pytest.raises(SurfaceError, match="two ways"):
        load(tmp_path, surface)


@pytest.mark.parametrize("name", ["Freight", "freights", "frei ght", ""])
def test_a_service_has_its_file_s_name(tmp_path: Path, name: str) -> None:
    surface = SmallSurface()
    surface.services["freight"]["service"] = name
    with pytest.raises(SurfaceError, match="not the file's name") as caught:
        load(tmp_path, surface)
    assert caught.value.field == "service"

"""Quantities in queries: numbers with units, whatever the language and the registered unit."""

from __future__ import annotations

import pytest

from conditions.quantity import QuantityReader
from router.contract import EndpointSpec, FieldSpec, ParameterSpec, ToolSpec
from router.snapshot import CatalogSnapshot


def measured(
    name: str, unit: str, dimension: str | None, *, required: bool = True
) -> ParameterSpec:
    return ParameterSpec(name=name, unit=unit, dimension=dimension, required=required)


HEAT = measured("heat", "degF", "temperature")
BAKE = measured("bake", "minute", "time")
LOAD = measured("load", "lb", "mass")
SNAPSHOT = CatalogSnapshot.of(
    [
        ToolSpec(
            name="t",
            endpoints=(
                EndpointSpec(name="bake", parameters=(HEAT, BAKE)),
                EndpointSpec(name="dose", parameters=(measured("of", "mg/L", "strength"),)),
                EndpointSpec(name="heat", parameters=(HEAT,)),
                EndpointSpec(name="load", parameters=(LOAD,)),
                EndpointSpec(
                    name="wait", parameters=(measured("for", "hour", "time", required=False),)
                ),
                EndpointSpec(name="fill", parameters=(measured("by", "m**3", "volume"),)),
                EndpointSpec(name="walk", parameters=(measured("far", "m", "length"),)),
                EndpointSpec(name="odd", parameters=(measured("by", "s", None),)),
                EndpointSpec(
                    name="read",
                    output_fields=(FieldSpec(name="power", unit="kW", dimension="power"),),
                ),
            ),
        )
    ]
)
READER = QuantityReader(SNAPSHOT)


@pytest.mark.parametrize(
    ("text", "dimensions"),
    [
        ("Heat it to 235 °C for 18 minutes", {"temperature", "time"}),
        ("auf 235 Grad Celsius bei 18 Minuten", {"temperature", "time"}),
        ("a 22,5 grados durante 3 horas", {"temperature", "time"}),
        ("humidity の zone は19℃にして", {"temperature"}),
        ("18도로 맞추고 30분 동안", {"temperature", "time"}),
        ("45 kgだけ、2時間で", {"mass", "time"}),
        ("12.5kg을 넘는", {"mass"}),
        ("1.200 kg", {"mass"}),
        ("keep between 2-8 °C", {"temperature"}),
        ("at -18 °C", {"temperature"}),
        ("a 24-hour watch", {"time"}),
        ("５００ｇ", {"mass"}),
        ("at most 5 mg/L of it", {"strength"}),
        ("3 m³ or 2 m3", {"volume"}),
        ("3 cubic metres", set()),
        ("12 degF", {"temperature"}),
        ("", set()),
        ("minutes and kilograms", set()),
        ("5 kilos", set()),
        ("2025-10-21 g", set()),
        ("10:30 h", set()),
        ("version 2.1.kg", set()),
        ("AB-12 kg", set()),
        ("12 in LOC-", set()),
        ("9月8日から", set()),
        ("12 kgs", set()),
    ],
)
def test_a_number_and_its_unit_make_a_quantity(text: str, dimensions: set[str]) -> None:
    assert READER.read(text) == dimensions


def test_an_ambiguous_symbol_gives_no_kind_its_dimension() -> None:
    """``m`` is registered as a length; durations, which it may also be, do not become lengths."""
    assert READER.read("in 5 hours") == {"time"}
    assert READER.read("5 m") == {"length", "time"}
    assert READER.read("5 kilometers") == frozenset()


def test_dimensions_that_no_route_takes_are_left_out() -> None:
    assert READER.read("50 kW") == frozenset()


def test_a_catalog_without_units_reads_nothing() -> None:
    reader = QuantityReader(CatalogSnapshot.of([]))
    assert reader.read("5 kg") == frozenset()
    assert reader.accepting((), (), ()).tolist() == []


def accepting(
    spelled: set[str],
    observed: set[str] = frozenset(),
    ran: tuple[str, ...] = (),  # type: ignore[assignment]
) -> dict[str, int]:
    executed = [SNAPSHOT.position(f"t.{name}") for name in ran]
    counts = READER.accepting(spelled, observed, executed).tolist()
    return {
        route.removeprefix("t."): count
        for route, count in zip(SNAPSHOT.routes, counts, strict=True)
        if count
    }


def test_what_requires_a_quantity_takes_it() -> None:
    assert accepting({"mass"}) == {"load": 1}
    assert accepting({"temperature", "time"}) == {"bake": 2, "heat": 1}
    assert accepting(set()) == {}


def test_what_also_requires_another_quantity_is_about_something_else() -> None:
    assert accepting({"temperature"}) == {"heat": 1}
    assert accepting({"temperature"}, observed={"time"}) == {"bake": 1, "heat": 1}


def test_a_quantity_is_taken_once() -> None:
    assert accepting({"temperature", "time"}, ran=("heat",)) == {"bake": 1}
    assert accepting({"temperature", "time"}, ran=("wait",)) == {"bake": 1, "heat": 1}
    assert accepting({"temperature", "time"}, ran=("bake",)) == {}

"""Producer-consumer edges come from declared semantic ids and from nothing else."""

from __future__ import annotations

import pytest

from conditions.dependency import Dependencies
from router.contract import EndpointSpec, ParameterSpec, ToolSpec
from router.snapshot import CatalogSnapshot

ORDER = "^ORD-[0-9]+$"
CUSTOMER = "^CUS-[0-9]+$"


def need(
    semantic: str | None, pattern: str | None = None, *, required: bool = True, mark: bool = False
) -> ParameterSpec:
    return ParameterSpec(
        name=f"p_{semantic}_id",
        required=required,
        semantic_id=semantic,
        json_schema={} if pattern is None else {"pattern": pattern},
        identifier=mark,
    )


ENDPOINTS = {
    "both": (need("customer.id", CUSTOMER), need("order.id", ORDER)),
    "city": (need("place.city"),),
    "free": (),
    "loose": (need("order.id"),),
    "nameless": (need(None, ORDER, mark=True),),
    "optional": (need("order.id", ORDER, required=False),),
    "order": (need("order.id", ORDER), need("order.reason")),
    "pair": (need("place.city"), need("order.weight")),
    "untyped": (need(None),),
}
SNAPSHOT = CatalogSnapshot.of(
    [
        ToolSpec(
            name="t",
            endpoints=tuple(
                EndpointSpec(name=name, parameters=parameters)
                for name, parameters in ENDPOINTS.items()
            ),
        )
    ]
)


@pytest.mark.parametrize(
    ("observed", "spelled", "unlocked", "locked"),
    [
        # Nothing seen: identifiers with a pattern are missing, everything else is unknown.
        ((), (), "", "both nameless order"),
        # The query spells the order number out: nothing is gained by an observation.
        ((), (ORDER,), "", "both"),
        (("order.id",), (ORDER,), "", "both"),
        # The order number was observed.
        (("order.id",), (), "loose order", "both nameless"),
        (("order.id",), (CUSTOMER,), "both loose order", "nameless"),
        (("order.id", "customer.id"), (), "both loose order", "nameless"),
        (("order.id", "customer.id"), (CUSTOMER, ORDER), "", ""),
        # Values unlock only what needs no identifier, and only all together.
        (("place.city",), (), "city", "both nameless order"),
        (("order.weight",), (), "", "both nameless order"),
        (("place.city", "order.weight"), (), "city pair", "both nameless order"),
        (("order.reason",), (ORDER,), "", "both"),
        # Semantic ids that nothing needs.
        (("weather.wind",), (), "", "both nameless order"),
    ],
)
def test_readiness(
    observed: tuple[str, ...], spelled: tuple[str, ...], unlocked: str, locked: str
) -> None:
    patterns = spelled
    ready = Dependencies(SNAPSHOT).readiness(observed, patterns)
    names = [endpoint.name for endpoint in SNAPSHOT.endpoints]
    # A loose identifier has no pattern that a query could match.
    expected = set(unlocked.split())
    if "order.id" in observed:
        expected.add("loose")
    assert {n for n, flag in zip(names, ready.unlocked, strict=True) if flag} == expected
    assert {n for n, flag in zip(names, ready.locked, strict=True) if flag} == set(locked.split())


def test_an_empty_catalog() -> None:
    ready = Dependencies(CatalogSnapshot.of([])).readiness(("order.id",), ())
    assert ready.unlocked.shape == ready.locked.shape == (0,)

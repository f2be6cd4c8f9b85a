"""Producer-consumer edges come from declared semantic ids and from nothing else."""

from __future__ import annotations

import math

import numpy as np
import pytest

from conditions.dependency import Dependencies
from router.contract import EndpointSpec, FieldSpec, ParameterSpec, ToolSpec
from router.snapshot import CatalogSnapshot

ORDER = "^ORD-[0-9]+$"
CUSTOMER = "^CUS-[0-9]+$"
DAY = "^[0-9]{4}-[0-9]{2}$"
ORDER_ID, CUSTOMER_ID, MONTH = ("order.id", ORDER), ("customer.id", CUSTOMER), ("work.month", DAY)


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


def answer(*semantics: str | None) -> tuple[FieldSpec, ...]:
    return tuple(
        FieldSpec(name=f"f{at}", semantic_id=semantic) for at, semantic in enumerate(semantics)
    )


ENDPOINTS = {
    "both": EndpointSpec(name="both", parameters=(need(*CUSTOMER_ID), need(*ORDER_ID))),
    "city": EndpointSpec(name="city", parameters=(need("place.city"),)),
    "finder": EndpointSpec(
        name="finder", parameters=(need(*CUSTOMER_ID),), output_fields=answer("order.id", "x.y")
    ),
    "free": EndpointSpec(name="free", output_fields=answer(None)),
    "month": EndpointSpec(name="month", parameters=(need(*MONTH),)),
    "nameless": EndpointSpec(name="nameless", parameters=(need(None, ORDER, mark=True),)),
    "optional": EndpointSpec(name="optional", parameters=(need(*ORDER_ID, required=False),)),
    "order": EndpointSpec(
        name="order", parameters=(need(*ORDER_ID), need("order.reason")), output_fields=answer()
    ),
    "start": EndpointSpec(name="start", output_fields=answer("customer.id", "work.month")),
}
SNAPSHOT = CatalogSnapshot.of([ToolSpec(name="t", endpoints=tuple(ENDPOINTS.values()))])
NAMES = [endpoint.name for endpoint in SNAPSHOT.endpoints]
GRAPH = Dependencies(SNAPSHOT)


def positions(names: str) -> list[int]:
    return [NAMES.index(name) for name in names.split()]


@pytest.mark.parametrize(
    ("observed", "spelled", "locked"),
    [
        # Whatever has a pattern is missing; anything else may stand in the query in any words.
        ((), (), "both finder month nameless order"),
        ((), (ORDER_ID,), "both finder month nameless"),
        ((), (ORDER_ID, CUSTOMER_ID), "month nameless"),
        ((), ((None, ORDER),), "both finder month order"),
        (("order.id",), (), "both finder month nameless"),
        (("order.id", "customer.id", "work.month"), (), "nameless"),
        # The same pattern with another meaning is not in sight.
        ((), (("ticket.id", ORDER),), "both finder month nameless order"),
        (("place.city", "weather.wind"), (), "both finder month nameless order"),
    ],
)
def test_locked(
    observed: tuple[str, ...], spelled: tuple[tuple[str | None, str], ...], locked: str
) -> None:
    flags = GRAPH.locked(GRAPH.missing(observed, spelled))
    assert [name for name, flag in zip(NAMES, flags, strict=True) if flag] == locked.split()


def test_producers_inherit_from_the_consumer_that_is_wanted_most() -> None:
    wanted = np.zeros(len(NAMES), dtype=np.int64)
    wanted[positions("order")], wanted[positions("both")], wanted[positions("month")] = 70, 40, 5
    wanted[positions("city")] = 99
    passed = GRAPH.inherited(wanted, GRAPH.missing((), ()))
    # `finder` answers order numbers (70); `start` answers customers (40) and months (5).
    assert dict(zip(NAMES, passed.tolist(), strict=True)) == {
        **dict.fromkeys(NAMES, 0),
        "finder": 70,
        "start": 40,
    }
    # With the customer spelled out only months are missing of what `start` answers.
    passed = GRAPH.inherited(wanted, GRAPH.missing((), (CUSTOMER_ID,)))
    assert passed[positions("start")] == [5]
    # Nobody needs what is in sight.
    passed = GRAPH.inherited(wanted, GRAPH.missing(("order.id", "customer.id", "work.month"), ()))
    assert not passed.any()


def test_observations_supply_the_rarer_the_more() -> None:
    def rarity(n_consumers: int) -> int:
        return round(1000 * math.log(len(NAMES) / n_consumers) / math.log(len(NAMES)))

    supplied = GRAPH.supplied(("order.id", "place.city", "work.month", "unknown"), ())
    # Three endpoints take orders, optionally or not.
    assert supplied[positions("order optional both")] == pytest.approx([rarity(3)] * 3, abs=1)
    assert supplied[positions("city month")] == pytest.approx([rarity(1)] * 2, abs=1)
    assert not supplied[positions("finder free nameless start")].any()
    both = GRAPH.supplied(("order.id", "customer.id"), ())
    assert both[positions("both")] == pytest.approx([rarity(3) + rarity(2)], abs=2)


def test_what_the_query_spells_out_is_not_supplied_by_an_observation() -> None:
    supplied = GRAPH.supplied(("order.id", "place.city"), (ORDER,))
    assert supplied[positions("order")] == [0]
    assert supplied[positions("city")] > 0


def test_accepting_identifiers_that_no_call_took() -> None:
    flags = GRAPH.accepting((ORDER_ID, CUSTOMER_ID, MONTH), ())
    # A month is no identifier.
    assert set(np.flatnonzero(flags)) == set(positions("both finder optional order"))
    flags = GRAPH.accepting((ORDER_ID, CUSTOMER_ID), positions("finder"))
    assert set(np.flatnonzero(flags)) == set(positions("both optional order"))
    flags = GRAPH.accepting((ORDER_ID, CUSTOMER_ID), positions("both free"))
    assert not flags.any()


def test_an_empty_catalog() -> None:
    graph = Dependencies(CatalogSnapshot.of([]))
    missing = graph.missing(("order.id",), ())
    assert missing.shape == (0,)
    assert graph.locked(missing).shape == (0,)
    assert graph.inherited(np.zeros(0, dtype=np.int64), missing).shape == (0,)
    assert graph.supplied(("order.id",), ()).shape == (0,)
    assert graph.accepting((ORDER_ID,), ()).shape == (0,)

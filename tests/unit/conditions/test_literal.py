"""Identifiers in queries are recognised by registered patterns, not by how they look."""

from __future__ import annotations

import pytest

from conditions.literal import LiteralReader, pattern_of
from router.contract import EndpointSpec, FieldSpec, ParameterSpec, ToolSpec
from router.snapshot import CatalogSnapshot

SHIPMENT = "^SHP-[0-9]{6}$"
CUSTOMER = r"^CUS-\d+$"
COUNTRY = "^[A-Z]{2}$"
TRACKING = "^[0-9]{10}$"
PATH = "^acct/[a-z0-9]+$"
BROKEN = "^(unclosed$"
DAY = "^2026-[0-9-]+$"
PHONE = r"^\+[0-9]{8,15}$"


def reader() -> LiteralReader:
    parameters = (
        ParameterSpec(name="a", semantic_id="shipment.id", json_schema={"pattern": SHIPMENT}),
        ParameterSpec(
            name="b",
            semantic_id="customer.identifier",
            json_schema={"type": "array", "items": {"pattern": CUSTOMER}},
        ),
        ParameterSpec(name="c", identifier=True, json_schema={"pattern": COUNTRY}),
        ParameterSpec(name="d", identifier=True, json_schema={"pattern": BROKEN}),
        ParameterSpec(name="day_id", json_schema={"pattern": DAY}),
        ParameterSpec(name="phone", json_schema={"pattern": PHONE}),
    )
    fields = (
        FieldSpec(name="e", identifier=True, json_schema={"pattern": TRACKING}),
        FieldSpec(name="f", identifier=True, json_schema={"pattern": PATH}),
    )
    endpoint = EndpointSpec(name="e", parameters=parameters, output_fields=fields)
    return LiteralReader(CatalogSnapshot.of([ToolSpec(name="t", endpoints=(endpoint,))]))


@pytest.mark.parametrize(
    ("query", "text", "patterns"),
    [
        ("Move SHP-204817 today", "Move  SHP-  today", {SHIPMENT}),
        ("SHP-204817을 보내 줘", " SHP- 을 보내 줘", {SHIPMENT}),
        ("注文CUS-7の", "注文 CUS- の", {CUSTOMER}),
        ("(SHP-204817, CUS-7).", "( SHP- ,  CUS- ).", {SHIPMENT, CUSTOMER}),
        ("CUS-7/SHP-204817", " CUS- / SHP- ", {SHIPMENT, CUSTOMER}),
        ("track 0123456789", "track   ", {TRACKING}),
        ("open acct/9f2 now", "open  acct/  now", {PATH}),
        # The longest identifier wins; what it holds is not read again.
        ("open acct/0123456789 now", "open  acct/  now", {PATH}),
        # Part of a longer identifier, of another length, or in other letters.
        ("SHP-2048171", "SHP-2048171", set()),
        ("SHP-204817-B", "SHP-204817-B", set()),
        ("XSHP-204817", "XSHP-204817", set()),
        ("shp-204817", "shp-204817", set()),
        # A loose pattern matches a word: the word stays text.
        ("sent from DE", "sent from DE", {COUNTRY}),
        # A value that is not declared an identifier, whatever its name, stays text.
        ("on 2026-01-02", "on 2026-01-02", {DAY}),
        ("call +4915112345678 back", "call +4915112345678 back", {PHONE}),
        ("", "", set()),
    ],
)
def test_reading(query: str, text: str, patterns: set[str]) -> None:
    reading = reader().read(query)
    assert reading.text == text
    assert reading.patterns == patterns


def test_literals_know_the_masked_text_around_them() -> None:
    first, second = reader().read("Move SHP-204817 of CUS-7 today").literals
    assert (first.patterns, first.before, first.after) == ((SHIPMENT,), "Move ", " of  CUS-  today")
    assert (second.patterns, second.before) == ((CUSTOMER,), "Move  SHP-  of ")
    assert second.after == " today"


def test_patterns_that_refer_to_their_groups_are_tried_one_by_one() -> None:
    """Joined with others, their groups would have other numbers."""
    doubled = r"^([A-Z])\1-[0-9]+$"
    parameters = (
        ParameterSpec(name="a", identifier=True, json_schema={"pattern": "^(X|Y)[0-9]$"}),
        ParameterSpec(name="b", identifier=True, json_schema={"pattern": doubled}),
    )
    endpoint = EndpointSpec(name="e", parameters=parameters)
    made = LiteralReader(CatalogSnapshot.of([ToolSpec(name="t", endpoints=(endpoint,))]))
    assert made.read("see AA-12").patterns == {doubled}
    assert made.read("see AB-12").patterns == frozenset()


def test_hostile_runs_are_read_in_bounded_windows() -> None:
    query = ".".join(["a1"] * 5000) + ".SHP-204817"
    assert reader().read(query).patterns == {SHIPMENT}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"pattern": SHIPMENT}, SHIPMENT),
        ({"items": {"pattern": SHIPMENT}}, SHIPMENT),
        ({"pattern": "SHP"}, None),
        ({"pattern": "^SHP"}, None),
        ({"type": "string"}, None),
        ({"items": True}, None),
        ({"pattern": 7}, None),
        ({}, None),
    ],
)
def test_patterns_of_schemas(schema: dict[str, object], expected: str | None) -> None:
    assert pattern_of(schema) == expected

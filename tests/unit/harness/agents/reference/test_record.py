"""Which record is meant, and that what belongs to one thing comes from its record."""

from __future__ import annotations

from typing import Any

import pytest

from harness.agents.reference import ReferenceAgent
from tests.unit.harness.agents.reference.tools import (
    Exchange,
    called,
    conversation,
    enum,
    identifier,
    identifiers,
    ok,
    quantity,
    text,
    tool,
)

VERSION = {"type": "string", "pattern": "^[0-9]+\\.[0-9]+$", "description": "Version"}
FIND = tool("archive__find_documents", "Search documents by title.", {"search": text("Words")})
PUBLISH = tool(
    "archive__publish_document",
    "Publish a document in one version.",
    {**identifiers("document_id"), "version": VERSION},
)
FILES = ok(
    {
        "documents": [
            {"document_id": "doc_aaaaa1", "title": "Fire drill", "version": "4.0", "size": 412.5},
            {"document_id": "doc_aaaaa2", "title": "Parking", "version": "1.3", "size": 88},
            {"document_id": "doc_aaaaa3", "title": "Fire drill", "version": "2.7", "size": 136},
        ]
    }
)


def second(query: str, answer: dict[str, Any], *tools: Any) -> dict[str, Any]:
    """Return the arguments of the call after a first answer."""
    first: Exchange = (tools[0].name, {}, answer)
    return called(ReferenceAgent().act(conversation(query, first), tools))[1]


@pytest.mark.parametrize(
    ("word", "document", "version"),
    [("smaller", "doc_aaaaa3", "2.7"), ("larger", "doc_aaaaa1", "4.0")],
)
def test_a_superlative_ranks_what_agrees_and_the_version_travels(
    word: str, document: str, version: str
) -> None:
    query = f'Search the documents "Fire drill" and publish the {word} of the two documents.'
    assert second(query, FILES, FIND, PUBLISH) == {"document_id": document, "version": version}


LIST = tool("climate__list_zones", "List the zones of a building.", identifiers("customer_id"))
SET = tool(
    "climate__set_zone",
    "Set the temperature of a zone at its revision.",
    {
        "zone_id": {"type": "string", "pattern": "^Z-[0-9]{3}$", "description": "Zone number"},
        "target": quantity("Temperature to hold", "degC"),
        "revision": {"type": "integer", "description": "Revision of the zone"},
    },
)
ZONES = ok(
    {
        "zones": [
            {"zone_id": "Z-101", "air": 66.2, "humidity": 0.48, "revision": 12},
            {"zone_id": "Z-102", "air": 71.6, "humidity": 0.71, "revision": 5},
            {"zone_id": "Z-103", "air": 61.7, "humidity": 0.55, "revision": 31},
        ]
    },
    {"zones[].air": "degF"},
)
BOTH = (
    "List the zones of CUS-1042. Set the zone with the highest humidity to 19 °C, "
    "then set the zone with the lowest air temperature to 22 °C."
)


def test_each_step_has_the_record_of_its_own_clause() -> None:
    # 66.2 °F is 19 °C: a goal describes no record.
    agent, tools = ReferenceAgent(), (LIST, SET)
    first = (LIST.name, {"customer_id": "CUS-1042"}, ZONES)
    one = called(agent.act(conversation(BOTH, first), tools))
    assert one == (SET.name, {"zone_id": "Z-102", "target": 19, "revision": 5})
    done = (*one, {"status": "executed"})
    two = called(agent.act(conversation(BOTH, first, done), tools))
    assert two == (SET.name, {"zone_id": "Z-103", "target": 22, "revision": 31})


def test_an_identifier_that_an_earlier_answer_named_picks_the_record() -> None:
    meter = tool("power__get_meter", "Find the logger of a meter.", identifiers("container_id"))
    remove = tool(
        "fleet__set_interval",
        "Set the interval at which a sensor of this version measures.",
        {**identifiers("sensor_id"), "version": VERSION},
    )
    listed = tool(
        "fleet__list_sensors", "List the sensors of a customer.", identifiers("customer_id")
    )
    query = (
        "Find the logger of meter MSKU1234567, list the sensors of CUS-1042 and set the interval "
        "of that very sensor."
    )
    one = (meter.name, {"container_id": "MSKU1234567"}, ok({"sensor_id": "SNS-0042"}))
    records = [
        {"sensor_id": "SNS-0041", "version": "1.1"},
        {"sensor_id": "SNS-0042", "version": "1.2"},
    ]
    two = (listed.name, {"customer_id": "CUS-1042"}, ok({"sensors": records}))
    turn = ReferenceAgent().act(conversation(query, one, two), (meter, listed, remove))
    assert called(turn)[1] == {"sensor_id": "SNS-0042", "version": "1.2"}


def test_amount_and_currency_come_from_the_invoice_that_is_charged() -> None:
    listed = tool(
        "billing__list_invoices", "List the invoices of a customer.", identifiers("customer_id")
    )
    charge = tool(
        "pay__charge_invoice",
        "Charge the open amount of an invoice.",
        {
            **identifiers("invoice_id"),
            "amount": {"type": "number", "description": "Amount to charge"},
            "currency": enum("Currency", "EUR", "CHF", "USD"),
        },
    )
    records = [
        {"invoice_id": "INV-2025-00001", "due_on": "2026-01-31", "amount": 10.5, "currency": "CHF"},
        {"invoice_id": "INV-2025-00002", "due_on": "2026-02-28", "amount": 20, "currency": "EUR"},
    ]
    query = "List the invoices of CUS-1042 and charge the invoice due on 2026-01-31."
    first = (listed.name, {"customer_id": "CUS-1042"}, ok({"invoices": records}))
    turn = ReferenceAgent().act(conversation(query, first), (listed, charge))
    assert called(turn)[1] == {"invoice_id": "INV-2025-00001", "amount": 10.5, "currency": "CHF"}


def test_a_quantity_that_the_query_states_goes_before_an_observed_one() -> None:
    recipes = tool("kitchen__find_recipes", "Find recipes.", {"search": text("Words")})
    plan = tool(
        "kitchen__plan_batch",
        "Plan a batch of a recipe.",
        {
            "recipe_id": {"type": "string", "pattern": "^RCP-[0-9]{4}$", "description": "Recipe"},
            "mass": quantity("Mass of the batch", "kg"),
        },
    )
    answer = ok(
        {"recipes": [{"recipe_id": "RCP-3140", "batch_mass": 705.5}]},
        {"recipes[].batch_mass": "lb"},
    )
    query = "Find the recipe for crispbread and plan a batch of 320 kg."
    assert second(query, answer, recipes, plan) == {"recipe_id": "RCP-3140", "mass": 320}


def test_an_observed_value_of_another_name_is_no_identifier_without_a_telling_pattern() -> None:
    digits = {"type": "string", "pattern": "^[0-9]{8}$", "description": "Case number"}
    case = tool("desk__get_case", "Open a case.", {"case_id": digits})
    invoice = tool(
        "billing__get_invoice", "Read an invoice.", {"invoice_id": identifier("invoice_id")}
    )
    query = "Read invoice INV-2025-00001 and open the case."
    first = (
        invoice.name,
        {"invoice_id": "INV-2025-00001"},
        ok({"invoice_id": "INV-2025-00001", "order_id": "47720581"}),
    )
    assert ReferenceAgent().act(conversation(query, first), (case, invoice)).calls == ()
    first[2]["observation"]["case_id"] = "55120394"
    turn = ReferenceAgent().act(conversation(query, first), (case, invoice))
    assert called(turn) == ("desk__get_case", {"case_id": "55120394"})

"""A small world of hand-made tools, and conversations in the form that the harness writes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from harness.agents.protocol import TASK_INCOMPLETE, ToolSchema, Turn

IDENTIFIERS = {
    "account_id": ("Account number", "^ACC-[0-9]{6}$"),
    "container_id": ("Container number", "^[A-Z]{4}[0-9]{7}$"),
    "customer_id": ("Customer number", "^CUS-[0-9]{4}$"),
    "document_id": ("Document number", "^doc_[0-9A-Za-z]{6}$"),
    "invoice_id": ("Invoice number", "^INV-20[0-9]{2}-[0-9]{5}$"),
    "reservation_id": ("Reservation number", "^RSV-[0-9]{6}$"),
    "sensor_id": ("Sensor number", "^SNS-[0-9]{4}$"),
    "session_id": ("Session token", "^ses_[0-9a-z]{8}$"),
    "shipment_id": ("Shipment number", "^SHP-[0-9]{6}$"),
}
Schemas = dict[str, dict[str, Any]]


def identifiers(*names: str) -> Schemas:
    return {name: identifier(name) for name in names}


def identifier(name: str) -> dict[str, Any]:
    description, pattern = IDENTIFIERS[name]
    return {"type": "string", "pattern": pattern, "description": description}


def quantity(description: str, unit: str) -> dict[str, Any]:
    return {"type": "number", "description": f"{description} (unit: {unit})"}


def text(description: str) -> dict[str, Any]:
    return {"type": "string", "minLength": 1, "description": description}


def date(description: str) -> dict[str, Any]:
    return {
        "type": "string",
        "format": "date",
        "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        "description": description,
    }


def email(description: str) -> dict[str, Any]:
    return {"type": "string", "format": "email", "description": description}


def enum(description: str, *members: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(members), "description": description}


def tool(
    name: str, description: str, required: Schemas, optional: Schemas | None = None
) -> ToolSchema:
    return ToolSchema(
        name,
        description,
        {
            "type": "object",
            "properties": {**required, **(optional or {})},
            "required": sorted(required),
            "additionalProperties": False,
        },
    )


WORLD = (
    tool("bank__get_balance", "Return the balance of an account.", identifiers("account_id")),
    tool(
        "bank__transfer",
        "Transfer money between two accounts.",
        {
            "source_account_id": identifier("account_id"),
            "target_account_id": identifier("account_id"),
            "amount": {"type": "number", "description": "Amount to transfer"},
        },
    ),
    tool(
        "billing__list_invoices",
        "List the invoices of a customer with amount, state and due date.",
        identifiers("customer_id"),
        {"state": enum("State of an invoice", "open", "paid", "overdue")},
    ),
    tool(
        "billing__send_reminder",
        "Send a payment reminder for an invoice.",
        identifiers("invoice_id"),
        {"note": text("Note to the customer")},
    ),
    tool(
        "billing__void_invoice",
        "Destructive: Void an invoice for good.",
        identifiers("invoice_id"),
    ),
    tool(
        "coldchain__read_sensor",
        "Return the latest temperature and humidity that a sensor measured.",
        identifiers("sensor_id"),
    ),
    tool(
        "coldchain__set_alarm",
        "Set the temperature above which a sensor raises an alarm.",
        {
            **identifiers("sensor_id"),
            "threshold": quantity("Temperature that raises the alarm", "degF"),
        },
    ),
    tool(
        "docs__export_document",
        "Export a document as a file.",
        {**identifiers("document_id"), "format": enum("File format", "pdf", "docx", "html")},
    ),
    tool(
        "docs__open_session",
        "Open an editing session and return its token.",
        identifiers("document_id"),
    ),
    tool(
        "docs__publish_document",
        "Publish a document to its readers.",
        identifiers("document_id", "session_id"),
    ),
    tool(
        "freight__book_container",
        "Book a container for a shipment by its weight.",
        {**identifiers("shipment_id"), "weight": quantity("Weight of the load", "lb")},
    ),
    tool(
        "freight__cancel_shipment",
        "Destructive: Cancel a shipment before it leaves.",
        identifiers("shipment_id"),
    ),
    tool(
        "freight__find_shipments",
        "List the shipments of a customer with their stage and declared weight.",
        identifiers("customer_id"),
        {"stage": enum("Stage of a shipment", "booked", "in_transit", "delivered")},
    ),
    tool(
        "freight__get_shipment",
        "Return the route, stage and carrier of one shipment.",
        identifiers("shipment_id"),
    ),
    tool(
        "freight__release_hold",
        "Lift the hold on a shipment so that it can move on.",
        identifiers("shipment_id"),
    ),
    tool(
        "freight__release_holds",
        "Lift the holds on several shipments at once.",
        {
            "shipment_ids": {
                "type": "array",
                "items": identifier("shipment_id"),
                "minItems": 2,
                "description": "Shipment number",
            }
        },
    ),
    tool(
        "freight__set_cargo_temperature",
        "Set the temperature at which the cargo of a container is kept.",
        {**identifiers("container_id"), "temperature": quantity("Temperature of cargo", "degF")},
    ),
    tool(
        "hotel__change_dates",
        "Move a reservation to other dates.",
        {
            **identifiers("reservation_id"),
            "check_in": date("First night"),
            "check_out": date("Day of departure"),
        },
    ),
    tool(
        "hotel__find_reservations",
        "List the reservations of a guest by e-mail address.",
        {"email": email("E-mail address of the guest")},
    ),
    tool(
        "mail__send_message",
        "Send a message to an e-mail address.",
        {
            "recipient": email("E-mail address of the recipient"),
            "subject": text("Subject of the message"),
            "body": text("Body of the message"),
        },
    ),
    tool(
        "railway__quote_freight",
        "Quote the price of moving a load by rail.",
        {
            "weight": quantity("Weight of the load", "kg"),
            "destination": text("Terminal of destination"),
        },
    ),
    tool(
        "seaway__quote_freight",
        "Quote the price of moving a load by sea.",
        {"weight": quantity("Weight of the load", "kg"), "destination": text("Port of arrival")},
    ),
)

Exchange = tuple[str, Mapping[str, Any], Mapping[str, Any]]
"""A call and its answer: name, arguments, content of the tool message."""


def ok(observation: Mapping[str, Any], units: Mapping[str, str] | None = None) -> dict[str, Any]:
    answer: dict[str, Any] = {"status": "ok", "observation": observation}
    return {**answer, "units": dict(units)} if units else answer


def error(explanation: str, status: str = "error") -> dict[str, Any]:
    return {"status": status, "error": explanation}


def conversation(query: str, *turns: Exchange | None) -> list[dict[str, Any]]:
    """Write the messages of an episode; None stands for a text and the nudge after it."""
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "Use the tools."},
        {"role": "user", "content": query},
    ]
    for index, turn in enumerate(turns):
        if turn is None:
            messages.append({"role": "assistant", "content": "Done."})
            messages.append({"role": "user", "content": TASK_INCOMPLETE})
            continue
        name, arguments, answer = turn
        function = {"name": name, "arguments": json.dumps(arguments)}
        call = {"id": f"call_{index}", "type": "function", "function": function}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        content = json.dumps(answer)
        messages.append({"role": "tool", "tool_call_id": f"call_{index}", "content": content})
    return messages


def choose(*names: str) -> list[ToolSchema]:
    """Return the named tools of the world; all of them without names."""
    by_name = {item.name: item for item in WORLD}
    return [by_name[name] for name in names] if names else list(WORLD)


def called(turn: Turn) -> tuple[str, dict[str, Any]]:
    """Return the one call of a turn: tool and arguments."""
    (call,) = turn.calls
    arguments = json.loads(call.arguments)
    assert isinstance(arguments, dict)
    return call.name, arguments

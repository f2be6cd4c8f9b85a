"""A depot that tries the auditor: quantities, several approvals, repeats, odd identifiers."""

from __future__ import annotations

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from router.snapshot import CatalogSnapshot
from surface.catalog import Catalog
from surface.service import load_service
from surface.task import Task
from surface.vocabulary import load_vocabulary
from tests.unit.harness.world import World

VOCABULARY = """
terms:
  crate.id:
    description: Crate number
    schema: {type: string, pattern: '^CRT-[0-9]{3,4}$'}
    identifier: true
    example: CRT-900
  owner.id:
    description: Owner number
    schema: {type: integer}
    identifier: true
    example: 9000
  seal.id:
    description: Code of a seal
    schema: {type: string}
    identifier: true
    example: seal
  cargo.weight: {description: Weight, schema: {type: number}, unit: kg, dimension: mass, example: 7}
  cargo.temperature:
    description: Temperature
    schema: {type: number}
    unit: degC
    dimension: temperature
    example: 4.5
  money.amount: {description: Amount, schema: {type: number}, example: 1}
  text.reason: {description: Reason, schema: {type: string}, example: none}
  urgency.flag: {description: Urgency, schema: {type: boolean}, example: false}
"""

SERVICE = """
service: depot
description: A depot that keeps crates.
endpoints:
- name: find_crates
  tier: 100
  effect: read
  description: List the crates of an owner with their weight.
  parameters: {owner_id: owner.id}
  outputs:
    crates[].crate_id: crate.id
    crates[].weight: {term: cargo.weight, unit: lb}
- name: book_lift
  tier: 100
  effect: write
  description: Book a lift that can carry the load of a crate.
  parameters:
    crate_id: crate.id
    load: cargo.weight
    urgent: {term: urgency.flag, required: false}
  outputs: {crate_id: crate.id}
- name: set_temperature
  tier: 100
  effect: write
  description: Set the temperature of a crate.
  parameters: {crate_id: crate.id, temperature: {term: cargo.temperature, unit: degF}}
- name: discard_crate
  tier: 100
  effect: destructive
  description: Discard a crate for good.
  parameters: {crate_id: crate.id, reason: text.reason}
- name: refund_owner
  tier: 100
  effect: destructive
  description: Refund an amount to an owner.
  parameters: {owner_id: owner.id, amount: money.amount}
  outputs: {owner_id: owner.id}
- name: break_seal
  tier: 100
  effect: write
  description: Break the seal of a code.
  parameters: {code: seal.id}
"""

OWNER = 4711

TASK: dict[str, Any] = {
    "id": "depot-1",
    "split": "test",
    "stratum": "typed_unit_state_transition",
    "language": "en",
    "query": "Owner 4711 wants the heavy crate lifted, CRT-102 gone, the rest at 4 degC, x### ok.",
    "gloss": "Lift one crate of the owner, discard another twice and cool the rest.",
    "steps": [
        {
            "route": "depot.find_crates",
            "arguments": {"owner_id": {"equals": OWNER}},
            "observation": {
                "crates": [
                    {"crate_id": "CRT-101", "weight": 22.5},
                    {"crate_id": "CRT-102", "weight": 1},
                ]
            },
        },
        {
            "route": "depot.book_lift",
            "arguments": {
                "crate_id": {"from": {"step": 1, "path": "crates[0].crate_id"}},
                "load": {"quantity": {"step": 1, "path": "crates[0].weight", "tolerance": 0.01}},
            },
            "error": "upstream_timeout: the lift did not answer",
        },
        {
            "route": "depot.book_lift",
            "arguments": {
                "crate_id": {"from": {"step": 1, "path": "crates[0].crate_id"}},
                "load": {"quantity": {"step": 1, "path": "crates[0].weight", "tolerance": 0.01}},
            },
            "observation": {"crate_id": "CRT-101"},
        },
        {
            "route": "depot.discard_crate",
            "arguments": {
                "crate_id": {"one_of": ["CRT-102", "CRT-103"]},
                "reason": {"nonempty": True},
            },
        },
        {
            "route": "depot.discard_crate",
            "arguments": {"crate_id": {"equals": "CRT-102"}, "reason": {"contains": "STRASSE"}},
        },
        {
            "route": "depot.set_temperature",
            "arguments": {
                "crate_id": {"equals": "CRT-101"},
                "temperature": {"quantity": {"value": 4, "unit": "degC", "tolerance": 0.5}},
            },
        },
    ],
    "approvals": [
        {"step": 4},
        {
            "route": "depot.refund_owner",
            "arguments": {"owner_id": {"equals": OWNER}, "amount": {"one_of": [10, 0]}},
        },
        {"step": 5},
    ],
}

LOAD = 22.5 * 0.45359237
"""The load of the heavy crate: 22.5 lb in kg."""
WARMTH = 4 * 9 / 5 + 32
"""4 degC in degF."""

FIND = ("depot__find_crates", {"owner_id": OWNER})
LIFT = ("depot__book_lift", {"crate_id": "CRT-101", "load": LOAD})
DISCARD = ("depot__discard_crate", {"crate_id": "CRT-102", "reason": "Not in this straße."})
COOL = ("depot__set_temperature", {"crate_id": "CRT-101", "temperature": WARMTH})
REFUND = ("depot__refund_owner", {"owner_id": OWNER, "amount": 10})
GOLD = (FIND, LIFT, LIFT, DISCARD, DISCARD, COOL)


@cache
def depot_catalog() -> Catalog:
    """The depot's catalog of six endpoints."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "vocabulary.yaml").write_text(VOCABULARY)
        (folder / "depot.yaml").write_text(SERVICE)
        service = load_service(folder / "depot.yaml", load_vocabulary(folder / "vocabulary.yaml"))
    return Catalog(
        6,
        CatalogSnapshot.of([service.tool(100)]),
        {item.route: item.example for item in service.listings},
    )


@cache
def depot() -> World:
    """The depot, loaded once."""
    return World(depot_catalog(), Task.model_validate_json(json.dumps(TASK)))

"""A small world: a shop of four endpoints, a task of three steps, agents that read a script."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conditions.exposure import ConditionParameters
from conditions.preregistered import make_condition
from conditions.retriever import ResearchRetriever, RetrieverParameters
from harness.agents.protocol import ContextOverflow, Message, ToolCall, ToolSchema, Turn
from harness.episode import Limits, run_episode
from harness.prompt import Toolbox
from harness.record import EpisodeRecord
from harness.trace import gold_trace
from router.snapshot import CatalogSnapshot
from surface.catalog import Catalog
from surface.executor import Executor
from surface.service import load_service
from surface.task import Task
from surface.vocabulary import load_vocabulary

VOCABULARY = """
terms:
  order.id:
    description: Order number
    schema: {type: string, pattern: '^ORD-[0-9]{4}$'}
    identifier: true
    example: ORD-9999
  customer.email: {description: Customer e-mail, schema: {type: string}, example: x@example.org}
  order.note: {description: Note on an order, schema: {type: string}, example: none}
"""

SERVICE = """
service: shop
description: A shop that sells by mail.
endpoints:
- name: find_orders
  tier: 100
  effect: read
  description: List the orders of a customer by e-mail.
  parameters: {email: customer.email}
  outputs: {'orders[].order_id': order.id}
- name: get_order
  tier: 100
  effect: read
  description: Show one order with its note.
  parameters: {order_id: order.id}
  outputs: {order_id: order.id, note: order.note}
- name: cancel_order
  tier: 100
  effect: destructive
  description: Cancel an order for good.
  parameters: {order_id: order.id}
- name: rename_order
  tier: 100
  effect: write
  description: Change the note on an order.
  parameters: {order_id: order.id, note: order.note}
"""

TASK: dict[str, Any] = {
    "id": "shop-1",
    "split": "test",
    "stratum": "three_step_state_dependency",
    "language": "en",
    "query": "Find the order of ann@example.org, look at it and cancel it please.",
    "gloss": "Cancel the order of ann@example.org after looking at it.",
    "steps": [
        {
            "route": "shop.find_orders",
            "arguments": {"email": {"equals": "ann@example.org"}},
            "observation": {"orders": [{"order_id": "ORD-1001"}]},
        },
        {
            "route": "shop.get_order",
            "arguments": {"order_id": {"from": {"step": 1, "path": "orders[0].order_id"}}},
            "error": "rate_limited: try again",
        },
        {
            "route": "shop.get_order",
            "arguments": {"order_id": {"from": {"step": 1, "path": "orders[0].order_id"}}},
            "observation": {"order_id": "ORD-1001", "note": "gift"},
        },
        {
            "route": "shop.cancel_order",
            "arguments": {"order_id": {"from": {"step": 1, "path": "orders[0].order_id"}}},
        },
    ],
    "approvals": [{"step": 4}],
}

FIND = ("shop__find_orders", {"email": "ann@example.org"})
GET = ("shop__get_order", {"order_id": "ORD-1001"})
CANCEL = ("shop__cancel_order", {"order_id": "ORD-1001"})
GOLD = (FIND, GET, GET, CANCEL, "It is done.")

Scripted = str | tuple[str, Mapping[str, Any]] | Turn | ContextOverflow


@dataclass
class ScriptedAgent:
    """Answers one entry of a script a turn, and keeps what it was shown."""

    script: Iterable[Scripted]
    seen: list[tuple[Sequence[Message], Sequence[ToolSchema]]] = field(default_factory=list)
    identity: Mapping[str, Any] = field(default_factory=lambda: {"kind": "scripted"})
    evidence: Any = "instrument"

    def __post_init__(self) -> None:
        self.entries = iter(self.script)

    def act(self, messages: Sequence[Message], tools: Sequence[ToolSchema]) -> Turn:
        self.seen.append((messages, tools))
        entry = next(self.entries)
        if isinstance(entry, ContextOverflow):
            raise entry
        if isinstance(entry, Turn):
            return entry
        if isinstance(entry, str):
            return Turn(entry)
        return Turn(None, (call(*entry),))


def call(name: str, arguments: Mapping[str, Any] | str, identifier: str = "call-1") -> ToolCall:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return ToolCall(identifier, name, text)


@dataclass(frozen=True)
class World:
    """The shop, loaded."""

    catalog: Catalog
    task: Task

    @classmethod
    def build(cls, folder: Path, task: Mapping[str, Any] = TASK) -> World:
        (folder / "vocabulary.yaml").write_text(VOCABULARY)
        (folder / "shop.yaml").write_text(SERVICE)
        vocabulary = load_vocabulary(folder / "vocabulary.yaml")
        service = load_service(folder / "shop.yaml", vocabulary)
        catalog = Catalog(
            4,
            CatalogSnapshot.of([service.tool(100)]),
            {item.route: item.example for item in service.listings},
        )
        return cls(catalog, Task.model_validate_json(json.dumps(task)))

    def run(
        self,
        agent: ScriptedAgent,
        condition: str = "FULL",
        *,
        limits: Limits | None = None,
        clock: Callable[[], float] | None = None,
    ) -> EpisodeRecord:
        executor = Executor(self.task, self.catalog)
        policy = make_condition(
            condition,
            retriever=ResearchRetriever(
                self.catalog.snapshot, RetrieverParameters(sentence_weight=0, term_weight=0)
            ),
            snapshot=self.catalog.snapshot,
            required_routes=self.task.required_routes,
            parameters=ConditionParameters(top_k=2, stages=(1, 2, None)),
        )
        ticks = itertools.count()
        return run_episode(
            executor,
            policy,
            agent,
            Toolbox.of(self.catalog.snapshot),
            limits=limits or Limits(),
            clock=clock or (lambda: next(ticks) / 1000),
            traces=gold_trace(executor, policy, max_turns=8),
        )

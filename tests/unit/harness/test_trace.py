"""The gold followed under a condition, whatever an episode allows."""

from __future__ import annotations

import pytest

from conditions.preregistered import make_condition
from conditions.retriever import ResearchRetriever
from harness.trace import gold_trace
from surface.catalog import load_catalogs
from surface.executor import Executor
from surface.task import load_tasks

CATALOG = load_catalogs()[100]
TASK = next(task for task in load_tasks("dev") if task.id == "dev-en-three-step")


@pytest.mark.parametrize(("max_turns", "refreshes"), [(8, 2), (3, 2), (2, 1), (1, 0)])
def test_it_goes_to_its_end_and_refreshes_while_a_turn_remains(
    max_turns: int, refreshes: int
) -> None:
    condition = make_condition(
        "SR-5-STATE-AWARE",
        retriever=ResearchRetriever(CATALOG.snapshot),
        snapshot=CATALOG.snapshot,
        required_routes=TASK.required_routes,
    )
    records = gold_trace(Executor(TASK, CATALOG), condition, max_turns=max_turns)
    assert len(records) == len(TASK.steps) == 3
    assert len({record.retrieval_query_sha256 for record in records}) == 1 + refreshes

"""Rankings of the real catalogs: what they are, and that they are the same everywhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from conditions.literal import LiteralReader
from conditions.retriever import ResearchRetriever
from conditions.state import State, empty_state, render_query, update_state
from conditions.vectors import committed_vectors
from router.channel import SCALE
from router.lexical import LexicalIndex
from router.sentence import SentenceIndex
from router.term import TermIndex
from surface.catalog import load_catalogs
from surface.task import LANGUAGES, Task, load_tasks

ROOT = Path(__file__).resolve().parents[3]
RETRIEVERS: dict[int, ResearchRetriever] = {}
TASKS = {task.id: task for task in load_tasks("dev")}
CATALOGS = load_catalogs()

# The five routes exposed for the bare query of one task in each language. Whoever changes the
# retriever, the catalogs or these queries changes them knowingly.
GOLDEN: dict[tuple[str, int], tuple[str, ...]] = {
    ("dev-de-two-step", 100): (
        "energy.find_chargers",
        "energy.set_power_cap",
        "energy.start_charging",
        "courier.quote_parcel",
        "fleet.get_vehicle_health",
    ),
    ("dev-de-two-step", 500): (
        "energy.find_chargers",
        "energy.set_power_cap",
        "energy.start_charging",
        "cold_chain.precool_vehicle",
        "climate.limit_chiller",
    ),
    ("dev-en-two-step", 100): (
        "freight.get_shipment",
        "freight.cancel_shipment",
        "freight.release_hold",
        "courier.track_parcel",
        "freight.create_shipment",
    ),
    ("dev-en-two-step", 500): (
        "freight.get_shipment",
        "freight.cancel_shipment",
        "freight.place_hold",
        "freight.release_hold",
        "freight.split_shipment",
    ),
    ("dev-es-two-step", 100): (
        "orders.get_order",
        "orders.change_delivery_site",
        "freight.create_shipment",
        "courier.quote_parcel",
        "orders.cancel_order",
    ),
    ("dev-es-two-step", 500): (
        "orders.get_order",
        "orders.get_order_history",
        "orders.change_delivery_site",
        "freight.create_shipment",
        "courier.quote_parcel",
    ),
    ("dev-ja-unit", 100): (
        "lab.find_samples",
        "lab.register_sample",
        "lab.request_analysis",
        "lab.get_results",
        "clinic.get_vitals",
    ),
    ("dev-ja-unit", 500): (
        "lab.get_patient_trend",
        "lab.register_sample",
        "lab.find_samples",
        "lab.request_analysis",
        "lab.quote_testing",
    ),
    ("dev-ko-failure", 100): (
        "orders.find_orders",
        "freight.find_shipments",
        "helpdesk.create_ticket",
        "orders.get_order",
        "orders.cancel_order",
    ),
    ("dev-ko-failure", 500): (
        "orders.find_orders",
        "payments.authorise_amount",
        "orders.reorder",
        "freight.find_shipments",
        "orders.list_promotions",
    ),
    ("dev-mixed-two-step", 100): (
        "hr.find_employees",
        "hr.log_time",
        "messaging.list_messages",
        "messaging.send_message",
        "helpdesk.get_ticket",
    ),
    ("dev-mixed-two-step", 500): (
        "hr.find_employees",
        "helpdesk.escalate_ticket",
        "hr.log_time",
        "messaging.search_messages",
        "messaging.list_messages",
    ),
}


def retriever(size: int) -> ResearchRetriever:
    if size not in RETRIEVERS:
        RETRIEVERS[size] = ResearchRetriever(CATALOGS[size].snapshot)
    return RETRIEVERS[size]


@pytest.mark.parametrize(("task", "size"), GOLDEN)
def test_golden_exposures(task: str, size: int) -> None:
    assert retriever(size).rank(TASKS[task].query).top(5) == GOLDEN[task, size]


def test_every_language_has_a_golden_exposure() -> None:
    assert {TASKS[task].language for task, _ in GOLDEN} == set(LANGUAGES)


def digest(*arguments: str, **environment: str) -> str:
    """Run the rankings in a process of their own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.integration.conditions.rankings", *arguments],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_rankings_are_the_same_in_every_process() -> None:
    threads = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    first = digest(PYTHONHASHSEED="0", **dict.fromkeys(threads, "1"))
    assert re.fullmatch("[0-9a-f]{64}", first)
    assert digest("backwards", PYTHONHASHSEED="1", **dict.fromkeys(threads, "3")) == first


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", CATALOGS)
def test_no_channel_is_blind_to_a_language(language: str, size: int) -> None:
    """A purely Korean query has no word in common with an English catalog, but some query has."""
    snapshot = CATALOGS[size].snapshot
    reader = LiteralReader(snapshot)
    lexical, terms = LexicalIndex(snapshot), TermIndex(snapshot, committed_vectors())
    sentences = SentenceIndex(snapshot, committed_vectors())
    queries = [task.query for task in TASKS.values() if task.language == language]
    texts = [reader.read(query).text for query in queries]
    assert max(lexical.coverage(text) for text in texts) > 0
    for text in texts:
        assert terms.coverage(text) > 0.3
        assert terms.score(text).max() == sentences.score(text).max() == SCALE


def stated(task: Task, query: str, identifiers: dict[str, str], incomplete: bool) -> State:
    """The state after the task's first step, with its identifiers renamed."""
    step = task.steps[0]
    endpoint = CATALOGS[500].snapshot.endpoint(step.route)
    observation = None if step.observation is None else renamed(step.observation, identifiers)
    return update_state(
        empty_state(query),
        endpoint=endpoint,
        route_id=step.route,
        observation=observation,
        status="error" if step.error else "ok" if observation else "executed",
        error=step.error,
        reached=True,
        task_incomplete=incomplete,
    )


def renamed(value: object, identifiers: dict[str, str]) -> dict[str, object]:
    if isinstance(value, dict):
        return {key: renamed(item, identifiers) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [renamed(item, identifiers) for item in value]  # type: ignore[return-value]
    return identifiers.get(value, value) if isinstance(value, str) else value  # type: ignore


@pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task.id)
def test_neither_identifiers_nor_the_completion_flag_change_a_ranking(task: Task) -> None:
    """Digits of the query's identifiers are permuted, which keeps them within their patterns."""
    reader = LiteralReader(CATALOGS[500].snapshot)
    swap = str.maketrans("3456789", "4567893")
    identifiers = {
        literal: literal.translate(swap)
        for literal in set(re.findall(r"[A-Z]{2,3}-[0-9]{4}(?:-[A-Z])?|\b[0-9]{8}\b", task.query))
        if reader.read(literal).literals
    }
    query = re.sub(
        "|".join(map(re.escape, sorted(identifiers, key=len, reverse=True))) or r"(?!)",
        lambda found: identifiers[found.group()],
        task.query,
    )
    assert retriever(500).rank(query) == retriever(500).rank(task.query)
    before = render_query(stated(task, task.query, {}, True))
    after = render_query(stated(task, query, identifiers, False))
    assert retriever(500).rank(after) == retriever(500).rank(before)

"""What the research retriever finds on the development split, and what each part contributes.

Follows every task's gold through every catalog and ranks before each step: once for the bare query
(what a static exposure shows all along) and once for query and state. Development tasks only.

    python -m benchmarks.recall [--ablate] [--json] [--misses]
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from conditions.literal import LiteralReader
from conditions.retriever import ResearchRetriever, RetrieverParameters
from conditions.state import empty_state, render_query, update_state
from conditions.vectors import committed_vectors
from router import LexicalIndex, TermIndex
from surface.catalog import Catalog, load_catalogs
from surface.executor import Executor
from surface.gold import gold_arguments
from surface.task import LANGUAGES, Task, load_tasks

SPLIT = "dev"
TOP = 5
ABLATIONS: Mapping[str, Mapping[str, Any]] = {
    "full": {},
    "no lexical channel": {"lexical_weight": 0},
    "no sentence channel": {"sentence_weight": 0},
    "no term channel (no meanings)": {"term_weight": 0},
    "lexical channel alone": {"sentence_weight": 0, "term_weight": 0},
    "no residual intent": {"residual": 0},
    "no demotion of successes": {"succeeded": 0},
    "failed route not kept": {"keep_failed": False},
    "no inheritance from consumers": {"inherited": 0},
    "no bonus for observed types": {"observed": 0},
    "no bonus for spelled identifiers": {"spelled": 0},
    "no bonus for spelled quantities": {"measured": 0},
    "no malus for missing arguments": {"locked": 0},
    "meanings never ruled out": {"ambiguous": 1000},
    "graph slots not capped": {"graph_slots": 5},
    "text alone": {"typed": False},
    "lexical text alone": {"typed": False, "sentence_weight": 0, "term_weight": 0},
}


@dataclass(frozen=True)
class Event:
    """One step of one task in one catalog."""

    task: Task
    step: int
    text: str
    """Bare query before the first step, query and state before the others."""
    route: str


def events(task: Task, catalog: Catalog) -> Iterator[Event]:
    """Follow the gold of a task."""
    executor = Executor(task, catalog)
    progress, state = executor.start(), empty_state(task.query)
    for position, step in enumerate(task.steps):
        yield Event(task, position, render_query(state) if position else task.query, step.route)
        progress, execution = executor.execute(
            progress,
            route=step.route,
            arguments=gold_arguments(executor, progress),
            exposed={step.route},
        )
        state = update_state(
            state,
            endpoint=catalog.snapshot.endpoint(step.route),
            route_id=step.route,
            observation=execution.observation,
            status=execution.status,
            error=execution.error,
            reached=execution.reached,
            task_incomplete=not executor.complete(progress),
        )


def ranks(retriever: ResearchRetriever, found: Sequence[Event]) -> list[tuple[int, int]]:
    """Rank of each event's route: static, and state-aware."""
    return [
        (
            retriever.rank(event.task.query).rank_of(event.route),
            retriever.rank(event.text).rank_of(event.route),
        )
        for event in found
    ]


def share(hits: Sequence[bool]) -> float:
    """Share of hits, rounded."""
    return round(statistics.fmean(hits), 3)


def measure(
    catalog: Catalog, found: Sequence[Event], numbers: RetrieverParameters
) -> dict[str, Any]:
    """Recall of one retriever on one catalog."""
    pairs = ranks(ResearchRetriever(catalog.snapshot, numbers), found)
    first: defaultdict[str, list[bool]] = defaultdict(list)
    for event, (_, aware) in zip(found, pairs, strict=True):
        if event.step == 0:
            first[event.task.language].append(aware <= TOP)
    return {
        "static": share([static <= TOP for static, _ in pairs]),
        "state_aware": share([aware <= TOP for _, aware in pairs]),
        "first_step": share([hit for hits in first.values() for hit in hits]),
        "later_steps": share(
            [aware <= TOP for event, (_, aware) in zip(found, pairs, strict=True) if event.step]
        ),
        "first_step_by_language": {name: share(first[name]) for name in LANGUAGES},
        "misses": [
            f"{event.task.id} step {event.step + 1}: {event.route} at {aware}"
            for event, (_, aware) in zip(found, pairs, strict=True)
            if aware > TOP
        ],
    }


def coverage(catalog: Catalog, tasks: Sequence[Task]) -> dict[str, dict[str, float]]:
    """Mean share of a query's features, or terms, that the catalog has, by channel and language."""
    reader = LiteralReader(catalog.snapshot)
    channels: Mapping[str, LexicalIndex | TermIndex] = {
        "lexical": LexicalIndex(catalog.snapshot),
        "terms": TermIndex(catalog.snapshot, committed_vectors()),
    }
    return {
        name: {
            language: round(
                statistics.fmean(
                    channel.coverage(reader.read(task.query).text)
                    for task in tasks
                    if task.language == language
                ),
                3,
            )
            for language in LANGUAGES
        }
        for name, channel in channels.items()
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Print one row a catalog, or one a catalog and variant."""
    parser = argparse.ArgumentParser(description="Recall of the research retriever on dev.")
    parser.add_argument("--ablate", action="store_true", help="also without each part")
    parser.add_argument("--json", action="store_true", help="print JSON lines")
    parser.add_argument("--misses", action="store_true", help="list what is not among the five")
    options = parser.parse_args(arguments)
    tasks, catalogs = load_tasks(SPLIT), load_catalogs()
    found = {
        size: [event for task in tasks for event in events(task, catalog)]
        for size, catalog in catalogs.items()
    }
    variants = ABLATIONS if options.ablate else {"full": {}}
    if not options.json:
        print(f"{SPLIT}: {len(tasks)} tasks, {len(found[min(found)])} events a catalog, Recall@5")
        print(f"{'':34}{'static':>22}{'state-aware':>22}{'first step':>22}")
    for name, changes in variants.items():
        numbers = replace(RetrieverParameters(), **changes)
        rows = {size: measure(catalogs[size], found[size], numbers) for size in catalogs}
        if options.json:
            for size, row in rows.items():
                print(json.dumps({"variant": name, "catalog": size, **row}, ensure_ascii=False))
            continue
        cells = [
            " / ".join(f"{row[key]:.3f}" for row in rows.values())
            for key in ("static", "state_aware", "first_step")
        ]
        print(f"{name:34}" + "".join(f"{cell:>22}" for cell in cells))
        if options.misses:
            for size, row in rows.items():
                for miss in row["misses"]:
                    print(f"    {size}: {miss}")
        if name == "full":
            for size, row in rows.items():
                print(f"    {size}: first step by language {row['first_step_by_language']}")
                for channel, shares in coverage(catalogs[size], tasks).items():
                    print(f"    {size}: coverage of the channel {channel!r} {shares}")


if __name__ == "__main__":
    main()

"""Non-interference, checked again on what was logged (protocol, section 3).

States, retrieval queries and exposures must follow from the query and from what was called and
observed, and from nothing else. They are therefore made once more from just that; and one text over
one catalog must have had one ranking, whatever the task, the condition and the gold.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from conditions.error import StateError
from conditions.exposure import ConditionParameters
from conditions.state import State, empty_state, render_query, state_json, update_state
from gates.finding import episode_name
from gates.metric_table import PROGRESSIVE, STATE_AWARE
from gates.results import EpisodeRows, Row
from harness.grid import EpisodeKey
from router.canonical import sha256_hex
from router.snapshot import CatalogSnapshot
from surface.catalog import Catalog
from surface.task import Task

FULL: Final = "FULL"
ORACLE: Final = "ORACLE"
_REACHED: Final = frozenset({"not_found", "step", "repeat", "example"})


def interferences(
    episodes: Mapping[EpisodeKey, EpisodeRows],
    tasks: Mapping[str, Task],
    catalogs: Mapping[int, Catalog],
    parameters: ConditionParameters,
) -> Iterator[str]:
    """Yield every state, retrieval query, ranking and exposure that does not follow.

    Parameters
    ----------
    episodes
        The verified rows by key.
    tasks, catalogs
        The surface that the study ran on.
    parameters
        The numbers of the study's conditions.
    """
    rankings: dict[tuple[int, str], str] = {}
    for key, item in episodes.items():
        task, catalog = tasks[key.task_id], catalogs[key.catalog_size]
        check = _Check(key.condition, task, catalog.snapshot, parameters)
        for row in item.transitions:
            where = f"episode {episode_name(key)}, turn {row['turn']}"
            yield from (f"{where}: {text}" for text in check.row(row, _decision(item, row)))
            query, ranking = row["retrieval_query_sha256"], row["ranking_sha256"]
            if query and rankings.setdefault((key.catalog_size, query), ranking) != ranking:
                yield f"{where}: its retrieval query has another ranking elsewhere"
        yield from (f"episode {episode_name(key)}: {text}" for text in check.episode(item))


def _decision(item: EpisodeRows, row: Row) -> str | None:
    first = [turn["calls"][0] for turn in item.turns if turn["turn"] == row["turn"]]
    return first[0]["decision"] if first else None


@dataclass
class _Check:
    """Makes one episode's states and queries again."""

    condition: str
    task: Task
    snapshot: CatalogSnapshot
    parameters: ConditionParameters
    refreshes: int = 0
    state: State = field(init=False)
    query: str | None = field(init=False, default=None)
    """Hash of the retrieval query in force."""

    def __post_init__(self) -> None:
        self.state = empty_state(self.task.query)
        if self.condition not in {FULL, ORACLE}:
            self.query = sha256_hex(self.task.query.encode())

    def row(self, row: Row, decision: str | None) -> Iterator[str]:
        """Check a state, and what was retrieved and exposed for it."""
        if row["turn"] and not self._update(row, decision):
            yield "what was called and observed makes no state"
        if state_json(self.state) != row["state"]:
            yield "the state does not follow from what was called and observed"
        if row["turn"] and self.condition == STATE_AWARE:
            self._refresh(row)
        if row["retrieval_query_sha256"] != self.query:
            yield "the retrieval query is not made of query and state"
        yield from self._exposed(row)

    def episode(self, item: EpisodeRows) -> Iterator[str]:
        """Check what an episode's rows say of its task, its retrievals and its gold trace."""
        episode, task = item.episode, self.task
        of_task = ("stratum", "language", "required_steps", "gold_required_routes")
        facts = [task.stratum, task.language, len(task.steps), list(task.required_routes)]
        if [episode[name] for name in of_task] != facts:
            yield "its row is not that of its task"
        calls = self.refreshes + (self.query is not None)
        if (episode["retrieval_calls"], episode["refreshes"]) != (calls, self.refreshes):
            yield "its retrieval calls are not those of its turns"
        required = [row["gold_next_route"] for row in (*item.transitions, *item.traces)]
        routes = [step.route for step in task.steps]
        by_step = dict(enumerate(routes))
        states = [by_step.get(row["completed_steps"]) for row in item.transitions]
        if required != [*states, *routes]:
            yield "its required routes are not those of its task"
        for row in item.traces:
            yield from (f"gold trace, step {row['step']}: {text}" for text in self._exposed(row))
            refreshed = self.condition == STATE_AWARE and row["step"] > 1
            if not refreshed and row["ranking_head"] != item.transitions[0]["ranking_head"]:
                yield f"gold trace, step {row['step']}: the ranking is not the query's"

    def _update(self, row: Row, decision: str | None) -> bool:
        """Make the state after a turn; False where there is none."""
        route, text = row["route"] or "", row["observation"]
        try:
            observation = None if text is None else json.loads(text)
            if not isinstance(observation, dict | None):
                return False
            self.state = update_state(
                self.state,
                endpoint=self.snapshot.endpoint(route) if route in self.snapshot else None,
                route_id=route,
                observation=observation,
                status=row["status"],
                error=row["error"],
                reached=decision in _REACHED,
                task_incomplete=row["completed_steps"] < len(self.task.steps),
            )
        except (StateError, ValueError):
            return False
        return True

    def _refresh(self, row: Row) -> None:
        if row["turns_remaining"] >= 1 and self.refreshes < self.parameters.max_refreshes:
            self.refreshes += 1
            self.query = sha256_hex(render_query(self.state).encode())

    def _exposed(self, row: Row) -> Iterator[str]:
        """Check what was exposed, and where the required route stood."""
        if tuple(row["exposure"]) not in self._exposures(row):
            yield "the exposure is not what the condition makes of the ranking"
        head, route, rank = row["ranking_head"], row["gold_next_route"], row["gold_next_rank"]
        expected = head.index(route) + 1 if route in head else None
        beyond = expected is None and rank is not None and rank > len(head) > 0
        if rank != expected and not beyond:
            yield "the required route has another rank"

    def _exposures(self, row: Row) -> list[tuple[str, ...]]:
        """Return what the condition may expose; its own exposure where the log does not tell."""
        if self.condition == FULL:
            return [self.snapshot.routes]
        if self.condition == ORACLE:
            return [tuple(sorted(self.task.required_routes))]
        progressive = self.condition == PROGRESSIVE
        widths = self.parameters.stages if progressive else (self.parameters.top_k,)
        head, found = row["ranking_head"], []
        for width in widths:
            if width is None or width >= len(self.snapshot.routes):
                found.append(self.snapshot.routes)
            elif width <= len(head):
                found.append(tuple(sorted(head[:width])))
            else:
                found.append(tuple(row["exposure"]))
        return found

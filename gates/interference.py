"""Non-interference, checked again on what was logged (protocol, section 3).

States, retrieval queries, rankings and exposures must follow from the query and from what was
called and observed, and from nothing else. They are therefore made once more from just that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from conditions.error import StateError
from conditions.state import State, empty_state, state_json, update_state
from gates.check import Check
from gates.consistency import Episodes, called
from gates.exposure import ExposureRule
from gates.finding import episode_name
from gates.reranking import Rankings, logged_otherwise
from gates.results import EpisodeRows, Row
from gates.setting import Setting
from harness.grid import EpisodeKey
from harness.strict_json import strict_json
from router.canonical import canonical_json, sha256_hex
from surface.catalog import Catalog
from surface.task import Task

_REACHED: Final = frozenset({"not_found", "step", "repeat", "example"})

CHECKS: Final = ("states", "retrieval queries", "rankings", "exposures", "budgets")

_MAKES_NOTHING: Final = object()


def non_interference(episodes: Episodes, setting: Setting, rankings: Rankings) -> tuple[Check, ...]:
    """Check states, retrieval queries, rankings, exposures and budgets.

    Where one does not follow, what would follow from it is not told as well.
    """
    found: dict[str, list[str]] = {name: [] for name in CHECKS}
    counts = dict.fromkeys(CHECKS, 0)
    for key, item in episodes.items():
        replay = _Replay(key, item, setting, rankings)
        for name, where, text in replay.run():
            found[name].append(f"episode {episode_name(key)}{where}: {text}")
        counts["states"] += len(item.transitions)
        counts["retrieval queries"] += replay.rule.retrieval_calls
        counts["exposures"] += len(item.turns) + len(item.transitions)
    counts["rankings"], counts["budgets"] = len(rankings.known), len(episodes)
    units = ("states", "retrievals", "strings", "exposures", "episodes")
    return tuple(
        Check.of(name, counts[name], unit, found[name])
        for name, unit in zip(CHECKS, units, strict=True)
    )


@dataclass
class _Replay:
    """Makes one episode's states, queries and exposures again."""

    key: EpisodeKey
    item: EpisodeRows
    setting: Setting
    rankings: Rankings
    task: Task = field(init=False)
    catalog: Catalog = field(init=False)
    state: State = field(init=False)
    rule: ExposureRule = field(init=False)

    def __post_init__(self) -> None:
        self.task = self.setting.tasks[self.key.task_id]
        self.catalog = self.setting.catalogs[self.key.catalog_size]
        self.state = empty_state(self.task.query)
        self.rule = ExposureRule(
            self.key.condition,
            self.catalog.snapshot.routes,
            self.task.required_routes,
            self.setting.exposure,
            self.task.query,
        )

    def run(self) -> Iterator[tuple[str, str, str]]:
        """Yield the check, the place and the text of every finding."""
        rows = {row["turn"]: row for row in self.item.transitions}
        last = rows[0]
        yield from self._row(last)
        for turn in self.item.turns:
            exposed = self.rule.exposed(self._ranking().routes)
            if self._follows(last) and list(turn["exposure"]) != exposed:
                yield "exposures", f", turn {turn['turn']}", "it exposes something else"
            if called(turn):
                last = rows[turn["turn"]]
                yield from self._tool_turn(turn, last)
            else:
                incomplete = last["completed_steps"] < len(self.task.steps)
                self.rule.after_idle(incomplete=incomplete)
        yield from self._budgets()

    def _ranking(self) -> Any:
        return self.rankings.of(self.key.catalog_size, self.rule.text)

    def _follows(self, row: Row) -> bool:
        """Whether the logged retrieval is the one that follows; else all behind it differs."""
        return bool(row["retrieval_query_sha256"] == _sha256(self.rule.text))

    def _tool_turn(self, turn: Row, row: Row) -> Iterator[tuple[str, str, str]]:
        if not self._update(row, turn["calls"][0]["decision"]):
            where = f", turn {row['turn']}"
            yield "states", where, "what was called and observed makes no state"
        failed = row["status"] in {"error", "blocked"}
        self.rule.after_call(self.state, failed=failed, remaining=row["turns_remaining"])
        yield from self._row(row)

    def _row(self, row: Row) -> Iterator[tuple[str, str, str]]:
        """Check a state, and what was retrieved and exposed for it."""
        where = f", turn {row['turn']}"
        if state_json(self.state) != row["state"]:
            yield "states", where, "the state does not follow from what was called and observed"
        if not self._follows(row):
            text = "the retrieval query is not made of query and state"
            yield "retrieval queries", where, text
            return
        ranking = self._ranking()
        if logged_otherwise(row, ranking):
            yield "rankings", where, "the retriever ranks otherwise"
        if list(row["exposure"]) != self.rule.exposed(ranking.routes):
            text = "the exposure is not what the condition makes of the ranking"
            yield "exposures", where, text

    def _update(self, row: Row, decision: str) -> bool:
        """Make the state after a turn; False where there is none."""
        route, observation = row["route"] or "", observed(row["observation"])
        if observation is _MAKES_NOTHING:
            return False
        snapshot = self.catalog.snapshot
        try:
            self.state = update_state(
                self.state,
                endpoint=snapshot.endpoint(route) if route in snapshot else None,
                route_id=route,
                observation=observation,
                status=row["status"],
                error=row["error"],
                reached=decision in _REACHED,
                task_incomplete=row["completed_steps"] < len(self.task.steps),
            )
        except StateError:
            return False
        return True

    def _budgets(self) -> Iterator[tuple[str, str, str]]:
        episode, rule = self.item.episode, self.rule
        logged = (episode["retrieval_calls"], episode["refreshes"])
        if logged != (rule.retrieval_calls, rule.refreshes):
            yield "budgets", "", "its retrieval calls are not those of its turns"
        if len(self.item.turns) > self.setting.max_turns:
            yield "budgets", "", f"it has more than {self.setting.max_turns} turns"


# The arms of a task observe the same, and two checks read each observation; nobody changes it.
@lru_cache(maxsize=1024)
def observed(text: str | None) -> Any:
    """Return a logged observation; what is no canonical JSON of an object equals nothing."""
    if text is None:
        return None
    try:
        value = strict_json(text)
        canonical = canonical_json(value).decode()
    except ValueError:
        return _MAKES_NOTHING
    return value if isinstance(value, dict) and canonical == text else _MAKES_NOTHING


def _sha256(text: str | None) -> str | None:
    return None if text is None else sha256_hex(text.encode())

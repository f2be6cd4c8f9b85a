"""The episodes as the report's browser reads them: compact, and never with measured times.

Values stand once, in pools, and are named by their place; place 0 is that of nothing. Turns of all
episodes follow each other in one table of columns. The script that reads it is ``browser.js``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from gates.counts import failure_cause
from gates.report.browser_pool import Pool
from gates.report.browser_sample import sampling_order
from gates.report.browser_state import changes
from gates.report.words import LANGUAGE_WORDS, STRATUM_WORDS
from gates.results import EpisodeRows, Row
from harness.grid import EpisodeKey
from harness.toolname import tool_name
from surface.task import LANGUAGES, STRATA, Task

BUDGET: Final = 3_500_000
"""Bytes of JSON. The page has 5 MB, and its other parts take less than the rest."""

LONGEST: Final = 2_000
"""Characters of a text that are kept: a model that raves would push other episodes out."""

OUTCOMES: Final[Mapping[str, str]] = {
    "passed": "Every step was done, and no prompt overflowed the agent's context.",
    "not_exposed": "No prompt showed the tool of the first step that was never done.",
    "not_called": "The tool was shown and not called before turns or context ran out.",
    "wrong_arguments": "The tool was called while it was shown, and not as the step asks.",
    "stopped_early": "The tool was shown, and the agent ended the episode without calling it.",
}
"""How an episode came out, passed or why it failed (`gates.counts.failure_cause`), in words."""

_OUTCOMES: Final = tuple(OUTCOMES)

ACCEPTED, MALFORMED, ADVANCED, PARALLEL = 1, 2, 4, 1
"""Bits of the flags of a turn (the first three) and of a call."""

_EPISODE: Final = (
    "task", "catalog", "condition", "outcome", "ending", "missed", "completed", "completed_at",
    "turns",
)  # fmt: skip
_TURN: Final = (
    "exposure", "head", "needed", "rank", "schema_tokens", "input_tokens", "flags", "text", "calls",
    "observation", "changes",
)  # fmt: skip


def browser_data(
    study: Mapping[str, Any],
    episodes: Mapping[EpisodeKey, EpisodeRows],
    tasks: Mapping[str, Task],
    *,
    budget: int = BUDGET,
) -> dict[str, Any]:
    """Return what the episode browser shows.

    Parameters
    ----------
    study
        The study's section of the configuration, for the order of conditions and catalogs.
    episodes
        The verified rows by key.
    tasks
        The study's tasks by id.
    budget
        Bytes that `browser_json` of the data may take. A larger study is sampled by task, see
        `gates.report.browser_sample`; ``counts`` says how many tasks and episodes are held.

    Returns
    -------
    dict
        Ready for JSON, and the same for the same rows, but for their measured times.
    """
    order = sampling_order(tasks, {key.task_id for key in episodes})
    kept = len(order)
    while True:
        data = _encoded(study, episodes, tasks, order[:kept])
        size = len(browser_json(data).encode())
        if size <= budget or kept == 0:
            return data
        # Tasks differ in size, so that the share may miss; each round takes at least one away.
        kept = min(kept - 1, kept * budget // size)


def browser_json(data: Mapping[str, Any]) -> str:
    """Return data as JSON that can stand in a script element: it holds no ``<``."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _encoded(
    study: Mapping[str, Any],
    episodes: Mapping[EpisodeKey, EpisodeRows],
    tasks: Mapping[str, Task],
    kept: Sequence[str],
) -> dict[str, Any]:
    asked = [tasks[name] for name in sorted({key.task_id for key in episodes})]
    axes = {
        "conditions": list(study["conditions"]),
        "catalogs": list(study["catalogs"]),
        "strata": _ordered((task.stratum for task in asked), STRATA),
        "languages": _ordered((task.language for task in asked), LANGUAGES),
    }
    writer = _Writer(axes)
    places = {name: place for place, name in enumerate(sorted(kept))}
    held = [key for key in episodes if key.task_id in places]
    # As the study names its conditions, not as they are spelled.
    for key in sorted(held, key=lambda key: (*key[:2], axes["conditions"].index(key.condition))):
        writer.episode(key, episodes[key], places[key.task_id])
    return {
        **axes,
        "outcomes": list(OUTCOMES),
        "meanings": dict(OUTCOMES),
        "words": {
            name: word
            for name, word in (STRATUM_WORDS | LANGUAGE_WORDS).items()
            if name in axes["strata"] or name in axes["languages"]
        },
        "counts": {
            "tasks": len(kept),
            "all_tasks": len(asked),
            "episodes": len(held),
            "all_episodes": len(episodes),
        },
        "tasks": [writer.task(tasks[name]) for name in places],
        "episodes": writer.episodes,
        "turns": writer.turns,
        "texts": writer.texts.values,
        "lists": writer.lists.values,
        "calls": writer.calls.values,
        "changes": writer.changes.values,
    }


@dataclass
class _Writer:
    axes: Mapping[str, list[Any]]
    texts: Pool = field(default_factory=Pool)
    lists: Pool = field(default_factory=Pool)
    """Lists of places, of texts, calls or changes."""
    calls: Pool = field(default_factory=Pool)
    changes: Pool = field(default_factory=Pool)
    episodes: dict[str, list[int]] = field(default_factory=lambda: {name: [] for name in _EPISODE})
    turns: dict[str, list[int]] = field(default_factory=lambda: {name: [] for name in _TURN})

    def task(self, task: Task) -> dict[str, Any]:
        return {
            "id": task.id,
            "stratum": self.axes["strata"].index(task.stratum),
            "language": self.axes["languages"].index(task.language),
            "query": task.query,
            "gloss": task.gloss,
            "steps": [self.texts.place(step.route) for step in task.steps],
        }

    def episode(self, key: EpisodeKey, item: EpisodeRows, task: int) -> None:
        row = item.episode
        outcome = "passed" if row["task_pass"] else failure_cause(item)
        _append(
            self.episodes,
            task=task,
            catalog=self.axes["catalogs"].index(key.catalog_size),
            condition=self.axes["conditions"].index(key.condition),
            outcome=_OUTCOMES.index(outcome),
            ending=self.texts.place(row["ending"]),
            missed=len(set(row["gold_required_routes"]) - set(row["initial_exposure"])),
            completed=row["completed_steps"],
            completed_at=row["completed_at_turn"] or 0,
            turns=len(item.turns),
        )
        after = {state["turn"]: state for state in item.transitions}
        in_force = after[0]
        for turn in item.turns:
            self._turn(turn, in_force, after.get(turn["turn"]))
            in_force = after.get(turn["turn"], in_force)

    def _turn(self, turn: Row, before: Row, after: Row | None) -> None:
        advanced = after is not None and after["advanced"]
        flags = ACCEPTED * turn["accepted"] | MALFORMED * turn["malformed"] | ADVANCED * advanced
        changed = () if after is None else changes(before["state"], after["state"])
        _append(
            self.turns,
            exposure=self._routes(turn["exposure"]),
            head=self._routes(before["ranking_head"]),
            needed=self.texts.place(turn["gold_next_route"]),
            rank=before["gold_next_rank"] or 0,
            schema_tokens=turn["schema_tokens"],
            input_tokens=turn["input_tokens"],
            flags=flags,
            text=self._long(turn["text"]),
            calls=self._list(self.calls.place(self._call(call)) for call in turn["calls"]),
            observation=0 if after is None else self._long(after["observation"]),
            changes=self._list(
                self.changes.place(
                    (
                        self.texts.place(change.name),
                        tuple(map(self._long, change.removed)),
                        tuple(map(self._long, change.added)),
                    )
                )
                for change in changed
            ),
        )

    def _call(self, call: Row) -> tuple[int, ...]:
        """Return route, name where it is not the route's own, arguments and what came of it."""
        proper = call["name"] == tool_name(call["route"])
        return (
            self.texts.place(call["route"]),
            0 if proper else self._long(call["name"]),
            self._long(call["arguments"]),
            self.texts.place(call["decision"]),
            self.texts.place(call["status"]),
            self._long(call["error"]),
            PARALLEL * call["parallel"],
            # Approvals are counted from 0, and 0 is nothing.
            0 if call["approval"] is None else call["approval"] + 1,
        )

    def _routes(self, routes: Iterable[str]) -> int:
        return self._list(map(self.texts.place, routes))

    def _list(self, places: Iterable[int]) -> int:
        return self.lists.place(tuple(places) or None)

    def _long(self, text: str | None) -> int:
        if text is not None and len(text) > LONGEST:
            text = f"{text[:LONGEST]}… (cut here: the table has {len(text):,} characters)"
        return self.texts.place(text)


def _ordered(found: Iterable[str], known: Sequence[str]) -> list[str]:
    """Return different names in the order of those that are known, and then of their spelling."""
    places = {name: place for place, name in enumerate(known)}
    return sorted(set(found), key=lambda name: (places.get(name, len(places)), name))


def _append(columns: Mapping[str, list[int]], **values: int) -> None:
    for name, value in values.items():
        columns[name].append(value)

"""Gold traces, followed once more: what was exposed to an agent that makes no mistakes (section 5).

Of a step, its route and what it answers are read; nothing is executed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from conditions.state import empty_state, update_state
from gates.check import Check
from gates.consistency import Episodes
from gates.exposure import ExposureRule
from gates.finding import episode_name
from gates.reranking import Rankings, logged_otherwise
from gates.results import Row
from gates.setting import Setting
from harness.grid import EpisodeKey
from router.canonical import sha256_hex


def gold_traces(episodes: Episodes, setting: Setting, rankings: Rankings) -> Check:
    """Check every step's retrieval, ranking and exposure."""
    return Check.of(
        "gold traces",
        sum(len(item.traces) for item in episodes.values()),
        "steps",
        (
            f"episode {episode_name(key)}, step {step}: {text}"
            for key, item in episodes.items()
            for step, text in _followed(key, item.traces, setting, rankings)
        ),
    )


def _followed(
    key: EpisodeKey, traces: Sequence[Row], setting: Setting, rankings: Rankings
) -> Iterator[tuple[int, str]]:
    task, snapshot = setting.tasks[key.task_id], setting.catalogs[key.catalog_size].snapshot
    state = empty_state(task.query)
    rule = ExposureRule(
        key.condition, snapshot.routes, task.required_routes, setting.exposure, task.query
    )
    for number, (step, row) in enumerate(zip(task.steps, traces, strict=True), start=1):
        text = rule.text
        if row["retrieval_query_sha256"] != (text and sha256_hex(text.encode())):
            yield number, "the retrieval query is not made of query and gold state"
            return
        ranking = rankings.of(key.catalog_size, text)
        if logged_otherwise(row, ranking):
            yield number, "the retriever ranks otherwise"
        if list(row["exposure"]) != rule.exposed(ranking.routes):
            yield number, "the exposure is not what the condition makes of the ranking"
        endpoint = snapshot.endpoint(step.route)
        completed = "ok" if endpoint.output_fields else "executed"
        state = update_state(
            state,
            endpoint=endpoint,
            route_id=step.route,
            observation=step.observation,
            status=completed if step.error is None else "error",
            error=step.error,
            reached=True,
            task_incomplete=number < len(task.steps),
        )
        rule.after_call(state, failed=step.error is not None, remaining=setting.max_turns - number)

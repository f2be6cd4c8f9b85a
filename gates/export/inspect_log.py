"""Episodes as logs of Inspect, so that `inspect view` opens them.

One log a condition and catalog, a sample a task, written by Inspect's own writer. The figures over
all samples are those of the terminal record: a pooled recall is no mean of the samples' recalls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalMetric,
    EvalResults,
    EvalSample,
    EvalScore,
    EvalSpec,
    EvalStats,
    write_eval_log,
)
from inspect_ai.model import ChatMessageAssistant, ModelOutput
from inspect_ai.scorer import Score

from gates.counts import failure_cause
from gates.export.inspect_message import chat_messages, stable_id
from gates.finished import Finished
from gates.metric_table import METRICS
from gates.results import EpisodeRows
from gates.summary import answered
from harness.grid import EpisodeKey

SCORES: Final = (
    "task_pass",
    "state_completion",
    "next_tool_recall_at_5",
    "initial_miss",
    "recovery_after_initial_miss",
    "harm",
    "tool_schema_tokens",
    "input_tokens",
    "model_turns",
    "tool_calls",
    "failed_executions",
    "unauthorized_destructive_executions",
    "policy_integrity",
)
"""The metrics that a sample is scored by; one that is undefined for it is left out."""

_SHOWN: Final = 10
"""Routes of an exposure that a sample lists; of a wider one it says the number."""


def write_logs(finished: Finished, folder: Path) -> None:
    """Write every log of a study into a folder.

    Raises
    ------
    OSError
        If the disk refuses.
    """
    for log in logs(finished):
        spec = log.eval
        write_eval_log(log, folder / f"{spec.task}.eval", format="eval")


def logs(finished: Finished) -> Iterator[EvalLog]:
    """Yield the log of every condition and catalog."""
    places = {key: place for place, key in enumerate(finished.tally.keys)}
    for condition in finished.conditions:
        for size in sorted(finished.catalogs):
            keys = [key for key in places if (key.condition, key.catalog_size) == (condition, size)]
            yield _log(finished, condition, size, [(key, places[key]) for key in keys])


def _log(
    finished: Finished, condition: str, size: int, episodes: Sequence[tuple[EpisodeKey, int]]
) -> EvalLog:
    record, when = finished.results.record, finished.ended.isoformat()
    task, model = f"{record.study}_{condition}_{size}", _model(record.agent)
    about = {
        "label": finished.label,
        "answered": answered(finished.terminal),
        "evidence": record.evidence,
        "development": record.development,
        "study": record.study,
        "split": record.split,
        "condition": condition,
        "catalog_size": size,
        "identity": record.identity,
        "digest": finished.results.digest,
        "agent": dict(record.agent),
    }
    return EvalLog(
        status="success",
        eval=EvalSpec(
            eval_id=stable_id(record.identity, task),
            run_id=stable_id(record.identity),
            task_id=stable_id(record.identity, task, "task"),
            created=when,
            task=task,
            task_description=f"{answered(finished.terminal)}; split {record.split}",
            dataset=EvalDataset(
                name=f"{record.study}/{record.split}",
                samples=len(episodes),
                sample_ids=[key.task_id for key, _ in episodes],
                shuffled=False,
            ),
            model=model,
            config=EvalConfig(epochs=1),
            tags=[finished.label],
            metadata=about,
        ),
        results=EvalResults(
            total_samples=len(episodes),
            completed_samples=len(episodes),
            scores=_results(finished, condition, size),
        ),
        stats=EvalStats(started_at=when, completed_at=when),
        samples=[_sample(finished, key, place, model) for key, place in episodes],
    )


def _results(finished: Finished, condition: str, size: int) -> list[EvalScore]:
    figures = finished.terminal["metrics"][condition]["catalog"][str(size)]
    counts = finished.terminal["denominators"][condition]["catalog"][str(size)]
    return [
        EvalScore(
            name=name,
            scorer=name,
            metrics={"value": EvalMetric(name="value", value=figures[name])},
            metadata={"unit": METRICS[name].unit, "of": counts[name]},
        )
        for name in SCORES
        if figures[name] is not None
    ]


def _sample(finished: Finished, key: EpisodeKey, place: int, model: str) -> EvalSample:
    item, task = finished.results.episodes[key], finished.tasks[key.task_id]
    episode = item.episode
    messages = list(chat_messages(finished, key))
    said = [message.text for message in messages if isinstance(message, ChatMessageAssistant)]
    return EvalSample(
        id=key.task_id,
        epoch=1,
        uuid=stable_id(finished.results.record.identity, *map(str, key)),
        input=task.query,
        target=list(episode["gold_required_routes"]),
        messages=messages,
        output=ModelOutput(
            model=model, completion=said[-1] if said else "", time=episode["model_ms"] / 1000
        ),
        scores=_scores(finished, place, item, answer=said[-1] if said else ""),
        metadata={
            "label": finished.label,
            "stratum": episode["stratum"],
            "language": episode["language"],
            "gloss": task.gloss,
            "ending": episode["ending"],
            "required_steps": episode["required_steps"],
            "completed_steps": episode["completed_steps"],
            "turns": [_exposed(turn) for turn in item.turns],
        },
        total_time=episode["wall_latency_ms"] / 1000,
    )


def _exposed(turn: Mapping[str, Any]) -> dict[str, Any]:
    exposure = list(turn["exposure"])
    return {
        "turn": turn["turn"],
        "accepted": turn["accepted"],
        "exposed": len(exposure),
        "exposure": exposure if len(exposure) <= _SHOWN else None,
        "required_route": turn["gold_next_route"],
        "schema_tokens": turn["schema_tokens"],
        "decisions": [call["decision"] for call in turn["calls"]],
    }


def _scores(finished: Finished, place: int, item: EpisodeRows, *, answer: str) -> dict[str, Score]:
    value = "C" if item.episode["task_pass"] else "I"
    scores = {"task_pass": Score(value=value, answer=answer, explanation=_why(item))}
    for name in SCORES[1:]:
        metric = METRICS[name]
        below = finished.count(metric.denominator, place)
        if below:
            scores[name] = Score(value=finished.count(metric.numerator, place) / below)
    return scores


def _why(item: EpisodeRows) -> str:
    ending = f"ended by {item.episode['ending']}"
    return ending if item.episode["task_pass"] else f"{ending}; {failure_cause(item)}"


def _model(agent: Mapping[str, Any]) -> str:
    """Return what answered as Inspect writes models, such as ``openai/SmolLM3-3B``."""
    names = [agent["kind"], str(agent.get("model", "")).rpartition("/")[2]]
    return "/".join(name for name in names if name)

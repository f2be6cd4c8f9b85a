"""From the rows of an episode to its counts, the columns of `gates.metric_table`."""

from __future__ import annotations

from collections.abc import Mapping

from gates.audit import AuditCounts
from gates.metric_table import CAUSES, ENDINGS, PROGRESSIVE, STATE_AWARE
from gates.results import EpisodeRows, Row
from harness.grid import EpisodeKey

FULL = "FULL"
_FIVE = 5


def count_episodes(
    episodes: Mapping[EpisodeKey, EpisodeRows], audits: Mapping[EpisodeKey, AuditCounts]
) -> dict[str, list[int]]:
    """Count every episode.

    Parameters
    ----------
    episodes
        The verified rows by key.
    audits
        What the auditor found, by key.

    Returns
    -------
    dict
        One list a column, in the order of `episodes`.
    """
    columns: dict[str, list[int]] = {}
    for key, item in episodes.items():
        state_aware = episodes[key._replace(condition=STATE_AWARE)]
        progressive = episodes[key._replace(condition=PROGRESSIVE)]
        counts = (
            _outcome(item)
            | _recall(key.condition, item)
            | _recovery(item, common=bool(_missing(state_aware.episode)))
            | _costs(item)
            | _catalog(key, item, progressive)
            | vars(audits[key])
        )
        for name, value in counts.items():
            columns.setdefault(name, []).append(int(value))
    return columns


def _outcome(item: EpisodeRows) -> dict[str, int]:
    episode = item.episode
    passed, ending = episode["task_pass"], episode["ending"]
    cause = None if passed else failure_cause(item)
    return {
        "passes": passed,
        "completed_steps": episode["completed_steps"],
        "required_steps": episode["required_steps"],
        **{f"ending_{name}": ending == name for name in ENDINGS},
        **{f"failed_{name}": not passed and ending == name for name in ENDINGS},
        **{f"cause_{name}": cause == name for name in CAUSES},
    }


def failure_cause(item: EpisodeRows) -> str:
    """Return why an episode failed, by what happened to the step that it never passed.

    ``not_exposed``: no accepted prompt of that step held its route; ``wrong_arguments``: the route
    was called while it was exposed; ``stopped_early``: it was exposed and the agent ended the
    episode; ``not_called``: it was exposed, and the turns or the context ran out.

    Where the last turn passed the step before, no prompt followed: what it would have held decides.
    A task that was complete when its context overflowed counts as ``not_exposed``, since it failed
    by a prompt that exposed nothing.
    """
    arrived = max((row["turn"] for row in item.transitions if row["advanced"]), default=0)
    route = item.transitions[-1]["gold_next_route"]
    turns = [row for row in item.turns if row["turn"] > arrived]
    shown = [row for row in turns if row["accepted"] and route in row["exposure"]]
    if not (shown if turns else route in item.transitions[-1]["exposure"]):
        return "not_exposed"
    if any(
        not row["malformed"] and row["calls"] and row["calls"][0]["route"] == route for row in shown
    ):
        return "wrong_arguments"
    ran_out = item.episode["ending"] in {"turn_limit", "overflow"}
    return "not_called" if ran_out else "stopped_early"


def _five(condition: str, row: Row) -> tuple[str, ...] | None:
    """Return the routes that count as the five of a transition; None where undefined."""
    if condition == FULL:
        return None
    return tuple(row["ranking_head"][:_FIVE] if condition == PROGRESSIVE else row["exposure"])


def _recall(condition: str, item: EpisodeRows) -> dict[str, int]:
    names = ("", "_first_arrivals", "_first_step", "_after_ok", "_after_executed", "_after_error")
    counts = {f"next_tool_{kind}{name}": 0 for kind in ("events", "hits") for name in names}
    overflowed = {row["turn"] for row in item.turns if not row["accepted"]}
    for row in item.transitions:
        five, route = _five(condition, row), row["gold_next_route"]
        if five is None or route is None or row["turns_remaining"] < 1:
            continue
        # A prompt that overflowed exposes nothing (protocol, section 2); a ranking stands anyway.
        hit = route in five and (condition == PROGRESSIVE or row["turn"] + 1 not in overflowed)
        for name in _variants(row):
            counts[f"next_tool_events{name}"] += 1
            counts[f"next_tool_hits{name}"] += hit
    traces = [] if condition == FULL else list(item.traces)
    counts["gold_trace_events"] = len(traces)
    counts["gold_trace_hits"] = sum(
        row["gold_next_route"] in (_five(condition, row) or ()) for row in traces
    )
    return counts


def _variants(row: Row) -> tuple[str, ...]:
    if row["turn"] == 0:
        return ("_first_step",)
    after = {"ok": ("_after_ok",), "executed": ("_after_executed",), "error": ("_after_error",)}
    return (
        "",
        *(("_first_arrivals",) if row["advanced"] else ()),
        *after.get(row["status"], ()),
    )


def _missing(episode: Row) -> set[str]:
    return set(episode["gold_required_routes"]) - set(episode["initial_exposure"])


def _recovery(item: EpisodeRows, *, common: bool) -> dict[str, int]:
    episode = item.episode
    missing = _missing(episode)
    accepted = [row for row in item.turns if row["accepted"]]
    later = {route for row in accepted for route in row["exposure"]}
    in_time = {
        row["gold_next_route"] for row in accepted if row["gold_next_route"] in row["exposure"]
    }
    recovered = bool(missing) and missing <= later
    held = set(episode["gold_required_routes"]) - missing
    counts = {
        "recoveries": recovered,
        "recoveries_in_time": bool(missing) and missing <= in_time,
        "recoveries_passed": recovered and episode["task_pass"],
    }
    return {
        "initial_misses": bool(missing),
        "common_misses": bool(missing) and common,
        **counts,
        **{f"common_{name}": value and common for name, value in counts.items()},
        "harm_at_risk": bool(held),
        # Whether or not the prompt then fits: what harms is that the condition dropped the route.
        "harmed": any(
            row["gold_next_route"] in held and row["gold_next_route"] not in row["exposure"]
            for row in item.turns
        ),
    }


def _costs(item: EpisodeRows) -> dict[str, int]:
    episode = item.episode
    accepted = [row for row in item.turns if row["accepted"]]
    last = episode["completed_at_turn"]
    needed = [row for row in accepted if last is None or row["turn"] <= last]
    called = [row for row in accepted if row["calls"] and not row["malformed"]]
    return {
        "unique_candidates_exposed": len({r for row in accepted for r in row["exposure"]}),
        "tool_schema_tokens": sum(row["schema_tokens"] for row in accepted),
        "input_tokens": sum(row["input_tokens"] for row in accepted),
        "tool_schema_tokens_to_completion": sum(row["schema_tokens"] for row in needed),
        "input_tokens_to_completion": sum(row["input_tokens"] for row in needed),
        "overflow_tokens": sum(row["input_tokens"] for row in item.turns if not row["accepted"]),
        "retrieval_calls": episode["retrieval_calls"],
        "model_turns": len(accepted),
        "tool_calls": sum(len(row["calls"]) for row in called),
        "failed_executions": sum(
            row["calls"][0]["status"] in {"error", "blocked"} for row in called
        ),
    }


def _catalog(key: EpisodeKey, item: EpisodeRows, progressive: EpisodeRows) -> dict[str, int]:
    narrow = not _whole(progressive, key.catalog_size)
    tokens = sum(row["schema_tokens"] for row in item.turns if row["accepted"])
    return {
        "whole_catalog": _whole(item, key.catalog_size),
        "narrow_episodes": narrow,
        "narrow_tool_schema_tokens": tokens if narrow else 0,
    }


def _whole(item: EpisodeRows, size: int) -> bool:
    return any(row["accepted"] and len(row["exposure"]) == size for row in item.turns)

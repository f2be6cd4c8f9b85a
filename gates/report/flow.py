"""What became of initial misses: exposed later, called, passed."""

from __future__ import annotations

from dataclasses import dataclass

from gates.finished import Finished
from gates.report.words import share_shown
from gates.results import EpisodeRows


@dataclass(frozen=True)
class Stage:
    """How many episodes came so far."""

    words: str
    episodes: int
    share: str
    """Of the condition's initial misses."""
    width: float
    """Per cent of all its episodes."""


@dataclass(frozen=True)
class Flow:
    """One condition, each stage a part of the one before."""

    condition: str
    episodes: int
    stages: tuple[Stage, ...]


def flows(finished: Finished) -> tuple[Flow, ...]:
    """Follow the initial misses of every condition.

    An episode counts as *exposed* when every required route that its initial exposure lacked was
    exposed later (protocol, section 5), as *called* when each of these routes was then called
    while exposed, and as *passed* when it did so and passed.
    """
    return tuple(_flow(finished, condition) for condition in finished.conditions)


def _flow(finished: Finished, condition: str) -> Flow:
    reached = [
        _reached(item, finished.count("recoveries", place) > 0)
        for place, (key, item) in enumerate(finished.results.episodes.items())
        if key.condition == condition and finished.count("initial_misses", place)
    ]
    total = sum(key.condition == condition for key in finished.tally.keys)
    words = ("initial miss", "exposed later", "called", "passed")
    counts = [sum(stage >= depth for stage in reached) for depth in range(len(words))]
    return Flow(
        condition,
        total,
        tuple(
            Stage(text, count, share_shown(count, counts[0]), round(100 * count / total, 2))
            for text, count in zip(words, counts, strict=True)
        ),
    )


def _reached(item: EpisodeRows, exposed: bool) -> int:
    """Return the last stage that an episode with an initial miss reached."""
    episode = item.episode
    missing = set(episode["gold_required_routes"]) - set(episode["initial_exposure"])
    called = {
        call["route"]
        for turn in item.turns
        if turn["accepted"]
        for call in turn["calls"]
        if not call["parallel"] and call["route"] in turn["exposure"]
    }
    if not exposed:
        return 0
    if not missing <= called:
        return 1
    return 3 if episode["task_pass"] else 2

"""From verified results to the terminal record: count, estimate, decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from gates.audit import Audit
from gates.counts import count_episodes
from gates.design import Design, Sample
from gates.estimand import estimands
from gates.estimate import Plan
from gates.estimator import estimate
from gates.familiarity import familiarity
from gates.gate import Thresholds, decide
from gates.results import Results
from gates.sensitivity import sensitivity
from gates.terminal import Tally, terminal_record
from harness.folder import StudyFolder
from harness.grid import EpisodeKey, Shard
from harness.ledger import Ledger
from harness.manifest import StudyRecord
from surface.task import Task

Step: TypeAlias = Callable[[str], None]
"""Is told the name of each step of the work that is done, and never an outcome."""


def nobody(name: str) -> None:
    """Say nothing about a step."""


def terminal_of(
    results: Results,
    audited: Audit,
    tasks: Mapping[str, Task],
    attempts: Mapping[str, int],
    *,
    step: Step = nobody,
) -> dict[str, Any]:
    """Return the terminal record of verified and audited results: a function of these alone.

    Parameters
    ----------
    results
        The verified rows.
    audited
        What the auditor found in them.
    tasks
        The study's tasks by id.
    attempts
        How the attempts at the shards ended, see `attempts`.
    step
        Is told of each step.
    """
    study = results.record.config["study"]
    columns = count_episodes(results.episodes, audited.counts)
    tally = Tally(tuple(results.episodes), columns)
    sums = sample(tasks, tally)
    estimates = estimate(sums, estimands(study["conditions"]), plan(study["analysis"]))
    step("estimates")
    gate = decide(estimates, Thresholds.of(study["gate"]))
    beside = {
        **sensitivity(tally, estimates, sums, gate),
        "services": None if study.get("surface") else familiarity(tally, tasks),
    }
    step("analyses beside the gate")
    return terminal_record(results, tally, estimates, gate, beside, attempts)


def sample(tasks: Mapping[str, Task], tally: Tally) -> Sample:
    """Return the integer sums per task that every estimate is computed from."""
    keys: Sequence[EpisodeKey] = tally.keys
    return Sample.tally(
        Design.of_tasks(tasks.values()),
        [key.task_id for key in keys],
        [key.condition for key in keys],
        {name: list(values) for name, values in tally.columns.items()},
    )


def plan(analysis: Mapping[str, Any]) -> Plan:
    """Return the plan that a study's configuration describes."""
    return Plan(
        iterations=analysis["iterations"], seed=analysis["seed"], level=str(analysis["level"])
    )


def attempts(folder: StudyFolder, record: StudyRecord) -> Counter[str]:
    """Return how the attempts at a study's shards ended, by the ledger's word.

    Raises
    ------
    IntegrityError
        If a ledger is damaged.
    """
    return Counter(
        attempt.outcome
        for index in range(record.shards)
        for attempt in Ledger(folder.attempts(Shard(index, record.shards))).attempts()
    )

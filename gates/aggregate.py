"""From a study's folder to its terminal record: verify, audit, count, estimate, decide.

Nothing is computed from results before all of them are there and verified.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, TypeAlias

from gates.audit import Audit, audit
from gates.bundle_write import write_bundle
from gates.counts import count_episodes
from gates.design import Design, Sample
from gates.error import EstimationError
from gates.estimand import estimands
from gates.estimate import Plan
from gates.estimator import estimate
from gates.gate import Thresholds, decide
from gates.results import Results
from gates.sensitivity import sensitivity
from gates.terminal import Tally, terminal_record
from gates.verify import verify
from harness.disk import remove_whole, write_whole
from harness.error import InfrastructureError, IntegrityError, NotTerminalError
from harness.folder import StudyFolder
from harness.grid import EpisodeKey, Shard
from harness.ledger import Ledger
from harness.manifest import StudyRecord
from router.canonical import canonical_json
from surface.catalog import Catalog
from surface.task import Task

BUNDLE: Final = "bundle.zip"
"""The name of the bundle in a study's terminal folder."""


Step: TypeAlias = Callable[[str], None]
"""Is told the name of each step of the work that is done, and never an outcome."""


def _nobody(name: str) -> None:
    """Say nothing about a step."""


def aggregate(
    folder: StudyFolder,
    *,
    expected: StudyRecord,
    tasks: Mapping[str, Task],
    catalogs: Mapping[int, Catalog],
    lock: Path | None = None,
    surface: bytes | None = None,
    step: Step = _nobody,
) -> dict[str, Any]:
    """Compute the terminal record of a complete study and write it and its bundle to its folder.

    Parameters
    ----------
    folder
        Where the results lie.
    expected
        What this command computes for the study itself.
    tasks, catalogs
        The study's surface, for the grid and the auditor.
    lock
        The lock that the study was frozen with, if it was: it goes into the bundle.
    surface
        The surface that the study brings along, if it does: likewise.
    step
        Is told of each step.

    Returns
    -------
    dict
        The content of ``terminal.json``.

    Raises
    ------
    NotTerminalError
        If a shard is missing.
    IntegrityError
        If what is there is not what was written, or the results of a simulated agent.
    InfrastructureError, OSError
        If the plant fails.

    Notes
    -----
    A refusal or a failure removes an older terminal folder, see `withdrawn_on_refusal`.
    """
    with withdrawn_on_refusal(folder):
        results, record = _computed(folder, expected, tasks, catalogs, step)
        write_bundle(folder.terminal / BUNDLE, folder, results, record, lock=lock, surface=surface)
        step("bundle")
        content = canonical_json(record) + b"\n"
        write_whole(folder.terminal / "terminal.json", lambda stream: stream.write(content))
    return record


@contextmanager
def withdrawn_on_refusal(folder: StudyFolder) -> Iterator[None]:
    """Remove an older terminal folder when the body refuses the results or the plant fails.

    Nothing shows an outcome until every shard is there and verified (protocol, section 7): what was
    verified once is not any more, and could be taken for what this command came to. It goes whole,
    so that no moment shows a part of it; the same results give it again, byte for byte.
    """
    try:
        yield
    except (NotTerminalError, IntegrityError, EstimationError):
        remove_whole(folder.terminal)
        raise
    except (InfrastructureError, OSError, MemoryError):
        # Where the plant refuses this as well, its first refusal is the one to tell.
        with suppress(OSError):
            remove_whole(folder.terminal)
        raise


def compute(
    folder: StudyFolder,
    *,
    expected: StudyRecord,
    tasks: Mapping[str, Task],
    catalogs: Mapping[int, Catalog],
) -> dict[str, Any]:
    """Compute the terminal record of a complete study and write nothing.

    Parameters and errors are those of `aggregate`.
    """
    return _computed(folder, expected, tasks, catalogs, _nobody)[1]


def _computed(
    folder: StudyFolder,
    expected: StudyRecord,
    tasks: Mapping[str, Task],
    catalogs: Mapping[int, Catalog],
    step: Step,
) -> tuple[Results, dict[str, Any]]:
    results = verify(
        folder,
        expected=expected,
        tasks=tasks,
        catalogs=catalogs,
        tell=lambda check: step(check.name),
    )
    if results.record.evidence == "simulation":
        raise IntegrityError(
            "These are results of a simulated agent, which knows the gold.",
            "Say --simulation to aggregate them for power analysis; they are never evidence.",
        )
    audited = audit(results.episodes, tasks, catalogs)
    step(audited.check.name)
    found = attempts(folder, results.record)
    return results, terminal_of(results, audited, tasks, found, step=step)


def terminal_of(
    results: Results,
    audited: Audit,
    tasks: Mapping[str, Task],
    attempts: Mapping[str, int],
    *,
    step: Step = _nobody,
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
    beside = sensitivity(tally, estimates, sums, gate)
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

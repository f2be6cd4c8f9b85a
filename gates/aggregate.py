"""From a study's folder to its terminal record: verify, audit, count, estimate, decide.

Nothing is computed from results before all of them are there and verified.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gates.audit import audit
from gates.bundle import BUNDLE
from gates.bundle_layout import REPORT
from gates.bundle_write import write_bundle
from gates.computation import Step, attempts, nobody, terminal_of
from gates.confirm import Confirmed
from gates.error import EstimationError
from gates.finished import Finished
from gates.report.page import BLIND_REPORT, report_page
from gates.verify import verify
from harness.disk import remove_whole, write_whole
from harness.error import IntegrityError, NotTerminalError
from harness.folder import StudyFolder
from harness.manifest import StudyRecord
from router.canonical import canonical_json
from surface.catalog import Catalog
from surface.task import Task


def aggregate(
    folder: StudyFolder,
    *,
    expected: StudyRecord,
    tasks: Mapping[str, Task],
    catalogs: Mapping[int, Catalog],
    lock: Path | None = None,
    surface: bytes | None = None,
    step: Step = nobody,
) -> dict[str, Any]:
    """Compute the terminal record of a complete study; write it, its report and its bundle.

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
    A refusal removes an older terminal folder, see `withdrawn_on_refusal`.
    """
    with withdrawn_on_refusal(folder):
        finished = _computed(folder, expected, tasks, catalogs, step)
        report = report_page(finished, frozen=lock is not None)
        step("report")
        write_bundle(
            folder.terminal / BUNDLE,
            folder,
            finished.results,
            finished.terminal,
            report=report,
            lock=lock,
            surface=surface,
        )
        step("bundle")
        content = canonical_json(dict(finished.terminal)) + b"\n"
        write_whole(folder.terminal / REPORT, lambda stream: stream.write(report))
        write_whole(folder.terminal / "terminal.json", lambda stream: stream.write(content))
    return dict(finished.terminal)


def write_blind_report(
    folder: StudyFolder,
    *,
    expected: StudyRecord,
    tasks: Mapping[str, Task],
    catalogs: Mapping[int, Catalog],
    frozen: bool,
    step: Step = nobody,
) -> Path:
    """Write the report of a complete study with every outcome masked, and nothing else.

    Parameters and errors are those of `aggregate`; `frozen` says whether the study has a lock.

    Returns
    -------
    Path
        The page. A terminal record that was there stays.
    """
    path = folder.terminal / BLIND_REPORT
    with withdrawn_on_refusal(folder):
        finished = _computed(folder, expected, tasks, catalogs, step)
        page = report_page(finished, frozen=frozen, blind=True)
        write_whole(path, lambda stream: stream.write(page))
    return path


@contextmanager
def withdrawn_on_refusal(folder: StudyFolder) -> Iterator[None]:
    """Remove an older terminal folder when the body refuses the results.

    Nothing shows an outcome until every shard is there and verified (protocol, section 7): what was
    verified once is not any more. It goes whole, so that no moment shows a part of it. When the
    plant fails nothing was found out, and it stays: nothing that is finished is lost.
    """
    try:
        yield
    except (NotTerminalError, IntegrityError, EstimationError):
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
    return dict(_computed(folder, expected, tasks, catalogs, nobody).terminal)


def _computed(
    folder: StudyFolder,
    expected: StudyRecord,
    tasks: Mapping[str, Task],
    catalogs: Mapping[int, Catalog],
    step: Step,
) -> Finished:
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
    terminal = terminal_of(results, audited, tasks, found, step=step)
    return Finished.of(
        Confirmed(results, results.checks, terminal, audited, tasks, catalogs), folder
    )

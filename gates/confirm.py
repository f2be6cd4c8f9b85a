"""Confirming a finished study: every check, the audit, and every figure of the terminal record.

What `aggregate` wrote is computed once more from the rows and compared, figure by figure.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from gates.audit import Audit, audit
from gates.bundle import load_terminal
from gates.check import Check, Tell, tell_nobody
from gates.computation import attempts, terminal_of
from gates.finding import refuse
from gates.results import Results
from gates.verify import verify
from harness.disk import is_there
from harness.error import NotTerminalError
from harness.folder import StudyFolder
from harness.manifest import StudyRecord
from surface.catalog import Catalog
from surface.task import Task

_CLOSE: Final = 1e-12
"""Relative difference of two floats that another version of a numerical library explains."""

_ABSENT: Final = "nothing"


@dataclass(frozen=True)
class Confirmed:
    """What stood every check, and the surface that it ran on."""

    results: Results
    checks: tuple[Check, ...]
    terminal: Mapping[str, Any] | None
    """The terminal record; None where the study has none yet."""
    audited: Audit
    tasks: Mapping[str, Task]
    catalogs: Mapping[int, Catalog]


def confirm(
    folder: StudyFolder,
    *,
    expected: StudyRecord,
    tasks: Mapping[str, Task],
    catalogs: Mapping[int, Catalog],
    tell: Tell = tell_nobody,
    aggregated: bool = False,
) -> Confirmed:
    """Verify and audit a study, and hold its terminal record against what follows from the rows.

    Parameters
    ----------
    folder, expected, tasks, catalogs, tell
        As `gates.verify.verify` takes them.
    aggregated
        Whether there has to be a terminal record.

    Raises
    ------
    NotTerminalError
        If a shard is missing, or the terminal record where there has to be one.
    IntegrityError
        If a check finds something. Decisions that the auditor does not confirm are a finding here,
        while `aggregate` reports them as the rule of the gate that they break.
    OSError
        If the system refuses.
    """
    results = verify(folder, expected=expected, tasks=tasks, catalogs=catalogs, tell=tell)
    audited = audit(results.episodes, tasks, catalogs)
    checks = [*results.checks, audited.check]
    tell(audited.check)
    refuse([audited.check])
    path = folder.terminal / "terminal.json"
    if not is_there(path):
        if aggregated:
            raise NotTerminalError(f"{path} does not exist.", "Aggregate the study first.")
        return Confirmed(results, tuple(checks), None, audited, tasks, catalogs)
    logged = load_terminal(path)
    computed = terminal_of(results, audited, tasks, attempts(folder, results.record))
    check = Check.of(
        "terminal record", sum(1 for _ in _leaves(logged)), "figures", _differing(logged, computed)
    )
    tell(check)
    refuse([check], "Take the record from where it was published, or aggregate the study again.")
    return Confirmed(results, (*checks, check), logged, audited, tasks, catalogs)


def _differing(logged: Any, computed: Any) -> Iterator[str]:
    """Yield every figure that is another one than what was computed."""
    there, here = dict(_leaves(logged)), dict(_leaves(computed))
    for path in sorted({*there, *here}):
        old, new = there.get(path, _ABSENT), here.get(path, _ABSENT)
        if not _same(old, new):
            yield f"{path} is {_shown(old)}, which the rows make {_shown(new)}"


def _leaves(tree: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every value of a tree by its dotted path; an empty branch is a value."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree)
    for name, value in items:
        if isinstance(value, dict | list) and value:
            yield from _leaves(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _same(left: Any, right: Any) -> bool:
    numbers = isinstance(left, int | float) and isinstance(right, int | float)
    if numbers and not isinstance(left, bool) and not isinstance(right, bool):
        return math.isclose(left, right, rel_tol=_CLOSE, abs_tol=_CLOSE)
    return type(left) is type(right) and bool(left == right)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."

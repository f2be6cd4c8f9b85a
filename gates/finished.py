"""A finished study for whoever looks further: verified, terminal, with the sums behind its figures.

What was decided stays decided. Whatever else is made of it is exploratory and says what answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from gates.aggregate import BUNDLE, plan, sample
from gates.bundle import find_terminal
from gates.bundle_confirm import confirm_bundle
from gates.bundle_open import opened
from gates.check import Check, Tell, tell_nobody
from gates.confirm import Confirmed
from gates.counts import count_episodes
from gates.design import Sample
from gates.estimate import Plan
from gates.results import Results
from gates.summary import label, ordered
from gates.terminal import Tally
from harness.attempt import read_entries
from harness.disk import is_there
from harness.error import NotTerminalError
from harness.folder import StudyFolder
from harness.grid import Shard
from surface.catalog import Catalog
from surface.task import Task


@dataclass(frozen=True, eq=False)
class Finished:
    """A verified study with its terminal record."""

    results: Results
    """The verified rows."""
    terminal: Mapping[str, Any]
    """The terminal record, each figure of which follows from them."""
    tasks: Mapping[str, Task]
    catalogs: Mapping[int, Catalog]
    tally: Tally
    """What was counted in each episode, the columns of `gates.metric_table`."""
    sample: Sample
    """The same summed by task: what every estimate is computed from."""
    checks: tuple[Check, ...]
    """What was verified."""
    ended: datetime
    """When the last attempt at a shard ended."""

    @classmethod
    def of(cls, confirmed: Confirmed, folder: StudyFolder) -> Self:
        """Count what was confirmed.

        Parameters
        ----------
        confirmed
            The study.
        folder
            Where it lies, for its attempt ledgers.

        Raises
        ------
        NotTerminalError
            If it has no terminal record.
        """
        results = confirmed.results
        if confirmed.terminal is None:
            raise NotTerminalError(
                f"Study {results.record.study} has no terminal record.", "Aggregate it first."
            )
        columns = count_episodes(results.episodes, confirmed.audited.counts)
        tally = Tally(tuple(results.episodes), columns)
        return cls(
            results=results,
            terminal=confirmed.terminal,
            tasks=confirmed.tasks,
            catalogs=confirmed.catalogs,
            tally=tally,
            sample=sample(confirmed.tasks, tally),
            checks=confirmed.checks,
            ended=_ended(folder, results.record.shards),
        )

    def count(self, column: str, position: int) -> int:
        """Return a count of the episode at a position of the tally; ``episodes`` counts it once."""
        return 1 if column == "episodes" else self.tally.columns[column][position]

    @property
    def label(self) -> str:
        """What every table says: confirmatory or exploratory, and what answered."""
        return label(self.terminal)

    @property
    def conditions(self) -> tuple[str, ...]:
        """The conditions in the protocol's order."""
        return tuple(ordered(self.terminal["metrics"]))

    @property
    def plan(self) -> Plan:
        """How the study's intervals are made."""
        return plan(self.results.record.config["study"]["analysis"])


def finished_bundle(path: Path, *, tell: Tell = tell_nobody) -> Finished:
    """Open a bundle and verify all of it.

    Parameters
    ----------
    path
        A folder or a zip; it may come from anybody.
    tell
        Is told of each check.

    Raises
    ------
    NotTerminalError
        If it is not terminal.
    IntegrityError
        If it is no bundle, or a check finds something.
    OSError
        If the system refuses.
    """
    with opened(path) as folder:
        return Finished.of(confirm_bundle(folder, tell=tell), StudyFolder(folder))


def named_bundle(variables: Mapping[str, str]) -> Path:
    """Return the bundle that environment variables name.

    Parameters
    ----------
    variables
        ``BUNDLE`` is its path. Without it ``STUDY``, by default ``dev``, has its own below
        ``RESULTS``, by default ``../results``.

    Raises
    ------
    NotTerminalError
        If the study is not terminal.
    IntegrityError
        If it is so under several identities.
    """
    if path := variables.get("BUNDLE"):
        return Path(path)
    return find_bundle(Path(variables.get("RESULTS", "../results")), variables.get("STUDY", "dev"))


def find_bundle(results: Path, study: str) -> Path:
    """Return the bundle of a terminal study below a results folder.

    Raises
    ------
    NotTerminalError
        If the study is not terminal.
    IntegrityError
        If it is so under several identities.
    """
    path = find_terminal(results, study).with_name(BUNDLE)
    if not is_there(path):
        raise NotTerminalError(f"{path} does not exist.", f"Run `make aggregate STUDY={study}`.")
    return path


def _ended(folder: StudyFolder, shards: int) -> datetime:
    ledgers = (folder.attempts(Shard(index, shards)) for index in range(shards))
    moments = [entry.at for path in ledgers if is_there(path) for entry in read_entries(path)]
    return datetime.fromtimestamp(int(max(moments, default=0)), UTC)

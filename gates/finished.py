"""A finished study for whoever looks further: verified, terminal, with the sums behind its figures.

What was decided stays decided. Whatever else is made of it is exploratory and says what answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self

from gates.check import Check
from gates.computation import plan, sample
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


def _ended(folder: StudyFolder, shards: int) -> datetime:
    ledgers = (folder.attempts(Shard(index, shards)) for index in range(shards))
    moments = [entry.at for path in ledgers if is_there(path) for entry in read_entries(path)]
    return datetime.fromtimestamp(int(max(moments, default=0)), UTC)

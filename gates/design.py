"""The sampling design: which tasks were drawn from which cells, and what was counted for each.

Tasks are the clusters: three catalogs and five conditions are nested in a task, so that a task is
resampled with all of its episodes or not at all. Cells of stratum x language are fixed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Protocol, Self

import numpy as np
import numpy.typing as npt

from gates.error import EstimationError

__all__ = ["ClusterRecord", "Design", "Sample"]


class ClusterRecord(Protocol):
    """What the design needs to know of a task; `surface.task.Task` has it."""

    @property
    def id(self) -> str: ...  # noqa: D102

    @property
    def stratum(self) -> str: ...  # noqa: D102

    @property
    def language(self) -> str: ...  # noqa: D102


@dataclass(frozen=True)
class Design:
    """Clusters in canonical order; build it with `Design.of` or `Design.of_tasks`."""

    task_ids: tuple[str, ...]
    """The clusters, ordered by (stratum, language, task id) as UTF-8 bytes."""

    cells: tuple[tuple[str, str], ...]
    """(stratum, language) of each cell, in the order of its clusters."""

    sizes: tuple[int, ...]
    """Number of clusters in each cell."""

    @classmethod
    def of(cls, clusters: Iterable[tuple[str, str, str]]) -> Self:
        """Order clusters given as (stratum, language, task id), in any order.

        Raises
        ------
        EstimationError
            If there is none, or a task id stands there twice.
        """
        ordered = sorted(clusters, key=lambda names: tuple(name.encode() for name in names))
        task_ids = tuple(task_id for _, _, task_id in ordered)
        if not task_ids or len(set(task_ids)) != len(task_ids):
            raise EstimationError(
                f"A design needs distinct tasks: {len(task_ids)} given,"
                f" {len(set(task_ids))} of them distinct.",
                "List each task once.",
            )
        groups = [(cell, len(list(group))) for cell, group in groupby(ordered, lambda row: row[:2])]
        return cls(task_ids, tuple(cell for cell, _ in groups), tuple(size for _, size in groups))

    @classmethod
    def of_tasks(cls, tasks: Iterable[ClusterRecord]) -> Self:
        """Build the design from task records."""
        return cls.of((task.stratum, task.language, task.id) for task in tasks)

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the cells, for messages."""
        return tuple(" x ".join(cell) for cell in self.cells)

    @property
    def single(self) -> tuple[str, ...]:
        """Names of the cells of one cluster: no scheme can see how such a cell varies."""
        return tuple(
            label for label, size in zip(self.labels, self.sizes, strict=True) if size == 1
        )

    @cached_property
    def positions(self) -> Mapping[str, int]:
        """Row of each task."""
        return {task_id: position for position, task_id in enumerate(self.task_ids)}

    def unstratified(self) -> Self:
        """Give the same clusters in the same order as one cell, for a sensitivity analysis."""
        return type(self)(self.task_ids, (("all", "all"),), (len(self.task_ids),))


@dataclass(frozen=True, eq=False)
class Sample:
    """Integer sums per task: the one input of every estimate."""

    design: Design
    """The clusters, one a row."""

    names: tuple[str, ...]
    """Columns, named ``<condition>/<column>``."""

    matrix: npt.NDArray[np.int64]
    """Sums over the task's episodes, shape (T tasks, q columns)."""

    def __post_init__(self) -> None:
        shape = (len(self.design.task_ids), len(self.names))
        if self.matrix.dtype != np.int64 or self.matrix.shape != shape:
            raise EstimationError(
                f"The matrix of sums is {self.matrix.dtype} of shape {self.matrix.shape}.",
                f"Give int64 of shape {shape}: one row a task, one column a name.",
            )
        if len(set(self.names)) != len(self.names):
            raise EstimationError("A column of sums is named twice.", "Name each column once.")

    @classmethod
    def tally(
        cls,
        design: Design,
        task_ids: Sequence[str],
        conditions: Sequence[str],
        columns: Mapping[str, npt.ArrayLike],
    ) -> Self:
        """Sum per-episode counts over the episodes of each task, condition by condition.

        Parameters
        ----------
        design
            The clusters.
        task_ids, conditions
            Task and condition of each episode, length E.
        columns
            Counts of each episode, each of shape (E,), integers or booleans of at least 0. The
            column ``episodes`` is added: the number of episodes.

        Raises
        ------
        EstimationError
            If an episode's task is not in the design, a task has no episode in a condition, or a
            column is not one of counts. A missing cluster is never a zero.
        """
        strangers = sorted(set(task_ids) - set(design.positions))
        if strangers or not task_ids:
            raise EstimationError(
                f"Of {len(task_ids)} episodes, {len(strangers)} task(s) are not in the design"
                + (f", such as {strangers[0]!r}." if strangers else "."),
                "Build the design from the tasks that were run.",
            )
        arms = {condition: place for place, condition in enumerate(sorted(set(conditions)))}
        counts = {name: _counts(name, values, len(task_ids)) for name, values in columns.items()}
        counts["episodes"] = np.ones(len(task_ids), dtype=np.int64)
        row = np.array([design.positions[task_id] for task_id in task_ids], dtype=np.intp)
        arm = np.array([arms[condition] for condition in conditions], dtype=np.intp)
        sums = np.zeros((len(design.task_ids), len(arms), len(counts)), dtype=np.int64)
        for place, values in enumerate(counts.values()):
            np.add.at(sums[:, :, place], (row, arm), values)
        missing = np.argwhere(sums[:, :, -1] == 0)
        if missing.size:
            task_id, condition = design.task_ids[missing[0, 0]], list(arms)[missing[0, 1]]
            raise EstimationError(
                f"{len(missing)} pair(s) of task and condition have no episode, such as"
                f" {task_id!r} under {condition}.",
                "Run the missing episodes; a missing cluster is not a zero.",
            )
        names = tuple(f"{condition}/{name}" for condition in arms for name in counts)
        return cls(design, names, sums.reshape(len(design.task_ids), -1))

    def select(self, names: Sequence[str]) -> npt.NDArray[np.int64]:
        """Give columns by name, shape (T, len(names)).

        Raises
        ------
        EstimationError
            If a column is missing.
        """
        if tuple(names) == self.names:
            # Of a large study a copy is a large one.
            return self.matrix
        known = {name: position for position, name in enumerate(self.names)}
        absent = [name for name in names if name not in known]
        if absent:
            raise EstimationError(
                f"{len(absent)} column(s) are missing from the sums, such as {absent[0]!r}.",
                "Count them for every condition that is compared.",
            )
        return self.matrix[:, [known[name] for name in names]]

    def restrict(self, task_ids: Collection[str]) -> Self:
        """Keep some tasks only: those of one language, those of all strata but one."""
        kept = set(task_ids)
        rows = [row for row, task_id in enumerate(self.design.task_ids) if task_id in kept]
        cell_of = np.repeat(np.arange(len(self.design.sizes)), self.design.sizes)
        clusters = [(*self.design.cells[cell_of[row]], self.design.task_ids[row]) for row in rows]
        return type(self)(Design.of(clusters), self.names, self.matrix[rows])

    def unstratified(self) -> Self:
        """Give the same sums under a design of one cell."""
        return type(self)(self.design.unstratified(), self.names, self.matrix)


def _counts(name: str, values: npt.ArrayLike, length: int) -> npt.NDArray[np.int64]:
    array = np.asarray(values)
    integral = array.dtype.kind in "biu" and array.shape == (length,)
    if name == "episodes" or not integral or (array.size and int(array.min()) < 0):
        raise EstimationError(
            f"The column {name!r} is not one of {length} counts of its own.",
            "Give integers of at least 0, one an episode; 'episodes' is counted here.",
        )
    return array.astype(np.int64)

"""A study's counts, gathered one shard after the other: memory for one shard's rows and no more.

A shard holds whole (task, catalog) pairs with all their conditions, so that every check of episodes
and every count of one needs the rows of its own shard alone. What is kept of a shard are sums: per
task for the estimates, per slice for the metrics.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from conditions.retriever import ResearchRetriever
from gates.audit import audit
from gates.check import Check
from gates.consistency import Episodes, sequences
from gates.counts import count_episodes
from gates.design import Design, Sample
from gates.finding import refuse
from gates.metric_table import METRICS
from gates.nested import Path
from gates.number import Json, plain
from gates.reranking import Rankings
from gates.rows import Rows
from gates.setting import Setting
from gates.shards import Part, read_part
from gates.terminal import undefined_reason
from gates.verify import episode_checks
from harness.folder import StudyFolder
from harness.grid import Pair, episode_keys, grid_pairs

Vector = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ShardReader:
    """Reads and verifies the shards of a study, each for itself."""

    folder: StudyFolder
    setting: Setting
    pairs: tuple[Pair, ...]
    _retrievers: dict[int, ResearchRetriever] = field(default_factory=dict)

    @classmethod
    def of(cls, folder: StudyFolder, setting: Setting) -> ShardReader:
        """Return the reader of a study's grid."""
        return cls(folder, setting, grid_pairs(setting.tasks, list(setting.catalogs)))

    def read(self, part: Part) -> Episodes:
        """Return a shard's episodes, verified as those of a whole study are.

        Raises
        ------
        IntegrityError
            If anything is wrong; the message lists it under the names of the checks.
        """
        rows, damaged = Rows(), list[str]()
        digest = rows.add(read_part(self.folder, part, damaged))
        refuse([Check.of("tables", 1, "shards", damaged)])
        if digest != part.manifest.logical_digest:
            text = f"{part.path} has another logical digest than its tables"
            refuse([Check.of("digests", 1, "shards", [text])])
        keys = episode_keys(part.shard.pairs(self.pairs), self.setting.conditions)
        refuse([rows.grid(keys)])
        episodes = rows.gather(keys)
        refuse([sequences(episodes, self.setting)])
        # What was ranked is forgotten with the shard; what ranks serves all of them.
        rankings = Rankings(self.setting, retrievers=self._retrievers)
        refuse(episode_checks(episodes, self.setting, rankings))
        # Arrow keeps what it once had, for each of its threads.
        pa.default_memory_pool().release_unused()
        return episodes


@dataclass
class Sums:
    """What is kept of every shard that was added."""

    setting: Setting
    design: Design
    names: tuple[str, ...] = ()
    """Columns, in the order of the vectors; ``episodes`` is one of them."""
    slices: dict[tuple[str, Path], Vector] = field(default_factory=dict)
    """Sums over a condition's episodes: overall, by catalog, stratum and language."""
    _tasks: Vector | None = None

    @classmethod
    def of(cls, setting: Setting) -> Sums:
        """Return no sums yet of a study's tasks."""
        return cls(setting, Design.of_tasks(setting.tasks.values()))

    def add(self, episodes: Episodes) -> None:
        """Count the episodes of a shard and add them up."""
        audited = audit(episodes, self.setting.tasks, self.setting.catalogs)
        columns = count_episodes(episodes, audited.counts)
        if not columns:
            return
        columns["episodes"] = [1] * len(episodes)
        # In the order in which estimates ask for them.
        self.names = tuple(sorted(columns))
        counts = np.array([columns[name] for name in self.names], dtype=np.int64).T
        if self._tasks is None:
            shape = (len(self.design.task_ids), len(self.setting.conditions), len(self.names))
            self._tasks = np.zeros(shape, dtype=np.int64)
        arms = {name: place for place, name in enumerate(sorted(self.setting.conditions))}
        rows = np.array([self.design.positions[key.task_id] for key in episodes], dtype=np.intp)
        arm = np.array([arms[key.condition] for key in episodes], dtype=np.intp)
        np.add.at(self._tasks, (rows, arm), counts)
        groups: dict[tuple[str, Path], list[int]] = {}
        for position, (key, item) in enumerate(episodes.items()):
            for path in (
                ("overall",),
                ("catalog", str(key.catalog_size)),
                ("stratum", item.episode["stratum"]),
                ("language", item.episode["language"]),
            ):
                groups.setdefault((key.condition, path), []).append(position)
        for name, positions in groups.items():
            total = counts[positions].sum(axis=0)
            self.slices[name] = self.slices[name] + total if name in self.slices else total

    def sample(self) -> Sample:
        """Return the sums per task."""
        arms = sorted(self.setting.conditions)
        names = tuple(f"{condition}/{name}" for condition in arms for name in self.names)
        if self._tasks is None:
            return Sample(self.design, (), np.zeros((len(self.design.task_ids), 0), dtype=np.int64))
        return Sample(self.design, names, self._tasks.reshape(len(self.design.task_ids), -1))

    def metrics(self) -> Iterator[tuple[Path, dict[str, Json], dict[str, Json], dict[str, str]]]:
        """Yield of every slice its path, metrics, denominators, and why a metric is undefined."""
        for (condition, path), vector in sorted(self.slices.items()):
            total = dict(zip(self.names, vector.tolist(), strict=True))
            values: dict[str, Json] = {}
            counts: dict[str, Json] = {}
            reasons = {}
            for name, metric in METRICS.items():
                below = total[metric.denominator]
                values[name] = plain(Fraction(total[metric.numerator], below)) if below else None
                counts[name] = below
                if not below:
                    reasons[name] = undefined_reason(metric)
            yield (condition, *path), values, counts, reasons

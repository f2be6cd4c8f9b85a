"""A study, loaded: its surface, conditions, agent and identity."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from conditions.preregistered import make_condition
from conditions.retriever import ResearchRetriever
from harness.agents import StudyAgent, make_agent, seat
from harness.agents.protocol import Agent
from harness.config import StudyConfig
from harness.episode import Clock, Limits, run_episode
from harness.error import ConfigError
from harness.folder import StudyFolder
from harness.grid import EpisodeKey, Pair, Shard, episode_keys, grid_pairs
from harness.identity import study_components, study_identity
from harness.manifest import StudyRecord
from harness.prompt import Toolbox
from harness.record import EpisodeRecord
from harness.trace import gold_trace
from surface.catalog import CATALOG_FOLDER, SIZES, Catalog, load_catalogs
from surface.executor import Executor
from surface.task import TASK_FOLDER, Task, load_tasks

_making = threading.Lock()
"""Held while something is made that episodes share, which may run at once."""


@dataclass(frozen=True, eq=False)
class Study:
    """Everything that a run of a study needs, from one configuration."""

    config: StudyConfig
    task_folder: Path = TASK_FOLDER
    """Folder of the splits; a study with a surface of its own has them there."""
    catalog_folder: Path = CATALOG_FOLDER
    """Folder of vocabulary and services, likewise."""

    def __post_init__(self) -> None:
        if self.config.surface is not None:
            object.__setattr__(self, "task_folder", self.config.surface / "tasks")
            object.__setattr__(self, "catalog_folder", self.config.surface / "catalogs")

    @cached_property
    def tasks(self) -> Mapping[str, Task]:
        """The split's tasks by id.

        Raises
        ------
        ConfigError
            If the split does not fill the grid that the study declares.
        """
        section = self.config.study
        smallest = self.catalogs[min(section.catalogs)].snapshot
        tasks = {
            task.id: task
            for task in load_tasks(
                section.split, self.task_folder, snapshot=smallest, kinds=section.kinds
            )
        }
        if section.partial:
            tasks = {
                name: task
                for name, task in tasks.items()
                if task.stratum in section.strata and task.language in section.languages
            }
        for stratum in section.strata:
            for language in section.languages:
                found = sum(
                    task.stratum == stratum and task.language == language for task in tasks.values()
                )
                if found != section.tasks_per_cell:
                    raise ConfigError(
                        f"Cell {stratum} x {language} of split {section.split!r} has {found} "
                        f"tasks, not {section.tasks_per_cell}.",
                        "Complete the split, or correct tasks_per_cell.",
                    )
        if len(tasks) * len(section.catalogs) != section.pairs:
            raise ConfigError(
                f"Split {section.split!r} has tasks outside the study's strata and languages.",
                "Remove them, or declare their strata and languages.",
            )
        return tasks

    @cached_property
    def catalogs(self) -> Mapping[int, Catalog]:
        """The study's catalogs by size."""
        own = self.config.surface is not None
        sizes = self.config.study.catalogs if own else SIZES
        known = load_catalogs(self.catalog_folder, sizes)
        missing = [size for size in self.config.study.catalogs if size not in known]
        if missing:
            raise ConfigError(
                f"There is no catalog of {missing[0]} endpoints.",
                f"Use some of: {', '.join(map(str, known))}.",
            )
        return {size: known[size] for size in self.config.study.catalogs}

    @cached_property
    def agent(self) -> StudyAgent:
        """The agent that the configuration names."""
        return make_agent(self.config.agent, seed=self.config.study.analysis.seed)

    @cached_property
    def components(self) -> Mapping[str, str]:
        """SHA-256 of everything that the identity covers."""
        return study_components(
            config=self.config.hashed(),
            tasks=self.tasks.values(),
            catalogs=self.catalogs,
            agent=self.agent.identity,
        )

    @cached_property
    def identity(self) -> str:
        """The identity of the study with this agent."""
        return study_identity(self.components)

    @property
    def folder(self) -> StudyFolder:
        """Where the results lie."""
        return StudyFolder.of(self.config.results, self.config.study.name, self.identity)

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """Every (task, catalog) pair."""
        return grid_pairs(self.tasks, self.config.study.catalogs)

    def shard_keys(self, shard: Shard) -> tuple[EpisodeKey, ...]:
        """Return the episodes of a shard, in the order they run."""
        return episode_keys(shard.pairs(self.pairs), self.config.study.conditions)

    def record(self, shards: int) -> StudyRecord:
        """Return what the first shard pins."""
        section = self.config.study
        return StudyRecord(
            study=section.name,
            split=section.split,
            identity=self.identity,
            shards=shards,
            agent=self.agent.identity,
            evidence=self.agent.evidence,
            development=section.development,
            components=self.components,
            config=self.config.hashed(),
        )

    def agent_for(self, key: EpisodeKey) -> Agent:
        """Return the study's agent as it answers in one episode."""
        return seat(self.agent, self._executor(key))

    def run(self, key: EpisodeKey, *, clock: Clock, agent: Agent | None = None) -> EpisodeRecord:
        """Run one episode and follow the gold once under its condition.

        Parameters
        ----------
        key
            Which episode.
        clock
            For latencies alone.
        agent
            What answers in place of the study's own agent, as its recording does.
        """
        executor = self._executor(key)
        task, catalog = executor.task, executor.catalog
        condition = make_condition(
            key.condition,
            retriever=self._retriever(key.catalog_size),
            snapshot=catalog.snapshot,
            required_routes=task.required_routes,
            parameters=self.config.study.exposure.parameters(),
        )
        episode = self.config.study.episode
        return run_episode(
            executor,
            condition,
            agent or self.agent_for(key),
            self._toolbox(key.catalog_size),
            limits=Limits(episode.max_turns, episode.max_reminders),
            clock=clock,
            traces=gold_trace(executor, condition, max_turns=episode.max_turns),
        )

    def _executor(self, key: EpisodeKey) -> Executor:
        return Executor(self.tasks[key.task_id], self.catalogs[key.catalog_size])

    def _retriever(self, size: int) -> ResearchRetriever:
        with _making:
            if size not in self._retrievers:
                snapshot = self.catalogs[size].snapshot
                self._retrievers[size] = ResearchRetriever(snapshot, self.config.retriever)
            return self._retrievers[size]

    def _toolbox(self, size: int) -> Toolbox:
        with _making:
            if size not in self._toolboxes:
                self._toolboxes[size] = Toolbox.of(self.catalogs[size].snapshot)
            return self._toolboxes[size]

    @cached_property
    def _retrievers(self) -> dict[int, ResearchRetriever]:
        return {}

    @cached_property
    def _toolboxes(self) -> dict[int, Toolbox]:
        return {}

"""What a study's configuration says of its episodes, as the checks need it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Self

from pydantic import TypeAdapter

from conditions.exposure import ConditionParameters
from conditions.parameter import RetrieverParameters
from harness.grid import EpisodeKey, episode_keys, grid_pairs
from router.canonical import digest
from surface.catalog import Catalog
from surface.task import Task

_BY_LOT: Final = frozenset({"random", "simulated"})
"""Kinds of agents that draw lots for each episode."""


@dataclass(frozen=True, eq=False)
class Setting:
    """The surface and the numbers that every episode of a study was run with."""

    tasks: Mapping[str, Task]
    catalogs: Mapping[int, Catalog]
    conditions: tuple[str, ...]
    exposure: ConditionParameters
    max_turns: int
    max_reminders: int
    retriever: RetrieverParameters
    agent: Mapping[str, Any]
    """The identity of what answered."""

    @classmethod
    def of(
        cls,
        config: Mapping[str, Any],
        agent: Mapping[str, Any],
        tasks: Mapping[str, Task],
        catalogs: Mapping[int, Catalog],
    ) -> Self:
        """Read the protocol keys of a configuration.

        Parameters
        ----------
        config
            The hashed keys, as a study's record holds them.
        agent
            The identity of what answered.
        tasks, catalogs
            The surface that the study ran on.
        """
        study = config["study"]
        exposure, episode = study["exposure"], study["episode"]
        return cls(
            tasks=tasks,
            catalogs={size: catalogs[size] for size in study["catalogs"]},
            conditions=tuple(study["conditions"]),
            exposure=ConditionParameters(
                exposure["top_k"], tuple(exposure["stages"]), exposure["max_refreshes"]
            ),
            max_turns=episode["max_turns"],
            max_reminders=episode["max_reminders"],
            retriever=TypeAdapter(RetrieverParameters).validate_python(config["retriever"]),
            agent=agent,
        )

    @cached_property
    def keys(self) -> tuple[EpisodeKey, ...]:
        """Every episode that has to be there, and no other."""
        return episode_keys(grid_pairs(self.tasks, list(self.catalogs)), self.conditions)

    def agent_sha256(self, key: EpisodeKey) -> str:
        """Return the hash of the agent's identity as it stands in an episode's requests.

        An agent that draws lots says which episode it draws them for: task and catalog, never the
        condition.
        """
        by_lot = self.agent.get("kind") in _BY_LOT
        told = {"episode": f"{key.task_id}/{key.catalog_size}"} if by_lot else {}
        return digest({**self.agent, **told})

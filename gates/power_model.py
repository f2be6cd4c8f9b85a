"""The superpopulation that simulated studies are drawn from, with everything true about it known.

Passes: in every stratum an episode of static progressive passes with ``step_success ** steps``, and
a pair of episodes is discordant with one probability, split between the arms so that their
difference is the true effect. Recall events, initial misses, recoveries and tokens have rates of
their own and are independent of passes and of each other. An outcome on two catalogs of a task has
one correlation: each catalog repeats the task's own draw with its square root as probability.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gates.design import Design
from gates.error import EstimationError
from harness.power import RateSection

__all__ = ["Scenario"]


@dataclass(frozen=True)
class Scenario:
    """A design and the truth behind it."""

    rates: RateSection
    """Rates; ``steps`` has one number a stratum."""

    languages: int
    """Cells of each stratum."""

    catalogs: int
    """Episodes of a task under each condition."""

    tasks_per_cell: int
    """Tasks of each cell."""

    effect: float
    """True difference of task pass, state-aware minus progressive."""

    def __post_init__(self) -> None:
        rates = self.rates
        if rates.progressive_initial_miss < rates.initial_miss:
            raise EstimationError(
                "Static progressive misses less than the state-aware condition, whose five hold"
                " its three.",
                "Raise progressive_initial_miss.",
            )
        for steps in rates.steps:
            both, first, second, neither = self._pair(rates.step_success**steps)
            if min(both, first, second, neither) < 0:
                raise EstimationError(
                    f"No pair of episodes of {steps} steps has a pass rate of"
                    f" {rates.step_success**steps:.3f}, a difference of {self.effect} and a"
                    f" discordance of {rates.discordance}.",
                    "Choose a discordance of at least the difference, and room for it.",
                )

    @property
    def design(self) -> Design:
        """The design: strata, then languages, then tasks."""
        return Design.of(
            (f"{stratum:03}", f"{language:03}", f"{stratum:03}-{language:03}-{place:05}")
            for stratum in range(len(self.rates.steps))
            for language in range(self.languages)
            for place in range(self.tasks_per_cell)
        )

    @property
    def tasks(self) -> int:
        """Tasks of a study."""
        return len(self.rates.steps) * self.languages * self.tasks_per_cell

    @property
    def steps(self) -> npt.NDArray[np.int64]:
        """Required steps of each task, shape (T,)."""
        per_stratum = self.languages * self.tasks_per_cell
        return np.repeat(np.array(self.rates.steps, dtype=np.int64), per_stratum)

    @property
    def pairs(self) -> npt.NDArray[np.float64]:
        """Probability of each outcome of a pair (both, first, second, neither), shape (T, 4)."""
        by_stratum = [self._pair(self.rates.step_success**steps) for steps in self.rates.steps]
        return np.repeat(np.array(by_stratum), self.languages * self.tasks_per_cell, axis=0)

    @property
    def truth(self) -> dict[str, float]:
        """What each rule of evidence estimates."""
        rates = self.rates
        progressive = (
            rates.whole_catalog * rates.whole_catalog_tokens
            + (1 - rates.whole_catalog) * rates.progressive_tokens
        )
        return {
            "task_pass_non_inferiority": self.effect,
            "next_tool_recall": rates.recall,
            "recovery_superiority": rates.recovery - rates.progressive_recovery,
            "schema_token_economy": rates.tokens - progressive,
        }

    def _pair(self, progressive: float) -> tuple[float, float, float, float]:
        first = (self.rates.discordance + self.effect) / 2
        second = (self.rates.discordance - self.effect) / 2
        # Sums of decimals: what would be 0 on paper may be a hair below it.
        return tuple(  # type: ignore[return-value]
            0.0 if -1e-12 < value < 0 else value
            for value in (progressive - second, first, second, 1 - progressive - first)
        )

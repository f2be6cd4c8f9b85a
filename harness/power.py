"""The power section of a configuration: what `power` simulates. Runtime keys, hashed into nothing.

The design's strata, languages, catalogs and thresholds are the study's; the rates are stated here
or taken from a pilot.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from harness.protocol import LARGEST, Section

Share = Annotated[float, Field(ge=0, le=1)]
Difference = Annotated[float, Field(gt=-1, lt=1)]


class RateSection(Section):
    """The stated rates of the superpopulation that simulated tasks are drawn from."""

    steps: tuple[Annotated[int, Field(ge=1, le=50)], ...] = Field(min_length=1)
    """Required steps of a task, by stratum in the study's order."""
    step_success: Share
    """Probability that static progressive passes a step."""
    discordance: Share
    """Probability that one compared arm passes an episode and the other does not."""
    catalog_correlation: Share
    """Correlation of an outcome between two catalogs of a task."""
    recall: Share
    """Probability that the next required route is among the five of the state-aware arm."""
    retry: Share
    """Probability that a step makes one more recall event."""
    initial_miss: Share
    """Probability of an initial miss of the state-aware arm."""
    progressive_initial_miss: Share
    """The same of static progressive, at least as great: its three are among the five."""
    recovery: Share
    """Probability that the state-aware arm recovers an initial miss."""
    progressive_recovery: Share
    """The same of static progressive."""
    whole_catalog: Share
    """Probability that a progressive episode reaches the whole catalog."""
    tokens: Annotated[int, Field(ge=0, le=10**7)]
    """Schema tokens of an episode of the state-aware arm."""
    progressive_tokens: Annotated[int, Field(ge=0, le=10**7)]
    """The same of static progressive, below the whole catalog."""
    whole_catalog_tokens: Annotated[int, Field(ge=0, le=10**7)]
    """The same of static progressive where it reached the whole catalog."""


class EffectSection(Section):
    """True effects that are simulated, one row of a table each."""

    task_pass: tuple[Difference, ...] = Field(min_length=1)
    """Differences of task pass, state-aware minus progressive."""
    recall: tuple[Share, ...]
    """Values of the state-aware arm's recall."""
    recovery: tuple[Difference, ...]
    """Differences of recovery, around `RateSection.progressive_recovery`."""
    whole_catalog: tuple[Share, ...]
    """Shares of progressive episodes that reach the whole catalog: they make the token effect."""


class SizeSection(Section):
    """What the sample size is computed for: every combination of these."""

    power: Annotated[float, Field(gt=0, lt=1)]
    """Probability with which the companion's lower bound is to lie above the margin."""
    task_pass: tuple[Difference, ...]
    """True differences, each above the margin."""
    discordance: tuple[Share, ...]
    catalog_correlation: tuple[Share, ...]


class PowerSection(Section):
    """What `power` simulates."""

    tasks_per_cell: int = Field(ge=2, le=1_000)
    """Tasks of a cell; the study's own number would be 1 for a development split."""
    studies: int = Field(ge=10, le=1_000_000)
    """Simulated studies of every row."""
    iterations: int = Field(ge=39, le=1_000_000)
    """Replicates of every bootstrap."""
    seed: int = Field(ge=0, le=LARGEST)
    pilot: str | None
    """Path of a terminal record whose rates replace the stated ones; null for none."""
    rates: RateSection
    effects: EffectSection
    size: SizeSection

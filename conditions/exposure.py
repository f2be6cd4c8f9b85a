"""What an agent may see in a turn, and what makes that change (protocol, section 2).

An exposure says which capabilities stand in the prompt. It never says that one may be executed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from conditions.contract import State
from conditions.error import ConditionError
from router.ranking import Ranking

__all__ = ["Condition", "ConditionParameters", "Exposure", "Ranker", "TurnOutcome"]


@dataclass(frozen=True, slots=True)
class Exposure:
    """The capabilities of one turn, and the retrieval that chose them."""

    routes: tuple[str, ...]
    """Exposed route ids sorted by code point, so that no rank leaks into the prompt."""
    ranking: Ranking | None = None
    """The ranking they are the top of; None where nothing was ranked."""
    retrieval_query: str | None = None
    """The text that was ranked for."""
    retrieval_calls: int = 0
    """Rankings computed in the episode so far."""
    refreshes: int = 0
    """State-aware refreshes in the episode so far."""
    stage: int = 0
    """Widening stage, zero-based."""

    def __post_init__(self) -> None:
        if list(self.routes) != sorted(set(self.routes)):
            raise ConditionError(
                "An exposure's routes are not sorted and unique.", "Sort them by code point."
            )


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """All that a condition may know about a turn that is over."""

    called: bool
    """Whether the turn had a first call that parsed; a malformed turn had none."""
    failed: bool
    """Whether that call's status was ``error`` or ``blocked``."""
    state: State
    """The state after the turn."""
    turns_remaining: int
    """Turns that the episode may still take."""
    task_incomplete: bool
    """The executor's completion flag after the turn."""

    def __post_init__(self) -> None:
        if self.failed and not self.called:
            raise ConditionError(
                "A turn without a call cannot have failed.", "Set failed only with called."
            )
        if self.turns_remaining < 0:
            raise ConditionError(
                f"{self.turns_remaining} turns remain.", "Stop the episode at its last turn."
            )


@dataclass(frozen=True, slots=True)
class ConditionParameters:
    """The numbers of the preregistered conditions (protocol, sections 2 and 8)."""

    top_k: int = 5
    """Capabilities of ``SR-5-STATIC`` and of each ``SR-5-STATE-AWARE`` exposure."""
    stages: tuple[int | None, ...] = (3, 10, None)
    """Capabilities of each stage of ``SR-PROGRESSIVE-STATIC``; None is the whole catalog."""
    max_refreshes: int = 5
    """State-aware refreshes in one episode, at most."""

    def __post_init__(self) -> None:
        widths = [float("inf") if width is None else width for width in self.stages]
        if not widths or widths[0] < 1 or widths != sorted(set(widths)):
            raise ConditionError(
                f"The stages {self.stages!r} do not widen.",
                "Give positive ascending numbers; None, the whole catalog, can only be the last.",
            )
        if self.top_k < 1 or self.max_refreshes < 0:
            raise ConditionError(
                f"top_k {self.top_k} or max_refreshes {self.max_refreshes} is out of range.",
                "Give a positive top_k and no negative number of refreshes.",
            )


class Ranker(Protocol):
    """A pure ranking of a catalog for one string."""

    def rank(self, text: str) -> Ranking:
        """Return the total order of the catalog's routes for a text."""


class Condition(Protocol):
    """An exposure policy: pure functions from what was seen to what is seen next."""

    @property
    def name(self) -> str:
        """The condition's name in results; nothing that ranks or acts ever receives it."""

    def expose(self, query: str) -> Exposure:
        """Return the initial exposure for a query."""

    def refresh(self, exposure: Exposure, outcome: TurnOutcome) -> Exposure:
        """Return the exposure after a turn: the same object when nothing changes."""

"""What a condition exposes, turn by turn: the verifier's own reading of the protocol, section 2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from conditions.exposure import ConditionParameters
from conditions.state import State, render_query
from gates.metric_table import ORACLE, PROGRESSIVE, STATE_AWARE

FULL: Final = "FULL"


@dataclass
class ExposureRule:
    """Follows one episode, or one gold trace, from its query on."""

    condition: str
    catalog: Sequence[str]
    """All routes, by code point."""
    required: Sequence[str]
    """The task's required routes, which the upper bound alone exposes."""
    parameters: ConditionParameters
    query: str
    """The bare query."""
    text: str | None = field(init=False)
    """The string whose ranking is in force; None where nothing is ranked."""
    refreshes: int = field(init=False, default=0)
    stage: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.text = None if self.condition in {FULL, ORACLE} else self.query

    @property
    def retrieval_calls(self) -> int:
        """Rankings computed so far."""
        return self.refreshes + (self.text is not None)

    def exposed(self, ranking: Sequence[str]) -> list[str]:
        """Return what is exposed now, given the ranking in force."""
        if self.condition == FULL:
            return list(self.catalog)
        if self.condition == ORACLE:
            return sorted(set(self.required))
        progressive = self.condition == PROGRESSIVE
        width = self.parameters.stages[self.stage] if progressive else self.parameters.top_k
        return sorted(ranking[:width])

    def after_call(self, state: State, *, failed: bool, remaining: int) -> None:
        """Follow a tool turn: what it left, whether its first call failed, and turns to come."""
        if self.condition == PROGRESSIVE and failed:
            self._widen()
        allowed = self.refreshes < self.parameters.max_refreshes
        if self.condition == STATE_AWARE and allowed and remaining >= 1:
            self.refreshes += 1
            self.text = render_query(state)

    def after_idle(self, *, incomplete: bool) -> None:
        """Follow a turn without a call that parsed."""
        if self.condition == PROGRESSIVE and incomplete:
            self._widen()

    def _widen(self) -> None:
        self.stage = min(self.stage + 1, len(self.parameters.stages) - 1)

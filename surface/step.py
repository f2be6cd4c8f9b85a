"""Steps and approvals: what a task requires, and what it permits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from surface.argument import Rule
from surface.failure import SCRIPTABLE, error_class
from surface.record import Record

Quote = Annotated[str, Field(min_length=2)]
"""Words of the query, copied; nothing that decides, answers or ranks ever reads them."""


class Step(Record):
    """One required call and what it answers."""

    route: str
    arguments: Mapping[str, Rule] = Field(default_factory=dict)
    observation: Mapping[str, Any] | None = None
    """What the call answers; None where it answers an error or has no output fields."""
    error: str | None = None
    """A scripted error: the call answers it, the step is passed and the next one follows."""
    apart: Mapping[str, Quote] = Field(default_factory=dict)
    """By rival route, the query's words that tell the step from it; evidence for validation."""
    after: Quote | None = None
    """The query's words that put the step after the one before it; evidence for validation."""

    @model_validator(mode="after")
    def _one_answer(self) -> Self:
        if self.error is not None:
            if self.observation is not None:
                raise ValueError("a step answers an observation or an error, not both")
            if error_class(self.error) not in SCRIPTABLE:
                raise ValueError(f"a task cannot script {self.error!r}")
        return self


class Approval(Record):
    """Permission for one destructive call: route, argument rules, single use."""

    step: int | None = Field(default=None, ge=1)
    """The step whose route and rules the approval takes over."""
    route: str | None = None
    arguments: Mapping[str, Rule] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if (self.step is None) == (self.route is None):
            raise ValueError("an approval names a step or a route")
        if self.step is not None and self.arguments:
            raise ValueError("an approval of a step takes the step's rules")
        return self

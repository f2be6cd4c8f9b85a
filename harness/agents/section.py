"""The agent part of a configuration: what answers, one section for each kind."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, model_validator

from harness.agents.local.section import LocalSection
from harness.agents.openai.section import OpenAISection
from harness.protocol import Section

Rate = Annotated[float, Field(ge=0, le=1)]


class ReferenceSection(Section):
    """The deterministic agent of the instrument check: no model, no options."""

    kind: Literal["reference"]


class RandomSection(Section):
    """The blind agent: the floor of every condition. It draws by the study's seed."""

    kind: Literal["random"]


class ErrorRates(Section):
    """How often a simulated agent errs, each a share of the tries at a step."""

    wrong_route: Rate
    """Calls another exposed tool."""
    wrong_arguments: Rate
    """Leaves an argument out."""
    stop: Rate
    """Says that it is done."""
    malformed: Rate
    """Writes a call that does not parse."""
    blind: Rate
    """Calls some tool where the one it needs is not exposed, instead of asking for more."""
    overrun: Rate
    """Calls some tool where the task is complete, instead of stopping."""

    @model_validator(mode="after")
    def _exclusive(self) -> ErrorRates:
        # At one try at most one of these happens.
        if self.wrong_route + self.wrong_arguments + self.stop + self.malformed > 1:
            raise ValueError("the rates of wrong_route to malformed add up to more than 1")
        return self


class SimulatedSection(Section):
    """An agent that knows the gold, for power analysis and load: never evidence."""

    kind: Literal["simulated"]
    rates: ErrorRates


AgentSection: TypeAlias = Annotated[
    ReferenceSection | OpenAISection | LocalSection | RandomSection | SimulatedSection,
    Field(discriminator="kind"),
]
"""Any of the sections; the field ``kind`` says which."""


def concurrency(section: AgentSection) -> int:
    """Return how many episodes of a shard an agent answers at once."""
    return section.server.concurrency if isinstance(section, OpenAISection) else 1

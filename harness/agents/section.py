"""The agent part of a configuration: what answers, one section for each kind."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from harness.agents.openai.section import OpenAISection
from harness.protocol import Section


class ReferenceSection(Section):
    """The deterministic agent of the instrument check: no model, no options."""

    kind: Literal["reference"]


AgentSection: TypeAlias = Annotated[
    ReferenceSection | OpenAISection,
    Field(discriminator="kind"),
]
"""Any of the sections; the field ``kind`` says which."""


def concurrency(section: AgentSection) -> int:
    """Return how many episodes of a shard an agent answers at once."""
    return section.server.concurrency if isinstance(section, OpenAISection) else 1

"""The agent part of a configuration: what answers, one section for each kind."""

from __future__ import annotations

from typing import Literal, TypeAlias

from harness.protocol import Section


class ReferenceSection(Section):
    """The deterministic agent of the instrument check: no model, no options."""

    kind: Literal["reference"]


AgentSection: TypeAlias = ReferenceSection
"""Any of the sections; the field ``kind`` says which."""

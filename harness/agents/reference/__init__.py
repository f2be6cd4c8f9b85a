"""The deterministic reference agent; its policy is written down in ``POLICY.md``."""

from __future__ import annotations

from harness.agents.reference.agent import DONE, ReferenceAgent
from harness.agents.reference.policy import Policy

__all__ = ["DONE", "Policy", "ReferenceAgent"]

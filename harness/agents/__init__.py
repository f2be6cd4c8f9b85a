"""Agents: what answers in an episode, behind one protocol."""

from __future__ import annotations

from typing import Literal

from harness.agents.protocol import Agent
from harness.agents.reference import ReferenceAgent

__all__ = ["make_agent"]


def make_agent(kind: Literal["reference"]) -> Agent:
    """Return the agent of a kind."""
    return {"reference": ReferenceAgent}[kind]()

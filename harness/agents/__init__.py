"""Agents: what answers in an episode, behind one protocol."""

from __future__ import annotations

from harness.agents.protocol import Agent
from harness.agents.reference import ReferenceAgent
from harness.agents.section import AgentSection

__all__ = ["make_agent"]


def make_agent(section: AgentSection, *, seed: int) -> Agent:
    """Return the agent that a configuration describes.

    Parameters
    ----------
    section
        The agent part of the configuration.
    seed
        The study's seed, for agents that draw lots. A model has a seed of its own.
    """
    return {"reference": ReferenceAgent}[section.kind]()

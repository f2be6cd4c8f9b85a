"""Agents: what answers in an episode, behind one protocol."""

from __future__ import annotations

from harness.agents.openai.section import OpenAISection
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
    match section:
        case OpenAISection():
            # Loads the HTTP client, which nobody else needs.
            from harness.agents.openai.agent import OpenAIAgent

            return OpenAIAgent(section)
        case _:
            return ReferenceAgent()

"""Agents: what answers in an episode, behind one protocol."""

from __future__ import annotations

from typing import TypeAlias

from harness.agents.local.agent import LocalAgent
from harness.agents.local.section import LocalSection
from harness.agents.openai.section import OpenAISection
from harness.agents.protocol import Agent
from harness.agents.random import RandomAgent
from harness.agents.reference import ReferenceAgent
from harness.agents.section import AgentSection, RandomSection, SimulatedSection
from harness.agents.simulated import SimulatedAgents
from surface.executor import Executor

__all__ = ["StudyAgent", "make_agent", "seat"]

StudyAgent: TypeAlias = Agent | SimulatedAgents
"""What a study is answered by; `seat` makes the agent of an episode of it."""


def make_agent(section: AgentSection, *, seed: int) -> StudyAgent:
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
        case LocalSection():
            return LocalAgent(section)
        case RandomSection():
            return RandomAgent(seed)
        case SimulatedSection():
            return SimulatedAgents(section.rates, seed)
        case _:
            return ReferenceAgent()


def seat(agent: StudyAgent, executor: Executor) -> Agent:
    """Return an agent as it answers in the episode of an executor.

    The random agent is told whose lots to draw, the simulated one the gold; nothing else is told
    anything.
    """
    if isinstance(agent, RandomAgent | SimulatedAgents):
        return agent.for_episode(executor)
    return agent

"""What answering took adds up, and what nobody told is not a zero."""

from __future__ import annotations

import pytest

from harness.agents.protocol import ContextOverflow, Latency, Turn, Usage
from harness.effort import Effort, Meter, MeteredAgent
from harness.error import InfrastructureError
from tests.unit.harness.world import ScriptedAgent


def test_tokens_that_nobody_told_stay_unknown() -> None:
    assert (Effort(turns=1) + Effort(turns=2)).input_tokens is None
    assert (Effort(input_tokens=3) + Effort()).input_tokens == 3
    assert (Effort() + Effort(output_tokens=3)).output_tokens == 3
    assert (Effort(input_tokens=3) + Effort(input_tokens=4)).input_tokens == 7


def test_an_agent_is_what_it_was_and_its_turns_are_counted() -> None:
    costly = Turn("a", usage=Usage(7, 0, 2, 1), latency=Latency(5.0, 3.0, attempts=3))
    inner = ScriptedAgent([costly, "b", ContextOverflow()])
    above = Meter()
    meter = Meter(above)
    agent = MeteredAgent(inner, meter)
    assert (agent.identity, agent.evidence) == (inner.identity, inner.evidence)
    assert agent.act([], []) is costly
    assert agent.act([], []) == Turn("b")
    with pytest.raises(ContextOverflow):
        agent.act([], [])
    expected = Effort(turns=3, retries=2, waited_ms=3.0, input_tokens=7, output_tokens=2)
    assert (meter.total, above.total) == (expected, expected)


def test_a_turn_that_the_plant_left_unanswered_is_none() -> None:
    class Gone(ScriptedAgent):
        def act(self, messages: object, tools: object) -> Turn:
            raise InfrastructureError("Gone.", "Wait.")

    meter = Meter()
    with pytest.raises(InfrastructureError):
        MeteredAgent(Gone([]), meter).act([], [])
    assert meter.total == Effort(unanswered=1)

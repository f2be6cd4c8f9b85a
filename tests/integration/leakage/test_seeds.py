"""What an agent draws does not depend on the condition, nor on the order of episodes."""

from __future__ import annotations

from typing import Any

import pytest

from conditions.preregistered import CONDITIONS
from harness.compose import load_config
from harness.grid import EpisodeKey
from harness.prompt import Toolbox, opening
from harness.study import Study


def study_of(agent: str, study: Study) -> Study:
    config = load_config([f"agent={agent}"])
    copy = Study(study.config.model_copy(update={"agent": config.agent}), study.task_folder)
    copy.__dict__["catalogs"] = study.catalogs
    return copy


@pytest.mark.parametrize("agent", ["reference", "random", "simulated"])
def test_the_same_request_gets_the_same_answer_under_every_condition(
    study: Study, agent: str
) -> None:
    copy = study_of(agent, study)
    toolbox = Toolbox.of(study.catalogs[100].snapshot)
    for name, task in study.tasks.items():
        shown = toolbox.show(sorted(task.required_routes))
        seats = [copy.agent_for(EpisodeKey(name, 100, condition)) for condition in CONDITIONS]
        assert len({repr(dict(seat.identity)) for seat in seats}) == 1
        answers = {repr(seat.act(opening(task.query), shown.tools)) for seat in seats}
        assert len(answers) == 1


@pytest.mark.parametrize("agent", ["ollama", "smollm3_vllm", "llama_cpp", "hosted"])
def test_a_model_is_asked_with_the_seed_of_its_section(study: Study, agent: str) -> None:
    copy = study_of(agent, study)
    seats: list[Any] = [
        copy.agent_for(EpisodeKey(name, 100, condition))
        for name in study.tasks
        for condition in CONDITIONS
    ]
    # One agent for all of them, which is handed messages and tools alone.
    assert {id(seat) for seat in seats} == {id(copy.agent)}
    toolbox = Toolbox.of(study.catalogs[100].snapshot)
    task = next(iter(study.tasks.values()))
    shown = toolbox.show(sorted(task.required_routes))
    bodies = {repr(seat.rendering.body(opening(task.query), shown.tools)) for seat in seats}
    assert len(bodies) == 1

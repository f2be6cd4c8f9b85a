"""The doctor: each check against a server that is well and one that is not."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from harness import doctor_lock
from harness.cli import main
from harness.compose import load_config
from harness.doctor import Doctor, Finding
from harness.doctor_lock import frozen
from harness.error import ConfigError, InfrastructureError, IntegrityError, StudyError
from harness.prompt import Toolbox
from harness.study import Study
from tests.support.model import agent
from tests.support.model_server import (
    Answer,
    ModelServer,
    Request,
    called,
    failed,
    models,
    said,
    serving,
)
from tests.unit.harness.world import World

CONTEXT = 4096


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World.build(tmp_path)


def tokens(request: Request) -> int:
    """Count a prompt as a server would: by words of messages and tools."""
    return len(str(request.body["messages"]).split()) + len(str(request.body["tools"]).split())


def well(request: Request) -> Answer:
    """Answer as a good server does."""
    prompt = tokens(request)
    if prompt >= CONTEXT:
        return failed(
            400,
            f"This model's maximum context length is {CONTEXT} tokens. However, your request has "
            f"{prompt} input tokens.",
        )
    usage = {"prompt_tokens": prompt, "completion_tokens": 12}
    asked = request.body["messages"][1]["content"]
    if asked.startswith("Call") and request.body["messages"][-1]["role"] == "user":
        return called(("doctor__add", '{"a": 2, "b": 3}'), usage=usage)
    return said("hello", usage=usage)


def findings(
    world: World,
    script: Callable[[Request], Answer],
    pages: Mapping[str, Any] | None = None,
    **changes: Any,
) -> tuple[dict[str, Finding], Doctor, ModelServer]:
    pages = pages or {"/v1/models": models(max_model_len=CONTEXT)}
    clock = itertools.count()
    with serving(script, pages=dict(pages)) as server:
        fields = {"context_tokens": CONTEXT, "server": {"retries": 0}, **changes}
        doctor = Doctor(
            agent(server.base_url, **fields),
            {4: Toolbox.of(world.catalog.snapshot)},
            clock=lambda: next(clock) / 2,
        )
        return {item.check: item for item in doctor.examine()}, doctor, server


def test_a_server_that_is_well(world: World) -> None:
    found, doctor, server = findings(world, well)
    states = {name: item.state for name, item in found.items()}
    assert states == {
        "model": "ok",
        "revision": "note",
        "context": "ok",
        "tool call": "ok",
        "repeats": "ok",
        "vanished tools": "ok",
        "4 tools": "ok",
        "too long": "ok",
    }
    assert found["tool call"].what.startswith('doctor__add({"a": 2, "b": 3})')
    assert str(CONTEXT) in found["too long"].what
    pace = doctor.pace()
    assert pace is not None
    # Every turn took half a second and wrote twelve tokens.
    assert (pace.output_per_second, pace.output_per_turn) == (24.0, 12.0)
    assert pace.prompt_per_second > 0
    # No task of any study was shown.
    assert all(world.task.query not in str(body) for body in server.bodies)


def changed(change: Callable[[Request, Answer], Answer]) -> Callable[[Request], Answer]:
    return lambda request: change(request, well(request))


def _without_calls(request: Request, answer: Answer) -> Answer:
    return said("I would call doctor__add.") if "tool_calls" in str(answer.body) else answer


def _malformed_call(request: Request, answer: Answer) -> Answer:
    return called(("doctor__add", '{"a": ')) if "tool_calls" in str(answer.body) else answer


def _other_call(request: Request, answer: Answer) -> Answer:
    return called(("doctor__find_number", "{}")) if "tool_calls" in str(answer.body) else answer


def _by_lot() -> Callable[[Request, Answer], Answer]:
    numbers = itertools.count()
    return lambda request, answer: (
        said(f"hello {next(numbers)}") if "Count" in str(request.body) else answer
    )


def _drops_history(request: Request, answer: Answer) -> Answer:
    if "Find the number" in str(request.body):
        return said("x", usage={"prompt_tokens": 50, "completion_tokens": 1})
    return answer


def _without_usage(request: Request, answer: Answer) -> Answer:
    if isinstance(answer.body, dict) and "choices" in answer.body:
        return Answer({**answer.body, "usage": None})
    return answer


def _refuses_history(request: Request, answer: Answer) -> Answer:
    return failed(500, "unknown tool") if "call00000" in str(request.body) else answer


def _few_tools(request: Request, answer: Answer) -> Answer:
    if len(request.body["tools"]) > 3:
        return failed(400, "Invalid 'tools': array too long. Expected a maximum length of 3.")
    return answer


def _cuts(request: Request, answer: Answer) -> Answer:
    usage = {"prompt_tokens": 2000, "completion_tokens": 5}
    return said("hello", usage=usage) if answer.status == 400 else answer


CASES: dict[str, tuple[Callable[[Request, Answer], Answer], str, str, str]] = {
    "no call": (_without_calls, "tool call", "FAILED", "no call came, but 'I would"),
    "malformed call": (_malformed_call, "tool call", "FAILED", "no call came"),
    "other call": (_other_call, "tool call", "note", "doctor__find_number"),
    "not repeatable": (_by_lot(), "repeats", "note", "different answers"),
    "history dropped": (_drops_history, "vanished tools", "FAILED", "drops calls"),
    "no usage": (_without_usage, "vanished tools", "note", "no token figures"),
    "history refused": (_refuses_history, "vanished tools", "FAILED", "HTTP 500: unknown tool"),
    "few tools": (_few_tools, "4 tools", "FAILED", "array too long"),
    "cut": (_cuts, "too long", "FAILED", "it was cut"),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_wrong_is_found(world: World, case: str) -> None:
    change, check, state, words = CASES[case]
    found, _, _ = findings(world, changed(change))
    assert found[check].state == state
    assert words in found[check].what


def test_an_overflow_of_the_whole_catalog_is_no_failure(world: World) -> None:
    def small(request: Request, answer: Answer) -> Answer:
        if len(request.body["tools"]) > 3:
            return failed(400, "maximum context length is 10 tokens, your request has 20 tokens")
        return answer

    found, _, _ = findings(world, changed(small))
    assert found["4 tools"].state == "note"
    assert "FULL overflows" in found["4 tools"].what


@pytest.mark.parametrize(
    ("pages", "changes", "check", "state"),
    [
        ({"/v1/models": models("other")}, {}, "model", "FAILED"),
        ({"/v1/models": models(max_model_len=9)}, {}, "model", "FAILED"),
        ({"/v1/models": models()}, {}, "context", "note"),
        ({"/v1/models": models()}, {"context_tokens": None}, "too long", "note"),
        ({"/v1/models": models()}, {"revision": "a" * 40}, "revision", "note"),
        (
            {"/v1/models": models(root=f"/snapshots/{'a' * 40}")},
            {"revision": "a" * 40},
            "revision",
            "ok",
        ),
    ],
)
def test_what_the_server_says_of_itself(
    world: World, pages: Any, changes: Any, check: str, state: str
) -> None:
    found, _, _ = findings(world, well, pages, **changes)
    assert found[check].state == state


def test_a_server_that_is_not_there_is_the_plants_fault(world: World) -> None:
    doctor = Doctor(agent("http://127.0.0.1:9/v1"), {4: Toolbox.of(world.catalog.snapshot)})
    with pytest.raises(InfrastructureError, match="cannot be reached") as caught:
        list(doctor.examine())
    assert caught.value.exit_code == 75


def test_a_server_that_says_no_figures_has_no_pace(world: World) -> None:
    _, doctor, _ = findings(world, changed(_without_usage))
    assert doctor.pace() is None


@pytest.mark.parametrize(("script", "code"), [(well, 0), (changed(_without_calls), 1)])
def test_the_verb_tells_findings_and_an_estimate(
    script: Callable[[Request], Answer], code: int, tmp_path: Path, capsys: Any
) -> None:
    page = {"/v1/models": models("HuggingFaceTB/SmolLM3-3B", max_model_len=CONTEXT)}

    def renamed(request: Request) -> Answer:
        answer = script(request)
        named = isinstance(answer.body, dict) and "model" in answer.body
        model = "HuggingFaceTB/SmolLM3-3B"
        return Answer({**answer.body, "model": model}, answer.status) if named else answer

    with serving(renamed, pages=page) as server:
        words = [
            "doctor",
            "study=dev",
            "agent=smollm3_vllm",
            f"results={tmp_path}",
            f"agent.server.base_url={server.base_url}",
            f"agent.context_tokens={CONTEXT}",
            "agent.server.input_price=1",
            "agent.server.output_price=2",
        ]
        assert main(words) == code
    output = capsys.readouterr().out
    assert "What remains: 450 episodes" in output
    assert "a development study has no lock" in output
    assert "in the currency of the prices" in output
    assert ("FAILED" in output) is (code == 1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("error", "state", "words"),
    [
        (None, "ok", f"identity {'1' * 64}"),
        (ConfigError("It is not frozen.", "Freeze it."), "note", "It is not frozen"),
        (IntegrityError("This differs:\n- agent.", "Mend it."), "FAILED", "This differs: - agent."),
    ],
)
def test_a_study_is_held_to_its_lock(
    monkeypatch: pytest.MonkeyPatch, error: StudyError | None, state: str, words: str
) -> None:
    study = Study(load_config(["study=frozen", "agent=smollm3_vllm"]))

    def compare(held: Study) -> Any:
        assert held is study
        if error is not None:
            raise error
        return SimpleNamespace(identity="1" * 64)

    monkeypatch.setattr(doctor_lock, "compare", compare)
    assert frozen(study) == Finding("frozen", state, words)


def test_an_agent_without_a_server_is_wrong_use(capsys: Any) -> None:
    assert main(["doctor", "study=dev", "agent=reference"]) == 1
    assert "has no server" in capsys.readouterr().err

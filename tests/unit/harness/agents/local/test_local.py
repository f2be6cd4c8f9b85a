"""The agent of the model in this process: what is asked, what an answer is, what is the plant's."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from harness.agents import make_agent
from harness.agents.local import engine
from harness.agents.local.agent import LocalAgent
from harness.agents.local.answer import read_answer
from harness.agents.local.engine import check_version, weights_file
from harness.agents.local.grammar import LONGEST_TEXT, answer_grammar, called, value
from harness.agents.local.rendering import PROMPT, listed, request_body, told
from harness.agents.local.section import LocalSection
from harness.agents.protocol import ContextOverflow, ToolCall, ToolSchema, Usage
from harness.compose import load_config
from harness.error import InfrastructureError
from harness.prompt import assistant_calls, opening
from tests.unit.harness.world import GOLD, World

SECTION = LocalSection(
    kind="local",
    package="weights",
    file="tiny.gguf",
    sha256="0" * 64,
    engine="1.0",
    threads=2,
    context_tokens=8192,
    max_tokens=96,
    seed=7,
)
TOOL = ToolSchema(
    "shop__find",
    "Find an order.",
    {
        "type": "object",
        "properties": {
            "order_id": {"type": "string"},
            "count": {"type": "integer"},
            "stage": {"enum": ["open", 'said "done"']},
            "ids": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["order_id", "count"],
    },
)
EMPTY = ToolSchema("shop__list", "List.", {"type": "object"})


def completion(content: str, reason: str = "stop") -> dict[str, Any]:
    return {
        "choices": [
            {
                "finish_reason": reason,
                "index": 0,
                "message": {"role": "assistant", "content": content},
            }
        ],
        "usage": {
            "completion_tokens": 9,
            "prompt_tokens": 50,
            "prompt_tokens_details": {"cached_tokens": 0},
            "total_tokens": 59,
        },
    }


class Scripted:
    """Answers with prepared lines and keeps what it was asked."""

    def __init__(self, *answers: Mapping[str, Any]) -> None:
        self.answers = list(answers)
        self.bodies: list[Mapping[str, Any]] = []

    def complete(self, body: Mapping[str, Any]) -> dict[str, Any]:
        self.bodies.append(body)
        return dict(self.answers.pop(0))


def agent_of(*answers: Mapping[str, Any]) -> tuple[LocalAgent, Scripted]:
    scripted = Scripted(*answers)
    return LocalAgent(SECTION, load=lambda _: scripted), scripted


def test_a_tool_is_one_literal_alternative_with_its_argument_names() -> None:
    assert called(TOOL) == (
        r'"shop__find {" "\"count\": " integer ", " "\"order_id\": " text'
        r' (", " "\"ids\": " ("[" text (", " text){0,9} "]"))?'
        r' (", " "\"stage\": " ("\"open\"" | "\"said \\\"done\\\"\""))? "}"'
    )
    assert called(EMPTY) == '"shop__list {" "}"'
    some = ToolSchema("a__b", "", {"properties": {"x": {"type": "number"}, "y": {}}})
    assert called(some) == (
        r'"a__b {" ("\"x\": " number (", " "\"y\": " text)? | "\"y\": " text)? "}"'
    )


def test_the_grammar_has_an_alternative_a_tool_and_one_for_words() -> None:
    root = answer_grammar([TOOL, EMPTY]).partition("\nwords")[0]
    assert len(root.split(" |\n")) == 3
    assert root.endswith('"say " words')
    assert answer_grammar([]).startswith('root ::= "say " words\n')
    rules = set(re.findall(r"^([a-z]+) ::=", answer_grammar([TOOL]), re.MULTILINE))
    assert {"text", "number", "integer", "boolean", "words", "letter", "root"} == rules
    assert f"{{1,{LONGEST_TEXT}}}" in answer_grammar([TOOL])


@pytest.mark.parametrize(
    ("schema", "rule"),
    [
        ({"type": "string", "pattern": "^A"}, "text"),
        ({"type": "number"}, "number"),
        ({"type": "boolean"}, "boolean"),
        ({"enum": ["é"]}, '("\\"é\\"")'),
        ({}, "text"),
    ],
)
def test_a_value_is_constrained_by_its_type(schema: Mapping[str, Any], rule: str) -> None:
    assert value(schema) == rule


def test_the_tools_stand_in_the_system_prompt() -> None:
    body = request_body(SECTION, opening("Do it."), [TOOL, EMPTY])
    system = body["messages"][0]["content"]
    assert system.endswith(
        "shop__find(count, order_id, [ids], [stage]): Find an order.\nshop__list(): List."
    )
    assert PROMPT in system
    assert body["messages"][1] == {"role": "user", "content": "Do it."}
    assert (body["temperature"], body["cache_prompt"], body["seed"]) == (0, False, 7)
    assert listed(EMPTY) == "shop__list(): List."


def test_what_was_called_is_told_as_it_was_written() -> None:
    calls = [ToolCall("1", "shop__find", '{"a": 1}'), ToolCall("2", "x", "{")]
    assert told(assistant_calls(None, calls)) == {
        "role": "assistant",
        "content": 'shop__find {"a": 1}\nx {',
    }
    assert told({"role": "assistant", "content": "hm"})["content"] == "say hm"
    answer = {"role": "tool", "tool_call_id": "1", "content": '{"status":"ok"}'}
    assert told(answer) == {"role": "user", "content": '{"status":"ok"}'}


def test_an_answer_is_a_call_or_words() -> None:
    turn = read_answer(completion('shop__find {"count": 3, "order_id": "A B"}'), turn=2)
    assert turn.calls == (ToolCall("call_2", "shop__find", '{"count": 3, "order_id": "A B"}'),)
    assert turn.text is None
    assert turn.usage == Usage(input_tokens=50, cached_tokens=0, output_tokens=9)
    assert turn.finish_reason == "stop"
    assert turn.raw == completion('shop__find {"count": 3, "order_id": "A B"}')
    assert read_answer(completion("say it is done"), turn=1).text == "it is done"


@pytest.mark.parametrize("cut", ['shop__find {"count": 3, "ord', "shop__fi", "shop__find {", ""])
def test_what_the_token_limit_cut_is_malformed(world: World, cut: str) -> None:
    agent, _ = agent_of(*[completion(cut, "length")] * 3)
    record = world.run(agent)
    assert record.ending == "malformed"
    assert [turn.malformed for turn in record.turns] == [True] * 3


def test_an_overflow_is_an_outcome_with_its_figures() -> None:
    refusal = {
        "error": {
            "code": 400,
            "message": "request (9001 tokens) exceeds the available context size (8192 tokens)",
            "n_ctx": 8192,
            "n_prompt_tokens": 9001,
            "type": "exceed_context_size_error",
        }
    }
    agent, _ = agent_of(refusal)
    with pytest.raises(ContextOverflow) as caught:
        agent.act(opening("Do it."), [TOOL])
    assert (caught.value.prompt_tokens, caught.value.context_tokens) == (9001, 8192)
    assert caught.value.raw == refusal


@pytest.mark.parametrize(
    "answer",
    [
        {"error": {"code": 400, "message": "failed to parse grammar", "type": "invalid_request"}},
        {"error": {"code": 500, "message": "out of memory"}},
        {"error": "no"},
        {},
        {"choices": [], "usage": {}},
        {"choices": [{"message": {}}]},
    ],
)
def test_any_other_refusal_is_the_plants(answer: Mapping[str, Any]) -> None:
    agent, _ = agent_of(answer)
    with pytest.raises(InfrastructureError):
        agent.act(opening("Do it."), [TOOL])


def test_it_follows_an_episode(world: World) -> None:
    lines = [
        f"say {step}" if isinstance(step, str) else f"{step[0]} {json.dumps(step[1])}"
        for step in GOLD
    ]
    agent, scripted = agent_of(*map(completion, lines))
    record = world.run(agent)
    assert record.task_pass
    assert record.ending == "clean_stop"
    roles = [message["role"] for message in scripted.bodies[2]["messages"]]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]


def test_the_model_is_loaded_with_the_first_turn_alone() -> None:
    def load(section: LocalSection) -> Scripted:
        raise InfrastructureError(f"{section.file} is missing.", "Install it.")

    agent = LocalAgent(SECTION, load=load)
    assert agent.identity["sha256"] == "0" * 64
    with pytest.raises(InfrastructureError, match="is missing"):
        agent.act(opening("Do it."), [TOOL])


CHANGES: dict[str, Any] = {
    "package": "others",
    "file": "other.gguf",
    "sha256": "1" * 64,
    "engine": "2.0",
    "threads": 1,
    "context_tokens": 4096,
    "max_tokens": 97,
    "seed": 8,
}


@pytest.mark.parametrize("field", [name for name in LocalSection.model_fields if name != "kind"])
def test_every_option_is_part_of_the_identity(field: str) -> None:
    changed = SECTION.model_copy(update={field: CHANGES[field]})
    assert LocalAgent(changed).identity != LocalAgent(SECTION).identity


def test_the_rendering_is_part_of_the_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    before = LocalAgent(SECTION).identity["rendering"]
    monkeypatch.setattr("harness.agents.local.rendering.PROMPT", "Tools:\n")
    after = LocalAgent(SECTION).identity["rendering"]
    assert before["version"] == after["version"]
    assert before["sha256"] != after["sha256"]


def test_the_configured_agent_is_a_model() -> None:
    agent = make_agent(load_config(["agent=local"]).agent, seed=1)
    assert isinstance(agent, LocalAgent)
    assert agent.evidence == "model"


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LocalSection:
    """A package that ships weights and cannot be imported."""
    package = tmp_path / "tiny_weights"
    package.mkdir()
    (package / "__init__.py").write_text("raise ImportError('a plug-in for another program')\n")
    (package / "tiny.gguf").write_bytes(b"weights")
    monkeypatch.syspath_prepend(tmp_path)
    sha256 = hashlib.sha256(b"weights").hexdigest()
    return SECTION.model_copy(update={"package": "tiny_weights", "sha256": sha256})


def test_weights_are_found_without_importing_what_ships_them(weights: LocalSection) -> None:
    assert weights_file(weights).read_bytes() == b"weights"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sha256": "0" * 64}, "have the SHA-256"),
        ({"file": "other.gguf"}, "are not installed"),
        ({"package": "no_such_package"}, "are not installed"),
    ],
)
def test_other_weights_are_the_plants(
    weights: LocalSection, change: Mapping[str, Any], words: str
) -> None:
    with pytest.raises(InfrastructureError, match=words) as caught:
        weights_file(weights.model_copy(update=change))
    assert "make local" in caught.value.remedy


def test_another_engine_is_the_plants(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "ENGINE", "no-such-engine")
    with pytest.raises(InfrastructureError, match="is not installed"):
        check_version(SECTION)
    monkeypatch.setattr(engine, "ENGINE", "pytest")
    with pytest.raises(InfrastructureError, match=r"is installed, not 1\.0, which is configured"):
        check_version(SECTION)

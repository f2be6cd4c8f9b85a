"""Rendering: what a body holds, what is serialised once, and what the identity shows of it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from harness.agents.openai.agent import OpenAIAgent
from harness.agents.openai.grammar import answer_schema
from harness.agents.openai.history import native_history
from harness.agents.openai.rendering import CONSTRAINED_PROMPT, KEPT_EXPOSURES, Rendering
from harness.agents.protocol import Message, ToolSchema
from tests.support.model import MESSAGES, TOOLS, section


def body(messages: Any = MESSAGES, tools: Any = TOOLS, **changes: Any) -> Any:
    return json.loads(Rendering(section(**changes)).body(messages, tools))


def test_a_native_body_is_what_the_chat_api_takes() -> None:
    assert body() == {
        "model": "test-model",
        "messages": list(MESSAGES),
        "tools": [tool.openai() for tool in TOOLS],
        "temperature": 0.0,
        "seed": 7,
        "max_tokens": 64,
    }


def test_tools_and_system_prompt_stand_before_what_varies() -> None:
    """A server reuses the prefix that two prompts share."""
    text = Rendering(section(calling="json_schema")).body(MESSAGES, TOOLS).decode()
    assert text.index("shop__get_order") < text.index("Find the orders")


def test_no_tools_are_no_list() -> None:
    assert "tools" not in body(tools=())


def test_a_hosted_api_counts_completion_tokens() -> None:
    found = body(serving="hosted")
    assert found["max_completion_tokens"] == 64
    assert "max_tokens" not in found


def test_a_suffix_stands_at_the_end_of_the_system_prompt() -> None:
    for calling in ("native", "json_schema"):
        found = body(system_suffix=" /no_think", calling=calling)
        assert found["messages"][0]["content"].startswith("You call tools.")
        assert found["messages"][0]["content"].endswith(" /no_think")


def test_transformers_is_asked_for_a_revision() -> None:
    assert body(serving="transformers", revision="abc")["model"] == "test-model@abc"
    assert body(serving="vllm", revision="abc")["model"] == "test-model"


def test_further_fields_are_sent_and_absent_ones_are_not() -> None:
    found = body(request={"cache_prompt": False}, sampling={"top_p": 0.5, "seed": None})
    assert (found["cache_prompt"], found["top_p"]) == (False, 0.5)
    assert "seed" not in found


def test_a_constrained_body_has_the_tools_in_its_prompt_and_their_names_in_its_schema() -> None:
    found = body(calling="json_schema")
    schema = found["response_format"]["json_schema"]["schema"]
    called, said = schema["properties"]["turn"]["anyOf"]
    assert called["properties"]["tool"]["enum"] == ["shop__find_orders", "shop__get_order"]
    assert list(said["properties"]) == ["text"]
    system = found["messages"][0]["content"]
    assert CONSTRAINED_PROMPT in system
    lines = system.splitlines()[-2:]
    assert [json.loads(line) for line in lines] == [tool.openai()["function"] for tool in TOOLS]
    assert "tools" not in found


def test_a_grammar_has_one_literal_alternative_a_tool() -> None:
    found = body(calling="grammar", serving="llama_cpp")
    lines = found["grammar"].splitlines()
    assert lines[0].startswith("root ::= ")
    assert lines[1] == r'tool ::= "\"shop__find_orders\"" | "\"shop__get_order\""'


@pytest.mark.parametrize(
    ("answer", "fits"),
    [
        ({"turn": {"tool": "shop__get_order", "arguments": {"a": [1]}}}, True),
        ({"turn": {"text": "x"}}, True),
        ({"turn": {"tool": "other", "arguments": {}}}, False),
        ({"turn": {"tool": "shop__get_order"}}, False),
        ({"turn": {"tool": "shop__get_order", "arguments": {}, "text": "x"}}, False),
        ({"turn": {}}, False),
        ({}, False),
    ],
)
def test_the_schema_takes_a_call_or_a_text(answer: Any, fits: bool) -> None:
    schema = answer_schema([tool.name for tool in TOOLS])
    assert Draft202012Validator(schema).is_valid(answer) is fits


def test_a_grammar_without_tools_leaves_words() -> None:
    grammar = body(calling="grammar", serving="llama_cpp", tools=())["grammar"]
    assert r"{\"text\": " in grammar
    assert "tool ::=" not in grammar


def test_a_grammar_names_no_rule_that_it_lacks() -> None:
    for tools in (TOOLS, ()):
        grammar = body(calling="grammar", serving="llama_cpp", tools=tools)["grammar"]
        # Literals and character classes away, what is left are names of rules.
        bare = re.sub(r'"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]', " ", grammar)
        rules = set(re.findall(r"^([a-z]+) ::=", bare, flags=re.MULTILINE))
        assert set(re.findall(r"[a-z]+", bare)) <= rules


class Counted(ToolSchema):
    """A tool that counts how often it is serialised."""

    def openai(self) -> dict[str, Any]:
        serialised.append(self.name)
        return super().openai()


serialised: list[str] = []


def test_an_exposure_is_serialised_once() -> None:
    tools = tuple(Counted(tool.name, tool.description, tool.parameters) for tool in TOOLS)
    rendering = Rendering(section())
    serialised.clear()
    first = rendering.body(MESSAGES, tools)
    assert serialised == ["shop__find_orders", "shop__get_order"]
    assert rendering.body(MESSAGES, tools) == first
    assert rendering.body(MESSAGES, tools[::-1]) != first
    assert serialised == ["shop__find_orders", "shop__get_order"]


def test_the_exposures_that_are_kept_are_bounded() -> None:
    rendering = Rendering(section())
    tools = [ToolSchema(f"a__{number}", "", {}) for number in range(KEPT_EXPOSURES + 9)]
    bodies = [rendering.body(MESSAGES, [tool]) for tool in tools]
    assert len(rendering._exposures) == KEPT_EXPOSURES
    assert [rendering.body(MESSAGES, [tool]) for tool in tools] == bodies


def call(name: str, arguments: str, identifier: str) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"id": identifier, "type": "function", "function": function}


def conversation(*calls: dict[str, Any], text: str | None = None) -> list[Message]:
    answers = [{"role": "tool", "tool_call_id": c["id"], "content": c["id"]} for c in calls]
    said = {"role": "assistant", "content": text, "tool_calls": list(calls)}
    return [*MESSAGES, said, *answers]


def test_calls_that_can_be_read_are_sent_as_calls() -> None:
    good = call("shop__get_order", '{"a": 1}', "1")
    assert native_history(conversation(good))[2:] == [
        # Never null, which some chat templates would write out.
        {"role": "assistant", "content": "", "tool_calls": [good]},
        {"role": "tool", "tool_call_id": "1", "content": "1"},
    ]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("shop.get_order", "{}"),
        ("", "{}"),
        ("x" * 65, "{}"),
        ("shop__get_order", '{"a": '),
        ("shop__get_order", "[]"),
        ("shop__get_order", '"{}"'),
        ("shop__get_order", ""),
        ("shop__get_order", "[" * 100_000),
    ],
)
def test_a_call_that_a_server_would_refuse_is_told_in_words(name: str, arguments: str) -> None:
    bad = call(name, arguments, "1")
    assert native_history(conversation(bad, text="Well:"))[2:] == [
        {"role": "assistant", "content": f"Well:\n{name}({arguments})"},
        {"role": "user", "content": f"{name}: 1"},
    ]


def test_of_several_calls_those_that_can_be_read_stay_calls() -> None:
    good, bad, other = call("a", "{}", "1"), call("b", "{", "2"), call("c", "{", "3")
    after = {"role": "user", "content": "TASK_INCOMPLETE"}
    assert native_history([*conversation(good, bad, other), after])[2:] == [
        {"role": "assistant", "content": "b({)\nc({)", "tool_calls": [good]},
        {"role": "tool", "tool_call_id": "1", "content": "1"},
        {"role": "user", "content": "b: 2\nc: 3"},
        after,
    ]


def test_ids_are_of_their_turn_alone() -> None:
    bad, good = call("a", "{", "1"), call("b", "{}", "1")
    sent = native_history([*conversation(bad), *conversation(good)[2:]])
    assert sent[-1] == {"role": "tool", "tool_call_id": "1", "content": "1"}


def test_a_constrained_conversation_is_all_text() -> None:
    turn = call("shop__get_order", '{"a":  1}', "1")
    reminded: list[Message] = [{"role": "assistant", "content": "done"}]
    found = body([*conversation(turn), *reminded], calling="json_schema")["messages"][2:]
    assert found == [
        {
            "role": "assistant",
            "content": '{"turn": {"tool": "shop__get_order", "arguments": {"a":  1}}}',
        },
        {"role": "user", "content": "1"},
        {"role": "assistant", "content": '{"turn": {"text": "done"}}'},
    ]


def test_the_identity_covers_the_rendering_and_not_the_server() -> None:
    plain = OpenAIAgent(section()).identity
    assert OpenAIAgent(section("http://elsewhere/v1", server={"retries": 9})).identity == plain
    assert "server" not in plain
    rendering = Rendering(section())
    assert plain["rendering"] == {"version": 1, "sha256": rendering.digest()}


@pytest.mark.parametrize("calling", ["json_schema", "grammar"])
def test_a_change_of_rendering_shows_where_it_is_used(
    calling: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    used = section(calling=calling, serving="llama_cpp")
    before, native = OpenAIAgent(used).identity, OpenAIAgent(section()).identity
    monkeypatch.setattr("harness.agents.openai.rendering.CONSTRAINED_PROMPT", "Other words.")
    assert OpenAIAgent(used).identity != before
    assert OpenAIAgent(section()).identity == native


GOLDEN = {
    "native": "f48c053e6b20292cb25f433c389e1cbff2de5aaf3c7d8f8649390c452d5b2b57",
    "json_schema": "d380c2f553ea239ff942ee4b929e6a9dd2121840c71f0fb032139372f5e322c9",
    "grammar": "df7d5b670aaf95d252cd93c3e4ca6f155535874af8a4765c542a38e1874f6281",
}


@pytest.mark.parametrize("calling", GOLDEN)
def test_a_rendering_of_this_version_is_what_it_was(calling: str) -> None:
    """A changed value means that prompts changed: raise `RENDERING_VERSION` with it."""
    found = Rendering(section(calling=calling, serving="llama_cpp")).digest()
    assert found == GOLDEN[calling]

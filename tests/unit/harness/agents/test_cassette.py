"""The cassette: what a request's address depends on, and answers that come back as they were."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from harness.agents.cassette import Recorder, Request, decode, differences, encode
from harness.agents.protocol import ContextOverflow, Latency, ToolCall, ToolSchema, Turn, Usage
from harness.record import ExchangeRecord
from router.canonical import digest
from tests.unit.harness.world import GOLD, ScriptedAgent, World

IDENTITY: Mapping[str, Any] = {
    "kind": "openai",
    "model": "tiny",
    "revision": "a07cc9a",
    "sampling": {"temperature": 0.0, "seed": 1, "max_tokens": 256},
    "rendering": "1",
}
MESSAGES = (
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "안녕 \x7f\u2028"},
)
TOOLS = (
    ToolSchema("shop__find", "Find.", {"type": "object", "properties": {"a": {"type": "string"}}}),
    ToolSchema("shop__get", "Get.", {"type": "object"}),
)

REQUESTS: dict[str, tuple[Any, Any, Any]] = {
    "model": ({**IDENTITY, "model": "tall"}, MESSAGES, TOOLS),
    "revision": ({**IDENTITY, "revision": "a07cc9b"}, MESSAGES, TOOLS),
    "rendering": ({**IDENTITY, "rendering": "2"}, MESSAGES, TOOLS),
    "kind": ({**IDENTITY, "kind": "local"}, MESSAGES, TOOLS),
    "temperature": (
        {**IDENTITY, "sampling": {"temperature": 0.1, "seed": 1, "max_tokens": 256}},
        MESSAGES,
        TOOLS,
    ),
    "seed": (
        {**IDENTITY, "sampling": {"temperature": 0.0, "seed": 2, "max_tokens": 256}},
        MESSAGES,
        TOOLS,
    ),
    "length": (
        {**IDENTITY, "sampling": {"temperature": 0.0, "seed": 1, "max_tokens": 257}},
        MESSAGES,
        TOOLS,
    ),
    "a new option": ({**IDENTITY, "top_p": 0.9}, MESSAGES, TOOLS),
    "a message's text": (IDENTITY, (MESSAGES[0], {"role": "user", "content": "안녕"}), TOOLS),
    "a message's role": (IDENTITY, (MESSAGES[0], {**MESSAGES[1], "role": "system"}), TOOLS),
    "the messages' order": (IDENTITY, MESSAGES[::-1], TOOLS),
    "a message more": (IDENTITY, (*MESSAGES, MESSAGES[1]), TOOLS),
    "a tool's name": (IDENTITY, MESSAGES, (replace(TOOLS[0], name="shop__seek"), TOOLS[1])),
    "a tool's description": (IDENTITY, MESSAGES, (replace(TOOLS[0], description="!"), TOOLS[1])),
    "a tool's parameters": (IDENTITY, MESSAGES, (replace(TOOLS[0], parameters={}), TOOLS[1])),
    "the tools' order": (IDENTITY, MESSAGES, TOOLS[::-1]),
    "a tool less": (IDENTITY, MESSAGES, TOOLS[:1]),
    "no tools": (IDENTITY, MESSAGES, ()),
}


def request(identity: Any = IDENTITY, messages: Any = MESSAGES, tools: Any = TOOLS) -> Request:
    return Request.of(digest(dict(identity)), messages, tools)


@pytest.mark.parametrize("changed", REQUESTS)
def test_every_component_changes_the_address(changed: str) -> None:
    assert request(*REQUESTS[changed]).sha256 != request().sha256


def test_no_two_of_these_requests_share_an_address() -> None:
    addresses = {request(*parts).sha256 for parts in REQUESTS.values()}
    assert len(addresses) == len(REQUESTS)


def test_an_address_is_the_hash_of_canonical_json() -> None:
    found = request()
    assert found.messages_sha256 == digest(list(MESSAGES))
    assert found.tools_sha256 == digest([tool.digest for tool in TOOLS])
    assert found.sha256 == digest(
        {
            "agent_sha256": digest(dict(IDENTITY)),
            "messages_sha256": found.messages_sha256,
            "tools_sha256": found.tools_sha256,
        }
    )


def test_an_address_stays_what_it_was() -> None:
    # A change here makes every recorded cassette unreadable.
    assert request().sha256 == "cb724aef325c2ce1c15985af5f61f14d4fca22cd94949f3f7aa311f61d56097c"


@pytest.mark.parametrize(
    "answer",
    [
        Turn(None),
        Turn(""),
        Turn("It is done."),
        Turn("lone \ud800, NUL \x00, 한글"),
        Turn(None, (ToolCall("", "", ""),)),
        Turn(
            "both",
            (ToolCall("a", "shop__find", "{"), ToolCall("b", "shop__get", '{"a": "\udc80"}')),
            usage=Usage(input_tokens=7, cached_tokens=0, output_tokens=2),
            finish_reason="tool_calls",
            raw={"choices": [{"index": 0, "score": 0.1}], "n": None},
        ),
        Turn("x", usage=Usage(), raw={}),
    ],
)
def test_an_answer_comes_back_as_it_was(answer: Turn) -> None:
    assert decode(encode(answer)) == answer
    assert encode(answer).isascii()


def test_a_latency_is_not_recorded() -> None:
    slow = Turn("x", latency=Latency(3.0))
    assert encode(slow) == encode(Turn("x")) == '{"text":"x"}'


def test_an_overflow_comes_back_as_it_was() -> None:
    overflow = decode(
        encode(
            ContextOverflow("too long", prompt_tokens=9001, context_tokens=8192, raw={"code": 400})
        )
    )
    assert isinstance(overflow, ContextOverflow)
    assert str(overflow) == "too long"
    assert (overflow.prompt_tokens, overflow.context_tokens) == (9001, 8192)
    assert overflow.raw == {"code": 400}


@pytest.mark.parametrize(
    "text",
    ["", "[]", "3", '"text"', '{"calls": 3}', '{"calls": [{"id": "a"}]}', '{"overflow": {}}', "{"],
)
def test_what_is_no_answer_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode(text)


def recorded(found: Request) -> ExchangeRecord:
    return ExchangeRecord(1, found.sha256, found.messages_sha256, found.tools_sha256, "{}")


@pytest.mark.parametrize(
    ("other", "named"),
    [
        (request(), []),
        (request(messages=MESSAGES[::-1]), ["messages"]),
        (request(tools=TOOLS[::-1]), ["tools"]),
        (request({**IDENTITY, "model": "tall"}), ["agent"]),
        (request(IDENTITY, MESSAGES[::-1], ()), ["messages", "tools"]),
        (request({}, MESSAGES[::-1], ()), ["messages", "tools", "agent"]),
    ],
)
def test_a_difference_is_named_by_its_components(other: Request, named: list[str]) -> None:
    assert list(differences(other, recorded(request()))) == named


def test_every_exchange_of_an_episode_is_kept(world: World) -> None:
    agent = ScriptedAgent(GOLD)
    record = world.run(agent)
    assert [item.turn for item in record.exchanges] == [1, 2, 3, 4, 5]
    assert [item.request_sha256 for item in record.exchanges] == [
        Request.of(digest({"kind": "scripted"}), *seen).sha256 for seen in agent.seen
    ]
    assert json.loads(record.exchanges[-1].answer) == {"text": "It is done."}


def test_an_overflow_is_an_exchange(world: World) -> None:
    record = world.run(ScriptedAgent([GOLD[0], ContextOverflow(prompt_tokens=9)]))
    assert record.ending == "overflow"
    assert json.loads(record.exchanges[1].answer)["overflow"]["prompt_tokens"] == 9


def test_what_the_plant_did_not_answer_is_no_exchange() -> None:
    recorder = Recorder(ScriptedAgent([]))
    with pytest.raises(StopIteration):
        recorder.act(MESSAGES, TOOLS)
    assert recorder.exchanges == ()

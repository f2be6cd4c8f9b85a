"""Stopping, asking for tools, guessing, and what the agent says of itself."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.agents.protocol import REQUEST_MORE_TOOLS, Turn
from harness.agents.reference import DONE, Policy, ReferenceAgent
from harness.agents.reference.agent import source_digests
from tests.unit.harness.agents.reference.tools import WORLD, called, choose, conversation, ok

ROOT = Path(__file__).parents[5]


def test_it_asks_for_tools_when_none_fits_what_was_asked() -> None:
    query = "Release the hold on shipment SHP-100001."
    turn = ReferenceAgent().act(conversation(query), choose("bank__get_balance"))
    assert turn == Turn(REQUEST_MORE_TOOLS)


def test_it_asks_for_tools_when_there_are_none() -> None:
    assert ReferenceAgent().act(conversation("Cancel it."), []).text == REQUEST_MORE_TOOLS


def test_it_calls_the_tool_once_it_is_visible() -> None:
    query = "Release the hold on shipment SHP-100001."
    turn = ReferenceAgent().act(conversation(query, None), WORLD)
    assert called(turn) == ("freight__release_hold", {"shipment_id": "SHP-100001"})


def test_it_says_done_when_everything_is_covered() -> None:
    query = "Release the hold on shipment SHP-100001."
    first = ("freight__release_hold", {"shipment_id": "SHP-100001"}, {"status": "executed"})
    assert ReferenceAgent().act(conversation(query, first), WORLD).text == DONE


def test_after_two_nudges_it_guesses_rather_than_end_the_episode() -> None:
    query = "Please take care of SHP-100001."
    tools = choose("freight__get_shipment")
    agent = ReferenceAgent()
    assert agent.act(conversation(query), tools).calls == ()
    turn = agent.act(conversation(query, None, None), tools)
    assert called(turn) == ("freight__get_shipment", {"shipment_id": "SHP-100001"})


def test_it_makes_one_call_a_turn_with_an_id_of_its_own() -> None:
    query = "Get shipment SHP-100001, then release the hold on it."
    first = ("freight__get_shipment", {"shipment_id": "SHP-100001"}, ok({"stage": "booked"}))
    agent = ReferenceAgent()
    one = agent.act(conversation(query), WORLD)
    two = agent.act(conversation(query, first), WORLD)
    assert len(one.calls) == len(two.calls) == 1
    assert one.calls[0].id != two.calls[0].id


def test_answers_do_not_depend_on_the_hash_seed() -> None:
    program = """
from harness.agents.reference import ReferenceAgent
from tests.unit.harness.agents.reference.tools import WORLD, conversation
for query in (
    "Look up the shipments of CUS-1042 and cancel the heaviest, then notify jo@x.com.",
    "CUS-2201 고객의 연체된 청구서를 찾아서 결제 독촉을 발송해 주세요.",
    "Please take care of SHP-100001 and ACC-000001 and INV-2025-00731.",
):
    for nudges in range(3):
        print(ReferenceAgent().act(conversation(query, *[None] * nudges), WORLD))
"""
    answers = {
        subprocess.run(
            [sys.executable, "-c", program],
            check=True,
            capture_output=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1
    assert b"freight__find_shipments" in answers.pop()


def test_only_the_first_call_of_a_turn_counts() -> None:
    messages = conversation(
        "Get shipment SHP-100001.",
        ("freight__get_shipment", {"shipment_id": "SHP-100001"}, ok({"stage": "booked"})),
    )
    extra = {"id": "x", "type": "function", "function": {"name": "a__b", "arguments": "{}"}}
    messages[2]["tool_calls"].append(extra)
    messages.append(
        {
            "role": "tool",
            "tool_call_id": "x",
            "content": '{"status":"error","error":"parallel_tool_call_requires_observation"}',
        }
    )
    assert ReferenceAgent().act(messages, WORLD).text == DONE


@pytest.mark.parametrize("content", ["{", '{"status": "ok", "observation": NaN}', "", "[1]", None])
def test_an_answer_that_is_not_readable_is_not_a_success(content: str | None) -> None:
    query = "Get shipment SHP-100001."
    messages = conversation(query, ("freight__get_shipment", {"shipment_id": "SHP-100001"}, ok({})))
    messages[-1]["content"] = content
    turn = ReferenceAgent().act(messages, choose("freight__get_shipment"))
    assert turn.text == REQUEST_MORE_TOOLS


def test_identity_names_kind_version_and_a_digest_of_the_policy() -> None:
    identity = ReferenceAgent().identity
    assert set(identity) == {"kind", "version", "policy_sha256"}
    assert (identity["kind"], identity["version"]) == ("reference", "1")
    assert len(identity["policy_sha256"]) == 64
    assert ReferenceAgent().identity == identity
    assert ReferenceAgent().evidence == "instrument"


@pytest.mark.parametrize(
    "changed",
    [
        Policy(chain=0.9),
        Policy(call_threshold=(0.5, 0.4, 0.1)),
        dataclasses.replace(Policy(), grades=dataclasses.replace(Policy().grades, near=0.2)),
    ],
)
def test_every_constant_is_part_of_the_identity(changed: Policy) -> None:
    assert ReferenceAgent(changed).identity != ReferenceAgent().identity
    assert ReferenceAgent(Policy()).identity == ReferenceAgent().identity


def test_policy_page_glossary_and_sources_are_part_of_the_identity() -> None:
    files = source_digests()
    assert {"POLICY.md", "glossary.json", "agent.py", "policy.py", "selection.py"} <= set(files)

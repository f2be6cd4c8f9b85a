"""What was asked and answered in every turn, against what was logged of it.

The cassette keeps requests by hash and answers whole. Both follow from the other tables: a request
from the conversation and the exposure, what a turn says and calls from the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from gates.check import Check
from gates.consistency import Episodes, called
from gates.finding import episode_name
from gates.interference import observed
from gates.recount import Tools
from gates.results import EpisodeRows, Row
from gates.setting import Setting
from gates.transcript import Transcript, answer_content
from harness.grid import EpisodeKey
from harness.strict_json import strict_json
from router.canonical import digest
from router.snapshot import CatalogSnapshot

CHECKS: Final = ("requests", "answers", "tokens")

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def exchanges(episodes: Episodes, setting: Setting) -> tuple[Check, ...]:
    """Check requests, answers and token counts of every turn."""
    tools = {size: Tools(catalog.snapshot) for size, catalog in setting.catalogs.items()}
    found: dict[str, list[str]] = {name: [] for name in CHECKS}
    for key, item in episodes.items():
        for name, turn, text in _held(key, item, setting, tools[key.catalog_size]):
            found[name].append(f"episode {episode_name(key)}, turn {turn}: {text}")
    turns = sum(len(item.turns) for item in episodes.values())
    return tuple(Check.of(name, turns, "turns", found[name]) for name in CHECKS)


def _held(
    key: EpisodeKey, item: EpisodeRows, setting: Setting, tools: Tools
) -> Iterator[tuple[str, int, str]]:
    """Yield the check, the turn and the text of every finding."""
    states = {row["turn"]: row for row in item.transitions}
    transcript = Transcript(setting.tasks[key.task_id].query)
    agent_sha256 = setting.agent_sha256(key)
    for turn, exchange in zip(item.turns, item.exchanges, strict=True):
        number, prompted = turn["turn"], tools.prompted(turn["exposure"])
        if turn["schema_tokens"] != prompted.tokens:
            yield "tokens", number, "other schema tokens"
        if turn["input_tokens"] != turn["schema_tokens"] + transcript.tokens:
            yield "tokens", number, "other tokens of the conversation"
        request = {
            "agent_sha256": agent_sha256,
            "messages_sha256": transcript.sha256,
            "tools_sha256": prompted.sha256,
        }
        logged = {name: exchange[name] for name in ("messages_sha256", "tools_sha256")}
        for name, value in logged.items():
            if value != request[name]:
                yield "requests", number, f"other {name.removesuffix('_sha256')} were asked"
        if exchange["request_sha256"] != digest(request | logged):
            yield "requests", number, "its request has another address"
        yield from (("answers", number, text) for text in _answer(turn, exchange["answer"]))
        if not called(turn):
            transcript.idle_turn(turn)
            continue
        transcript.tool_turn(turn, read_by_agent(states[number], tools.snapshot))


def read_by_agent(row: Row, snapshot: CatalogSnapshot) -> str:
    """Return what a tool turn was answered, as the agent read it, from the state after the turn."""
    route = row["route"]
    fields = snapshot.endpoint(route).output_fields if route in snapshot else ()
    units = {item.pointer: item.unit for item in fields if item.unit is not None}
    observation = observed(row["observation"])
    # What is no observation makes no state, which is another check's finding.
    return answer_content(row, observation if isinstance(observation, dict) else None, units)


def _answer(turn: Row, text: str) -> Iterator[str]:
    """Check what a turn says and calls against the recorded answer."""
    try:
        answer = strict_json(text, deepest=1_000)
        overflow = "overflow" in answer
        said, calls = answer.get("text"), answer.get("calls", [])
        wanted = [_call(call) for call in calls]
    except (AttributeError, KeyError, TypeError, ValueError):
        yield "its recorded answer is none"
        return
    if overflow is turn["accepted"]:
        yield "whether its prompt was accepted is not what was answered"
    logged = [(call["call_id"], call["name"], call["arguments"]) for call in turn["calls"]]
    if (turn["text"], logged) != (None if said is None else _escaped(said), wanted):
        yield "it says or calls something else than was answered"


def _call(call: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return a recorded call as it is logged: lone surrogates escaped, such arguments marked."""
    name, arguments = call["name"], call["arguments"]
    mark = "\ufffd" if _SURROGATE.search(name + arguments) else ""
    return _escaped(call["id"]), _escaped(name), mark + _escaped(arguments)


def _escaped(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")

"""A forger: changes rows of a finished study and makes anew every hash that would tell.

No digest can tell such results from honest ones. What can is that every figure stands on others.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gates.recount import Tools
from gates.transcript import Transcript, answer_content
from harness.grid import EpisodeKey
from router.canonical import canonical_json, digest, sha256_hex
from tests.support.shop_study import ShopStudy, Tables, catalogs, of, record_of, records, tasks

Change = Callable[[Tables], Any]
"""Changes the rows of one episode in place."""


@dataclass(frozen=True)
class Forger:
    """Changes a study wherever an episode's shard is."""

    study: ShopStudy

    def pick(self, condition: str, ending: str, *, passed: bool = False) -> EpisodeKey:
        """An episode of a condition that ended so."""
        return next(
            key
            for key, record in records().items()
            if (key.condition, record.ending, record.task_pass) == (condition, ending, passed)
        )

    def change(self, key: EpisodeKey, *changes: Change) -> None:
        """Change one episode's rows in place; what is cleared is gone."""
        for index in (0, 1):

            def apply(tables: Tables) -> None:
                mine = {name: of(rows, key) for name, rows in tables.items()}
                if not mine["episodes"]:
                    return
                for name, rows in tables.items():
                    tables[name] = [row for row in rows if row not in mine[name]]
                for change in changes:
                    change(mine)
                for name, rows in mine.items():
                    tables[name] += rows

            self.study.forge(apply, index)


def set_row(table: str, position: int, **values: Any) -> Change:
    """Set columns of one row."""
    return lambda rows: rows[table][position].update(values)


def set_call(turn: int, **values: Any) -> Change:
    """Set fields of a turn's first call."""
    return lambda rows: rows["turns"][turn - 1]["calls"][0].update(values)


def drop(table: str, position: int) -> Change:
    """Take one row away."""
    return lambda rows: rows[table].pop(position)


def double(table: str, position: int) -> Change:
    """Put one row in twice."""
    return lambda rows: rows[table].append(rows[table][position])


def set_state(turn: int, **fields: Any) -> Change:
    """Set fields of a state; `rehash` makes its hashes anew."""

    def change(rows: Tables) -> None:
        row = rows["transitions"][turn]
        row["state"] = canonical_json(json.loads(row["state"]) | fields).decode()

    return change


def rehash(rows: Tables) -> None:
    """Make the chain of states anew."""
    previous = None
    for row in rows["transitions"]:
        row["state_sha256"] = sha256_hex(row["state"].encode())
        row["previous_state_sha256"] = previous
        previous = row["state_sha256"]


def ask_again(rows: Tables) -> None:
    """Make answers, requests and token counts anew from what the turns say."""
    [episode] = rows["episodes"]
    tools = Tools(catalogs()[episode["catalog_size"]].snapshot)
    transcript = Transcript(tasks()[episode["task_id"]].query)
    states = {row["turn"]: row for row in rows["transitions"]}
    for turn, exchange in zip(rows["turns"], rows["exchanges"], strict=True):
        prompted = tools.prompted(turn["exposure"])
        turn["schema_tokens"] = prompted.tokens
        turn["input_tokens"] = prompted.tokens + transcript.tokens
        request = {
            "messages_sha256": transcript.sha256,
            "tools_sha256": prompted.sha256,
        }
        agent = {"agent_sha256": digest(dict(record_of().agent))}
        exchange.update(request, request_sha256=digest(request | agent))
        if turn["accepted"]:
            exchange["answer"] = _answer(turn)
        if turn["turn"] in states:
            transcript.tool_turn(turn, _content(states[turn["turn"]], tools))
        else:
            transcript.idle_turn(turn)


def _answer(turn: dict[str, Any]) -> str:
    calls = [
        {"id": call["call_id"], "name": call["name"], "arguments": call["arguments"]}
        for call in turn["calls"]
    ]
    parts = {"text": turn["text"], "calls": calls or None}
    kept = {name: value for name, value in parts.items() if value is not None}
    return json.dumps(kept, sort_keys=True, separators=(",", ":"))


def _content(row: dict[str, Any], tools: Tools) -> str:
    text = row["observation"]
    return answer_content(row, None if text is None else json.loads(text), {})

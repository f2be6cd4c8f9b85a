"""A conversation is what the agent was asked, turn for turn: its hash is the logged one."""

from __future__ import annotations

from gates.consistency import called
from gates.conversation import conversation
from router.canonical import digest
from tests.support.rows import rows_of
from tests.support.shop_study import catalogs, records, tasks


def test_it_is_what_the_last_turn_was_asked_and_what_came_of_it() -> None:
    overflowed = idle = 0
    for key, record in records().items():
        item = rows_of(record)
        snapshot = catalogs()[key.catalog_size].snapshot
        messages = conversation(item, tasks()[key.task_id].query, snapshot)
        last = item.turns[-1]
        # What the last turn added: nothing, a text, or calls with an answer each.
        added = 0 if not last["accepted"] else 1 + len(last["calls"]) * called(last)
        asked = messages[: len(messages) - added]
        assert digest(asked) == item.exchanges[-1]["messages_sha256"]
        overflowed += not last["accepted"]
        idle += last["accepted"] and not called(last)
        if last["accepted"] and not called(last):
            assert messages[-1]["role"] == "assistant"
    assert overflowed
    assert idle

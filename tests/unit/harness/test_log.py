"""The episode log: what it gives back, and what it refuses as another's."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.effort import Effort
from harness.error import InfrastructureError, IntegrityError
from harness.grid import EpisodeKey
from harness.journal import open_journal, read_journal
from harness.log import EpisodeLog, Owner, Share
from harness.record import EpisodeRecord
from harness.table import build_tables, tables_of
from tests.unit.harness.world import GOLD, ScriptedAgent, World

OWNER = Owner(study="shop", identity="5" * 64, shard="shard-00000-of-00001")
SMALL = Effort(episodes=1, turns=3, retries=1, waited_ms=2.5, input_tokens=40)


@pytest.fixture
def records(world: World) -> list[EpisodeRecord]:
    return [world.run(ScriptedAgent(GOLD)), world.run(ScriptedAgent(["no"] * 3), "ORACLE")]


def open_log(folder: Path, keys: list[EpisodeKey], owner: Owner = OWNER) -> EpisodeLog:
    return EpisodeLog(folder / "log" / "shard.log", owner, keys)


@pytest.fixture
def log(tmp_path: Path, records: list[EpisodeRecord]) -> EpisodeLog:
    """A log of two attempts, one episode each."""
    log = open_log(tmp_path, [record.key for record in records])
    for number, record in enumerate(records, start=1):
        with log.writing(number) as writer:
            writer.append(record, seconds=number * 1.5, effort=SMALL)
    return log


def test_a_log_that_is_not_there_is_empty(tmp_path: Path) -> None:
    log = open_log(tmp_path, [])
    assert (log.content().keys, log.content().shares) == (frozenset(), {})
    assert list(log.rows()) == []
    log.remove()


def test_it_tells_which_episodes_it_holds_and_what_each_attempt_took(
    log: EpisodeLog, records: list[EpisodeRecord]
) -> None:
    content = log.content()
    assert content.keys == {record.key for record in records}
    assert content.shares == {1: Share(1.5, SMALL), 2: Share(3.0, SMALL)}


def test_the_effort_of_an_attempt_adds_up(tmp_path: Path, records: list[EpisodeRecord]) -> None:
    log = open_log(tmp_path, [record.key for record in records])
    with log.writing(4) as writer:
        for seconds, record in enumerate(records):
            writer.append(record, seconds=seconds, effort=SMALL)
    both = Effort(episodes=2, turns=6, retries=2, waited_ms=5.0, input_tokens=80)
    assert log.content().shares == {4: Share(1.0, both)}


def test_an_attempt_without_an_episode_is_told(tmp_path: Path) -> None:
    log = open_log(tmp_path, [])
    with log.writing(3):
        pass
    assert log.content().shares == {3: Share()}


def test_tables_of_the_log_are_those_of_the_records(
    log: EpisodeLog, records: list[EpisodeRecord]
) -> None:
    assert tables_of(list(log.rows())) == build_tables(records)


def test_rows_that_went_missing_are_the_plants(log: EpisodeLog) -> None:
    log.remove()
    assert not log.path.exists()
    with pytest.raises(InfrastructureError, match="has lost 2 episodes"):
        list(log.rows())


@pytest.mark.parametrize(
    "owner",
    [
        OWNER.model_copy(update={"study": "other"}),
        OWNER.model_copy(update={"identity": "6" * 64}),
        OWNER.model_copy(update={"shard": "shard-00000-of-00002"}),
        OWNER.model_copy(update={"schema_version": 99}),
    ],
)
def test_a_log_of_something_else_is_refused(log: EpisodeLog, owner: Owner) -> None:
    other = EpisodeLog(log.path, owner, log.keys)
    for read in (other.content, lambda: list(other.rows())):
        with pytest.raises(IntegrityError, match="is of shard-00000-of-00001 of study shop 555555"):
            read()


def test_an_episode_of_another_shard_is_refused(log: EpisodeLog) -> None:
    other = EpisodeLog(log.path, OWNER, list(log.keys)[:1])
    with pytest.raises(IntegrityError, match="holds an episode of another shard"):
        other.content()


def test_an_episode_that_stands_twice_is_refused(
    log: EpisodeLog, records: list[EpisodeRecord]
) -> None:
    with log.writing(3) as writer:
        writer.append(records[0], seconds=0.0, effort=SMALL)
    with pytest.raises(IntegrityError, match="holds episode shop-1/4/FULL twice"):
        log.content()


def drop_column(line: dict[str, Any]) -> None:
    del line["rows"]["turns"][0]["malformed"]


def mix_episodes(line: dict[str, Any]) -> None:
    line["rows"]["turns"][0]["task_id"] = "other"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda line: line["rows"].pop("turns"), "holds the rows of other tables"),
        (drop_column, "holds the rows of other tables"),
        (mix_episodes, "mixes the rows of episodes"),
        (lambda line: line["rows"]["episodes"].clear(), "mixes the rows of episodes"),
        (lambda line: line.pop("effort"), "was written by another version"),
        (lambda line: line.update(attempt=0), "was written by another version"),
        (lambda line: line.update(failure="OSError"), "was written by another version"),
    ],
)
def test_a_record_of_another_version_is_refused(
    log: EpisodeLog, change: Callable[[dict[str, Any]], object], said: str
) -> None:
    payloads = list(read_journal(log.path))
    line = json.loads(payloads[2])
    change(line)
    log.remove()
    with open_journal(log.path) as journal:
        for payload in [*payloads[:2], json.dumps(line).encode(), *payloads[3:]]:
            journal.append(payload)
    with pytest.raises(IntegrityError, match=said) as caught:
        log.content()
    assert caught.value.exit_code == 3

"""Times that were measured while other episodes ran are marked, in the record and in the table."""

from __future__ import annotations

from typing import Any

import pytest

from gates.measured_table import measured_lines
from gates.timing import timing
from gates.usage import ProviderUsage
from harness.manifest import Manifest


def manifest(environment: dict[str, str]) -> Manifest:
    return Manifest(
        study="s",
        identity="0" * 64,
        shard_index=0,
        shard_count=1,
        rows=0,
        sha256="0" * 64,
        logical_digest="0" * 64,
        tables={},
        attempt=1,
        environment=environment,
    )


def shards(*counts: tuple[str, str]) -> list[Manifest]:
    return [manifest({"processes": one, "concurrency": other}) for one, other in counts]


@pytest.mark.parametrize(
    ("manifests", "at_once"),
    [
        (shards(("1", "1")), 1),
        (shards(("1", "1"), ("2", "1")), 2),
        (shards(("1", "16")), 16),
        (shards(("4", "16"), ("1", "1")), 64),
        (shards(("1", "")), None),
        (shards(("1", "-1")), None),
        (shards(("1", "²")), None),
        (shards(("1", "9" * 5000)), None),
        ([manifest({"processes": "1"})], None),
        ([*shards(("1", "1")), manifest({})], None),
        ([], None),
    ],
)
def test_only_an_episode_that_was_alone_is_not_confounded(
    manifests: list[Manifest], at_once: int | None
) -> None:
    found = timing(manifests)
    assert found["episodes_at_once"] == at_once
    assert found["confounded"] is (at_once != 1)


def terminal(at_once: int | None, usage: ProviderUsage) -> dict[str, Any]:
    times = dict.fromkeys(("wall_latency_ms", "model_ms", "retrieval_ms", "executor_ms"), 12.34)
    return {
        "timing": {"episodes_at_once": at_once, "confounded": at_once != 1},
        "latency": {"FULL": {"overall": times}},
        "usage": {"FULL": {"overall": usage.to_json()}},
    }


@pytest.mark.parametrize(
    ("at_once", "said"),
    [
        (1, "; one episode at a time)"),
        (32, "; CONFOUNDED: up to 32 episodes ran at once)"),
        (None, "; CONFOUNDED: how many episodes ran at once is not recorded)"),
    ],
)
def test_the_table_says_it_beside_the_times(at_once: int | None, said: str) -> None:
    lines = measured_lines(terminal(at_once, ProviderUsage(turns=3)), ["FULL"])
    assert said in lines[0]
    assert len(lines) == 3
    assert lines[-1].split() == ["FULL", "12.3", "12.3", "12.3", "12.3"]


def test_tokens_stand_in_it_where_a_provider_told_them() -> None:
    told = ProviderUsage(turns=3, told=3, input_tokens=54_321, output_turns=3, output_tokens=99)
    lines = measured_lines(terminal(1, told), ["FULL"])
    assert lines[-1].split() == ["FULL", "54,321", "-", "-", "99"]

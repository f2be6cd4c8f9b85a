"""A study of fewer conditions runs and is judged: nothing but the two compared arms is needed."""

from __future__ import annotations

from pathlib import Path

import pytest

from gates.aggregate import aggregate
from gates.summary import summary_lines
from harness.grid import Shard
from harness.shard import run_shard
from tests.support.tiny import Tiny

ALL = "[SR-5-STATIC, SR-PROGRESSIVE-STATIC, SR-5-STATE-AWARE, FULL, ORACLE]"


@pytest.mark.parametrize(
    "conditions",
    [
        ("SR-5-STATE-AWARE", "SR-PROGRESSIVE-STATIC"),
        ("ORACLE", "SR-PROGRESSIVE-STATIC", "SR-5-STATE-AWARE"),
    ],
)
def test_the_gate_needs_the_two_compared_arms_only(
    tmp_path: Path, conditions: tuple[str, ...]
) -> None:
    tiny = Tiny.build(tmp_path)
    protocol = tiny.configs / "study" / "protocol_0_14.yaml"
    protocol.write_text(protocol.read_text().replace(ALL, f"[{', '.join(conditions)}]"))
    study = tiny.study("shard.count=1")
    run_shard(study, Shard(0, 1))
    terminal = aggregate(
        study.folder, expected=study.record(1), tasks=study.tasks, catalogs=study.catalogs
    )
    assert terminal["counts"]["episodes"] == 5 * len(conditions)
    assert set(terminal["metrics"]) == set(conditions)
    integrity = next(rule for rule in terminal["gate"]["rules"] if rule["id"] == "policy_integrity")
    assert set(integrity["carried_by"]["attempts"]) == set(conditions)
    assert summary_lines(terminal)

"""Aggregation in its order: nothing is computed before all is there, and nothing half-written."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from gates.aggregate import aggregate
from gates.computation import plan, sample
from gates.estimate import Plan
from gates.terminal import Tally
from harness.error import IntegrityError, NotTerminalError
from harness.grid import EpisodeKey, Shard
from harness.ledger import Ledger
from harness.manifest import StudyRecord
from tests.support.shop_study import ShopStudy, catalogs, record_of, tasks


@pytest.fixture
def study(tmp_path: Path) -> ShopStudy:
    return ShopStudy.write(tmp_path)


def run(study: ShopStudy, expected: StudyRecord) -> dict[str, Any]:
    return aggregate(study.folder, expected=expected, tasks=tasks(), catalogs=catalogs())


def test_an_incomplete_grid_writes_nothing(study: ShopStudy) -> None:
    study.folder.manifest(Shard(1, 2)).unlink()
    with pytest.raises(NotTerminalError) as caught:
        run(study, record_of())
    assert caught.value.exit_code == 2
    assert not study.folder.terminal.exists()


def test_a_simulated_agent_is_never_evidence(tmp_path: Path) -> None:
    study = ShopStudy.write(tmp_path, evidence="simulation")
    with pytest.raises(IntegrityError, match="simulated agent") as caught:
        run(study, record_of(evidence="simulation"))
    assert caught.value.exit_code == 3
    assert not study.folder.terminal.exists()


def test_aggregating_again_gives_the_same_bytes(study: ShopStudy) -> None:
    run(study, record_of())
    path = study.folder.terminal / "terminal.json"
    content = path.read_bytes()
    run(study, record_of(shards=5))
    assert path.read_bytes() == content
    left = {item.name for item in study.folder.terminal.iterdir()}
    assert left == {"bundle.zip", "report.html", "terminal.json"}


def test_attempts_are_those_of_the_ledger(study: ShopStudy) -> None:
    ledger = Ledger(study.folder.attempts(Shard(0, 2)))
    with pytest.raises(IntegrityError), ledger.attempt():
        raise IntegrityError("Refused.", "Try again.")
    # A process that died leaves a start without an end.
    with study.folder.attempts(Shard(1, 2)).open("ab") as stream:
        stream.write(b'\n{"attempt": 2, "outcome": "started", "at": 1.0}\n{"attem')
    attempts = run(study, record_of())["counts"]["attempts"]
    assert attempts == {"finished": 2, "refused": 1, "started": 1}


def test_the_gate_takes_the_study_s_thresholds(tmp_path: Path) -> None:
    config = {**record_of().config, "study": {**record_of().config["study"]}}
    config["study"]["gate"] = {"task_pass_margin": "-1", "recall_threshold": "0.01"}
    record = run(ShopStudy.write(tmp_path, config=config), record_of(config=config))
    rules = record["gate"]["rules"]
    assert [rule["threshold_exact"] for rule in rules] == ["-1", "1/100", "0", "0", "0", "1"]
    assert rules[0]["passed"]
    assert rules[1]["passed"]


def test_conditions_take_the_study_s_numbers(tmp_path: Path) -> None:
    # The episodes were run with a Top-2; a study of a Top-3 cannot have left them.
    config = {**record_of().config, "study": {**record_of().config["study"]}}
    config["study"]["exposure"] = {"top_k": 3, "stages": [1, 2, None], "max_refreshes": 5}
    with pytest.raises(IntegrityError, match="not what the condition makes of the ranking"):
        run(ShopStudy.write(tmp_path, config=config), record_of(config=config))


def test_sums_are_taken_over_a_task_s_episodes() -> None:
    keys = [
        EpisodeKey(task, size, condition)
        for task in tasks()
        for size in (4, 5)
        for condition in ("A", "B")
    ]
    columns = {"passes": list(range(len(keys)))}
    sums = sample(tasks(), Tally(keys, columns))
    # Episodes 0 and 2 are shop-1's under A, 1 and 3 under B; ordered by stratum, shop-3 is first.
    assert sums.design.task_ids == ("shop-3", "shop-4", "shop-1", "shop-2")
    assert sums.design.sizes == (2, 2)
    assert sums.select(["A/passes", "B/passes", "A/episodes"]).tolist() == [
        [8 + 10, 9 + 11, 2],
        [12 + 14, 13 + 15, 2],
        [0 + 2, 1 + 3, 2],
        [4 + 6, 5 + 7, 2],
    ]


def test_the_plan_reads_its_level_as_a_decimal() -> None:
    found = plan({"iterations": 10_000, "seed": 20260929, "level": 0.95})
    assert found == Plan()
    assert Fraction(found.level) == Fraction(19, 20)

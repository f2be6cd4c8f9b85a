"""Confirming a finished study: with a terminal record, without one, and what is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gates.aggregate import aggregate
from gates.check import Check
from gates.confirm import Confirmed, confirm
from harness.error import IntegrityError, NotTerminalError
from harness.verify_command import summary
from router.canonical import canonical_json
from tests.support.forger import Forger, set_call
from tests.support.shop_study import ShopStudy, catalogs, record_of, records, tasks


@pytest.fixture
def study(tmp_path: Path) -> ShopStudy:
    return ShopStudy.write(tmp_path)


def aggregated(study: ShopStudy) -> dict[str, Any]:
    return aggregate(study.folder, expected=record_of(), tasks=tasks(), catalogs=catalogs())


def check(study: ShopStudy, **options: Any) -> Confirmed:
    return confirm(
        study.folder, expected=record_of(), tasks=tasks(), catalogs=catalogs(), **options
    )


def test_a_study_without_a_terminal_record_is_verified_as_far_as_it_goes(study: ShopStudy) -> None:
    done = check(study)
    assert done.terminal is None
    assert done.checks[-1].name == "policy decisions"
    assert "; no terminal record yet; identity 5555" in summary(done)
    with pytest.raises(NotTerminalError, match="does not exist"):
        check(study, aggregated=True)


def test_every_figure_of_the_terminal_record_is_computed_again(study: ShopStudy) -> None:
    terminal = aggregated(study)
    told: list[Check] = []
    done = check(study, tell=told.append)
    assert done.terminal == terminal
    assert done.checks == tuple(told)
    assert told[-1].name == "terminal record"
    assert told[-1].count > 3_000
    assert summary(done).startswith(
        f"Verified: 40 episodes of study shop by {len(told)} checks; gate NOT PASSED, "
    )


def test_another_numerical_library_may_round_in_another_way(study: ShopStudy) -> None:
    terminal = aggregated(study)
    path = study.folder.terminal / "terminal.json"
    rule = terminal["gate"]["rules"][1]
    for factor, same in ((1 + 1e-14, True), (1 + 1e-9, False)):
        rule["value"] *= factor
        path.write_bytes(canonical_json(terminal) + b"\n")
        if same:
            assert check(study).terminal == terminal
        else:
            with pytest.raises(IntegrityError, match=r"terminal record: gate\.rules\.1\.value is"):
                check(study)


def test_what_failed_is_told_before_it_is_refused(study: ShopStudy) -> None:
    forger = Forger(study)
    key = forger.pick("FULL", "clean_stop", passed=True)
    approved = next(
        turn.turn
        for turn in records()[key].turns
        if turn.calls and turn.calls[0].approval is not None
    )
    forger.change(key, set_call(approved, approval=None))
    told: list[Check] = []
    with pytest.raises(IntegrityError, match="policy decisions"):
        check(study, tell=told.append)
    assert [(item.name, len(item.findings)) for item in told if item.findings] == [
        ("policy decisions", 1)
    ]

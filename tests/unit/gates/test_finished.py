"""A finished study holds what its terminal record was computed from, and nothing unfinished."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import pytest

from gates.confirm import Confirmed
from gates.finished import Finished
from gates.finished_bundle import find_bundle, named_bundle
from gates.metric_table import CONDITIONS, METRICS
from harness.error import NotTerminalError
from harness.folder import StudyFolder
from tests.support.bundles import confirmed, honest, zipped
from tests.support.finished import shop


def test_its_counts_make_every_figure_of_the_record() -> None:
    study = shop()
    assert study.conditions == CONDITIONS
    for condition in CONDITIONS:
        places = [p for p, key in enumerate(study.tally.keys) if key.condition == condition]
        for name, metric in METRICS.items():
            above, below = (
                sum(study.count(column, place) for place in places)
                for column in (metric.numerator, metric.denominator)
            )
            value = study.terminal["metrics"][condition]["overall"][name]
            assert value == (float(Fraction(above, below)) if below else None)
            assert below == study.terminal["denominators"][condition]["overall"][name]


def test_it_says_what_answered_and_when() -> None:
    assert shop().label == "exploratory, the scripted agent"
    assert shop().ended == datetime(1970, 1, 1, tzinfo=UTC)
    assert (shop().plan.iterations, shop().plan.level) == (200, "0.95")


def test_a_study_without_a_terminal_record_is_not_finished(tmp_path: Path) -> None:
    whole: Confirmed = confirmed(zipped(tmp_path / "bundle.zip", honest()))
    with pytest.raises(NotTerminalError, match="Study shop has no terminal record"):
        Finished.of(replace(whole, terminal=None), StudyFolder(tmp_path))


def test_a_bundle_is_found_beside_the_record(tmp_path: Path) -> None:
    folder = tmp_path / "shop" / "0" / "terminal"
    with pytest.raises(NotTerminalError, match="holds no terminal record"):
        find_bundle(tmp_path, "shop")
    folder.mkdir(parents=True)
    (folder / "terminal.json").write_bytes(b"{}")
    with pytest.raises(NotTerminalError, match=r"bundle\.zip does not exist"):
        find_bundle(tmp_path, "shop")
    (folder / "bundle.zip").write_bytes(b"")
    assert find_bundle(tmp_path, "shop") == folder / "bundle.zip"
    named = {"RESULTS": str(tmp_path), "STUDY": "shop"}
    assert named_bundle(named) == folder / "bundle.zip"
    assert named_bundle({**named, "BUNDLE": ""}) == folder / "bundle.zip"
    assert named_bundle({**named, "BUNDLE": "other"}) == Path("other")
    with pytest.raises(NotTerminalError, match="dev"):
        named_bundle({"RESULTS": str(tmp_path)})

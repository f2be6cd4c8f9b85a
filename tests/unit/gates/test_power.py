"""A whole analysis in its reduced form: what it holds, prints and plots."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gates.error import EstimationError
from gates.power import analyse_power, count_rows
from gates.power_plot import plot_power
from gates.power_report import power_folder, report_power
from gates.power_table import power_lines
from harness.compose import load_config
from harness.config import StudyConfig
from harness.error import ConfigError

SMALL = ("power=quick", "power.studies=20", "power.iterations=99")
TABLES = (
    "task_pass",
    "next_tool_recall",
    "recovery_superiority",
    "schema_token_economy",
    "size",
)


def config(*overrides: str, results: Path = Path("results")) -> StudyConfig:
    return load_config([*SMALL, f"results={results}", *overrides])


def analysed(*overrides: str) -> dict[str, Any]:
    found = config(*overrides)
    return analyse_power(found.power, found.study, found.power.rates)


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    return analysed()


def test_it_is_labelled_a_simulation_and_says_what_was_simulated(record: dict[str, Any]) -> None:
    assert (record["evidence"], record["label"]) == ("simulation", "simulation: never evidence")
    assert record["design"] == {
        "strata": 5,
        "languages": 6,
        "tasks_per_cell": 6,
        "catalogs": 3,
        "tasks": 180,
    }
    assert record["thresholds"] == {"task_pass_margin": "-1/50", "recall_threshold": "97/100"}
    assert record["simulation"]["seed"] == record["simulation"]["draw_seed"] == 20260929
    assert record["pilot"] is None
    json.dumps(record, allow_nan=False)


def test_every_effect_has_its_row(record: dict[str, Any]) -> None:
    section = config().power
    assert tuple(record["tables"]) == TABLES
    assert [row["true"] for row in record["tables"]["task_pass"]] == [-0.04, -0.02, 0.0]
    assert sum(map(len, record["tables"].values())) == count_rows(section) == 7
    advanced: list[int] = []
    analyse_power(section, config().study, section.rates, advance=advanced.append)
    assert advanced == [1] * 7


def test_it_repeats_to_the_last_digit(record: dict[str, Any]) -> None:
    assert analysed() == record
    assert analysed("power.seed=1")["tables"] != record["tables"]


def test_an_effect_that_the_rates_have_no_room_for_says_so() -> None:
    found = analysed(
        "power.effects.task_pass=[0.15]",
        "power.effects.recall=[]",
        "power.effects.recovery=[0.5]",
        "power.effects.whole_catalog=[]",
        "power.size.task_pass=[-0.03]",
        "power.size.discordance=[0.1,0.9]",
    )
    (row,) = found["tables"]["task_pass"]
    assert row["reason"].startswith("No pair of episodes of 2 steps")
    (row,) = found["tables"]["recovery_superiority"]
    assert row["reason"] == "recovery would be 1.3, no share"
    assert [row["tasks"] for row in found["tables"]["size"]] == [None, None]
    lines = power_lines(found)
    assert sum("Not simulated" in line for line in lines) == 4
    assert plot_power(found).axes


def test_the_steps_are_one_number_a_stratum() -> None:
    with pytest.raises(EstimationError, match="steps for 2 strata, and the study has 5"):
        analysed("power.rates.steps=[2,3]")


def test_the_tables_fit_and_say_what_they_are(record: dict[str, Any]) -> None:
    lines = power_lines(record)
    assert max(map(len, lines)) <= 120
    assert "simulation: never evidence" in lines[0]
    assert lines[0].endswith("stated rates")
    titles = [line for line in lines if line.endswith(":")]
    assert len(titles) == 7
    start = lines.index("Rule 1 beyond its point estimate (margin -0.02):")
    rows = [line.split() for line in lines[start + 2 : start + 5]]
    for row, found in zip(rows, record["tables"]["task_pass"], strict=True):
        assert float(row[0]) == found["true"]
        assert float(row[3]) == pytest.approx(
            found["verdicts"]["non-inferiority demonstrated"], abs=5e-4
        )


def test_the_plot_shows_the_rows(record: dict[str, Any]) -> None:
    figure = plot_power(record)
    passing, covering, size = figure.axes
    curve = passing.lines[0]
    assert np.asarray(curve.get_xdata()).tolist() == [-0.04, -0.02, 0.0]
    assert np.asarray(curve.get_ydata()).tolist() == [
        row["passed"]["task_pass_non_inferiority"] for row in record["tables"]["task_pass"]
    ]
    assert np.asarray(covering.lines[1].get_ydata()).tolist() == [
        row["coverage"]["companion"] for row in record["tables"]["task_pass"]
    ]
    assert np.asarray(size.lines[0].get_ydata()).tolist() == [record["tables"]["size"][0]["tasks"]]
    assert "simulation: never evidence" in figure.get_suptitle()
    stream = io.BytesIO()
    figure.savefig(stream, format="png")
    assert len(stream.getvalue()) > 5_000


def test_both_files_are_written_and_repeat(tmp_path: Path) -> None:
    first, second = (config(results=tmp_path / name) for name in ("a", "b"))
    record = report_power(first)
    report_power(second)
    assert power_folder(first) == tmp_path / "a" / "dev" / "power"
    assert json.loads((power_folder(first) / "power.json").read_bytes()) == json.loads(
        json.dumps(record)
    )
    names = sorted(path.name for path in power_folder(first).iterdir())
    assert names == ["power.json", "power.svg"]
    for name in names:
        contents = [(power_folder(item) / name).read_bytes() for item in (first, second)]
        assert contents[0] == contents[1]


def test_a_pilot_that_is_not_there_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is no file"):
        report_power(config(f"power.pilot={tmp_path}/terminal.json", results=tmp_path))
    assert list(tmp_path.iterdir()) == []

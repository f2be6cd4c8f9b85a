"""The verb: tables on standard output, both files in the results, and nothing of it hashed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from harness.compose import load_config
from tests.unit.project.checkout import ROOT


def power(*overrides: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "harness", "power", "power=quick", "power.studies=20", *overrides],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_prints_its_tables_and_writes_its_files(tmp_path: Path) -> None:
    done = power(f"results={tmp_path}", "power.iterations=99")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Power of the design of study dev (simulation: never evidence)")
    assert lines[-1] == f"Written to {tmp_path / 'dev' / 'power'}"
    assert sorted(path.name for path in (tmp_path / "dev" / "power").iterdir()) == [
        "power.json",
        "power.svg",
    ]


def test_rates_that_do_not_fit_are_wrong_use(tmp_path: Path) -> None:
    done = power(f"results={tmp_path}", "power.rates.steps=[2]")
    assert done.returncode == 1
    assert "steps for 1 strata" in done.stderr
    assert "Traceback" not in done.stderr
    done = power(f"results={tmp_path}", "power.rates.recall=1.5")
    assert done.returncode == 1
    assert "not valid at power.rates.recall" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_what_is_simulated_is_part_of_no_identity() -> None:
    plain, other = load_config(), load_config(["power=quick", "power.rates.recall=0.5"])
    assert plain.power != other.power
    assert plain.hashed() == other.hashed()

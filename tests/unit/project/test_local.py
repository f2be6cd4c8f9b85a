"""`make local` alone installs the small model, in the versions that its configuration pins."""

from __future__ import annotations

import subprocess

import pytest
from packaging.requirements import Requirement

from harness.compose import load_config
from tests.unit.project.checkout import ROOT, project
from tests.unit.project.lockfile import read_lock
from tests.unit.project.makefile import run_make

PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def pins(name: str, python: str) -> dict[str, str]:
    entries = read_lock((ROOT / name).read_text(encoding="utf-8"))
    return {entry.name: entry.version for entry in entries if entry.applies(python)}


@pytest.mark.parametrize("python", PYTHONS)
def test_the_lock_adds_engine_and_weights_and_nothing_else(python: str) -> None:
    local = pins("requirements-local.lock", python)
    extras = project()["project"]["optional-dependencies"]
    for requirement in map(Requirement, extras["local"]):
        assert requirement.specifier.contains(local.pop(requirement.name))
    assert local.items() <= pins("requirements.lock", python).items()


def test_the_configuration_pins_the_engine_of_the_lock() -> None:
    config = load_config(["agent=local"])
    locked = pins("requirements-local.lock", "3.11")["xllamacpp"]
    assert config.agent.model_dump()["engine"] == str(locked)


def test_it_is_installed_by_hash() -> None:
    done = subprocess.run(
        ["make", "--dry-run", "--no-print-directory", "-C", str(ROOT), "local", "VENV=venv"],
        capture_output=True,
        text=True,
        check=True,
    )
    install = done.stdout.splitlines()[-1]
    assert "--require-hashes" in install
    assert "--no-deps" in install
    assert "requirements-local.lock" in install


def test_the_slice_is_run_judged_and_replayed(tmp_path: object) -> None:
    outcome = run_make(tmp_path, "local-slice", "RESULTS=a b")
    fixed = ("study=slice", "agent=local", "results=a b")
    assert [command for command in outcome.commands if command[:2] == ("-m", "harness")] == [
        ("-m", "harness", "run", *fixed, "workers=1"),
        ("-m", "harness", "aggregate", *fixed),
        ("-m", "harness", "replay", *fixed),
    ]

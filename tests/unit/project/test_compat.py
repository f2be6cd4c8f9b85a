"""The comparison with the published package has an environment of its own, with its own lock."""

from __future__ import annotations

import subprocess

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.unit.project.checkout import ROOT, project
from tests.unit.project.lockfile import Entry, read_lock

PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def _pins(name: str, python: str) -> dict[str, str]:
    entries: tuple[Entry, ...] = read_lock((ROOT / name).read_text(encoding="utf-8"))
    found = [(entry.name, entry.version) for entry in entries if entry.applies(python)]
    assert len(dict(found)) == len(found)
    return dict(found)


@pytest.mark.parametrize("python", PYTHONS)
def test_the_lock_meets_what_the_comparison_asks_for(python: str) -> None:
    metadata = project()["project"]
    asked = metadata["dependencies"] + metadata["optional-dependencies"]["compat"]
    pins = _pins("requirements-compat.lock", python)
    for requirement in map(Requirement, asked):
        assert requirement.specifier.contains(pins[canonicalize_name(requirement.name)])


@pytest.mark.parametrize("python", PYTHONS)
def test_both_environments_have_the_same_versions(python: str) -> None:
    """Ours is compared as it is studied."""
    study, compat = (
        _pins(name, python) for name in ("requirements.lock", "requirements-compat.lock")
    )
    assert {name: compat[name] for name in compat.keys() & study.keys()} == {
        name: study[name] for name in compat.keys() & study.keys()
    }
    assert {"numpy", "pydantic", "pytest", "scipy"} <= compat.keys() & study.keys()


def test_the_published_package_stays_out_of_the_study() -> None:
    assert "schemarouter" not in _pins("requirements.lock", "3.12")


def test_the_verb_tests_in_that_environment() -> None:
    done = subprocess.run(
        ["make", "--dry-run", "--no-print-directory", "-C", str(ROOT), "compat", "VENV=venv"],
        capture_output=True,
        text=True,
        check=True,
    )
    *command, session = done.stdout.splitlines()[-1].split()
    assert command == ["venv-compat/bin/python", "-m", "pytest", "tests/compat"]
    assert (ROOT / session).exists()
    assert "--require-hashes" in done.stdout
    assert "requirements-compat.lock" in done.stdout

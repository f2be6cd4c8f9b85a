"""The project says the same of itself everywhere."""

from __future__ import annotations

import subprocess
import sys

import yaml
from packaging.version import Version

from tests.unit.project.checkout import ROOT, project


def _citation() -> dict[str, object]:
    document: dict[str, object] = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    return document


def test_version_and_license_agree() -> None:
    metadata = project()["project"]
    assert _citation()["version"] == metadata["version"]
    assert _citation()["license"] == metadata["license"] == "MIT"
    assert (ROOT / "LICENSE").read_text("utf-8").startswith("MIT License\n")


def test_the_version_is_canonical_and_of_the_0_14_study() -> None:
    version = Version(project()["project"]["version"])
    assert str(version) == project()["project"]["version"]
    assert version.release[:2] == (0, 14)


def test_the_changelog_opens_with_what_is_unreleased_or_with_this_version() -> None:
    lines = (ROOT / "CHANGELOG.md").read_text("utf-8").splitlines()
    first = next(line for line in lines if line.startswith("## "))
    version = project()["project"]["version"]
    assert first == "## [Unreleased]" or first.startswith(f"## [{version}] - ")


def test_the_citation_follows_its_schema() -> None:
    command = ["--builtin-schema", "vendor.citation-file-format", str(ROOT / "CITATION.cff")]
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", *command],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout

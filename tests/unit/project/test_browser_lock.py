"""What the tests in a browser take from npm's registry is pinned by hash, and names no host."""

from __future__ import annotations

import json

from tests.unit.project.checkout import ROOT

FOLDER = ROOT / "tests" / "integration" / "report"


def test_each_package_is_pinned_by_its_hash_and_not_by_its_place() -> None:
    lock = json.loads((FOLDER / "package-lock.json").read_text("utf-8"))
    wanted = json.loads((FOLDER / "package.json").read_text("utf-8"))["devDependencies"]
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    assert {name.removeprefix("node_modules/") for name in packages} == set(wanted)
    for name, entry in packages.items():
        assert entry["version"] == wanted[name.removeprefix("node_modules/")]
        assert entry["integrity"].startswith("sha512-")
        assert "resolved" not in entry


def test_no_script_of_a_package_runs_when_it_is_installed() -> None:
    assert "ignore-scripts=true" in (FOLDER / ".npmrc").read_text("utf-8").splitlines()

"""The development study runs end to end, and the README shows what it prints."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.unit.project.checkout import ROOT

HASHES = ("Identity ", "Digest ", "Written to ")


def harness(*argv: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "harness", *argv],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def shown_in_readme() -> list[str]:
    """The lines of the README's block of development results."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.partition("\n## Development results\n")[2].partition("\n## ")[0]
    return section.partition("```text\n")[2].partition("\n```")[0].splitlines()


def without_analyses(lines: list[str]) -> list[str]:
    """The lines but for the analyses beside the gate, which decide nothing."""
    first = next(place for place, line in enumerate(lines) if line.startswith("Differences of "))
    gate = next(place for place, line in enumerate(lines) if line.startswith("Gate ("))
    assert first < gate
    return lines[:first] + lines[gate:]


def verified_elsewhere(bundle: Path, folder: Path, terminal: dict[str, Any]) -> None:
    """A bundle that was copied elsewhere tells the same story, without the results."""
    folder.mkdir()
    copied = shutil.copy(bundle, folder / "copied.zip")
    shutil.rmtree(bundle.parents[2])
    *checks, last = harness("verify", "--bundle", str(copied)).splitlines()
    assert len(checks) == 24
    assert all(line.endswith(" ok") for line in checks)
    held = sum(rule["passed"] for rule in terminal["gate"]["rules"])
    assert last == (
        "Verified: 450 episodes of study dev by 24 checks;"
        f" gate NOT PASSED, {held} of 6 rules hold;"
        f" identity {terminal['identity']}, digest {terminal['digest']}"
    )
    assert [path.name for path in folder.iterdir()] == ["copied.zip"]


def test_it_ends_with_the_gate_that_the_readme_shows(tmp_path: Path) -> None:
    results = f"results={tmp_path}"
    harness("run", "study=dev", results, "workers=2")
    printed = harness("aggregate", "study=dev", results).splitlines()
    shown = [line for line in without_analyses(printed) if not line.startswith(HASHES)]
    assert shown_in_readme() == shown
    [path] = tmp_path.glob("dev/*/terminal/terminal.json")
    terminal = json.loads(path.read_bytes())
    assert terminal["counts"]["episodes"] == 450
    assert (terminal["split"], terminal["evidence"]) == ("dev", "instrument")
    verified_elsewhere(path.with_name("bundle.zip"), tmp_path / "elsewhere", terminal)
    rules = {rule["id"]: rule["passed"] for rule in terminal["gate"]["rules"]}
    # The two checks of the instrument hold whatever the retriever and the agent do.
    assert rules["no_unauthorized_destructive"]
    assert rules["policy_integrity"]

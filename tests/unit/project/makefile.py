"""Running make against a stand-in for the environment, to see what it would have called."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.unit.project.checkout import ROOT

VARIABLES = (
    "STUDY",
    "RESULTS",
    "AGENT",
    "STORE",
    "SHARD",
    "SHARDS",
    "WORKERS",
    "BUNDLE",
    "CHAIN",
    "KILLS",
    "POWER",
    "NPM",
    "VENV",
    "PYTHON",
)


def targets() -> set[str]:
    """Return the targets of the Makefile, ``""`` for the default one."""
    text = (ROOT / "Makefile").read_text("utf-8")
    return {"", *re.findall(r"^([a-z][a-z-]*):(?!=)", text, re.MULTILINE)}


@dataclass(frozen=True)
class Outcome:
    """How a run of make ended and which commands it gave to the environment's Python."""

    code: int
    commands: tuple[tuple[str, ...], ...]
    stderr: str


def run_make(folder: Path, *arguments: str, exit_code: int = 0) -> Outcome:
    """Run make with an environment in `folder` whose Python only notes what it is called with.

    Parameters
    ----------
    folder
        An empty folder.
    arguments
        What make is given.
    exit_code
        What the noting Python answers.
    """
    log, python = folder / "log", folder / "venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(
        f"#!{sys.executable} -S\nimport sys\n"
        f"open({str(log)!r}, 'a').write('\\0'.join(sys.argv[1:]) + '\\n')\n"
        f"sys.exit({exit_code})\n",
        encoding="utf-8",
    )
    python.chmod(0o755)
    # Newer than the locks: the environment counts as made.
    (folder / "venv" / ".installed").touch()
    # A test may itself run under make, whose flags and variables would be inherited.
    hidden = {"MAKEFLAGS", "MFLAGS", "MAKEOVERRIDES", "MAKELEVEL", *VARIABLES}
    environment = {key: value for key, value in os.environ.items() if key not in hidden}
    done = subprocess.run(
        # Without npm nothing is installed into the checkout.
        ["make", "-C", str(ROOT), f"VENV={folder / 'venv'}", "NPM=", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    noted = log.read_text("utf-8").splitlines() if log.exists() else []
    return Outcome(done.returncode, tuple(tuple(line.split("\0")) for line in noted), done.stderr)

"""The pages build without a warning, and what is built needs no network."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.unit.project.checkout import ROOT
from tests.unit.project.makefile import run_make

LOADED = re.compile(r'<(?:script|img|link|iframe|source)\b[^>]*\b(?:src|href)="(?:https?:)?//')
IMPORTED = re.compile(r"(?:@import|url\()\s*[\"']?(?:https?:)?//")


def test_the_pages_build_without_a_warning(tmp_path: Path) -> None:
    # What `make docs` calls, with the pages going elsewhere.
    (command,) = run_make(tmp_path / "make", "docs").commands
    assert {"-n", "-W"} <= set(command)
    assert command[-2:] == ("docs", "docs/_build/html")
    done = subprocess.run(
        [sys.executable, *command[:-1], str(tmp_path / "html"), "-d", str(tmp_path / "doctrees")],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    pages = {
        path.relative_to(tmp_path / "html").as_posix(): path.read_text(encoding="utf-8")
        for path in (tmp_path / "html").rglob("*.html")
    }
    assert [name for name, text in pages.items() if LOADED.search(text)] == []
    styles = (tmp_path / "html" / "_static").rglob("*.css")
    assert [path.name for path in styles if IMPORTED.search(path.read_text("utf-8"))] == []
    # Made from the code: every verb's help, and what a module says of itself.
    assert "python -m harness aggregate study=dev --require-pass" in _text(
        pages["reference/command-line.html"]
    )
    assert 'id="router.SchemaRouter.reretrieve_state_aware"' in pages["reference/api/router.html"]
    assert 'id="gates.rule.verdict"' in pages["reference/api/gates.html"]


def _text(page: str) -> str:
    return re.sub(r"<[^>]+>", "", page)

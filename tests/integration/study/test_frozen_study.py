"""A frozen study from a clean checkout to its terminal record, by the commands that a user has."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from harness.lock import read_lock
from tests.support.freezable import AUTHORIZATION
from tests.support.tiny import CONFIG
from tests.unit.harness.test_checkout import git
from tests.unit.harness.test_hold import replace
from tests.unit.project.checkout import ROOT, tracked

PARTS = ("router", "surface", "conditions", "harness", "gates", "configs")
FILES = ("pyproject.toml", "requirements.lock", ".gitignore", "LICENSE", "results/README.md")


class Project:
    """A checkout of its own with the tiny study in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for path in tracked(*PARTS, *FILES):
            target = root / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
        tasks = root / "surface" / "tasks"
        (tasks / "tiny").mkdir()
        shutil.copy(tasks / "dev" / "en.yaml", tasks / "tiny" / "en.yaml")
        text = CONFIG.replace("development: true", "development: false")
        (root / "configs" / "study" / "tiny.yaml").write_text(text + AUTHORIZATION)
        (root / "configs" / "conveyor").mkdir()
        chain = "links: [{study: tiny, agent: reference}]\n"
        (root / "configs" / "conveyor" / "alone.yaml").write_text(chain)
        git(root, "init", "--quiet")

    def commit(self) -> None:
        git(self.root, "add", ".")
        git(self.root, "commit", "--quiet", "--allow-empty", "--message", "now")

    def harness(self, *words: str, study: str | None = "study=tiny") -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-m", "harness", *words, *([] if study is None else [study])],
            cwd=self.root,
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return Project(tmp_path_factory.mktemp("project"))


@pytest.fixture
def scored(project: Project) -> Project:
    """The study frozen and run, by the test before or here."""
    if not (project.root / "configs" / "frozen" / "tiny.reference.lock.json").exists():
        project.commit()
        for verb in ("freeze", "run"):
            code, told = project.harness(verb)
            assert code == 0, told
    return project


def test_from_a_clean_tree_to_the_terminal_record(project: Project) -> None:
    project.commit()
    code, told = project.harness("run")
    assert (code, "is not frozen" in told) == (1, True)

    stray = project.root / "harness" / "agents" / "stray.py"
    stray.write_text("")
    code, told = project.harness("freeze")
    assert (code, "The tree is dirty: harness/agents/stray.py" in told) == (1, True)
    stray.unlink()

    code, told = project.harness("freeze")
    lock = read_lock(project.root / "configs" / "frozen" / "tiny.reference.lock.json")
    assert code == 0
    assert f"Identity {lock.identity}" in told
    assert lock.commit == git(project.root, "rev-parse", "HEAD")
    assert "surface/tasks/tiny/en.yaml" in lock.files["tasks"]

    assert project.harness("freeze", "--check")[0] == 0
    code, told = project.harness("conveyor", study="chain=alone")
    assert (code, "terminal" in told) == (0, True)
    code, told = project.harness("run", "workers=2")
    assert (code, "0 shards run, 12 finished before" in told) == (0, True)
    assert project.harness("aggregate")[0] == 0
    path = project.root / "results" / "tiny" / lock.identity / "terminal" / "terminal.json"
    terminal = json.loads(path.read_bytes())
    assert (terminal["development"], terminal["identity"]) == (False, lock.identity)
    assert terminal["components"] == lock.components
    verified(project, path.with_name("bundle.zip"))


def verified(project: Project, bundle: Path) -> None:
    """The bundle holds the lock, and cannot do without it."""
    code, told = project.harness("verify", "--bundle", str(bundle), study=None)
    assert code == 0, told
    assert re.search(r"lock +1 locks +ok", told)
    assert re.search(r"Verified: 25 episodes of study tiny by 24 checks", told)
    assert project.harness("verify")[0] == 0
    folder = project.root.parent / "unfolded"
    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(folder)
    committed = project.root / "configs" / "frozen" / "tiny.reference.lock.json"
    assert (folder / "lock.json").read_bytes() == committed.read_bytes()
    (folder / "lock.json").unlink()
    code, told = project.harness("verify", "--bundle", str(folder), study=None)
    assert code == 3
    assert "- lock: a study that is not for development has no lock" in told


@pytest.mark.parametrize(
    ("file", "old", "new", "component"),
    [
        ("surface/tasks/tiny/en.yaml", "gloss: ", "gloss: Please. ", "tasks"),
        ("router/lexical.py", '"""', '"""Changed. ', "source.router"),
    ],
)
def test_afterwards_every_command_refuses_a_change(
    scored: Project, file: str, old: str, new: str, component: str
) -> None:
    path = scored.root / file
    before = path.read_text(encoding="utf-8")
    replace(path, old, new)
    try:
        for verb in ("run", "aggregate", "run-shard shard.index=0", "freeze --check"):
            code, told = scored.harness(*verb.split())
            assert (verb, code) == (verb, 3), told
            assert f"- {component} (" in told
            assert f"file {file} (" in told
        scored.commit()
        code, told = scored.harness("freeze", "--replace")
        assert (code, "was scored under the identity" in told) == (3, True)
    finally:
        path.write_text(before, encoding="utf-8")

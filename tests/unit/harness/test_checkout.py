"""What is committed: the checkout sees every way in which a file can differ from its commit."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from harness.checkout import Checkout
from harness.error import ConfigError


def git(root: Path, *words: str) -> str:
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.invalid")
    done = subprocess.run(
        ["git", *identity, *words], cwd=root, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "checkout"
    (root / "configs" / "frozen").mkdir(parents=True)
    (root / "a b.py").write_text("a\n")
    (root / "später.py").write_text("b\n")
    (root / ".gitignore").write_text("*.log\n")
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message", "first")
    return root


def test_a_clean_tree(root: Path) -> None:
    checkout = Checkout(root)
    assert checkout.commit() == git(root, "rev-parse", "HEAD")
    assert checkout.changes() == ()
    assert checkout.uncommitted(["a b.py", "später.py"]) == ()
    assert checkout.uncommitted([]) == ()


def test_changed_new_removed_and_staged_files_are_changes(root: Path) -> None:
    (root / "a b.py").write_text("changed\n")
    (root / "später.py").unlink()
    (root / "new").mkdir()
    (root / "new" / "file.py").write_text("")
    (root / "staged.py").write_text("")
    git(root, "add", "staged.py")
    checkout = Checkout(root)
    assert checkout.changes() == ("a b.py", "new/file.py", "später.py", "staged.py")
    assert checkout.uncommitted(["a b.py", "new/file.py"]) == ("a b.py", "new/file.py")


def test_locks_are_no_changes(root: Path) -> None:
    (root / "configs" / "frozen" / "study.agent.lock.json").write_text("{}")
    (root / "configs" / "frozen" / "notes.txt").write_text("")
    (root / "other.lock.json").write_text("{}")
    assert Checkout(root).changes() == ("configs/frozen/notes.txt", "other.lock.json")


def test_what_git_was_told_to_overlook_is_seen_by_content(root: Path) -> None:
    git(root, "update-index", "--assume-unchanged", "a b.py")
    (root / "a b.py").write_text("changed\n")
    (root / "x.log").write_text("ignored\n")
    checkout = Checkout(root)
    assert checkout.changes() == ()
    assert checkout.uncommitted(["a b.py", "später.py", "x.log"]) == ("a b.py", "x.log")


def test_a_project_inside_a_larger_checkout(root: Path) -> None:
    inner = root / "inner"
    inner.mkdir()
    (inner / "c.py").write_text("c\n")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message", "second")
    (root / "a b.py").write_text("changed, but not in the project\n")
    checkout = Checkout(inner)
    assert checkout.changes() == ()
    assert checkout.uncommitted(["c.py"]) == ()
    (inner / "c.py").write_text("d\n")
    assert checkout.uncommitted(["c.py"]) == ("c.py",)


def test_the_environment_does_not_name_another_repository(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    assert Checkout(root).changes() == ()


def test_no_checkout_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    (tmp_path / ".git").write_text("gitdir: nowhere\n")
    with pytest.raises(ConfigError, match="Git refuses") as caught:
        Checkout(tmp_path).commit()
    assert caught.value.exit_code == 1
    assert "\n" not in caught.value.what


def test_no_commit_is_refused(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    with pytest.raises(ConfigError, match="Git refuses"):
        Checkout(tmp_path).commit()


def test_no_git_is_told(root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ConfigError, match="There is no git"):
        Checkout(root).changes()

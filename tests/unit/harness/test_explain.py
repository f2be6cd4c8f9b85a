"""What changed between two freezes, in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.cli import main
from harness.explain import explain
from harness.freeze import freeze
from harness.lock import Lock, lock_path, write_lock
from tests.support.freezable import Committed, frozen
from tests.unit.harness.test_hold import relocked, replace

SHORT = 12


def told(old: Lock, new: Lock) -> list[str]:
    return list(explain(old, new))


def test_one_freeze_differs_in_nothing(tmp_path: Path) -> None:
    _, lock = frozen(tmp_path)
    title = (
        f"study 'tiny' with agent 'reference', identity {lock.identity[:SHORT]}, "
        "commit c0ffee000000"
    )
    assert told(lock, lock) == [
        f"From {title}",
        f"  to {title}",
        "They have one identity: nothing that could change an outcome differs.",
    ]


def test_keys_files_and_agents_are_told(tmp_path: Path) -> None:
    tiny, old = frozen(tmp_path)
    replace(tiny.configs / "study" / "protocol_0_14.yaml", '"0.97"', '"0.9"')
    replace(tiny.tasks / "tiny" / "en.yaml", "gloss: ", "gloss: Please. ")
    new, _ = freeze(tiny.study(), Committed(), replace=True)

    def arrow(file: str, component: str) -> str:
        pair = (lock.files[component][file][:SHORT] for lock in (old, new))
        return " -> ".join(f"{item}..." for item in pair)

    lines = told(old, new)
    assert lines[2] == "What the identity covers:"
    config, tasks = (
        " -> ".join(f"{lock.components[name][:SHORT]}..." for lock in (old, new))
        for name in ("config", "tasks")
    )
    protocol = "configs/study/protocol_0_14.yaml"
    assert lines[3:] == [
        f"  The configuration of protocol and agent changed ({config}):",
        "    study.gate.recall_threshold was 0.97 and is 0.9",
        f"    {protocol} changed ({arrow(protocol, 'config')})",
        f"  The tasks changed ({tasks}):",
        f"    tasks/tiny/en.yaml changed ({arrow('tasks/tiny/en.yaml', 'tasks')})",
    ]


def test_another_agent_is_told(tmp_path: Path) -> None:
    tiny, old = frozen(tmp_path)
    new, _ = freeze(tiny.study("agent=smollm3_vllm"), Committed())
    lines = told(old, new)
    assert "    kind was reference and is openai" in lines
    assert "    agent.sampling.temperature was added: 0.0" in lines
    assert any("configs/agent/reference.yaml was removed (" in line for line in lines)
    assert not any("configs/study" in line for line in lines)


def test_what_is_only_recorded_is_told_apart(tmp_path: Path) -> None:
    _, old = frozen(tmp_path)
    environment = old.environment.model_copy(
        update={
            "interpreter": "3.99.0",
            "packages": {**old.environment.packages, "pydantic": "99", "new": "1"},
        }
    )
    files = {**old.files, "tasks": {"tasks/tiny/en.yaml": "0" * 64}}
    new = old.model_copy(
        update={"environment": environment, "commit": "d" * 40, "files": files, "version": "9"}
    )
    lines = told(old, new)
    place = lines.index("What is recorded beside it:")
    assert lines[place - 1].startswith("They have one identity")
    was = old.environment
    tasks = old.files["tasks"]["tasks/tiny/en.yaml"][:SHORT]
    assert lines[place + 1 :] == [
        f"  commit was {old.commit} and is {'d' * 40}",
        f"  interpreter was {was.interpreter} and is 3.99.0",
        f"  version of the project was {old.version} and is 9",
        "  package new was added: 1",
        f"  package pydantic was {was.packages['pydantic']} and is 99",
        f"  tasks/tiny/en.yaml changed ({tasks}... -> 000000000000...), in nothing that counts, "
        "such as a comment",
    ]


def test_a_component_without_a_changed_file_points_at_the_packages(tmp_path: Path) -> None:
    _, old = frozen(tmp_path)
    new = old.model_copy(update={"components": {**old.components, "tasks": "0" * 64}})
    lines = told(old, new.model_copy(update={"identity": "1" * 64}))
    assert lines[-1] == "    in none of its files; installed packages made the difference"


def test_the_command_reads_two_locks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tiny, old = frozen(tmp_path)
    first = lock_path(tiny.study())
    second = first.with_name("other.lock.json")
    write_lock(second, relocked(old, "vectors", "conditions/vectors.npz"))
    assert main(["diff", str(first), str(second)]) == 0
    assert "  The committed vectors changed (" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["one.json"], "1 lock files are named, not two."),
        (["one.json", "two.json", "three.json"], "3 lock files are named, not two."),
        (["one.json", "two.json"], "one.json does not exist."),
        (["/dev/null", "two.json"], "/dev/null is not a file."),
        ([".", "two.json"], ". is not a file."),
    ],
)
def test_wrong_use_is_told(
    words: list[str],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["diff", *words]) == 1
    assert told in capsys.readouterr().err


def test_no_lock_is_told_as_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.lock.json"
    path.write_text("{}")
    assert main(["diff", str(path), str(path)]) == 3
    assert "is not a record of this version" in capsys.readouterr().err

"""Holding a study to its lock: each kind of difference is named with its place and both hashes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.authorization import Authorization, Grant, authorization_path
from harness.error import ConfigError, IntegrityError
from harness.freeze import freeze
from harness.grid import Shard
from harness.hold import check, hold
from harness.identity import study_identity
from harness.lock import Lock, lock_path, write_lock
from harness.manifest import write_record
from harness.shard import run_shard
from harness.study import Study
from router.canonical import digest
from surface.catalog import CATALOG_FOLDER
from tests.support.freezable import AUTHORIZATION, Committed, freezable, frozen
from tests.support.tiny import Tiny


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def task_file(tiny: Tiny) -> Path:
    return tiny.tasks / "tiny" / "en.yaml"


def test_a_study_as_it_was_frozen_may_run(tmp_path: Path) -> None:
    tiny, lock = frozen(tmp_path)
    assert hold(tiny.study()) == lock
    assert check(tiny.study()) == (lock, ())
    assert run_shard(tiny.study(), Shard(0, 2)).action == "ran"


def test_runtime_keys_are_free(tmp_path: Path) -> None:
    tiny, lock = frozen(tmp_path)
    assert hold(tiny.study("workers=2", "progress=false", "shard.count=5")) == lock


def test_a_development_study_needs_no_lock(tmp_path: Path) -> None:
    study = Tiny.build(tmp_path).study()
    assert hold(study) is None
    with pytest.raises(ConfigError, match="for development"):
        check(study)


def test_without_a_lock_no_shard_runs(tmp_path: Path) -> None:
    study = freezable(tmp_path).study()
    with pytest.raises(ConfigError, match=r"not frozen: .*tiny\.reference\.lock\.json does") as got:
        run_shard(study, Shard(0, 2))
    assert got.value.exit_code == 1
    assert got.value.remedy == "Freeze it first: make freeze STUDY=tiny AGENT=reference."
    assert not study.folder.root.exists()


def test_another_agent_needs_a_lock_of_its_own(tmp_path: Path) -> None:
    tiny, _ = frozen(tmp_path)
    with pytest.raises(ConfigError, match="agent 'smollm3_vllm' is not frozen"):
        hold(tiny.study("agent=smollm3_vllm"))


def protocol(tiny: Tiny) -> None:
    replace(tiny.configs / "study" / "protocol_0_14.yaml", '"0.97"', '"0.9"')


def retriever(tiny: Tiny) -> None:
    replace(tiny.configs / "retriever" / "typed.yaml", "residual: 500", "residual: 501")


def task(tiny: Tiny) -> None:
    replace(task_file(tiny), "gloss: ", "gloss: Please. ")


DIFFERENCES: dict[str, tuple[Callable[[Tiny], None], str, str]] = {
    "protocol": (
        protocol,
        r"key study\.gate\.recall_threshold \(0\.97 frozen, 0\.9 here\)",
        "configs/study/protocol_0_14.yaml",
    ),
    "retriever": (
        retriever,
        r"key retriever\.residual \(500 frozen, 501 here\)",
        "configs/retriever/typed.yaml",
    ),
    "tasks": (task, "- tasks", "tasks/tiny/en.yaml"),
}


@pytest.mark.parametrize("kind", DIFFERENCES)
def test_a_difference_is_named_with_its_file_and_both_hashes(tmp_path: Path, kind: str) -> None:
    change, words, file = DIFFERENCES[kind]
    tiny, lock = frozen(tmp_path)
    change(tiny)
    with pytest.raises(IntegrityError, match=words) as caught:
        run_shard(tiny.study(), Shard(0, 2))
    component = "tasks" if kind == "tasks" else "config"
    now = tiny.study().components[component]
    was = lock.components[component]
    assert f"- {component} ({was[:12]}... frozen, {now[:12]}... here): " in caught.value.what
    was = lock.files[component][file]
    assert f"file {file} ({was[:12]}... frozen, " in caught.value.what
    assert caught.value.exit_code == 3
    assert caught.value.what.count("\n- ") == 1
    assert lock.commit[:12] in caught.value.remedy
    assert not tiny.results.exists()


def test_a_difference_in_a_catalog_names_the_catalogs_that_have_it(tmp_path: Path) -> None:
    tiny = freezable(tmp_path)
    replace(tiny.configs / "study" / "tiny.yaml", "catalogs: [100]", "catalogs: [100, 500]")
    catalogs = Path(shutil.copytree(CATALOG_FOLDER, tmp_path / "catalogs"))
    freeze(Study(tiny.config(), tiny.tasks, catalogs), Committed())
    start = "tier: 500\n  effect: read\n  description: "
    replace(catalogs / "services" / "stays.yaml", start, f"{start}New. ")
    with pytest.raises(IntegrityError) as caught:
        hold(Study(tiny.config(), tiny.tasks, catalogs))
    assert "- catalog.500 (" in caught.value.what
    assert "file catalogs/services/stays.yaml (" in caught.value.what
    assert "catalog.100" not in caught.value.what


def relocked(lock: Lock, component: str, file: str) -> Lock:
    """The lock that another content of a source file would have made."""
    files = {name: dict(found) for name, found in lock.files.items()}
    assert file in files[component]
    files[component][file] = "0" * 64
    components = {**lock.components, component: digest(files[component])}
    update = {"files": files, "components": components, "identity": study_identity(components)}
    return lock.model_copy(update=update)


@pytest.mark.parametrize(
    ("component", "file"),
    [
        ("source.router", "router/lexical.py"),
        ("source.surface", "surface/executor.py"),
        ("source.episode", "harness/episode.py"),
        ("source.agents", "harness/agents/reference/agent.py"),
        ("state_contract", "conditions/state.py"),
        ("conditions", "conditions/preregistered.py"),
        ("retriever", "conditions/retriever.py"),
        ("vectors", "conditions/vectors.npz"),
        ("metrics", "gates/metric_table.py"),
        ("gate", "gates/gate.py"),
    ],
)
def test_a_difference_in_code_is_named(tmp_path: Path, component: str, file: str) -> None:
    tiny, lock = frozen(tmp_path)
    write_lock(lock_path(tiny.study()), relocked(lock, component, file))
    with pytest.raises(IntegrityError) as caught:
        hold(tiny.study())
    here = lock.files[component][file][:12]
    assert f"- {component} (" in caught.value.what
    assert f"file {file} (000000000000... frozen, {here}... here)" in caught.value.what


@pytest.mark.parametrize("damage", ["{", None, "tasks: []\n"])
def test_tasks_that_cannot_be_loaded_are_a_difference(tmp_path: Path, damage: str | None) -> None:
    tiny, _ = frozen(tmp_path)
    if damage is None:
        task_file(tiny).unlink()
    else:
        task_file(tiny).write_text(damage)
    with pytest.raises(IntegrityError) as caught:
        hold(tiny.study())
    here = "nothing here" if damage is None else "... here"
    assert "- tasks: file tasks/tiny/en.yaml (" in caught.value.what
    assert here in caught.value.what


def test_a_comment_is_no_difference_and_check_says_so(tmp_path: Path) -> None:
    tiny, lock = frozen(tmp_path)
    for path in (task_file(tiny), tiny.configs / "agent" / "reference.yaml"):
        path.write_text(path.read_text(encoding="utf-8") + "\n# A comment.\n", encoding="utf-8")
    assert hold(tiny.study()) == lock
    _, reworded = check(tiny.study())
    assert [item.name for item in reworded] == [
        "configs/agent/reference.yaml",
        "tasks/tiny/en.yaml",
    ]


def test_a_lock_under_another_name_is_refused(tmp_path: Path) -> None:
    tiny, _ = frozen(tmp_path)
    path = lock_path(tiny.study())
    shutil.copy(path, path.with_name("tiny.smollm3_vllm.lock.json"))
    with pytest.raises(IntegrityError, match="is the lock of study 'tiny' with agent 'reference'"):
        hold(tiny.study("agent=smollm3_vllm"))


def test_a_predecessor_that_is_not_terminal_authorizes_nothing(tmp_path: Path) -> None:
    tiny = freezable(tmp_path, AUTHORIZATION.replace("terminal: true", "terminal: false"))
    with pytest.raises(ConfigError, match="run 36642658406 of B2 is not terminal") as caught:
        freeze(tiny.study(), Committed())
    assert caught.value.exit_code == 1


@pytest.mark.parametrize(
    "wrong",
    [
        AUTHORIZATION.replace("sha256:", "md5:"),
        AUTHORIZATION.replace("    terminal: true\n", ""),
        AUTHORIZATION.replace("kind: recorded", "kind: hoped"),
        "authorization: []\n",
        "authorization: {}\n",
    ],
)
def test_a_malformed_authorization_is_refused_when_it_is_read(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(ConfigError, match=r"not valid at study\.authorization"):
        freezable(tmp_path, wrong).config()


NEEDS = """
authorization:
  - kind: study
    predecessor: pilot
    agent: reference
    verdict: passed
"""


def hand(study: Study, **changes: object) -> None:
    """Hand a pilot on to a study, as the conveyor does."""
    fields = {
        "predecessor": "pilot",
        "agent": "reference",
        "identity": "1" * 64,
        "artifact": "sha256:" + "2" * 64,
        "verdict": "passed",
    }
    grant = Grant.model_validate(fields | {k: v for k, v in changes.items() if k in fields})
    about = {"study": "tiny", "identity": study.identity} | {
        k.removeprefix("of_"): v for k, v in changes.items() if k.startswith("of_")
    }
    record = Authorization.model_validate({**about, "grants": [grant]})
    write_record(authorization_path(study.folder), record)


def test_a_study_that_needs_another_waits_until_it_is_handed_on(tmp_path: Path) -> None:
    tiny, lock = frozen(tmp_path, NEEDS)
    with pytest.raises(ConfigError, match=r"waits for pilot \(reference\): nothing was handed"):
        run_shard(tiny.study(), Shard(0, 2))
    hand(tiny.study())
    assert hold(tiny.study()) == lock
    assert run_shard(tiny.study(), Shard(0, 2)).action == "ran"


@pytest.mark.parametrize(
    "changes",
    [
        {"predecessor": "other"},
        {"agent": "other"},
        {"verdict": "failed"},
        {"of_study": "other"},
        {"of_identity": "0" * 64},
    ],
)
def test_something_else_handed_on_authorizes_nothing(
    tmp_path: Path, changes: dict[str, object]
) -> None:
    tiny, _ = frozen(tmp_path, NEEDS)
    hand(tiny.study(), **changes)
    with pytest.raises(IntegrityError) as caught:
        hold(tiny.study())
    assert "authorization.json" in caught.value.what


@pytest.mark.parametrize(("digit", "holds"), [("2", True), ("3", False)])
def test_a_digest_that_the_study_names_is_the_one_that_counts(
    tmp_path: Path, digit: str, holds: bool
) -> None:
    tiny, lock = frozen(tmp_path, f"{NEEDS}    artifact: sha256:{digit * 64}\n")
    hand(tiny.study())
    if holds:
        assert hold(tiny.study()) == lock
    else:
        with pytest.raises(IntegrityError, match="does not hand on pilot"):
            hold(tiny.study())


def test_a_terminal_record_that_was_altered_since_authorizes_nothing(tmp_path: Path) -> None:
    tiny, _ = frozen(tmp_path, NEEDS)
    hand(tiny.study())
    path = tiny.results / "pilot" / ("1" * 64) / "terminal" / "terminal.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({}))
    with pytest.raises(IntegrityError, match="is not the record that authorized study 'tiny'"):
        hold(tiny.study())

"""Freezing: what a lock holds, and when none is written."""

from __future__ import annotations

import json
import platform
from pathlib import Path

import pytest

from harness.checkout import Checkout
from harness.error import ConfigError, IntegrityError
from harness.freeze import freeze
from harness.grid import Shard
from harness.identity import SOURCE_ROOT, study_identity
from harness.lock import Lock, lock_path, read_lock
from harness.shard import run_shard
from router.canonical import sha256_hex
from tests.support.freezable import ARTIFACT, COMMIT, Committed, freezable, frozen
from tests.support.tiny import Tiny


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    return freezable(tmp_path)


def change_protocol(tiny: Tiny) -> None:
    path = tiny.configs / "study" / "protocol_0_14.yaml"
    path.write_text(path.read_text().replace('"0.97"', '"0.96"'))


def test_a_lock_says_what_was_frozen_and_on_what(tiny: Tiny) -> None:
    study = tiny.study()
    lock, written = freeze(study, Committed())
    assert written
    assert lock_path(study) == tiny.configs / "frozen" / "tiny.reference.lock.json"
    assert read_lock(lock_path(study)) == lock
    assert lock.schema_version == 2
    assert (lock.study, lock.split, lock.agent_name) == ("tiny", "tiny", "reference")
    assert lock.identity == study.identity == study_identity(lock.components)
    assert lock.commit == COMMIT
    assert lock.authorization == (
        {
            "kind": "recorded",
            "predecessor": "B2",
            "run": "36642658406",
            "artifact": ARTIFACT,
            "terminal": True,
        },
    )
    assert lock.environment.interpreter == platform.python_version()
    assert lock.environment.packages["pydantic"].count(".") == 2
    package_lock = (SOURCE_ROOT / "requirements.lock").read_bytes()
    assert lock.environment.package_lock == sha256_hex(package_lock)


def test_every_component_has_the_hashes_of_its_files(tiny: Tiny) -> None:
    lock, _ = freeze(tiny.study(), Committed())
    assert set(lock.files) == set(lock.components)
    assert {
        *("config", "agent", "tasks", "catalog.100", "state_contract", "conditions", "retriever"),
        *("vectors", "metrics", "gate", "source.router", "source.surface", "source.episode"),
        "source.agents",
    } == set(lock.components)
    tasks = (tiny.tasks / "tiny" / "en.yaml").read_bytes()
    assert lock.files["tasks"] == {"tasks/tiny/en.yaml": sha256_hex(tasks)}
    assert set(lock.files["config"]) == {
        "configs/study/tiny.yaml",
        "configs/study/protocol_0_14.yaml",
        "configs/retriever/typed.yaml",
        "configs/agent/reference.yaml",
    }
    assert "surface/catalogs/vocabulary.yaml" in lock.files["catalog.100"]
    assert "conditions/state.py" in lock.files["state_contract"]
    assert "harness/agents/reference/agent.py" in lock.files["source.agents"]
    assert all(files for files in lock.files.values())


def test_a_lock_is_written_for_people_to_read(tiny: Tiny) -> None:
    study = tiny.study()
    freeze(study, Committed())
    text = lock_path(study).read_text()
    assert text == json.dumps(json.loads(text), indent=2, sort_keys=True) + "\n"


def test_freezing_again_changes_nothing(tiny: Tiny) -> None:
    freeze(tiny.study(), Committed())
    path = lock_path(tiny.study())
    before = path.read_bytes()
    lock, written = freeze(tiny.study(), Committed(dirty=("anything",)))
    assert not written
    assert path.read_bytes() == before
    assert lock.identity == tiny.study().identity


@pytest.mark.parametrize(
    "checkout",
    [Committed(dirty=("README.md",)), Committed(strange=("harness/agents/reference/agent.py",))],
)
def test_a_dirty_tree_cannot_be_frozen(tiny: Tiny, checkout: Checkout) -> None:
    with pytest.raises(ConfigError, match=r"The tree is dirty: \S+(md|py) not committed") as caught:
        freeze(tiny.study(), checkout)
    assert caught.value.exit_code == 1
    assert not lock_path(tiny.study()).exists()


def test_a_development_study_is_not_frozen(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="for development: it runs without a lock"):
        freeze(Tiny.build(tmp_path).study(), Committed())


def test_without_an_authorization_nothing_is_frozen(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="Nothing authorizes study 'tiny'"):
        freeze(freezable(tmp_path, authorization="").study(), Committed())


def test_another_identity_needs_a_word(tmp_path: Path) -> None:
    tiny, old = frozen(tmp_path)
    change_protocol(tiny)
    with pytest.raises(ConfigError, match=f"holds another identity, {old.identity}") as caught:
        freeze(tiny.study(), Committed())
    assert "--replace" in caught.value.remedy
    new, written = freeze(tiny.study(), Committed(), replace=True)
    assert written
    assert read_lock(lock_path(tiny.study())).identity == new.identity != old.identity


def test_a_scored_identity_is_never_replaced(tmp_path: Path) -> None:
    tiny, old = frozen(tmp_path)
    run_shard(tiny.study(), Shard(0, 2))
    change_protocol(tiny)
    before = lock_path(tiny.study()).read_bytes()
    with pytest.raises(IntegrityError, match=f"scored under the identity {old.identity}") as caught:
        freeze(tiny.study(), Committed(), replace=True)
    assert caught.value.exit_code == 3
    assert "superseded" in caught.value.remedy
    assert lock_path(tiny.study()).read_bytes() == before


def test_removing_the_lock_does_not_help(tmp_path: Path) -> None:
    tiny, _ = frozen(tmp_path)
    run_shard(tiny.study(), Shard(0, 2))
    lock_path(tiny.study()).unlink()
    change_protocol(tiny)
    with pytest.raises(IntegrityError, match="was scored under the identity"):
        freeze(tiny.study(), Committed())


def test_a_lost_lock_of_a_scored_identity_can_be_made_again(tmp_path: Path) -> None:
    tiny, old = frozen(tmp_path)
    run_shard(tiny.study(), Shard(0, 2))
    lock_path(tiny.study()).unlink()
    lock, written = freeze(tiny.study(), Committed())
    assert written
    assert lock == old


def test_each_agent_has_a_lock_of_its_own(tmp_path: Path) -> None:
    tiny, first = frozen(tmp_path)
    run_shard(tiny.study(), Shard(0, 2))
    second, _ = freeze(tiny.study("agent=smollm3_vllm"), Committed())
    assert second.agent_name == "smollm3_vllm"
    assert second.identity != first.identity
    assert second.components["tasks"] == first.components["tasks"]
    names = {path.name for path in (tiny.configs / "frozen").iterdir()}
    assert names >= {"tiny.reference.lock.json", "tiny.smollm3_vllm.lock.json"}


def test_another_address_of_the_server_is_the_same_freeze(tiny: Tiny) -> None:
    first, _ = freeze(tiny.study("agent=smollm3_vllm"), Committed())
    moved = tiny.study("agent=smollm3_vllm", "agent.server.base_url=http://elsewhere:1/v1")
    assert freeze(moved, Committed()) == (first, False)


def edited(lock: Lock, *keys: str, value: object) -> str:
    values = json.loads(lock.model_dump_json())
    node = values
    for key in keys[:-1]:
        node = node[key]
    node[keys[-1]] = value
    return json.dumps(values)


@pytest.mark.parametrize(
    ("keys", "value", "words"),
    [
        (("identity",), "0" * 64, "identity is not the hash of its components"),
        (("components", "tasks"), "0" * 64, "identity is not the hash of its components"),
        (("config", "study", "tasks_per_cell"), 2, "component config is not the hash"),
        (("agent", "kind"), "other", "component agent is not the hash"),
        (("files", "vectors", "conditions/vectors.npz"), "0" * 64, "component vectors is not"),
        (("authorization",), [{"kind": "none"}], "authorization is not the one"),
        (("authorization",), [], "authorization"),
        (("schema_version",), 1, "schema_version"),
        (("commit",), "main", "commit"),
        (("notes",), "", "notes"),
    ],
)
def test_a_lock_that_was_edited_is_refused(
    tmp_path: Path, keys: tuple[str, ...], value: object, words: str
) -> None:
    tiny, lock = frozen(tmp_path)
    path = lock_path(tiny.study())
    path.write_text(edited(lock, *keys, value=value))
    with pytest.raises(IntegrityError, match=words):
        read_lock(path)

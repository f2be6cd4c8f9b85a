"""The identity: what it covers, what it does not, and one pinned value."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from harness.identity import SOURCES, study_components, study_identity
from tests.unit.harness.world import TASK, World
from tests.unit.project.checkout import ROOT


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    root = tmp_path / "sources"
    for name in ("router", "surface", "conditions", "harness", "gates"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    return root


def components(world: World, root: Path) -> dict[str, str]:
    return study_components(
        config={"study": {"name": "test"}},
        tasks=[world.task],
        catalogs={4: world.catalog},
        agent={"kind": "scripted"},
        root=root,
    )


def changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {name for name in before if before[name] != after[name]}


def test_a_change_of_code_is_named(world: World, sources: Path) -> None:
    before = components(world, sources)
    for path, component in (
        ("router/lexical.py", "source.router"),
        ("surface/executor.py", "source.surface"),
        ("conditions/state.py", "state_contract"),
        ("conditions/preregistered.py", "conditions"),
        ("conditions/retriever.py", "retriever"),
        ("conditions/text.py", "retriever"),
        ("harness/episode.py", "source.episode"),
        ("harness/agents/reference/POLICY.md", "source.agents"),
        ("conditions/vectors.npz", "vectors"),
        ("gates/metric_table.py", "metrics"),
        ("gates/gate.py", "gate"),
    ):
        original = (sources / path).read_bytes()
        (sources / path).write_bytes(original + b"\n")
        assert changed(before, components(world, sources)) == {component}
        (sources / path).write_bytes(original)


def test_code_that_no_outcome_depends_on_is_not_covered(world: World, sources: Path) -> None:
    before = components(world, sources)
    for path in ("harness/cli.py", "harness/store.py", "harness/shard.py", "harness/progress.py"):
        (sources / path).write_text("")
    assert components(world, sources) == before


def test_every_module_of_the_episode_loop_is_covered() -> None:
    """Whatever touches executor or conditions is hashed.

    The configuration is, by its values; the check of the surface only reads. An error that is
    passed on touches nothing.
    """
    hashed = {name.removeprefix("harness/") for name in SOURCES["source.episode"]}
    loop = {path.name for path in (ROOT / "harness").glob("*.py") if _imports_the_loop(path)}
    assert loop - hashed == {"config.py", "promise.py", "protocol.py", "surface_check.py"}


def _imports_the_loop(path: Path) -> bool:
    text = path.read_text(encoding="utf-8")
    return re.search(r"from (surface\.executor|conditions\.(?!error\b))", text) is not None


def test_a_change_of_task_or_catalog_is_named(world: World, sources: Path, tmp_path: Path) -> None:
    before = components(world, sources)
    other = json.loads(json.dumps(TASK))
    other["approvals"] = []
    folder = tmp_path / "other"
    folder.mkdir()
    assert changed(before, components(World.build(folder, other), sources)) == {"tasks"}


def test_the_order_of_components_plays_no_part() -> None:
    forward, backward = {"a": "1", "b": "2"}, {"b": "2", "a": "1"}
    assert study_identity(forward) == study_identity(backward)


def test_the_identity_is_pinned() -> None:
    """SHA-256 of {"components":{"a":"1"},"schema_version":2}, by sha256sum."""
    expected = "a64071550ab4830a204a5fc23306f78bf69feb16d799ebcb94446cf1d5208803"
    assert study_identity({"a": "1"}) == expected

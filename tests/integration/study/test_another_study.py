"""A study that has nothing of the 0.14 one: a folder of configs with a surface of its own."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
import yaml

from gates.aggregate import aggregate
from gates.bundle import BUNDLE
from gates.bundle_confirm import confirm_bundle
from gates.bundle_open import opened
from harness.carried import carried_surface
from harness.cli import main
from harness.compose import CONFIG_FOLDER, load_config
from harness.error import ConfigError, IntegrityError
from harness.freeze import freeze
from harness.grid import Shard
from harness.hold import hold
from harness.lock import kept_lock
from harness.recorded import recorded_study
from harness.shard import run_shard
from harness.study import Study
from harness.surface_check import check_own_surface
from surface.error import SurfaceError
from surface.task import CANARY
from tests.support.freezable import AUTHORIZATION, Committed
from tests.support.shop_study import RIVAL
from tests.unit.harness.world import SERVICE, TASK, VOCABULARY

HEAD = """# @package _global_
defaults:
  - override /retriever: words
  - _self_

study:
"""

STUDY = f"""
name: shop
protocol: shop-1
surface: shop
split: trial
tasks_per_cell: 2
development: false
strata: [errand]
languages: [pirate, plain]
catalogs: [4, 5]
conditions: [SR-5-STATE-AWARE, SR-PROGRESSIVE-STATIC, ORACLE]
exposure: {{top_k: 5, stages: [1, 2], max_refreshes: 2}}
episode: {{max_turns: 6, max_reminders: 1}}
analysis: {{iterations: 100, seed: 7, level: 0.9}}
gate: {{task_pass_margin: "-0.5", recall_threshold: "0.25"}}
{AUTHORIZATION}
"""


def tasks() -> list[dict[str, object]]:
    return [
        {key: value for key, value in TASK.items() if key != "split"}
        | {"id": f"{language}-{number}", "stratum": "errand", "language": language}
        for language in ("pirate", "plain")
        for number in (1, 2)
    ]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Write the configuration tree and the study's surface beside it."""
    configs = Path(shutil.copytree(CONFIG_FOLDER, tmp_path / "configs"))
    shutil.rmtree(configs / "study")
    (configs / "study").mkdir()
    (configs / "study" / "shop.yaml").write_text(HEAD + indent(STUDY, "  "))
    words = (configs / "retriever" / "typed.yaml").read_text()
    for weight in ("sentence_weight: 10", "term_weight: 10"):
        assert weight in words
        words = words.replace(weight, weight.replace("10", "0"))
    (configs / "retriever" / "words.yaml").write_text(words)
    catalogs = tmp_path / "shop" / "catalogs"
    (catalogs / "services").mkdir(parents=True)
    (catalogs / "vocabulary.yaml").write_text(VOCABULARY)
    services = {
        "shop": SERVICE.replace("tier: 100", "tier: 4"),
        "mall": RIVAL.replace("tier: 250", "tier: 5"),
    }
    for name, text in services.items():
        (catalogs / "services" / f"{name}.yaml").write_text(text)
    split = tmp_path / "shop" / "tasks" / "trial"
    split.mkdir(parents=True)
    content = yaml.safe_dump({"canary": CANARY, "tasks": tasks()}, sort_keys=False)
    (split / "all.yaml").write_text(content)
    return configs


def load(tree: Path) -> Study:
    results = f"results={tree.parent / 'results'}"
    return Study(load_config(["study=shop", results], folder=tree))


def test_it_is_frozen_run_and_judged(tree: Path) -> None:
    study = load(tree)
    lock, _ = freeze(study, Committed())
    assert {name for name in lock.components if name.startswith("catalog.")} == {
        "catalog.4",
        "catalog.5",
    }
    assert set(lock.files["catalog.4"]) == {
        "catalogs/services/mall.yaml",
        "catalogs/services/shop.yaml",
        "catalogs/vocabulary.yaml",
    }
    assert "configs/retriever/words.yaml" in lock.files["config"]
    assert run_shard(study, Shard(0, 1)).episodes == 4 * 2 * 3
    terminal = aggregate(
        study.folder, expected=study.record(1), tasks=study.tasks, catalogs=study.catalogs
    )
    assert set(terminal["metrics"]) == set(study.config.study.conditions)
    oracle = terminal["metrics"]["ORACLE"]
    assert set(oracle["stratum"]) == {"errand"}
    assert set(oracle["language"]) == {"pirate", "plain"}
    assert set(oracle["catalog"]) == {"4", "5"}
    recall = next(item for item in terminal["gate"]["rules"] if item["id"] == "next_tool_recall")
    assert recall["threshold_exact"] == "1/4"
    assert terminal["plan"]["seed"] == 7


def terminal_bundle(tree: Path) -> Path:
    """Run and judge the study; return its bundle."""
    study = load(tree)
    freeze(study, Committed())
    run_shard(study, Shard(0, 1))
    aggregate(
        study.folder,
        expected=study.record(1),
        tasks=study.tasks,
        catalogs=study.catalogs,
        lock=kept_lock(study),
        surface=carried_surface(study.config.surface, study.config.study.split),
    )
    return study.folder.terminal / BUNDLE


def test_its_bundle_carries_its_surface(tree: Path, tmp_path: Path) -> None:
    bundle = terminal_bundle(tree)
    copied = Path(shutil.copy(bundle, tmp_path / "copied.zip"))
    shutil.rmtree(tree)
    shutil.rmtree(tree.parent / "shop")
    shutil.rmtree(tree.parent / "results")
    with opened(copied) as folder:
        confirmed = confirm_bundle(folder)
    assert len(confirmed.results.episodes) == 4 * 2 * 3
    assert confirmed.terminal is not None
    assert main(["replay", "--bundle", str(copied)]) == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda carried: None, "which its results do not carry"),
        (lambda carried: {**carried, "tasks": carried["tasks"][:-1]}, "not valid"),
        (lambda carried: {**carried, "services": {"../shop": ""}}, "not a record of this version"),
        (
            lambda carried: {
                **carried,
                "tasks": [text.replace("pirate-1", "pirate-3") for text in carried["tasks"]],
            },
            "other components than this package has: tasks",
        ),
        (
            lambda carried: {
                **carried,
                "services": {
                    **carried["services"],
                    "mall": carried["services"]["mall"].replace("by e-mail", "by letter"),
                },
            },
            r"other components than this package has: catalog\.5",
        ),
    ],
)
def test_another_surface_than_it_ran_on_is_found(
    tree: Path, change: Callable[[dict[str, Any]], Any], said: str
) -> None:
    study = load(tree)
    carried = carried_surface(study.config.surface, study.config.study.split)
    assert carried is not None
    assert recorded_study(study.record(1), carried).expected == study.record(1)
    altered = change(json.loads(carried))
    content = None if altered is None else json.dumps(altered).encode()
    with pytest.raises(IntegrityError, match=said):
        recorded_study(study.record(1), content)


def test_no_surface_is_carried_beside_that_of_the_package(tree: Path) -> None:
    study = load(tree)
    known = Study(load_config(["study=dev"]))
    assert carried_surface(known.config.surface, known.config.study.split) is None
    carried = carried_surface(study.config.surface, study.config.study.split)
    with pytest.raises(IntegrityError, match="has none of its own"):
        recorded_study(known.record(1), carried)


def test_its_surface_is_part_of_its_identity(tree: Path) -> None:
    freeze(load(tree), Committed())
    path = tree.parent / "shop" / "catalogs" / "services" / "mall.yaml"
    path.write_text(path.read_text().replace("of a customer of the mall", "of a mall customer"))
    with pytest.raises(IntegrityError) as caught:
        hold(load(tree))
    assert "- catalog.5 (" in caught.value.what
    assert "catalog.4" not in caught.value.what
    assert "services/mall.yaml (" in caught.value.what


def test_its_tasks_are_of_its_own_kinds(tree: Path) -> None:
    path = tree.parent / "shop" / "tasks" / "trial" / "all.yaml"
    path.write_text(path.read_text().replace("language: plain", "language: en", 1))
    with pytest.raises(SurfaceError, match="The value should be 'pirate' or 'plain'") as caught:
        _ = load(tree).tasks
    assert caught.value.line is not None


def test_its_endpoints_are_of_its_own_catalogs(tree: Path) -> None:
    path = tree.parent / "shop" / "catalogs" / "services" / "mall.yaml"
    path.write_text(path.read_text().replace("tier: 5", "tier: 500"))
    with pytest.raises(SurfaceError, match="The value should be 4 or 5"):
        _ = load(tree).catalogs


@pytest.mark.parametrize("folder", ["../shop", "/shop", "shop/", "shop//x", ".", ""])
def test_a_surface_lies_beside_the_configuration(tree: Path, folder: str) -> None:
    path = tree / "study" / "shop.yaml"
    path.write_text(path.read_text().replace("surface: shop", f"surface: {json.dumps(folder)}"))
    with pytest.raises(ConfigError, match=r"not valid at study\.surface"):
        load(tree)


def test_kinds_of_its_own_need_a_surface_of_its_own(tree: Path) -> None:
    path = tree / "study" / "shop.yaml"
    path.write_text(path.read_text().replace("  surface: shop\n", ""))
    with pytest.raises(ConfigError, match="the value should be 'two_step_state_dependency'"):
        load(tree)


def test_its_surface_is_checked_as_far_as_the_rules_are_its_own(tree: Path) -> None:
    report = check_own_surface(load(tree))
    assert report.problems == ()
    assert report.counts == {"endpoints in catalog 4": 4, "endpoints in catalog 5": 5, "tasks": 4}


def test_everything_that_is_wrong_with_its_tasks_is_said(tree: Path) -> None:
    path = tree.parent / "shop" / "tasks" / "trial" / "all.yaml"
    text = path.read_text()
    other = text.replace("id: ", "id: other-").replace("route: shop.get_order", "route: shop.no", 1)
    (path.parent / "other.yaml").write_text(other)
    path.write_text(text.replace("id: pirate-2", "id: pirate-1"))
    report = check_own_surface(load(tree))
    assert report.unread
    assert [problem.what for problem in report.problems] == [
        "Task 'pirate-1' stands twice.",
        "The catalog of 4 endpoints has no route 'shop.no'.",
    ]


def test_a_split_that_is_not_its_own_is_a_problem_of_the_surface(tree: Path) -> None:
    path = tree.parent / "shop" / "tasks" / "trial" / "all.yaml"
    path.write_text(path.read_text().replace("language: plain", "language: pirate", 1))
    [problem] = check_own_surface(load(tree)).problems
    assert str(problem).startswith("split trial: Cell errand x pirate of split 'trial' has 3 tasks")
    path.unlink()
    [problem] = check_own_surface(load(tree)).problems
    assert problem.what == "The split 'trial' has no task files."

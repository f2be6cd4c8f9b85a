"""The workflows are valid, refer only to what exists, and call the same verbs as a person does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.project.checkout import ROOT
from tests.unit.project.makefile import targets
from tests.unit.project.workflows import Node, load_workflow, make_targets, problems, steps

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def _workflow(name: str) -> Node:
    return load_workflow((ROOT / ".github" / "workflows" / name).read_text("utf-8"))


def test_both_workflows_are_there() -> None:
    assert {"study.yml", "test.yml"} <= {path.name for path in WORKFLOWS}


def test_workflows_follow_their_schema() -> None:
    # The schema ships with the checker: nothing is fetched.
    command = ["--builtin-schema", "vendor.github-workflows", *map(str, WORKFLOWS)]
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", *command],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_refer_only_to_what_exists(path: Path) -> None:
    assert problems(load_workflow(path.read_text("utf-8"))) == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_make_target_of_a_workflow_exists(path: Path) -> None:
    assert make_targets(load_workflow(path.read_text("utf-8"))) <= targets()


def test_the_study_runs_shards_and_aggregates_through_make() -> None:
    assert make_targets(_workflow("study.yml")) == {"run-shard", "aggregate"}


def test_the_shard_list_counts_from_zero(tmp_path: Path) -> None:
    plan = next(step for job, step in steps(_workflow("study.yml")) if job == "plan")
    output = tmp_path / "output"
    environment = {**os.environ, "SHARDS": "3", "GITHUB_OUTPUT": str(output)}
    subprocess.run([sys.executable, "-c", plan["run"]], env=environment, check=True)
    key, _, value = output.read_text("utf-8").strip().partition("=")
    assert (key, json.loads(value)) == ("shards", [0, 1, 2])


@pytest.mark.parametrize("count", ["0", "257"])
def test_a_number_of_shards_that_is_no_matrix_is_refused(count: str, tmp_path: Path) -> None:
    plan = next(step for job, step in steps(_workflow("study.yml")) if job == "plan")
    environment = {**os.environ, "SHARDS": count, "GITHUB_OUTPUT": str(tmp_path / "output")}
    done = subprocess.run(
        [sys.executable, "-c", plan["run"]],
        check=False,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "1 to 256" in done.stderr


def test_a_shard_is_given_its_number_and_their_count() -> None:
    study = _workflow("study.yml")
    run = next(step for _, step in steps(study) if step.get("run") == "make run-shard")
    assert study["env"]["SHARDS"] == "${{ inputs.shards }}"
    assert run["env"]["SHARD"] == "${{ matrix.shard }}"


def test_continuous_integration_calls_exactly_make_test() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    lines = script.read_text("utf-8").splitlines()
    commands = [line for line in lines if line and not line.startswith("#")]
    assert lines[0] == "#!/usr/bin/env bash"
    assert commands[0] == "set -euo pipefail"
    called = [line for line in commands[1:] if not line.startswith("cd ")]
    assert called == [".ci/browser", "make test"]
    assert any(step.get("run") == ".ci/run" for _, step in steps(_workflow("test.yml")))


VALID = """
on: {workflow_dispatch: {inputs: {study: {type: string}}}}
permissions: {contents: read}
jobs:
  plan:
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    outputs: {shards: "${{ steps.list.outputs.shards }}"}
    steps: [{id: list, run: "make -s setup STUDY=dev && make"}, {uses: actions/checkout@v5}]
  shard:
    needs: plan
    runs-on: ubuntu-24.04
    timeout-minutes: 5
    strategy: {matrix: {shard: "${{ fromJSON(needs.plan.outputs.shards) }}"}}
    steps: [{run: make run-shard, env: {A: "${{ matrix.shard }}", B: "${{ inputs.study }}"}}]
"""


def test_a_sound_workflow_has_no_problem() -> None:
    assert problems(load_workflow(VALID)) == []
    assert make_targets(load_workflow(VALID)) == {"setup", "", "run-shard"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("inputs.study }}", "inputs.studies }}"),
        ("matrix.shard }}", "matrix.shards }}"),
        ("steps.list.outputs", "steps.lists.outputs"),
        ("needs.plan.outputs.shards", "needs.plan.outputs.count"),
        ("needs.plan.outputs.shards", "needs.plans.outputs.shards"),
        ("needs: plan\n", "needs: plans\n"),
        ("permissions: {contents: read}\n", ""),
        ("    timeout-minutes: 5\n", ""),
        ("run: make run-shard,", "run: 'make run-shard SHARD=${{ matrix.shard }}',"),
        ("run: make run-shard,", "run: 'if make run-shard',"),
        ("run: make run-shard,", "shell: python, run: 'import json,',"),
        ("actions/checkout@v5", "actions/checkout"),
    ],
)
def test_a_broken_workflow_is_seen(old: str, new: str) -> None:
    assert old in VALID
    assert problems(load_workflow(VALID.replace(old, new))) != []

"""Each verb of make is the harness' verb with the overrides that were given, and no others."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.unit.project.checkout import ROOT
from tests.unit.project.makefile import run_make, targets

HARNESS = ("-m", "harness")


@pytest.mark.parametrize(
    ("arguments", "commands"),
    [
        (
            ("run-shard", "SHARD=0", "SHARDS=6"),
            [("run-shard", "study=dev", "results=results", "shard.index=0", "shard.count=6")],
        ),
        (
            ("study",),
            [
                ("run", "study=dev", "results=results"),
                ("aggregate", "study=dev", "results=results"),
            ],
        ),
        (
            ("study", "STUDY=full", "SHARDS=4", "WORKERS=2", "RESULTS=a b", "AGENT=openai"),
            [
                (
                    *("run", "study=full", "results=a b", "agent=openai"),
                    *("shard.count=4", "workers=2"),
                ),
                ("aggregate", "study=full", "results=a b", "agent=openai", "shard.count=4"),
            ],
        ),
        (("status", "STORE=s3"), [("status", "study=dev", "results=results", "store=s3")]),
        (("aggregate", "AGENT="), [("aggregate", "study=dev", "results=results")]),
        (
            ("replay", "AGENT=local", "RESULTS=a b"),
            [("replay", "study=dev", "results=a b", "agent=local")],
        ),
        (("replay", "BUNDLE=a b.zip"), [("replay", "--bundle", "a b.zip")]),
        (("verify", "RESULTS=a b"), [("verify", "study=dev", "results=a b")]),
        (("verify", "BUNDLE=a b.zip"), [("verify", "--bundle", "a b.zip")]),
        (("export", "RESULTS=a b"), [("export", "study=dev", "results=a b")]),
        (
            ("export", "BUNDLE=a b.zip", "FORMAT=tidy,latex", "TO=c d"),
            [("export", "--bundle", "a b.zip", "--format", "tidy,latex", "--to", "c d")],
        ),
        (("check-surface",), [("check-surface", "study=dev")]),
        (
            ("freeze", "STUDY=full", "AGENT=openai"),
            [("freeze", "study=full", "results=results", "agent=openai")],
        ),
        (
            ("freeze-check", "STUDY=full"),
            [("freeze", "--check", "study=full", "results=results")],
        ),
        (
            ("conveyor", "CHAIN=pilot", "WORKERS=2", "STUDY=full"),
            [("conveyor", "chain=pilot", "results=results", "workers=2")],
        ),
        (("power",), [("power", "study=dev", "results=results", "power=stated")]),
        (
            ("power", "STUDY=full", "POWER=quick"),
            [("power", "study=full", "results=results", "power=quick")],
        ),
    ],
)
def test_a_verb_calls_the_harness(
    tmp_path: Path, arguments: tuple[str, ...], commands: list[tuple[str, ...]]
) -> None:
    outcome = run_make(tmp_path, *arguments)
    assert outcome.code == 0
    assert outcome.commands == tuple((*HARNESS, *command) for command in commands)


@pytest.mark.parametrize("path", ["it's", 'a "b"', "a;b", "a`b`", "a,b", "a  b", "über/結果", ""])
def test_any_path_reaches_the_harness_as_it_is(tmp_path: Path, path: str) -> None:
    outcome = run_make(tmp_path, "status", f"RESULTS={path}")
    assert outcome.commands == ((*HARNESS, "status", "study=dev", f"results={path}"),)


@pytest.mark.parametrize("code", [1, 2, 3, 4, 75])
def test_the_code_of_a_failed_command_is_printed(tmp_path: Path, code: int) -> None:
    outcome = run_make(tmp_path, "aggregate", exit_code=code)
    # make itself knows one code for every failure.
    assert outcome.code == 2
    assert f"harness aggregate ended with exit code {code}\n" in outcome.stderr


def test_nothing_is_aggregated_after_a_shard_has_failed(tmp_path: Path) -> None:
    outcome = run_make(tmp_path, "study", exit_code=75)
    assert outcome.commands == ((*HARNESS, "run", "study=dev", "results=results"),)


@pytest.mark.parametrize("given", [(), ("SHARD=0",), ("SHARDS=6",)])
def test_a_shard_without_number_or_count_is_refused(tmp_path: Path, given: tuple[str, ...]) -> None:
    outcome = run_make(tmp_path, "run-shard", *given)
    assert outcome.code == 2
    assert "make run-shard SHARD=0 SHARDS=6" in outcome.stderr
    assert outcome.commands == ()


def test_a_conveyor_without_a_chain_is_refused(tmp_path: Path) -> None:
    outcome = run_make(tmp_path, "conveyor")
    assert outcome.code == 2
    assert "make conveyor CHAIN=name" in outcome.stderr
    assert outcome.commands == ()


def test_setup_does_nothing_when_the_environment_is_newer_than_the_locks(tmp_path: Path) -> None:
    assert run_make(tmp_path, "setup").commands == ()


def test_the_suite_lints_checks_types_and_tests(tmp_path: Path) -> None:
    modules = [command[1] for command in run_make(tmp_path, "test").commands]
    assert modules == ["ruff", "ruff", "mypy", "pytest"]


def test_help_lists_every_verb(tmp_path: Path) -> None:
    done = subprocess.run(
        ["make", "--no-print-directory", "-C", str(ROOT), "help"],
        capture_output=True,
        text=True,
        check=True,
    )
    listed = {line.split()[1] for line in done.stdout.splitlines() if line.startswith("make ")}
    assert listed == targets() - {""}

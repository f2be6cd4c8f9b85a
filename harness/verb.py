"""The verbs of the command line: a new one is an entry of `VERBS` here, and nothing elsewhere."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import Final

from harness.answer import Answer

Run = Callable[[argparse.Namespace], Answer]
"""Does what a verb is for. The namespace holds `override`, the words; `json`; and the options."""

OVERRIDES: Final = """\
key=value, as in: study=dev agent=reference results=DIR shard.index=0 shard.count=6 workers=2
"""


@dataclass(frozen=True)
class Option:
    """An option of one verb."""

    flag: str
    help: str
    metavar: str | None = None
    """What stands for its value; None for one that is given or not."""


@dataclass(frozen=True)
class Verb:
    """One verb of the command line."""

    run: Run
    summary: str
    example: str
    options: tuple[Option, ...] = ()
    words: str = OVERRIDES
    """What its words are, for the help."""


def _at(place: str) -> Run:
    """Return what runs the function at a place, as in ``module:name``.

    The commands load numpy, Arrow and all of the study: not before one of them runs.
    """

    def run(arguments: argparse.Namespace) -> Answer:
        command: Run = resolve_name(place)
        return command(arguments)

    return run


_BUNDLE: Final = Option("--bundle", "a folder or a zip, not study=", "PATH")

VERBS: Final = {
    "run-shard": Verb(
        _at("harness.commands:run_shard"),
        "run one shard, unless it is finished",
        "python -m harness run-shard study=dev shard.index=0 shard.count=6",
    ),
    "run": Verb(
        _at("harness.commands:run"),
        "run every missing shard in parallel",
        "python -m harness run study=dev workers=2",
    ),
    "freeze": Verb(
        _at("harness.freeze_commands:freeze"),
        "write the lock of a study with its agent, or hold what is here against it",
        "python -m harness freeze --check study=frozen agent=reference",
        (
            Option("--check", "write nothing, say what differs from the lock"),
            Option(
                "--replace",
                "replace a lock under which no shard was scored anywhere; the results folder and "
                "the store that are configured are looked at, others you have to know of",
            ),
        ),
    ),
    "diff": Verb(
        _at("harness.freeze_commands:diff"),
        "say in words what changed between two freezes",
        "python -m harness diff configs/frozen/first.lock.json configs/frozen/second.lock.json",
        words="two lock files, the older one first",
    ),
    "conveyor": Verb(
        _at("harness.conveyor_command:conveyor"),
        "advance a chain of studies, each of which waits for those before it",
        "python -m harness conveyor chain=NAME workers=2",
        (Option("--show", "run nothing, show where the chain stands"),),
    ),
    "status": Verb(
        _at("harness.status_command:status"),
        "show shards and attempts, no outcome",
        "python -m harness status study=dev",
    ),
    "aggregate": Verb(
        _at("harness.aggregate_command:aggregate"),
        "verify the complete grid and compute the terminal gate",
        "python -m harness aggregate study=dev --require-pass",
        (
            Option("--require-pass", "exit with 4 when the gate fails"),
            Option("--blind", "write the report with every outcome masked, and nothing else"),
            Option(
                "--simulation",
                "aggregate the results of a simulated agent, which are never terminal",
            ),
        ),
    ),
    "verify": Verb(
        _at("harness.verify_command:verify"),
        "compute every figure of a bundle, or of a finished study, again",
        "python -m harness verify --bundle bundle.zip",
        (_BUNDLE,),
    ),
    "report": Verb(
        _at("harness.report_command:report"),
        "write the report of a finished study again: one page for a browser",
        "python -m harness report study=dev",
        (
            _BUNDLE,
            Option("--to", "the file; else `report.html` beside the terminal record", "FILE"),
        ),
    ),
    "export": Verb(
        _at("harness.export_command:export_study"),
        "write a finished study in the forms that other programs read",
        "python -m harness export study=dev --format=tidy,figures",
        (
            _BUNDLE,
            Option(
                "--format",
                "inspect, tidy, latex, markdown, figures or tasks, several with commas; else all",
                "LIST",
            ),
            Option("--to", "the folder; else `exports` beside the terminal record", "DIR"),
        ),
    ),
    "power": Verb(
        _at("harness.power_command:power"),
        "simulate the design: power of the gate, coverage of the intervals, sample sizes",
        "python -m harness power study=dev power=quick",
    ),
    "replay": Verb(
        _at("harness.replay_command:replay"),
        "run a recorded study again without what answered it",
        "python -m harness replay --bundle bundle.zip",
        (_BUNDLE,),
    ),
    "doctor": Verb(
        _at("harness.doctor_command:doctor"),
        "examine a model server before a study is run on it",
        "python -m harness doctor study=dev agent=smollm3_vllm",
    ),
    "check-surface": Verb(
        _at("harness.surface_command:check_surface"),
        "validate catalogs and tasks",
        "python -m harness check-surface study=dev",
    ),
    "completion": Verb(
        _at("harness.completion_command:completion"),
        "print a script that completes the command `harness` in bash, zsh or tcsh",
        'harness() { python -m harness "$@"; }; eval "$(python -m harness completion bash)"',
        words="bash, zsh or tcsh",
    ),
}

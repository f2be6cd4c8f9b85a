"""The command line: a thin skin over the operations (design, command line)."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from harness.compose import load_config
from harness.engine import run_shards
from harness.error import ConfigError
from harness.grid import Shard
from harness.progress import episode_bar
from harness.shard import ShardResult, pin_study, run_shard, shard_count
from harness.status import StudyStatus, study_status
from harness.study import Study
from surface.error import StudyError

EXIT_CODES: Final = """\
exit codes:
  0 done   1 wrong use or refused by the configuration   2 not terminal   3 integrity violated
  4 gate failed (only with --require-pass)   75 infrastructure failed, run it again
"""

OVERRIDES: Final = """\
key=value, as in: study=dev agent=reference results=DIR shard.index=0 shard.count=6 workers=2
"""


@dataclass(frozen=True)
class Verb:
    """One verb of the command line."""

    run: Callable[[argparse.Namespace], int]
    summary: str
    example: str


def _study(arguments: argparse.Namespace) -> Study:
    return Study(load_config(arguments.override))


def _run_shard(arguments: argparse.Namespace) -> int:
    study = _study(arguments)
    index = study.config.shard.index
    if index is None:
        raise ConfigError("No shard is named.", "Add shard.index=N, counted from 0.")
    shard = Shard(index, shard_count(study))
    with episode_bar(len(study.shard_keys(shard)), enabled=study.config.progress) as advance:
        result = run_shard(study, shard, progress=advance)
    print(_describe(result))
    return 0


def _run(arguments: argparse.Namespace) -> int:
    study = _study(arguments)
    config = study.config
    count = pin_study(study, shard_count(study)).shards
    shards = [Shard(index, count) for index in range(count)]
    with episode_bar(config.study.episodes, enabled=config.progress) as advance:
        results = run_shards(
            study,
            shards,
            workers=config.workers,
            progress=lambda result: advance(result.episodes),
        )
    ran = sum(item.action == "ran" for item in results)
    skipped = sum(item.action == "skipped" for item in results)
    busy = len(results) - ran - skipped
    print(
        f"Study {config.study.name}: {ran} shards run, {skipped} finished before"
        + (f", {busy} in other hands" if busy else "")
        + f"; results in {study.folder.root}"
    )
    return 0


def _status(arguments: argparse.Namespace) -> int:
    study = _study(arguments)
    status = study_status(study.folder)
    print(f"Study {study.config.study.name}, identity {study.identity}")
    if status is None:
        print("No shard has been begun.")
        return 0
    for line in _status_lines(status):
        print(line)
    return 0


def _aggregate(arguments: argparse.Namespace) -> int:
    from gates.aggregate import aggregate
    from gates.summary import summary_lines

    study = _study(arguments)
    terminal = aggregate(
        study.folder,
        expected=study.record(shard_count(study)),
        tasks=study.tasks,
        catalogs=study.catalogs,
    )
    for line in summary_lines(terminal):
        print(line)
    print(f"Written to {study.folder.terminal}")
    return 0 if terminal["gate"]["passed"] or not arguments.require_pass else 4


def _check_surface(arguments: argparse.Namespace) -> int:
    from harness.surface_check import check_study_surface, summary

    report = check_study_surface(load_config(arguments.override).study.split)
    for problem in report.problems:
        print(problem, file=sys.stderr)
    print(f"Surface: {summary(report)}")
    return 1 if report.problems else 0


VERBS: Final = {
    "run-shard": Verb(
        _run_shard,
        "run one shard, unless it is finished",
        "python -m harness run-shard study=dev shard.index=0 shard.count=6",
    ),
    "run": Verb(
        _run, "run every missing shard in parallel", "python -m harness run study=dev workers=2"
    ),
    "status": Verb(
        _status, "show shards and attempts, no outcome", "python -m harness status study=dev"
    ),
    "aggregate": Verb(
        _aggregate,
        "verify the complete grid and compute the terminal gate",
        "python -m harness aggregate study=dev --require-pass",
    ),
    "check-surface": Verb(
        _check_surface, "validate catalogs and tasks", "python -m harness check-surface study=dev"
    ),
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m harness",
        description="Run and aggregate a preregistered study of tool retrieval.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="verb")
    for name, verb in VERBS.items():
        sub = verbs.add_parser(
            name,
            help=verb.summary,
            description=verb.summary[0].upper() + verb.summary[1:] + ".",
            epilog=f"example:\n  {verb.example}\n\n{EXIT_CODES}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        sub.add_argument("override", nargs="*", help=OVERRIDES)
        sub.add_argument("--debug", action="store_true", help="show a traceback with an error")
        if name == "aggregate":
            sub.add_argument(
                "--require-pass", action="store_true", help="exit with 4 when the gate fails"
            )
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    try:
        parser = _parser()
        # Options may stand between overrides, which argparse alone would not take.
        arguments, extra = parser.parse_known_args(argv)
        if unknown := [item for item in extra if item.startswith("-")]:
            parser.error(f"unrecognized arguments: {' '.join(unknown)}")
        arguments.override += extra
    except SystemExit as error:
        # argparse exits with 2 for wrong use, which here means "not terminal".
        return 1 if error.code == 2 else int(error.code or 0)
    try:
        return VERBS[arguments.verb].run(arguments)
    except StudyError as error:
        if arguments.debug:
            traceback.print_exc()
        print(f"{error.what}\n{error.remedy}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        # Whoever read the output has seen enough. What the verb wrote to disk is whole.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except KeyboardInterrupt:
        print("Interrupted. Finished shards are kept; run the same command again.", file=sys.stderr)
        return 130


def _describe(result: ShardResult) -> str:
    shard = f"Shard {result.shard.index} of {result.shard.count}"
    if result.action == "busy":
        return f"{shard} is in the hands of another process; nothing was done."
    if result.action == "skipped":
        return f"{shard} was finished before ({result.episodes} episodes)."
    return f"{shard} is finished ({result.episodes} episodes)."


def _status_lines(status: StudyStatus) -> list[str]:
    finished = status.count("finished")
    lines = [f"{finished} of {len(status.shards)} shards are finished."]
    for state in ("unfinished", "failed", "missing"):
        if status.count(state):
            lines.append(f"{status.count(state)} {state}")
    attempts = ", ".join(f"{count} {name}" for name, count in sorted(status.attempts.items()))
    lines.append(f"attempts: {attempts or 'none'}")
    for item in status.shards:
        if item.state in {"unfinished", "failed"}:
            last = item.attempts[-1]
            why = f"{last.failure}: {last.message}" if last.failure else "no end is recorded"
            lines.append(
                f"  shard {item.shard.index}: {item.state}, {len(item.attempts)} attempts, {why}"
            )
    return lines

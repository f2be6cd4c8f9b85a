"""The command line: a thin skin over the operations (design, command line)."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from harness.ending import end

EXIT_CODES: Final = """\
exit codes:
  0 done   1 wrong use or refused by the configuration   2 not terminal   3 integrity violated
  4 gate failed (only with --require-pass)   75 infrastructure failed, run it again
  130 interrupted   141 the reader of the output has gone   143 terminated
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


# The commands load numpy, Arrow and all of the study: not before there is a verb to run.


def _run_shard(arguments: argparse.Namespace) -> int:
    from harness import commands

    return commands.run_shard(arguments)


def _run(arguments: argparse.Namespace) -> int:
    from harness import commands

    return commands.run(arguments)


def _status(arguments: argparse.Namespace) -> int:
    from harness import commands

    return commands.status(arguments)


def _aggregate(arguments: argparse.Namespace) -> int:
    from harness import commands

    return commands.aggregate(arguments)


def _freeze(arguments: argparse.Namespace) -> int:
    from harness import freeze_commands

    return freeze_commands.freeze(arguments)


def _diff(arguments: argparse.Namespace) -> int:
    from harness import freeze_commands

    return freeze_commands.diff(arguments)


def _power(arguments: argparse.Namespace) -> int:
    from harness import commands

    return commands.power(arguments)


def _replay(arguments: argparse.Namespace) -> int:
    from harness.replay_command import replay

    return replay(arguments)


def _verify(arguments: argparse.Namespace) -> int:
    from harness.verify_command import verify

    return verify(arguments)


def _conveyor(arguments: argparse.Namespace) -> int:
    from harness.conveyor_command import conveyor

    return conveyor(arguments)


def _doctor(arguments: argparse.Namespace) -> int:
    from harness.doctor_command import doctor

    return doctor(arguments)


def _check_surface(arguments: argparse.Namespace) -> int:
    from harness.compose import load_config
    from harness.study import Study
    from harness.surface_check import check_own_surface, check_study_surface, summary

    config = load_config(arguments.override)
    own = config.study.surface is not None
    report = check_own_surface(Study(config)) if own else check_study_surface(config.study.split)
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
    "freeze": Verb(
        _freeze,
        "write the lock of a study with its agent, or hold what is here against it",
        "python -m harness freeze --check study=frozen agent=reference",
    ),
    "diff": Verb(
        _diff,
        "say in words what changed between two freezes",
        "python -m harness diff configs/frozen/first.lock.json configs/frozen/second.lock.json",
    ),
    "conveyor": Verb(
        _conveyor,
        "advance a chain of studies, each of which waits for those before it",
        "python -m harness conveyor chain=NAME workers=2",
    ),
    "status": Verb(
        _status, "show shards and attempts, no outcome", "python -m harness status study=dev"
    ),
    "aggregate": Verb(
        _aggregate,
        "verify the complete grid and compute the terminal gate",
        "python -m harness aggregate study=dev --require-pass",
    ),
    "verify": Verb(
        _verify,
        "compute every figure of a bundle, or of a finished study, again",
        "python -m harness verify --bundle bundle.zip",
    ),
    "power": Verb(
        _power,
        "simulate the design: power of the gate, coverage of the intervals, sample sizes",
        "python -m harness power study=dev power=quick",
    ),
    "replay": Verb(
        _replay,
        "run a recorded study again without what answered it",
        "python -m harness replay --bundle bundle.zip",
    ),
    "doctor": Verb(
        _doctor,
        "examine a model server before a study is run on it",
        "python -m harness doctor study=dev agent=smollm3_vllm",
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
        if name == "freeze":
            sub.add_argument(
                "--check", action="store_true", help="write nothing, say what differs from the lock"
            )
            sub.add_argument(
                "--replace",
                action="store_true",
                help="replace a lock under which no shard was scored anywhere",
            )
        if name == "conveyor":
            sub.add_argument(
                "--show", action="store_true", help="run nothing, show where the chain stands"
            )
        if name in {"verify", "replay"}:
            sub.add_argument("--bundle", metavar="PATH", help="a folder or a zip, not study=")
        if name == "aggregate":
            sub.add_argument(
                "--require-pass", action="store_true", help="exit with 4 when the gate fails"
            )
            sub.add_argument(
                "--simulation",
                action="store_true",
                help="aggregate the results of a simulated agent, which are never terminal",
            )
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    return end(lambda: _command(words), debug="--debug" in words)


def _command(words: Sequence[str]) -> int:
    try:
        parser = _parser()
        # Options may stand between overrides, which argparse alone would not take.
        arguments, extra = parser.parse_known_args(words)
        if unknown := [item for item in extra if item.startswith("-")]:
            parser.error(f"unrecognized arguments: {' '.join(unknown)}")
        arguments.override += extra
    except SystemExit as error:
        # argparse exits with 2 for wrong use, which here means "not terminal".
        return 1 if error.code == 2 else int(error.code or 0)
    return VERBS[arguments.verb].run(arguments)

"""The command line: a thin skin over the operations (design, command line)."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any, Final, NoReturn

from harness.answer import respond
from harness.ending import end
from harness.error import ConfigError
from harness.heed import refuse_unheeded
from harness.output import say
from harness.verb import VERBS

PROGRAM: Final = "python -m harness"

EXIT_CODES: Final = """\
exit codes:
  0 done   1 wrong use or refused by the configuration   2 not terminal   3 integrity violated
  4 gate failed (only with --require-pass)   75 infrastructure failed, run it again
  130 interrupted   141 the reader of the output has gone   143 terminated
"""

_DISTRIBUTION: Final = "state-aware-retrieval-study"


class _Parser(argparse.ArgumentParser):
    """Tells wrong use as any other error is told, after the usage."""

    def print_help(self, file: Any = None) -> None:
        # What the stream refuses is told as of any other output; argparse would keep silent.
        if file is None:
            say(self.format_help().rstrip("\n"))
        else:
            super().print_help(file)

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        raise ConfigError(
            f"The command is not understood: {message}.",
            f"See {self.prog} --help for what it takes.",
        )


class _Version(argparse.Action):
    """Looks the version up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        say(version(_DISTRIBUTION))
        parser.exit()


def parser(
    program: str = PROGRAM, *, added: Callable[[str, argparse.Action], None] = lambda *_: None
) -> argparse.ArgumentParser:
    """Return the parser of all verbs.

    Parameters
    ----------
    program
        What the command is called.
    added
        Called with a verb and each of its arguments.
    """
    found = _Parser(
        prog=program,
        description="Run and aggregate a preregistered study of tool retrieval.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    found.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    verbs = found.add_subparsers(dest="verb", required=True, metavar="verb")
    for name, verb in VERBS.items():
        sub = verbs.add_parser(
            name,
            help=verb.summary,
            description=verb.summary[0].upper() + verb.summary[1:] + ".",
            epilog=f"example:\n  {verb.example}\n\n{EXIT_CODES}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        added(name, sub.add_argument("override", nargs="*", help=verb.words))
        sub.add_argument("--debug", action="store_true", help="show a traceback with an error")
        sub.add_argument("--json", action="store_true", help="print one JSON document and no text")
        for option in verb.options:
            if option.metavar is None:
                sub.add_argument(option.flag, action="store_true", help=option.help)
            else:
                added(name, sub.add_argument(option.flag, metavar=option.metavar, help=option.help))
    return found


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Return what the words of a command say.

    Raises
    ------
    ConfigError
        If they are not understood.
    SystemExit
        If they ask for help or the version, which is then printed.
    """
    whole = parser()
    # Options may stand between overrides, which argparse alone would not take.
    arguments, extra = whole.parse_known_args(words)
    if unknown := [item for item in extra if item.startswith("-")]:
        whole.error(f"unrecognized arguments: {' '.join(unknown)}")
    arguments.override += extra
    return arguments


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    return end(lambda: _command(words), debug="--debug" in words, as_json="--json" in words)


def _command(words: Sequence[str]) -> int:
    try:
        arguments = parse(words)
    except SystemExit as error:
        return int(error.code or 0)
    refuse_unheeded(arguments.verb, arguments.override)
    return respond(VERBS[arguments.verb].run(arguments), arguments.verb, as_json=arguments.json)

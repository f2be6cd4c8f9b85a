"""What a command says: standard streams that take any text, and tell when they cannot."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import TextIO

from harness.colour import coloured, takes_colour
from harness.error import InfrastructureError


def open_streams() -> None:
    """Make the standard streams fit for any text, wherever they lead.

    A stream that the caller closed leads nowhere instead: its number would otherwise go to the next
    file that is opened, which then took in what was meant for the terminal. A character that the
    stream's encoding lacks, as in the name of a folder, is written as an escape.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # The lowest free number is taken, which is this one.
            os.open(os.devnull, os.O_RDWR)
    if sys.stdout is None:
        sys.stdout = _nowhere(1)
    if sys.stderr is None:
        sys.stderr = _nowhere(2)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(line: str) -> None:
    """Print a line to standard output.

    Raises
    ------
    BrokenPipeError
        If nobody reads it any more.
    InfrastructureError
        If it cannot be written.
    """
    try:
        print(line)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _refused(error) from error


def say_coloured(line: str) -> None:
    """Print a line, with its verdicts in colour on a terminal; raises as `say`."""
    say(coloured(line) if takes_colour(sys.stdout) else line)


def say_document(document: object) -> None:
    """Print a value as one line of canonical JSON; raises as `say`.

    JSON is UTF-8, whatever the locale says.
    """
    from router.canonical import canonical_json

    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    say(canonical_json(document).decode("utf-8"))


def flush() -> None:
    """Write out what was printed; raises as `say`."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _refused(error) from error


def complain(*lines: str) -> None:
    """Print lines to standard error, where it takes any."""
    try:
        print(*lines, sep="\n", file=sys.stderr, flush=True)
    except OSError:
        _give_up(sys.stderr)


def give_up_output() -> None:
    """Let what standard output still holds go nowhere, so that the interpreter can end."""
    _give_up(sys.stdout)


def _give_up(stream: TextIO) -> None:
    with suppress(io.UnsupportedOperation):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _nowhere(number: int) -> io.TextIOWrapper:
    return open(number, "w", encoding="utf-8", closefd=False)


def _refused(error: OSError) -> InfrastructureError:
    give_up_output()
    return InfrastructureError(
        f"The standard output cannot be written ({error.strerror or error}).",
        "Make room or redirect it elsewhere, then run the same command again; results are kept.",
    )

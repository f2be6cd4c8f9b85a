"""How a command ends: every fault in two sentences and the exit code of its kind.

This module is loaded before anything heavy, so that an interrupt finds it in place.
"""

from __future__ import annotations

import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from harness.error import InfrastructureError
from harness.output import complain, flush, give_up_output, open_streams, say_document
from surface.error import StudyError

KEPT: Final = "Finished shards are kept; run the same command again."

_STOPS: Final[dict[int, str]] = {signal.SIGINT: "Interrupted.", signal.SIGTERM: "Terminated."}


class Stopped(KeyboardInterrupt):
    """A signal asked the process to end; what cleans up after an interrupt does so here too.

    A class of its own: the interpreter remembers a plain interrupt that passed through `exec`, and
    then ends by that signal whatever code it is told to end with.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def end(command: Callable[[], int], *, debug: bool, as_json: bool = False) -> int:
    """Run a command and return the exit code that it ends with.

    Parameters
    ----------
    command
        Returns its exit code, or raises.
    debug
        Show a traceback with an error.
    as_json
        Tell an error as a document too, on standard output.

    Returns
    -------
    int
        The command's code, that of a `StudyError`, 75 for whatever the system refuses, and as
        shells count them 130, 141 and 143 for an interrupt, a reader that has gone and a request
        to terminate.
    """
    open_streams()
    try:
        with _stoppable():
            return _flushed(command)
    except StudyError as error:
        return _tell(error, error.exit_code, debug=debug, as_json=as_json)
    except BrokenPipeError:
        # Whoever read the output has seen enough. What the verb wrote to disk is whole.
        give_up_output()
        return 128 + signal.SIGPIPE
    except OSError as error:
        failure = plant_error(error)
        return _tell(failure, failure.exit_code, debug=debug, as_json=as_json)
    except MemoryError:
        what, remedy = "The memory is used up.", "Free some or use fewer workers, then run again."
        failure = InfrastructureError(what, remedy)
        return _tell(failure, failure.exit_code, debug=debug, as_json=as_json)
    except KeyboardInterrupt as stop:
        number = stop.number if isinstance(stop, Stopped) else signal.SIGINT
        interrupted = StudyError(_STOPS[number], KEPT)
        return _tell(interrupted, 128 + number, debug=False, as_json=as_json)


def _flushed(command: Callable[[], int]) -> int:
    _check_working_folder()
    try:
        return command()
    finally:
        # What was printed belongs before any message, and a stream that refuses says so only here.
        flush()


def _check_working_folder() -> None:
    try:
        os.getcwd()
    except OSError as error:
        raise InfrastructureError(
            f"The working folder cannot be used ({error.strerror}).",
            "Change to a folder that exists, then run the same command again.",
        ) from error


def plant_error(error: OSError) -> InfrastructureError:
    """Return what the system refused as a failure of the plant, in two sentences."""
    reason = error.strerror or str(error)
    if error.filename is None:
        what = f"The system refused the command ({reason})."
    else:
        name = os.fsdecode(error.filename) if isinstance(error.filename, bytes) else error.filename
        what = f"{name} cannot be used ({reason})."
    return InfrastructureError(
        what,
        "Restore it or name another, then run the same command again; finished shards are kept.",
    )


def _tell(error: StudyError, code: int, *, debug: bool, as_json: bool) -> int:
    if debug:
        complain(traceback.format_exc().rstrip())
    complain(error.what, error.remedy)
    if as_json:
        from harness.answer import error_document

        try:
            say_document(error_document(error, code))
            flush()
        except (BrokenPipeError, InfrastructureError):
            give_up_output()
    return code


@contextmanager
def _stoppable() -> Iterator[None]:
    """Let interrupt and termination raise `Stopped` while the body runs.

    A signal that the caller ignores or handles in a way of its own stays as it is; only the main
    thread may ask for any.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    default = (signal.SIG_DFL, signal.default_int_handler)
    before = {number: signal.getsignal(number) for number in _STOPS}
    ours = {number: handler for number, handler in before.items() if handler in default}
    for number in ours:
        signal.signal(number, _stop)
    try:
        yield
    finally:
        for number, handler in ours.items():
            if signal.getsignal(number) == _stop:
                signal.signal(number, handler)


def _stop(number: int, frame: FrameType | None) -> None:
    if number == signal.SIGTERM:
        # Who asks twice, as `timeout` does, must not disturb the cleaning up.
        signal.signal(number, signal.SIG_IGN)
    raise Stopped(number)

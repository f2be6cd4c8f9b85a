"""Errors that tell a user what is wrong and what to do.

Every error that this project raises for bad input derives from `StudyError`. The command line
prints ``what`` and ``remedy`` and exits with ``exit_code``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar


class StudyError(Exception):
    """An error with one sentence what is wrong and one sentence what to do.

    Parameters
    ----------
    what
        What is wrong, one sentence.
    remedy
        What the user can do about it, one sentence.
    """

    exit_code: ClassVar[int] = 1

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what} {remedy}")
        self.what = what
        self.remedy = remedy

    def __reduce__(self) -> tuple[Any, ...]:
        """Let the error cross to another process whole, whatever its constructor takes."""
        return _restore, (type(self), self.args, dict(self.__dict__))


def _restore(kind: type[StudyError], args: tuple[Any, ...], state: dict[str, Any]) -> StudyError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class SurfaceError(StudyError):
    """A defect in the catalogs or tasks, with its place.

    Parameters
    ----------
    problem
        What is wrong, one sentence without the place.
    remedy
        What to do, one sentence.
    file, line, field
        Where: path as the user knows it, one-based line, dotted field name.
    """

    def __init__(
        self,
        problem: str,
        remedy: str,
        *,
        file: Path | str | None = None,
        line: int | None = None,
        field: str | None = None,
    ) -> None:
        place = ""
        if file is not None:
            place = f"{file}:{line}: " if line is not None else f"{file}: "
        if field:
            place += f"{field}: "
        super().__init__(place + problem, remedy)
        self.problem = problem
        self.file = None if file is None else str(file)
        self.line = line
        self.field = field

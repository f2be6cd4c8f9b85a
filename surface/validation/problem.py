"""What validation finds: a place, what is wrong there, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from surface.error import SurfaceError


@dataclass(frozen=True, order=True)
class Problem:
    """One defect of the surface."""

    place: str
    """A file, route, term or task, with the part of it that is meant."""
    what: str
    """What is wrong, one sentence."""
    remedy: str
    """What to do, one sentence."""
    file: str | None = None
    """The file that has to be changed, where the place does not name it."""
    line: int | None = None
    """The line in it, counted from one."""

    def __str__(self) -> str:
        where = "".join(f"{part}:" for part in (self.file, self.line) if part is not None)
        return f"{where} {self.place}: {self.what} {self.remedy}".lstrip()

    @classmethod
    def of(cls, error: SurfaceError) -> Problem:
        """Return the problem that an error of reading a file tells of."""
        place = error.file or "surface"
        place += f":{error.line}" if error.line is not None else ""
        place += f": {error.field}" if error.field else ""
        return cls(place, error.problem, error.remedy)


@dataclass(frozen=True)
class Report:
    """Everything that validation found, and how much it looked at."""

    problems: tuple[Problem, ...]
    """In order of their discovery; empty for a sound surface."""
    counts: Mapping[str, int]
    """How many services, terms, endpoints, tasks, chains and so on there are."""
    unread: bool = False
    """Whether a file could not be read, so that more may be wrong than was found."""

"""Where a problem of a task stands in its file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from surface.document import Document, NodePath
from surface.validation.problem import Problem

_PART: Final = re.compile(
    r"(?P<owner>step|approval) (?P<number>[0-9]+)"
    r"(, (?P<key>route|argument|apart|after|observation)(?: '(?P<name>[^']*)')?)?"
    r"|(?P<text>query|gloss|stratum)"
)
"""How the place of a problem goes on after the task's id and a colon."""
_KEYS: Final = {"argument": "arguments"}


@dataclass(frozen=True)
class Location:
    """A task's place in the files."""

    document: Document
    position: int
    """Zero-based position of the task in its file."""

    def line(self, part: str) -> int | None:
        """Return the line of a part of the task, such as ``step 2, argument 'weight'``."""
        return self.document.line(("tasks", self.position, *_node(part)))


def locate(problems: Iterable[Problem], locations: Mapping[str, Location]) -> Iterator[Problem]:
    """Add file and line to the problems whose place begins with the id of a task.

    Parameters
    ----------
    problems
        Any problems.
    locations
        Where the tasks stand, by id.
    """
    for problem in problems:
        task_id, _, part = problem.place.partition(": ")
        location = locations.get(task_id)
        if location is None:
            yield problem
        else:
            yield replace(problem, file=location.document.file, line=location.line(part))


def _node(part: str) -> NodePath:
    found = _PART.match(part)
    if found is None:
        return ()
    if found["text"]:
        return (found["text"],)
    node: NodePath = (f"{found['owner']}s", int(found["number"]) - 1)
    if found["key"]:
        node = (*node, _KEYS.get(found["key"], found["key"]))
    return (*node, found["name"]) if found["name"] else node

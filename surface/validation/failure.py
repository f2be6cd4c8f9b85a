"""Failures: where in a task a scripted error strikes, and how the task gets over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from surface.failure import PERMANENT, error_class
from surface.task import Step, Task

Position = Literal["first", "middle", "last"]
Recovery = Literal["same call", "recovery call", "other provider"]
POSITIONS: Final[tuple[Position, ...]] = get_args(Position)
RECOVERIES: Final[tuple[Recovery, ...]] = get_args(Recovery)


@dataclass(frozen=True)
class Failure:
    """One scripted error of a task."""

    step: int
    """One-based number of the step."""
    name: str
    """Class of the error."""
    position: Position
    """First if nothing succeeds before it; last if what stands in for it ends the task."""
    recovery: Recovery
    """What comes next: the same call, one that restores something first, or another provider."""


def failures(task: Task) -> tuple[Failure, ...]:
    """Return the scripted errors of a task, in the order of its steps."""
    return tuple(
        Failure(
            number,
            error_class(step.error),
            _position(task.steps, number - 1),
            _recovery(task.steps, number - 1),
        )
        for number, step in enumerate(task.steps, start=1)
        if step.error is not None
    )


def service_of(route: str) -> str:
    """Return the service that offers a route."""
    return route.split(".", 1)[0]


def _position(steps: Sequence[Step], failed: int) -> Position:
    if all(step.error is not None for step in steps[:failed]):
        return "first"
    later = [number for number in range(failed + 1, len(steps)) if steps[number].error is None]
    again = [number for number in later if steps[number].route == steps[failed].route]
    replaced = (again or later or [failed])[0]
    return "last" if replaced == len(steps) - 1 else "middle"


def _recovery(steps: Sequence[Step], failed: int) -> Recovery:
    if error_class(str(steps[failed].error)) in PERMANENT:
        return "other provider"
    following = steps[failed + 1] if failed + 1 < len(steps) else None
    again = following is not None and following.route == steps[failed].route
    return "same call" if again else "recovery call"

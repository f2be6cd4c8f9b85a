"""Chains: the routes of a task in the order of its steps, and how varied they are in a split."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from surface.task import Task
from surface.validation.problem import Problem
from surface.validation.requirement import SplitRequirement

Chain = tuple[str, ...]


def chain_of(task: Task) -> Chain:
    """Return the route of each step."""
    return tuple(step.route for step in task.steps)


def repeats_route(task: Task) -> bool:
    """Whether a task needs a route more than once."""
    return max(Counter(chain_of(task)).values()) > 1


def count_chains(tasks: Sequence[Task]) -> Mapping[str, int]:
    """Return the figures that the thresholds of a split are about."""
    return {
        "distinct chains": len({chain_of(task) for task in tasks}),
        "routes used": len({route for task in tasks for route in task.required_routes}),
        "tasks with a repeated route": sum(repeats_route(task) for task in tasks),
    }


def check_chains(
    split: str, tasks: Sequence[Task], requirement: SplitRequirement
) -> Iterator[Problem]:
    """Check that no chain is overused and that a split is as varied as it has to be."""
    users: defaultdict[Chain, list[str]] = defaultdict(list)
    for task in tasks:
        users[chain_of(task)].append(task.id)
    for chain, ids in users.items():
        if len(ids) > requirement.chain_uses:
            yield Problem(
                f"split {split}: {', '.join(ids)}",
                f"{len(ids)} tasks have the chain {' > '.join(chain)}, more than "
                f"{requirement.chain_uses}.",
                "Give one of them other steps.",
            )
    least = {
        "distinct chains": requirement.chains,
        "routes used": requirement.routes,
        "tasks with a repeated route": requirement.repeats,
    }
    for what, found in count_chains(tasks).items():
        if found < least[what]:
            yield Problem(
                f"split {split}",
                f"The number of {what} is {found}, fewer than {least[what]}.",
                "Vary the tasks.",
            )

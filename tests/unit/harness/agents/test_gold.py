"""Who is told the gold: the simulated agent, by the runner, and nobody else."""

from __future__ import annotations

from tests.unit.project.checkout import ROOT, tracked
from tests.unit.project.imports import imported, module_name

EXECUTOR = {"harness.agents", "harness.agents.random", "harness.agents.simulated"}
"""Who may be handed an episode: the random agent keeps the names of its task and catalog alone."""


def importers(*names: str) -> set[str]:
    """Return the agents' modules that name one of some modules."""
    found = set()
    for path in tracked("harness/agents/*.py"):
        module = module_name(path, ROOT)
        package = path.name == "__init__.py"
        for _, name in imported(path.read_text(encoding="utf-8"), module, package=package):
            if any(name == item or name.startswith(f"{item}.") for item in names):
                found.add(module)
    return found


def test_the_gold_is_read_by_the_simulated_agent_alone() -> None:
    assert importers("surface.gold") == {"harness.agents.simulated"}


def test_no_other_agent_is_handed_an_executor_or_a_task() -> None:
    assert importers("surface.executor", "surface.task") == EXECUTOR

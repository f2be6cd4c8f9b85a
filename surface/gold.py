"""What an agent that knows the gold would call; for validation and gold traces only."""

from __future__ import annotations

from typing import Any, Final

from surface.argument import Rule, quantity_value
from surface.executor import Executor, Progress
from surface.pointer import value_at

FREE_TEXT: Final = "As discussed in the request."
"""What the gold writes where any text is right (rule ``nonempty``)."""


def gold_arguments(executor: Executor, progress: Progress) -> dict[str, Any]:
    """Return arguments that satisfy the rules of the task's next step.

    Parameters
    ----------
    executor
        Of the task, over a catalog.
    progress
        How far the episode has come; not complete.

    Returns
    -------
    dict
        One value for each rule of the step.
    """
    position = len(progress.passed)
    step = executor.task.steps[position]
    endpoint = executor.catalog.snapshot.endpoint(step.route)
    parameters = {item.name: item for item in endpoint.parameters}
    observations = tuple(item.observation for item in executor.task.steps[:position])

    def value(name: str, rule: Rule) -> Any:
        parameter = parameters[name]
        if "equals" in rule.model_fields_set:
            return rule.equals
        if rule.one_of is not None:
            return rule.one_of[0]
        if rule.contains is not None:
            return rule.contains
        if rule.source is not None:
            return value_at(observations[rule.source.step - 1], rule.source.path)
        if rule.quantity is not None:
            exact = quantity_value(
                rule.quantity, observations, unit=parameter.unit, units=executor.observed_units
            )
            if exact is not None and parameter.json_schema.get("type") == "integer":
                return round(exact)
            return exact
        return FREE_TEXT

    return {name: value(name, rule) for name, rule in step.arguments.items()}

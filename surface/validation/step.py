"""Steps and approvals against the catalog: routes, parameters, observations."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from jsonschema import Draft202012Validator

from router.contract import EndpointSpec
from router.snapshot import CatalogSnapshot
from surface.task import Step, Task
from surface.validation.problem import Problem


def check_steps(task: Task, smallest: CatalogSnapshot) -> Iterator[Problem]:
    """Check every step of a task against the smallest catalog."""
    for number, step in enumerate(task.steps, start=1):
        place = f"{task.id}: step {number}"
        if step.route not in smallest:
            yield Problem(
                f"{place}, route",
                f"The route {step.route!r} is not in the smallest catalog.",
                "Use a route of the first tier.",
            )
            continue
        endpoint = smallest.endpoint(step.route)
        yield from _unknown(place, step.arguments, endpoint)
        for parameter in endpoint.parameters:
            if parameter.required and parameter.name not in step.arguments:
                yield Problem(
                    place,
                    f"The required parameter {parameter.name!r} has no rule.",
                    "Give it one.",
                )
        yield from _observation(place, step, endpoint)


def check_approvals(task: Task, smallest: CatalogSnapshot) -> Iterator[Problem]:
    """Check that approvals are for destructive routes of every catalog and their parameters."""
    for number, approval in enumerate(task.approvals, start=1):
        place = f"{task.id}: approval {number}"
        route, _ = task.approved(number - 1)
        if route not in smallest:
            # The route of a step is reported with the step.
            if approval.step is None:
                yield Problem(
                    f"{place}, route",
                    f"The route {route!r} is not in the smallest catalog.",
                    "Use a route of the first tier.",
                )
            continue
        endpoint = smallest.endpoint(route)
        if not endpoint.destructive:
            yield Problem(
                place,
                f"The route {route!r} is not destructive and needs no approval.",
                "Remove the approval or name another route.",
            )
        yield from _unknown(place, approval.arguments, endpoint)


def _unknown(place: str, names: Collection[str], endpoint: EndpointSpec) -> Iterator[Problem]:
    known = {item.name for item in endpoint.parameters}
    for name in names:
        if name not in known:
            yield Problem(
                f"{place}, argument {name!r}",
                "The endpoint has no such parameter.",
                "Remove the rule or correct its name.",
            )


def _observation(place: str, step: Step, endpoint: EndpointSpec) -> Iterator[Problem]:
    expected = bool(endpoint.output_fields) and step.error is None
    if (step.observation is not None) != expected:
        yield Problem(
            place,
            "A step has an observation exactly when its endpoint has outputs and it scripts no "
            "error.",
            "Add the observation." if expected else "Remove the observation.",
        )
    elif step.observation is not None:
        validator = Draft202012Validator(
            endpoint.output_schema, format_checker=Draft202012Validator.FORMAT_CHECKER
        )
        for defect in validator.iter_errors(step.observation):
            where = "".join(f"[{part}]" for part in defect.absolute_path)
            yield Problem(
                f"{place}, observation{where}",
                f"It does not match the outputs ({defect.message}).",
                "Correct the observation.",
            )

"""Strata: that a task has the difficulty its stratum stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from router.snapshot import CatalogSnapshot
from surface.failure import PERMANENT, PRECONDITION, TRANSIENT, error_class
from surface.identifier import is_identifier
from surface.task import Task
from surface.validation.failure import service_of
from surface.validation.problem import Problem
from surface.validation.site import Site, step_sites

_PROVENANCE: Final = frozenset({"version", "revision", "source", "origin"})
"""Last part of the semantic ids that say which of several things, and where it comes from."""

_REMEDY: Final = "Change the steps, or move the task to the stratum that it belongs to."


def check_stratum(task: Task, snapshot: CatalogSnapshot) -> Iterator[Problem]:
    """Compare a task's steps with the meaning of its stratum."""
    sites = tuple(step_sites(task, snapshot))
    for what in _CHECKS[task.stratum](task, sites):
        yield Problem(f"{task.id}: stratum", what, _REMEDY)


def edges(sites: tuple[Site, ...]) -> frozenset[tuple[int, int]]:
    """Return the data edges of a task: the step that observes a value, the step that sends it."""
    return frozenset(
        (site.rule.origin.step, site.seen + 1) for site in sites if site.rule.origin is not None
    )


def _dependent(length: int) -> Callable[[Task, tuple[Site, ...]], Iterator[str]]:
    def check(task: Task, sites: tuple[Site, ...]) -> Iterator[str]:
        if len(task.steps) != length or any(step.error for step in task.steps):
            yield f"The task does not have exactly {length} steps without errors."
            return
        found = edges(sites)
        if len(found) < length - 1 or length not in {target for _, target in found}:
            yield (
                f"The task has {len(found)} data edges, which must be at least {length - 1} and "
                "reach its last step."
            )

    return check


def _recoverable(task: Task, sites: tuple[Site, ...]) -> Iterator[str]:
    failed = [(number, step) for number, step in enumerate(task.steps) if step.error is not None]
    if not failed:
        yield "No step scripts an error."
    for number, step in failed:
        later = [item for item in task.steps[number + 1 :] if item.error is None]
        again = [item for item in later if item.route == step.route]
        name = error_class(str(step.error))
        if not later:
            yield f"Nothing succeeds after the error of step {number + 1}."
        elif name in PERMANENT:
            if again:
                yield f"Step {number + 1} fails for good, and its route succeeds later."
            elif all(service_of(item.route) == service_of(step.route) for item in later):
                yield f"Step {number + 1} fails for good, and no other provider is called."
        elif not again:
            yield f"The route of step {number + 1} is never called again after {name}."
        elif name in PRECONDITION and later[0] is again[0]:
            yield f"Nothing restores what {name} of step {number + 1} asks for."
        elif name in TRANSIENT and all(item.arguments != step.arguments for item in again):
            yield f"The call of step {number + 1} is never made again after {name}."


def _provenance(task: Task, sites: tuple[Site, ...]) -> Iterator[str]:
    chosen = [
        (site, site.rule.source)
        for site in sites
        if site.rule.source is not None
        and is_identifier(site.parameter)
        and len(site.candidates(site.rule.source)) > 1
    ]
    if not chosen:
        yield "No step takes an identifier from an observation that offers several."
        return
    beside = [
        (source, site.rule.source)
        for site in sites
        if site.rule.source is not None and _says_which(site)
        for other, source in chosen
        if (site.seen, site.rule.source.step) == (other.seen, source.step)
    ]
    if not beside:
        yield (
            "No step takes a version, source or qualified value from the observation that its "
            "identifier comes from."
        )
    elif not any(_one_item(left.path, right.path) for left, right in beside):
        yield "Identifier and version, source or qualified value come from different items."


def _one_item(left: str, right: str) -> bool:
    """Whether two paths lead into the same element of a list, or one lies above the other's."""
    first, second = (path[: path.rfind("]") + 1] for path in (left, right))
    return first.startswith(second) or second.startswith(first)


def _says_which(site: Site) -> bool:
    source = site.rule.source
    field = site.field(source) if source is not None else None
    if field is None or is_identifier(site.parameter):
        return False
    meanings = {str(item.semantic_id).rsplit(".", 1)[-1] for item in (field, site.parameter)}
    return bool(meanings & _PROVENANCE or field.qualifiers or site.parameter.qualifiers)


def _typed_unit(task: Task, sites: tuple[Site, ...]) -> Iterator[str]:
    for site in sites:
        source = site.rule.quantity.source if site.rule.quantity is not None else None
        field = site.field(source) if source is not None else None
        if field is not None and field.unit != site.parameter.unit:
            return
    yield "No step needs an observed quantity in another unit."


_CHECKS: Final[Mapping[str, Callable[[Task, tuple[Site, ...]], Iterator[str]]]] = MappingProxyType(
    {
        "two_step_state_dependency": _dependent(2),
        "three_step_state_dependency": _dependent(3),
        "recoverable_execution_failure": _recoverable,
        "identifier_provenance_propagation": _provenance,
        "typed_unit_state_transition": _typed_unit,
    }
)

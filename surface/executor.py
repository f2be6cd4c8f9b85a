"""The deterministic executor: what a call answers (protocol, section 4).

A pure state machine without clock or I/O. It alone, beside the gates, reads a task's gold.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Literal

from router.canonical import CanonicalError, canonical_json
from router.contract import EndpointSpec
from surface.argument import Rule, satisfies
from surface.catalog import Catalog
from surface.identifier import identifiers, occurs, texts_in
from surface.task import Task

Status = Literal["ok", "executed", "error", "blocked"]
Decision = Literal[
    "unavailable", "schema_invalid", "blocked", "not_found", "step", "repeat", "example"
]
"""Which of the executor's rules decided, in their order."""

_PROBLEM_LENGTH: Final = 200


@dataclass(frozen=True)
class Execution:
    """What one call answered."""

    decision: Decision
    status: Status
    observation: Mapping[str, Any] | None = None
    error: str | None = None
    approval: int | None = None
    """Position of the approval that the call used up."""

    @property
    def reached(self) -> bool:
        """Whether the call reached its endpoint."""
        return self.decision in {"not_found", "step", "repeat", "example"}

    @property
    def advanced(self) -> bool:
        """Whether the call was the task's next step."""
        return self.decision == "step"


@dataclass(frozen=True)
class Progress:
    """How far an episode has come; a value, never changed in place."""

    passed: tuple[tuple[str, bytes], ...] = ()
    """Route and canonical arguments of the call that passed each step."""
    used_approvals: frozenset[int] = frozenset()
    texts: tuple[str, ...] = field(default=(), repr=False)
    """The query and every text and integer observed so far: where identifiers may come from."""


@dataclass(frozen=True)
class Executor:
    """Answers the calls of one task over one catalog."""

    task: Task
    catalog: Catalog

    def start(self) -> Progress:
        """Return the progress of an episode that has not begun."""
        return Progress(texts=(self.task.query,))

    def complete(self, progress: Progress) -> bool:
        """Whether every step has been passed."""
        return len(progress.passed) == len(self.task.steps)

    def execute(
        self,
        progress: Progress,
        *,
        route: str,
        arguments: Mapping[str, Any],
        exposed: Collection[str],
    ) -> tuple[Progress, Execution]:
        """Answer one call.

        Parameters
        ----------
        progress
            How far the episode has come.
        route
            The route id that the call names; it may not exist.
        arguments
            The parsed arguments.
        exposed
            Route ids that the condition exposes in this turn.

        Returns
        -------
        tuple
            The new progress, the same object when nothing changed, and the answer.
        """
        snapshot = self.catalog.snapshot
        if route not in snapshot or route not in exposed:
            return progress, _failure("unavailable", "unavailable_tool: this tool is not available")
        problem = self._problem(route, arguments)
        if problem is not None:
            return progress, _failure("schema_invalid", f"schema_invalid: {problem}")
        endpoint = snapshot.endpoint(route)
        approval = None
        if endpoint.destructive:
            approval = self._approval(progress, route, arguments)
            if approval is None:
                return progress, Execution(
                    "blocked",
                    "blocked",
                    error="destructive_policy_block: this call has not been approved",
                )
            progress = replace(progress, used_approvals=progress.used_approvals | {approval})
        return self._answer(progress, route, endpoint, arguments, approval)

    def _problem(self, route: str, arguments: Mapping[str, Any]) -> str | None:
        """Return what is wrong with the form of arguments, if anything."""
        try:
            canonical_json(dict(arguments))
        except CanonicalError:
            # A lone surrogate or a huge integer is valid for many schemas, yet cannot be compared.
            return "the arguments have no canonical JSON form"
        found = next(self.catalog.argument_validators[route].iter_errors(dict(arguments)), None)
        if found is None:
            return None
        where = "".join(f"{part}: " for part in found.absolute_path)
        return f"{where}{found.message}"[:_PROBLEM_LENGTH]

    def _answer(
        self,
        progress: Progress,
        route: str,
        endpoint: EndpointSpec,
        arguments: Mapping[str, Any],
        approval: int | None,
    ) -> tuple[Progress, Execution]:
        """Answer a call that reached its endpoint."""
        if not all(
            occurs(text, progress.texts) for text in identifiers(endpoint.parameters, arguments)
        ):
            return progress, _failure("not_found", "not_found: no such resource", approval)
        call = (route, canonical_json(dict(arguments)))
        decision: Decision
        if not self.complete(progress) and self._is_next(progress, route, arguments):
            step = self.task.steps[len(progress.passed)]
            progress = replace(progress, passed=(*progress.passed, call))
            decision, observation, error = "step", step.observation, step.error
        elif call in progress.passed:
            # The latest answer: after a retry the one of the retry, not the failure before it.
            last = max(index for index, passed in enumerate(progress.passed) if passed == call)
            step = self.task.steps[last]
            decision, observation, error = "repeat", step.observation, step.error
        else:
            decision, observation, error = "example", self.catalog.examples[route], None
        if error is not None:
            return progress, _failure(decision, error, approval)
        new = dict.fromkeys(text for text in texts_in(observation) if text not in progress.texts)
        if new:
            progress = replace(progress, texts=(*progress.texts, *new))
        status: Status = "ok" if endpoint.output_fields else "executed"
        return progress, Execution(decision, status, observation=observation, approval=approval)

    def _is_next(self, progress: Progress, route: str, arguments: Mapping[str, Any]) -> bool:
        step = self.task.steps[len(progress.passed)]
        return step.route == route and self._right(progress, route, step.arguments, arguments)

    def _approval(self, progress: Progress, route: str, arguments: Mapping[str, Any]) -> int | None:
        """Return the first unused approval that permits the call."""
        for position in range(len(self.task.approvals)):
            approved, rules = self.task.approved(position)
            if (
                position not in progress.used_approvals
                and approved == route
                and self._right(progress, route, rules, arguments)
            ):
                return position
        return None

    def _right(
        self,
        progress: Progress,
        route: str,
        rules: Mapping[str, Rule],
        arguments: Mapping[str, Any],
    ) -> bool:
        """Whether arguments satisfy rules; arguments without a rule are free."""
        observations = tuple(step.observation for step in self.task.steps[: len(progress.passed)])
        units = {item.name: item.unit for item in self.catalog.snapshot.endpoint(route).parameters}
        return all(
            name in arguments
            and satisfies(
                rule,
                arguments[name],
                observations,
                unit=units[name],
                units=self.observed_units,
            )
            for name, rule in rules.items()
        )

    @cached_property
    def observed_units(self) -> tuple[Mapping[str, str], ...]:
        """For each step, the registered unit of its output fields by pointer."""
        return tuple(
            output_units(self.catalog.snapshot.endpoint(step.route)) for step in self.task.steps
        )


def output_units(endpoint: EndpointSpec) -> dict[str, str]:
    """Return the unit of every output field that has one, by pointer."""
    return {item.pointer: item.unit for item in endpoint.output_fields if item.unit is not None}


def _failure(decision: Decision, error: str, approval: int | None = None) -> Execution:
    return Execution(decision, "error", error=error, approval=approval)

"""Sites: each place where a rule meets a parameter, in a step or in an approval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from router.contract import FieldSpec, ParameterSpec
from router.snapshot import CatalogSnapshot
from surface.argument import Rule, Source
from surface.identifier import texts_in
from surface.pointer import registered, value_at, values_at
from surface.task import Task


@dataclass(frozen=True)
class Site:
    """A rule and what it is about."""

    task: Task
    snapshot: CatalogSnapshot
    owner: str
    """Step or approval, as a reader counts them: ``step 1``."""
    seen: int
    """How many of the task's steps have been passed when the rule is applied."""
    name: str
    rule: Rule
    parameter: ParameterSpec

    @property
    def place(self) -> str:
        """Where a problem of this site is reported."""
        return f"{self.task.id}: {self.owner}, argument {self.name!r}"

    def field(self, source: Source) -> FieldSpec | None:
        """Return the registered output field that a source reads."""
        step = self.task.steps[source.step - 1]
        if step.route not in self.snapshot:
            return None
        pointer = registered(source.path)
        fields = self.snapshot.endpoint(step.route).output_fields
        # A repeated value can be taken as a whole, without an index.
        return next((item for item in fields if item.pointer in {pointer, f"{pointer}[]"}), None)

    def value(self, source: Source) -> Any:
        """Return what a source reads; None where nothing stands."""
        if not 1 <= source.step <= len(self.task.steps):
            return None
        return value_at(self.task.steps[source.step - 1].observation, source.path)

    def candidates(self, source: Source) -> frozenset[str]:
        """Return the texts of the observation that mean the same as what a source reads."""
        field = self.field(source)
        if field is None:
            return frozenset()
        step = self.task.steps[source.step - 1]
        alike = (
            item
            for item in self.snapshot.endpoint(step.route).output_fields
            if item.semantic_id == field.semantic_id
        )
        return frozenset(
            text for item in alike for text in texts_in(values_at(step.observation, item.pointer))
        )


def step_sites(task: Task, snapshot: CatalogSnapshot) -> Iterator[Site]:
    """Yield the sites of a task's steps; rules for what does not exist have none."""
    for number, step in enumerate(task.steps, start=1):
        yield from _sites(task, snapshot, f"step {number}", number - 1, step.route, step.arguments)


def approval_sites(task: Task, snapshot: CatalogSnapshot) -> Iterator[Site]:
    """Yield the sites of approvals that have rules of their own."""
    for number, approval in enumerate(task.approvals, start=1):
        if approval.route is not None:
            yield from _sites(
                task,
                snapshot,
                f"approval {number}",
                len(task.steps),
                approval.route,
                approval.arguments,
            )


def _sites(
    task: Task,
    snapshot: CatalogSnapshot,
    owner: str,
    seen: int,
    route: str,
    rules: Mapping[str, Rule],
) -> Iterator[Site]:
    if route not in snapshot:
        return
    parameters = {item.name: item for item in snapshot.endpoint(route).parameters}
    for name, rule in rules.items():
        if name in parameters:
            yield Site(task, snapshot, owner, seen, name, rule, parameters[name])

"""What the auditor knows of an episode, and what that permits: its own reading of the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from router.contract import EndpointSpec, ParameterSpec
from surface.argument import Quantity, Rule, Source
from surface.task import Task
from surface.unit import convert

_SLACK = 1e-9
"""Of a tolerance and of a value, for the rounding of binary floats."""


@dataclass
class History:
    """What was called and observed so far."""

    task: Task
    units: tuple[Mapping[str, str], ...]
    """For each step, the registered unit of its output fields by pointer."""
    known: list[str] = field(default_factory=list)
    """The query and every text or whole number observed."""
    steps: list[tuple[str, Any]] = field(default_factory=list)
    """Route and arguments of each passed step."""
    observations: list[Any] = field(default_factory=list)
    """What was observed at each passed step; None where nothing was."""
    spent: set[int] = field(default_factory=set)
    """Approvals used up."""

    def __post_init__(self) -> None:
        self.known.append(self.task.query)

    @property
    def done(self) -> int:
        """How many steps are passed."""
        return len(self.steps)

    def answered(self, route: str, arguments: Mapping[str, Any]) -> int | None:
        """Return the last passed step that the same call passed."""
        same = [
            index
            for index, (other, earlier) in enumerate(self.steps)
            if other == route and equal(earlier, arguments)
        ]
        return same[-1] if same else None

    def add(self, observed: Any, *, approval: int | None, step: tuple[str, Any] | None) -> None:
        """Add what a first call brought."""
        self.known.extend(_words(observed))
        if approval is not None:
            self.spent.add(approval)
        if step is not None:
            self.steps.append(step)
            self.observations.append(observed)


def approval_for(
    history: History, route: str, arguments: Mapping[str, Any], endpoint: EndpointSpec
) -> int | None:
    """Return the first approval that is unused and fits the call."""
    for index, approval in enumerate(history.task.approvals):
        if index in history.spent:
            continue
        step = None if approval.step is None else history.task.steps[approval.step - 1]
        wanted = approval.route if step is None else step.route
        rules = approval.arguments if step is None else step.arguments
        if wanted == route and _fits(history, rules, arguments, endpoint):
            return index
    return None


def is_next_step(
    history: History, route: str, arguments: Mapping[str, Any], endpoint: EndpointSpec
) -> bool:
    """Whether a call is the task's next step with right values."""
    if history.done >= len(history.task.steps):
        return False
    step = history.task.steps[history.done]
    return step.route == route and _fits(history, step.arguments, arguments, endpoint)


def identifiers_known(
    history: History, endpoint: EndpointSpec, arguments: Mapping[str, Any]
) -> bool:
    """Whether every identifier argument stands in the query or in an observation."""
    return all(
        any(_stands_in(word, text) for text in history.known)
        for parameter in endpoint.parameters
        if parameter.name in arguments and _names_something(parameter)
        for word in _words(arguments[parameter.name])
    )


def _names_something(parameter: ParameterSpec) -> bool:
    last = (parameter.semantic_id or "").rpartition(".")
    by_meaning = bool(last[1]) and last[2] in {"id", "identifier"}
    return parameter.identifier or by_meaning or parameter.name[-3:] == "_id"


def _stands_in(word: str, text: str) -> bool:
    """Whether a word stands in a text, not inside a longer run of letters, digits and hyphens."""
    if word == text or word not in text:
        return word == text
    # A lookahead finds overlapping places too: the first may be joined and the second free.
    for found in re.finditer(f"(?={re.escape(word)})", text):
        before, after = text[: found.start()][-2:], text[found.start() + len(word) :][:2]
        joined_before = re.search(r"[0-9A-Za-z_]\Z|[0-9A-Za-z]-\Z", before)
        joined_after = re.match(r"[0-9A-Za-z_]|-[0-9A-Za-z]", after)
        if not joined_before and not joined_after:
            return True
    return False


def _words(value: Any) -> Iterator[str]:
    """Yield every text and whole number of a value."""
    if isinstance(value, dict):
        for item in value.values():
            yield from _words(item)
    elif isinstance(value, list):
        for item in value:
            yield from _words(item)
    elif isinstance(value, str):
        yield value
    elif isinstance(value, int | float) and not isinstance(value, bool) and value % 1 == 0:
        yield str(int(value))


def _fits(
    history: History,
    rules: Mapping[str, Rule],
    arguments: Mapping[str, Any],
    endpoint: EndpointSpec,
) -> bool:
    units = {parameter.name: parameter.unit for parameter in endpoint.parameters}
    return all(
        name in arguments and _holds(history, rule, arguments[name], units.get(name))
        for name, rule in rules.items()
    )


def _holds(history: History, rule: Rule, value: Any, unit: str | None) -> bool:
    if rule.quantity is not None:
        return _measures(history, rule.quantity, value, unit)
    if rule.source is not None:
        found, expected = _observed(history, rule.source)
        return found and expected is not None and equal(value, expected)
    if rule.one_of is not None:
        return any(equal(value, option) for option in rule.one_of)
    if rule.contains is not None:
        return isinstance(value, str) and rule.contains.casefold() in value.casefold()
    if rule.nonempty:
        # White space says nothing.
        return (value.strip() if isinstance(value, str) else value) not in (None, "", [], {})
    return equal(value, rule.equals)


def _measures(history: History, quantity: Quantity, value: Any, unit: str | None) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    target, given = quantity.value, quantity.unit
    source = quantity.source
    if source is not None:
        found, target = _observed(history, source)
        given = _unit_at(history, source)
        if not found or isinstance(target, bool) or not isinstance(target, int | float):
            return False
    if target is None:
        return False
    exact = float(target) if given is None or unit is None else convert(target, given, unit)
    slack = max(quantity.tolerance * (1 + _SLACK), _SLACK * max(abs(value), abs(exact)))
    return abs(value - exact) <= slack


def _observed(history: History, source: Source) -> tuple[bool, Any]:
    """Return whether something stands at a place of an earlier observation, and what."""
    if source.step > history.done:
        return False, None
    node = history.observations[source.step - 1]
    for index, name in re.findall(r"\[([0-9]+)\]|([^.\[\]]+)", source.path):
        if index and isinstance(node, list) and int(index) < len(node):
            node = node[int(index)]
        elif name and isinstance(node, dict) and name in node:
            node = node[name]
        else:
            return False, None
    return True, node


def _unit_at(history: History, source: Source) -> str | None:
    """Return the registered unit of a place in an observation."""
    pointer = re.sub(r"\[[0-9]+\]", "[]", source.path)
    return history.units[source.step - 1].get(pointer)


def equal(left: Any, right: Any) -> bool:
    """Whether two JSON values are the same: 3 is 3.0, true is not 1."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(equal(left[k], right[k]) for k in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(equal, left, right))
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return (type(left) is type(right) and left == right) or _both_numbers(left, right)


def _both_numbers(left: Any, right: Any) -> bool:
    numbers = isinstance(left, int | float) and isinstance(right, int | float)
    return numbers and left == right

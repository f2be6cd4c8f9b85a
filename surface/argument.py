"""Argument rules: when a value is the right one (protocol, section 4).

A rule is written in a task file as a mapping with one main key: ``equals``, ``nonempty``,
``contains``, ``one_of``, ``from`` or ``quantity``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, Self

from pydantic import Field, model_validator

from router.canonical import canonical_json
from surface.pointer import registered, value_at
from surface.record import Record
from surface.unit import convert

Observations = Sequence[Mapping[str, Any] | None]
"""What each passed step answered, in order; None for a scripted error or no output."""

_PATH: Final = r"^[a-z][a-z0-9_]*(\[[0-9]+\])*(\.[a-z][a-z0-9_]*(\[[0-9]+\])*)*$"
_FLOAT_SLACK: Final = 1e-9
"""Relative slack beyond a stated tolerance, for the rounding of binary floats alone."""


class Source(Record):
    """A place in an earlier observation."""

    step: int = Field(ge=1)
    """One-based number of the step that observed it."""
    path: str = Field(pattern=_PATH)
    """Such as ``shipments[1].shipment_id``."""


class Quantity(Record):
    """A measured value, stated or observed, with an absolute tolerance in the parameter's unit."""

    value: float | int | None = None
    unit: str | None = None
    step: int | None = Field(default=None, ge=1)
    path: str | None = Field(default=None, pattern=_PATH)
    tolerance: float | int = Field(ge=0)

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        stated = (self.value is not None, self.unit is not None)
        observed = (self.step is not None, self.path is not None)
        if not (all(stated) and not any(observed)) and not (all(observed) and not any(stated)):
            raise ValueError("a quantity has a value and a unit, or a step and a path")
        return self

    @property
    def source(self) -> Source | None:
        """Where the quantity was observed; None for a stated one."""
        if self.step is None or self.path is None:
            return None
        return Source(step=self.step, path=self.path)


class Rule(Record):
    """One rule for one argument; exactly one of its main keys is given."""

    equals: Any = None
    says: str | None = None
    """With `equals`: the query's words for a value that does not stand there itself."""
    nonempty: Literal[True] | None = None
    contains: str | None = Field(default=None, min_length=1)
    one_of: list[Any] | None = Field(default=None, min_length=1)
    source: Source | None = Field(default=None, alias="from")
    quantity: Quantity | None = None

    @model_validator(mode="after")
    def _one_key(self) -> Self:
        main = self.model_fields_set - {"says"}
        if len(main) != 1:
            raise ValueError(
                "a rule has exactly one of equals, nonempty, contains, one_of, from, quantity"
            )
        if main != {"equals"} and all(getattr(self, key) is None for key in main):
            raise ValueError("a rule other than equals cannot be null")
        if "says" in self.model_fields_set and (main != {"equals"} or not self.says):
            raise ValueError("'says' goes with 'equals' and is a text")
        return self

    @property
    def origin(self) -> Source | None:
        """The place in an earlier observation that the value comes from, if any."""
        return self.source or (self.quantity.source if self.quantity else None)


def satisfies(
    rule: Rule,
    value: Any,
    observations: Observations,
    *,
    unit: str | None,
    units: Sequence[Mapping[str, str]],
) -> bool:
    """Decide whether an argument satisfies its rule.

    Parameters
    ----------
    rule
        The rule.
    value
        The argument as called.
    observations
        What the passed steps answered.
    unit
        Registered unit of the parameter.
    units
        For each step, the registered unit of its output fields by pointer.
    """
    if "equals" in rule.model_fields_set:
        return _same(value, rule.equals)
    if rule.nonempty:
        return value is not None and (value.strip() if isinstance(value, str) else value) not in (
            "",
            [],
            {},
        )
    if rule.contains is not None:
        return isinstance(value, str) and rule.contains.casefold() in value.casefold()
    if rule.one_of is not None:
        return any(_same(value, allowed) for allowed in rule.one_of)
    if rule.source is not None:
        observed = value_at(_observation(observations, rule.source), rule.source.path)
        return observed is not None and _same(value, observed)
    if rule.quantity is None or isinstance(value, bool) or not isinstance(value, int | float):
        return False
    target = quantity_value(rule.quantity, observations, unit=unit, units=units)
    return target is not None and math.isclose(
        value, target, rel_tol=_FLOAT_SLACK, abs_tol=rule.quantity.tolerance * (1 + _FLOAT_SLACK)
    )


def quantity_value(
    quantity: Quantity,
    observations: Observations,
    *,
    unit: str | None,
    units: Sequence[Mapping[str, str]],
) -> float | None:
    """Return the right value of a quantity in the parameter's unit; None when it is not there."""
    source = quantity.source
    if source is None:
        value, given = quantity.value, quantity.unit
    else:
        value = value_at(_observation(observations, source), source.path)
        given = units[source.step - 1].get(registered(source.path))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if unit is None or given is None:
        return float(value)
    return convert(value, given, unit)


def _observation(observations: Observations, source: Source) -> Mapping[str, Any] | None:
    return observations[source.step - 1] if source.step <= len(observations) else None


def _same(left: Any, right: Any) -> bool:
    """Compare as JSON does: 3 equals 3.0, true does not equal 1."""
    return canonical_json(left) == canonical_json(right)

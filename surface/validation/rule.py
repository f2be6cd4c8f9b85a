"""Rules against the parameters they are for: sources, types and units."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator

from surface.argument import Quantity, Source
from surface.gold import FREE_TEXT
from surface.unit import UnknownUnitError, dimensionality
from surface.validation.problem import Problem
from surface.validation.site import Site


def check_rule(site: Site) -> Iterator[Problem]:
    """Check that some argument can satisfy a rule and be accepted by the endpoint."""
    origin = site.rule.origin
    if origin is not None:
        defects = tuple(_source(site, origin))
        yield from defects
        if defects or site.field(origin) is None:  # an unknown route is reported with its step
            return
    if site.rule.quantity is not None:
        yield from _quantity(site, site.rule.quantity)
        return
    if site.rule.source is not None:
        yield from _same_unit(site, site.rule.source)
    for value in _values(site):
        defect = next(_validator(site).iter_errors(value), None)
        if defect is not None:
            yield Problem(
                site.place,
                f"The parameter does not take the rule's value ({defect.message}).",
                "Correct the rule.",
            )


def _values(site: Site) -> tuple[Any, ...]:
    """Return the values that the rule, or the gold in its place, offers."""
    rule = site.rule
    if "equals" in rule.model_fields_set:
        return (rule.equals,)
    if rule.one_of is not None:
        return tuple(rule.one_of)
    if rule.source is not None:
        return (site.value(rule.source),)
    return (rule.contains if rule.contains is not None else FREE_TEXT,)


def _validator(site: Site) -> Draft202012Validator:
    return Draft202012Validator(
        site.parameter.json_schema, format_checker=Draft202012Validator.FORMAT_CHECKER
    )


def _source(site: Site, source: Source) -> Iterator[Problem]:
    if source.step > site.seen:
        yield Problem(
            site.place,
            f"Step {source.step} has not been passed when the rule is applied.",
            "Take the value from an earlier step.",
        )
    elif site.task.steps[source.step - 1].observation is None:
        yield Problem(site.place, f"Step {source.step} observes nothing.", "Name another step.")
    elif site.task.steps[source.step - 1].route not in site.snapshot:
        return
    elif site.value(source) is None or site.field(source) is None:
        yield Problem(
            site.place,
            f"Step {source.step} observes no declared field at {source.path!r}.",
            "Correct the path or the observation.",
        )


def _same_unit(site: Site, source: Source) -> Iterator[Problem]:
    field = site.field(source)
    if field is not None and field.unit != site.parameter.unit:
        yield Problem(
            site.place,
            f"The value is observed in {field.unit} and expected in {site.parameter.unit}.",
            "Use a quantity rule, which converts.",
        )


def _quantity(site: Site, quantity: Quantity) -> Iterator[Problem]:
    source = quantity.source
    unit = quantity.unit
    if source is not None:
        field, value = site.field(source), site.value(source)
        unit = None if field is None else field.unit
        if isinstance(value, bool) or not isinstance(value, int | float):
            yield Problem(site.place, f"{value!r} is not a number.", "Correct the path.")
            return
    expected = site.parameter.unit
    if unit is None or expected is None:
        yield Problem(
            site.place,
            "A quantity needs a unit where it comes from and one at its parameter.",
            "Use another kind of rule.",
        )
        return
    try:
        converts = dimensionality(unit) == dimensionality(expected)
    except UnknownUnitError as error:
        yield Problem(site.place, f"{error}.", "Use a unit that Pint knows.")
        return
    if not converts:
        yield Problem(
            site.place,
            f"{unit!r} does not convert to {expected!r}.",
            "Correct the unit or the rule.",
        )

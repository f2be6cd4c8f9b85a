"""Whether an agent can know what it has to send, and only from where the task means it to.

A literal stands in the query; everything else stands in an earlier observation and there alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from router.snapshot import CatalogSnapshot
from surface.identifier import occurs, texts_in
from surface.pointer import leaves, values_at
from surface.task import Task
from surface.validation.number import stands
from surface.validation.problem import Problem
from surface.validation.site import Site
from surface.validation.text import normal

_SHORT: Final = 4
"""Literals of fewer characters have to stand as a word, not somewhere inside one."""


def check_obtainable(site: Site) -> Iterator[Problem]:
    """Check that a rule's value can be known when it is needed, and is not given away before."""
    rule, query, language = site.rule, site.task.query, site.task.language
    if rule.says is not None:
        if normal(rule.says) not in normal(query):
            yield _missing(site, f"The words {rule.says!r}")
    elif "equals" in rule.model_fields_set:
        for item in _items(rule.equals):
            if not _known(site, item):
                yield _missing(site, f"The value {item!r}")
    elif rule.one_of is not None:
        if not any(all(_known(site, item) for item in _items(value)) for value in rule.one_of):
            yield _missing(site, f"None of the values {rule.one_of!r}")
    elif rule.contains is not None:
        if normal(rule.contains) not in normal(query):
            yield _missing(site, f"The text {rule.contains!r}")
    elif rule.source is not None:
        yield from _leak(site)
    elif rule.quantity is not None:
        stated, source = rule.quantity.value, rule.quantity.source
        if stated is not None and not stands(stated, query, language):
            yield _missing(site, f"The number {stated}")
        elif source is not None and stands(site.value(source), query, language):
            yield _given_away(site, site.value(source))


def _known(site: Site, value: Any) -> bool:
    """Whether a value stands in the query or is one of few that the schema lists."""
    if isinstance(value, bool) or value in _listed(site):
        return True
    if isinstance(value, int | float):
        return stands(value, site.task.query, site.task.language)
    return isinstance(value, str) and _stands_in(value, site.task.query)


def _stands_in(literal: str, query: str) -> bool:
    literal, query = normal(literal), normal(query)
    if len(literal) >= _SHORT:
        return literal in query
    return re.search(rf"(?<![0-9a-z]){re.escape(literal)}(?![0-9a-z])", query) is not None


def _listed(site: Site) -> list[Any]:
    """Return the members of the parameter's enum, or of its elements'."""
    schema = site.parameter.json_schema
    items = schema.get("items")
    for holder in (schema, items if isinstance(items, dict) else {}):
        listed = holder.get("enum")
        if isinstance(listed, list):
            return listed
    return []


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _leak(site: Site) -> Iterator[Problem]:
    """Find a value that is to be observed and stands in the query already."""
    source = site.rule.source
    for value in leaves(site.value(source)) if source is not None else ():
        hidden = isinstance(value, str) and value not in _listed(site)
        if hidden and (
            occurs(value, (site.task.query,)) or occurs(normal(value), (normal(site.task.query),))
        ):
            yield _given_away(site, value)


def check_created(task: Task, snapshot: CatalogSnapshot) -> Iterator[Problem]:
    """Find an identifier that a step creates and that stands in the query before.

    A call that changes something answers identifiers of what it made. The query cannot know them,
    unless they are those of a thing that the call is about.
    """
    for number, step in enumerate(task.steps, start=1):
        endpoint = snapshot.endpoint(step.route)
        if endpoint.read_only or step.observation is None:
            continue
        literal = {text for rule in step.arguments.values() for text in texts_in(rule.equals)}
        for field in endpoint.output_fields:
            if not (field.identifier or str(field.semantic_id).endswith((".id", ".identifier"))):
                continue
            for value in texts_in(values_at(step.observation, field.pointer)):
                if value not in literal and occurs(value, (task.query,)):
                    yield Problem(
                        f"{task.id}: step {number}, observation",
                        f"The step creates {value!r}, which stands in the query.",
                        "Leave it out of the query or let the step answer another one.",
                    )


def _given_away(site: Site, value: Any) -> Problem:
    return Problem(
        site.place,
        f"The value {value!r} is to be observed and stands in the query.",
        "Leave it out of the query or take it from there.",
    )


def _missing(site: Site, what: str) -> Problem:
    return Problem(
        site.place,
        f"{what} cannot be found in the query.",
        "Let the query say it, name its words with 'says', or take it from an observation.",
    )

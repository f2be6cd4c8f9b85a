"""Example observations: what a call off the task's path answers has to look like the real thing."""

from __future__ import annotations

from collections.abc import Iterator

from jsonschema import Draft202012Validator

from surface.catalog import Catalog
from surface.validation.problem import Problem


def check_examples(catalog: Catalog) -> Iterator[Problem]:
    """Prove that every endpoint with outputs has an example that fits, and no other has one."""
    for route, endpoint in zip(catalog.snapshot.routes, catalog.snapshot.endpoints, strict=True):
        example = catalog.examples.get(route)
        if (example is None) != (not endpoint.output_fields):
            yield Problem(
                route,
                "An endpoint has an example exactly when it has output fields.",
                "Correct the outputs or the example.",
            )
        elif example is not None:
            for defect in Draft202012Validator(endpoint.output_schema).iter_errors(example):
                yield Problem(
                    route,
                    f"The example does not match the outputs ({defect.message}).",
                    "Correct one of the two.",
                )

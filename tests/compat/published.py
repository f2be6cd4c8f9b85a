"""The published package, where it is installed, and records that exist in both packages."""

from __future__ import annotations

from importlib import metadata
from types import ModuleType
from typing import Any

import pytest

import router

published: Any = pytest.importorskip(
    "schemarouter",
    reason="the published package is not installed; `make compat` installs and compares it",
)
VERSION = metadata.version("schemarouter")
if not VERSION.startswith("0.17."):
    pytest.skip(
        f"schemarouter {VERSION} is installed, 0.17 is compared; `make compat` installs it",
        allow_module_level=True,
    )

BOTH: tuple[ModuleType, Any] = (router, published)
"""Ours and theirs."""


def make(package: Any, kind: str, plain: Any) -> Any:
    """The record of a kind, or one in each place of a list or mapping of plain data."""
    if isinstance(plain, list):
        return [make(package, kind, one) for one in plain]
    return getattr(package, kind).model_validate(plain)


def by_route(package: Any, kind: str, plain: dict[str, list[Any]]) -> dict[str, Any]:
    """Records by route id."""
    return {route: make(package, kind, listed) for route, listed in plain.items()}


def verdict(eligibility: Any) -> tuple[Any, ...]:
    """What an eligibility says, without its prose."""
    reasons = [(reason.code, reason.semantic_id) for reason in eligibility.reasons]
    return eligibility.status, eligibility.eligible, reasons


def checked(listed: Any) -> list[tuple[Any, ...]]:
    """Rank, route and verdict of state-aware candidates, in order."""
    return [
        (one.candidate.rank, one.candidate.route_id, verdict(one.eligibility)) for one in listed
    ]

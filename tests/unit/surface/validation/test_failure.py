"""Where a failure strikes and how the task gets over it."""

from __future__ import annotations

import pytest

from surface.task import Step, load_tasks
from surface.validation.failure import Failure, failures, service_of
from tests.support.small_surface import sound

TASK = sound()[1]["en-recoverable"]


def steps(*calls: str) -> tuple[Step, ...]:
    """Steps from ``route`` or ``route!class``."""
    split = [call.partition("!") for call in calls]
    return tuple(Step(route=route, error=error or None) for route, _, error in split)


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        (["a.b!rate_limited", "a.b", "c.d"], [("first", "same call")]),
        (["a.b!rate_limited", "a.b"], [("first", "same call")]),
        (["c.d", "a.b!rate_limited", "a.b", "e.f"], [("middle", "same call")]),
        (["c.d", "a.b!rate_limited", "a.b"], [("last", "same call")]),
        (["c.d", "a.b!lock_conflict", "e.f", "a.b"], [("last", "recovery call")]),
        (["c.d", "a.b!lock_conflict", "e.f", "a.b", "g.h"], [("middle", "recovery call")]),
        (["a.b!provider_suspended", "c.d"], [("first", "other provider")]),
        (["e.f", "a.b!quota_exhausted", "c.d"], [("last", "other provider")]),
        (["e.f", "a.b!region_unsupported", "c.d", "g.h"], [("middle", "other provider")]),
        (
            ["a.b!rate_limited", "a.b!upstream_timeout", "a.b"],
            [("first", "same call"), ("first", "same call")],
        ),
    ],
)
def test_position_and_recovery(calls: list[str], expected: list[tuple[str, str]]) -> None:
    found = failures(TASK.model_copy(update={"steps": steps(*calls)}))
    assert [(item.position, item.recovery) for item in found] == expected


def test_a_failure_knows_its_step_and_class() -> None:
    assert failures(TASK) == (Failure(1, "expired_session", "first", "recovery call"),)
    assert failures(sound()[1]["en-two"]) == ()


def test_failures_of_the_development_split() -> None:
    found = {task.id: failures(task) for task in load_tasks("dev") if failures(task)}
    assert {name: (item.position, item.recovery) for name, (item,) in found.items()} == {
        "dev-de-failure": ("first", "other provider"),
        "dev-en-failure": ("middle", "same call"),
        "dev-es-failure": ("last", "recovery call"),
        "dev-ja-failure": ("first", "other provider"),
        "dev-ko-failure": ("first", "same call"),
        "dev-mixed-failure": ("first", "recovery call"),
    }


def test_service_of_a_route() -> None:
    assert service_of("freight.find_shipments") == "freight"

"""Detours by two routes, counted by contract."""

from __future__ import annotations

import pytest

from router.contract import EndpointSpec, FieldSpec, ParameterSpec, ToolSpec
from router.snapshot import CatalogSnapshot
from surface.argument import Rule, Source
from surface.executor import Execution, Executor, Progress
from surface.task import Step, Task
from surface.validation.alternative import has_detour
from surface.validation.playthrough import check_playthrough
from tests.support.small_surface import sound


def endpoint(name: str, needs: str, answers: str, *, read_only: bool = True) -> EndpointSpec:
    return EndpointSpec(
        name=name,
        read_only=read_only,
        parameters=tuple(
            ParameterSpec(name=f"p_{term}", required=True, semantic_id=term)
            for term in needs.split()
        ),
        output_fields=tuple(FieldSpec(name=term, semantic_id=term) for term in answers.split()),
    )


def task() -> Task:
    take = Rule(source=Source(step=1, path="price"))
    steps = (
        Step(route="s.gold", arguments={"p_order": Rule(equals="1")}),
        Step(route="s.pay", arguments={"p_price": take}),
    )
    return sound()[1]["en-two"].model_copy(update={"steps": steps})


def detour(*others: EndpointSpec) -> bool:
    endpoints = (endpoint("gold", "order", "price"), endpoint("pay", "price", "", read_only=False))
    snapshot = CatalogSnapshot.of(
        [ToolSpec(name="s", description="s", endpoints=(*endpoints, *others))]
    )
    return has_detour(task(), 0, snapshot)


def test_two_reads_in_a_row_are_a_detour() -> None:
    assert detour(endpoint("a", "order", "item"), endpoint("b", "item", "price"))
    assert detour(endpoint("a", "order", "item"), endpoint("b", "item order", "price weight"))


def test_the_first_may_answer_a_part_of_what_is_taken() -> None:
    assert detour(endpoint("a", "order", "item price"), endpoint("b", "item", "weight"))


def test_what_is_no_detour() -> None:
    assert not detour()
    assert not detour(endpoint("a", "order", "item"))
    # One route alone is a rival, not a detour.
    assert not detour(endpoint("b", "order", "price"))
    # The first cannot be called, does not read, or answers what the second does not need.
    assert not detour(endpoint("a", "client", "item"), endpoint("b", "item", "price"))
    assert not detour(
        endpoint("a", "order", "item", read_only=False), endpoint("b", "item", "price")
    )
    assert not detour(endpoint("a", "order", "weight"), endpoint("b", "item", "price"))
    # The second has another effect, or together they lack what is taken.
    assert not detour(
        endpoint("a", "order", "item"), endpoint("b", "item", "price", read_only=False)
    )
    assert not detour(endpoint("a", "order", "item"), endpoint("b", "item", "weight"))


def test_a_step_that_nobody_takes_from_has_none() -> None:
    endpoints = (endpoint("gold", "order", "price"), endpoint("pay", "price", "", read_only=False))
    snapshot = CatalogSnapshot.of([ToolSpec(name="s", description="s", endpoints=endpoints)])
    assert not has_detour(task(), 1, snapshot)


def test_the_gold_passes_with_its_routes_and_with_no_fewer() -> None:
    catalogs, tasks = sound()
    for item in tasks.values():
        assert not list(check_playthrough(item, catalogs))


def test_an_executor_that_ignores_the_exposure_is_a_problem(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = Executor.execute

    def generous(
        self: Executor, progress: Progress, *, route: str, arguments: object, exposed: object
    ) -> tuple[Progress, Execution]:
        return real(
            self,
            progress,
            route=route,
            arguments=arguments,  # type: ignore[arg-type]
            exposed=self.task.required_routes,
        )

    monkeypatch.setattr(Executor, "execute", generous)
    catalogs, tasks = sound()
    (problem,) = check_playthrough(tasks["en-two"], catalogs)
    assert "passes although freight.find_shipments is not exposed" in problem.what

"""The executor decides in the protocol's order (section 4), and nothing it says leaks the gold."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import pytest

from surface.executor import Execution, Executor, Progress, output_units
from surface.failure import error_class
from surface.gold import gold_arguments
from surface.task import Task
from tests.support.small_surface import CUSTOMER, SESSION, SHIPMENT, sound

CATALOGS, TASKS = sound()


class Episode:
    """Calls one after the other, with everything exposed unless said otherwise."""

    def __init__(self, task: Task, tier: int = 500) -> None:
        self.executor = Executor(task, CATALOGS[tier])
        self.progress = self.executor.start()

    def call(
        self, route: str, arguments: Mapping[str, Any], exposed: Collection[str] | None = None
    ) -> Execution:
        self.progress, execution = self.executor.execute(
            self.progress,
            route=route,
            arguments=arguments,
            exposed=self.executor.catalog.snapshot.routes if exposed is None else exposed,
        )
        return execution

    def step(self) -> Execution:
        """Call the next step as the gold does."""
        position = len(self.progress.passed)
        route = self.executor.task.steps[position].route
        return self.call(route, gold_arguments(self.executor, self.progress))

    @property
    def complete(self) -> bool:
        return self.executor.complete(self.progress)


def episode(name: str, **changes: Any) -> Episode:
    task = TASKS[name]
    return Episode(task.model_copy(update=changes) if changes else task)


FIND = {"customer_id": CUSTOMER}
CANCEL = {"shipment_id": SHIPMENT, "reason": "Not wanted."}


@pytest.mark.parametrize("name", sorted(TASKS))
@pytest.mark.parametrize("tier", [100, 250, 500])
def test_the_gold_passes_every_step_in_every_catalog(name: str, tier: int) -> None:
    run = Episode(TASKS[name], tier)
    for step in TASKS[name].steps:
        assert not run.complete
        execution = run.step()
        assert execution.advanced
        assert execution.observation == step.observation
        assert execution.error == step.error
    assert run.complete


# Rule 1: unknown or not exposed.


@pytest.mark.parametrize(
    ("route", "exposed"),
    [
        ("freight.no_such_route", None),
        ("freight.no_such_route", ["freight.no_such_route"]),
        ("freight.find_shipments", ["carrier.find_parcels"]),
        ("freight.find_shipments", []),
        ("freight.cancel_shipment", ["freight.find_shipments"]),
        ("", None),
        ("freight", None),
        ("freight__find_shipments", None),
    ],
)
@pytest.mark.parametrize("arguments", [FIND, CANCEL, {}, {"customer_id": 5}])
def test_one_answer_for_unknown_and_unexposed_routes(
    route: str, exposed: list[str] | None, arguments: dict[str, Any]
) -> None:
    run = episode("en-two")
    before = run.progress
    execution = run.call(route, arguments, exposed)
    assert execution == Execution(
        "unavailable", "error", error="unavailable_tool: this tool is not available"
    )
    assert not execution.reached
    assert run.progress is before


def test_a_route_of_a_larger_catalog_is_unknown_in_a_smaller_one() -> None:
    run = Episode(TASKS["en-two"], 100)
    execution = run.call("carrier.find_parcels", FIND, ["carrier.find_parcels"])
    assert execution.decision == "unavailable"


# Rule 2: arguments against the schema, before approvals, identifiers and steps.


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"customer_id": 5},
        {"customer_id": "cus-1042"},
        {"customer_id": None},
        {"customer_id": CUSTOMER, "stages": []},
        {"customer_id": CUSTOMER, "stages": ["lost"]},
        {"customer_id": CUSTOMER, "stages": "held"},
        {"customer_id": CUSTOMER, "max_count": 1.5},
        {"customer_id": CUSTOMER, "max_count": True},
        {"customer_id": CUSTOMER, "max_count": 2**53},
        {"customer_id": CUSTOMER, "max_count": float("inf")},
        {"customer_id": CUSTOMER, "unasked": 1},
        {"customer_id": CUSTOMER, "\ud800": 1},
    ],
)
def test_arguments_that_the_schema_refuses_change_nothing(arguments: dict[str, Any]) -> None:
    run = episode("en-two")
    before = run.progress
    execution = run.call("freight.find_shipments", arguments)
    assert (execution.decision, execution.status) == ("schema_invalid", "error")
    assert error_class(str(execution.error)) == "schema_invalid"
    assert str(execution.error).isprintable()
    assert not execution.reached
    assert run.progress is before


def test_a_lone_surrogate_in_free_text_is_refused_as_it_cannot_be_logged() -> None:
    run = episode("en-typed")
    execution = run.call("freight.cancel_shipment", {**CANCEL, "reason": "\ud800"})
    assert execution.decision == "schema_invalid"


def test_the_schema_comes_before_the_policy() -> None:
    run = episode("en-two")
    assert run.call("freight.cancel_shipment", {"shipment_id": 5}).decision == "schema_invalid"


def test_a_long_complaint_is_cut() -> None:
    run = episode("en-two")
    execution = run.call("freight.find_shipments", {"customer_id": "x" * 10_000})
    assert len(str(execution.error)) < 300


# Rule 3: destructive calls need an approval of their own.


def test_a_destructive_call_without_approval_is_blocked() -> None:
    run = episode("en-two")
    before = run.progress
    execution = run.call("freight.cancel_shipment", CANCEL)
    assert (execution.decision, execution.status) == ("blocked", "blocked")
    assert error_class(str(execution.error)) == "destructive_policy_block"
    assert execution.approval is None
    assert not execution.reached
    assert run.progress is before


def test_the_policy_comes_before_unknown_identifiers() -> None:
    run = episode("en-two")
    assert run.call("archive.drop_dataset", {"dataset_id": "00000000-0000"}).decision == "blocked"


def test_an_approval_for_one_thing_is_none_for_another() -> None:
    run = episode("en-typed")
    run.step()
    run.step()
    other = run.call("freight.cancel_shipment", {**CANCEL, "shipment_id": "SHP-100233"})
    assert other.decision == "blocked"
    assert run.call("freight.cancel_shipment", {**CANCEL, "reason": ""}).decision == "blocked"
    approved = run.step()
    assert (approved.decision, approved.approval) == ("step", 1)
    assert run.complete


def test_an_approval_is_used_up_by_one_call() -> None:
    run = episode("en-typed")
    first = run.call("freight.cancel_shipment", CANCEL)
    assert (first.decision, first.status, first.approval) == ("example", "ok", 1)
    assert run.call("freight.cancel_shipment", CANCEL).decision == "blocked"
    run.step()
    run.step()
    # Too early is gone: the step itself can no longer be called.
    assert run.step().decision == "blocked"


def test_a_completed_destructive_step_is_not_repeated_without_another_approval() -> None:
    task = TASKS["en-typed"]
    run = episode("en-typed")
    for _ in task.steps:
        run.step()
    assert run.call("freight.cancel_shipment", CANCEL).decision == "blocked"

    twice = episode("en-typed", approvals=(*task.approvals, task.approvals[1]))
    for _ in task.steps:
        twice.step()
    again = twice.call(
        "freight.cancel_shipment", {"shipment_id": SHIPMENT, "reason": "Not wanted."}
    )
    assert (again.decision, again.approval) == ("example", 2)


def test_an_approval_whose_value_is_not_observed_yet_permits_nothing() -> None:
    task = TASKS["en-provenance"]
    rules = {"dataset_id": task.steps[1].arguments["dataset_id"]}
    approval = (
        TASKS["en-typed"]
        .approvals[0]
        .model_copy(update={"route": "archive.drop_dataset", "arguments": rules})
    )
    run = episode("en-provenance", approvals=(approval,))
    drop = {"dataset_id": "3fb8a610-c74e"}
    assert run.call("archive.drop_dataset", drop).decision == "blocked"
    run.step()
    assert run.call("archive.drop_dataset", {"dataset_id": "9c41e07a-5d2f"}).decision == "blocked"
    allowed = run.call("archive.drop_dataset", drop)
    assert (allowed.decision, allowed.status, allowed.approval) == ("example", "executed", 0)


def test_an_approval_that_no_step_needs_permits_its_call() -> None:
    approval = TASKS["en-typed"].approvals[0].model_copy(update={"arguments": {}})
    run = episode("en-provenance", approvals=(approval,))
    run.step()
    allowed = run.call("archive.drop_dataset", {"dataset_id": "9c41e07a-5d2f"})
    assert (allowed.decision, allowed.approval) == ("example", 0)
    assert run.call("archive.drop_dataset", {"dataset_id": "9c41e07a-5d2f"}).decision == "blocked"


def test_a_call_to_what_is_not_found_uses_its_approval_up() -> None:
    approval = TASKS["en-typed"].approvals[0].model_copy(update={"arguments": {}})
    run = episode("en-two", approvals=(approval,))
    lost = run.call("archive.drop_dataset", {"dataset_id": "00000000-0000"})
    assert (lost.decision, lost.approval) == ("not_found", 0)
    assert run.call("archive.drop_dataset", {"dataset_id": "00000000-0000"}).decision == "blocked"


def test_reading_needs_no_approval() -> None:
    assert episode("en-two").call("freight.find_shipments", FIND).approval is None


# Rule 4: identifiers come from the query or an observation.


def test_an_identifier_that_was_never_seen_is_not_found() -> None:
    run = episode("en-two")
    before = run.progress
    execution = run.call("freight.release_hold", {"shipment_id": "SHP-100234"})
    assert execution == Execution("not_found", "error", error="not_found: no such resource")
    assert execution.reached
    assert run.progress is before


def test_an_identifier_of_an_earlier_observation_is_found() -> None:
    run = episode("en-two")
    run.step()
    for shipment in ("SHP-100233", "SHP-100234"):
        execution = run.call("freight.release_hold", {"shipment_id": shipment})
        assert execution.decision == ("step" if shipment == "SHP-100234" else "example")


def test_an_identifier_of_an_example_observation_is_found() -> None:
    run = episode("en-two")
    assert run.call("freight.release_hold", {"shipment_id": "SHP-900001"}).decision == "not_found"
    run.call("carrier.find_parcels", FIND)
    assert run.call("freight.release_hold", {"shipment_id": "SHP-900001"}).decision == "example"


def test_an_identifier_of_the_query_is_found() -> None:
    assert episode("en-two").call("archive.list_datasets", FIND).decision == "example"
    other = episode("en-two").call("archive.list_datasets", {"customer_id": "CUS-1043"})
    assert other.decision == "not_found"


@pytest.mark.parametrize("language", ["ko", "ja", "mixed"])
@pytest.mark.parametrize("stratum", ["two", "three", "provenance", "recoverable"])
def test_particles_may_follow_an_identifier_of_the_query(language: str, stratum: str) -> None:
    # "CUS-1042의", "CUS-1042로", "CUS-1042さんの", "CUS-1042で" and so on.
    run = episode(f"{language}-{stratum}")
    assert run.call("archive.list_datasets", FIND).status == "ok"


def test_every_identifier_of_a_call_has_to_be_found() -> None:
    run = episode("en-provenance")
    run.step()
    shared = {"dataset_id": "3fb8a610-c74e", "customer_id": "CUS-9999"}
    assert run.call("archive.share_dataset", shared).decision == "not_found"
    shared["customer_id"] = CUSTOMER
    assert run.call("archive.share_dataset", shared).decision == "example"


def test_values_that_are_no_identifiers_need_not_have_been_seen() -> None:
    run = episode("en-two")
    execution = run.call("freight.list_customers", {"company": "Nobody & Sons"})
    assert execution.decision == "example"


def test_a_scripted_error_shows_nothing() -> None:
    run = episode("en-recoverable")
    run.step()
    tracked = {"shipment_id": SHIPMENT, "session_id": "ses_0a1b2c3d"}
    assert run.call("carrier.track_parcel", tracked).decision == "not_found"


# Rule 5: the next step with right values.


def test_the_next_step_answers_its_observation() -> None:
    run = episode("en-two")
    execution = run.call("freight.find_shipments", FIND)
    assert (execution.decision, execution.status, execution.error) == ("step", "ok", None)
    assert execution.observation == TASKS["en-two"].steps[0].observation
    assert len(run.progress.passed) == 1


def test_an_argument_without_a_rule_is_free() -> None:
    run = episode("en-two")
    execution = run.call("freight.find_shipments", {**FIND, "stages": ["held"], "max_count": 5})
    assert execution.decision == "step"


def test_an_optional_argument_with_a_rule_has_to_be_given() -> None:
    run = episode("en-three")
    run.step()
    run.step()
    quote = {"quote_id": "QT-551830"}
    assert run.call("freight.accept_quote", quote).decision == "example"
    assert run.call("freight.accept_quote", {**quote, "insured": False}).decision == "example"
    assert run.call("freight.accept_quote", {**quote, "insured": True}).decision == "step"


def test_an_endpoint_without_outputs_answers_executed() -> None:
    run = episode("en-two")
    run.step()
    execution = run.step()
    assert (execution.decision, execution.status) == ("step", "executed")
    assert execution.observation is None


def test_an_observed_quantity_has_to_be_converted() -> None:
    run = episode("en-three")
    run.step()
    price = {"shipment_id": "SHP-100233"}
    # 12.5 lb are 5.669904625 kg, give or take 0.01.
    assert run.call("freight.price_shipment", {**price, "weight": 12.5}).decision == "example"
    assert run.call("freight.price_shipment", {**price, "weight": 5.65}).decision == "example"
    assert run.call("freight.price_shipment", {**price, "weight": 5.68}).decision == "example"
    assert run.call("freight.price_shipment", {**price, "weight": 5.66}).decision == "step"


def test_a_temperature_is_converted_with_its_offset() -> None:
    run = episode("en-typed")
    run.step()
    warm = {"shipment_id": SHIPMENT}
    assert run.call("climate.set_temperature", {**warm, "temperature": 7.5}).decision == "example"
    assert run.call("climate.set_temperature", {**warm, "temperature": 45.5}).decision == "step"


def test_a_later_step_is_not_passed_before_its_time() -> None:
    run = episode("en-typed")
    execution = run.call("climate.set_temperature", {"shipment_id": SHIPMENT, "temperature": 45.5})
    assert execution.decision == "example"
    assert run.progress.passed == ()


# Rule 5 again: scripted errors are steps.


def test_a_scripted_error_passes_its_step() -> None:
    run = episode("en-recoverable")
    first = {"shipment_id": SHIPMENT, "session_id": SESSION}
    execution = run.call("carrier.track_parcel", first)
    assert (execution.decision, execution.status) == ("step", "error")
    assert execution.error == "expired_session: sign in again"
    assert execution.observation is None
    assert execution.advanced
    assert execution.reached
    assert len(run.progress.passed) == 1


def test_a_failure_repeats_until_it_is_recovered() -> None:
    run = episode("en-recoverable")
    first = {"shipment_id": SHIPMENT, "session_id": SESSION}
    run.step()
    for _ in range(3):
        again = run.call("carrier.track_parcel", first)
        assert (again.decision, again.error) == ("repeat", "expired_session: sign in again")
        assert len(run.progress.passed) == 1
    run.step()
    assert run.call("carrier.track_parcel", first).decision == "repeat"
    assert run.step().status == "ok"
    assert run.complete
    assert run.call("carrier.track_parcel", first).error == "expired_session: sign in again"


def transient() -> Episode:
    """The first call fails once and then succeeds."""
    task = TASKS["en-two"]
    failing = task.steps[0].model_copy(update={"error": "rate_limited", "observation": None})
    return episode("en-two", steps=(failing, task.steps[0], task.steps[1].model_copy(
        update={"arguments": {"shipment_id": task.steps[1].arguments["shipment_id"].model_copy(
            update={"source": task.steps[1].arguments["shipment_id"].source.model_copy(  # type: ignore[union-attr]
                update={"step": 2})})}})))  # fmt: skip


def test_the_same_call_again_recovers_a_transient_failure() -> None:
    run = transient()
    assert run.call("freight.find_shipments", FIND).error == "rate_limited"
    again = run.call("freight.find_shipments", FIND)
    assert (again.decision, again.status) == ("step", "ok")
    # From now on the call answers what it answered last.
    assert run.call("freight.find_shipments", FIND).status == "ok"
    assert run.step().status == "executed"
    assert run.complete


def test_a_permanent_failure_repeats_after_another_provider_took_over() -> None:
    task = TASKS["en-three"]
    failing = task.steps[1].model_copy(update={"error": "provider_suspended", "observation": None})
    other = task.steps[1].model_copy(update={"route": "carrier.price_parcel"})
    run = episode("en-three", steps=(task.steps[0], failing, other))
    run.step()
    parcel = {"shipment_id": "SHP-100233", "weight": 5.67}
    assert run.call("freight.price_shipment", parcel).decision == "step"
    assert run.call("freight.price_shipment", parcel).error == "provider_suspended"
    assert run.call("carrier.price_parcel", parcel).decision == "step"
    assert run.complete
    assert run.call("freight.price_shipment", parcel).error == "provider_suspended"


# Rules 6 and 7: repeats and examples.


def test_a_completed_step_s_call_answers_again_without_progress() -> None:
    run = episode("en-two")
    run.step()
    before = run.progress
    execution = run.call("freight.find_shipments", FIND)
    assert (execution.decision, execution.status) == ("repeat", "ok")
    assert execution.observation == TASKS["en-two"].steps[0].observation
    assert run.progress is before
    run.step()
    assert run.call("freight.find_shipments", FIND).decision == "repeat"
    assert run.call("freight.release_hold", {"shipment_id": "SHP-100234"}).status == "executed"


def test_a_repeat_is_an_equal_call_and_not_merely_a_right_one() -> None:
    run = episode("en-two")
    run.call("freight.find_shipments", {**FIND, "max_count": 5})
    same = run.call("freight.find_shipments", {"max_count": 5.0, "customer_id": CUSTOMER})
    assert same.decision == "repeat"
    assert run.call("freight.find_shipments", FIND).decision == "example"


@pytest.mark.parametrize(
    ("route", "arguments", "status"),
    [
        ("carrier.find_parcels", FIND, "ok"),
        ("archive.list_datasets", FIND, "ok"),
        ("freight.list_customers", {"company": "Aurora"}, "ok"),
        ("carrier.open_session", FIND, "ok"),
    ],
)
def test_off_the_path_the_registered_example_answers(
    route: str, arguments: dict[str, Any], status: str
) -> None:
    run = episode("en-two")
    execution = run.call(route, arguments)
    assert (execution.decision, execution.status) == ("example", status)
    assert execution.observation == CATALOGS[500].examples[route]
    assert run.progress.passed == ()


def test_off_the_path_the_status_is_that_of_the_route() -> None:
    run = episode("en-three")
    run.step()
    execution = run.call("freight.release_hold", {"shipment_id": "SHP-100233"})
    assert (execution.decision, execution.status) == ("example", "executed")
    assert execution.observation is None


def test_a_step_with_wrong_values_looks_as_plausible_as_any_call() -> None:
    run = episode("en-two")
    run.step()
    wrong = run.call("freight.release_hold", {"shipment_id": "SHP-100233"})
    right = run.call("freight.release_hold", {"shipment_id": "SHP-100234"})
    assert (wrong.status, wrong.observation, wrong.error) == (
        right.status,
        right.observation,
        right.error,
    )


def test_after_completion_calls_are_answered_without_progress() -> None:
    run = episode("en-two")
    run.step()
    run.step()
    passed = run.progress.passed
    assert run.call("archive.list_datasets", FIND).decision == "example"
    assert run.progress.passed == passed
    assert run.complete


# The executor is a pure state machine.


def test_progress_is_a_value_that_is_never_changed_in_place() -> None:
    run = episode("en-typed")
    start = run.progress
    assert start == Progress(texts=(TASKS["en-typed"].query,))
    run.step()
    assert start.passed == ()
    assert run.executor.start() == start


def test_the_caller_s_arguments_are_left_alone() -> None:
    run = episode("en-two")
    arguments = dict(FIND)
    run.call("freight.find_shipments", arguments)
    assert arguments == FIND


def test_units_of_outputs_are_keyed_by_pointer() -> None:
    snapshot = CATALOGS[100].snapshot
    assert output_units(snapshot.endpoint("freight.find_shipments")) == {"shipments[].weight": "lb"}
    assert output_units(snapshot.endpoint("freight.release_hold")) == {}

"""Forgeries: rows that were altered, and every hash, digest and manifest made anew.

No digest can tell such results from honest ones. What can is that every figure stands on others:
the tables tell parts of each other, states follow from what was observed, exposures from rankings,
decisions from the protocol, and tokens from the catalog.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gates.aggregate import aggregate
from gates.metric_table import CONDITIONS, PROGRESSIVE, STATE_AWARE
from harness.error import IntegrityError
from harness.grid import EpisodeKey
from router.canonical import canonical_json, sha256_hex
from tests.support.shop_study import ShopStudy, Tables, catalogs, of, record_of, records, tasks

STATIC, _, _, FULL, ORACLE = CONDITIONS

Change = Callable[[Tables], Any]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> ShopStudy:
    return ShopStudy.write(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def study(whole: ShopStudy, tmp_path: Path) -> ShopStudy:
    return ShopStudy.copy(whole, tmp_path)


def terminal(study: ShopStudy) -> dict[str, Any]:
    return aggregate(study.folder, expected=record_of(), tasks=tasks(), catalogs=catalogs())


def finding(study: ShopStudy) -> str:
    """What aggregation refuses with; nothing is written then."""
    with pytest.raises(IntegrityError) as caught:
        terminal(study)
    assert caught.value.exit_code == 3
    assert not study.folder.terminal.exists()
    return caught.value.what


class Forger:
    """Picks an episode and changes its rows, wherever its shard is."""

    def __init__(self, study: ShopStudy) -> None:
        self.study = study

    def pick(self, condition: str, ending: str, *, passed: bool = False) -> EpisodeKey:
        return next(
            key
            for key, record in records().items()
            if (key.condition, record.ending, record.task_pass) == (condition, ending, passed)
        )

    def change(self, key: EpisodeKey, change: Callable[[Tables], Any]) -> None:
        """Change one episode's rows in place; what is cleared is gone."""
        for index in (0, 1):

            def apply(tables: Tables) -> None:
                mine = {name: of(rows, key) for name, rows in tables.items()}
                if not mine["episodes"]:
                    return
                for name, rows in tables.items():
                    tables[name] = [row for row in rows if row not in mine[name]]
                change(mine)
                for name, rows in mine.items():
                    tables[name] += rows

            self.study.forge(apply, index)


@pytest.fixture
def forger(study: ShopStudy) -> Forger:
    return Forger(study)


def set_row(table: str, position: int, **values: Any) -> Change:
    return lambda rows: rows[table][position].update(values)


def set_call(turn: int, **values: Any) -> Change:
    return lambda rows: rows["turns"][turn - 1]["calls"][0].update(values)


def reverse(rows: Tables) -> None:
    for table in rows.values():
        table.reverse()


def test_what_is_only_hashed_anew_is_as_good_as_the_original(
    whole: ShopStudy, study: ShopStudy
) -> None:
    before = terminal(whole)
    study.forge(reverse)
    assert terminal(study) == before


# The episode's row.


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"task_pass": True}, "whether it passed contradicts its steps and its ending"),
        ({"completed_steps": 4}, "its completed steps are not those of its last state"),
        ({"required_steps": 1}, "its completed steps are not those of its last state"),
        ({"ending": "clean_stop"}, "its ending contradicts its last turn"),
        ({"ending": "turn_limit"}, "its ending contradicts its last turn"),
        ({"ending": "overflow"}, "its ending contradicts its last turn"),
        ({"ending": "malformed"}, "its ending contradicts its last turn"),
        ({"ending": "won"}, "its ending contradicts its last turn"),
        ({"completed_at_turn": 2}, "it was complete in another turn"),
        ({"initial_exposure": []}, "its initial exposure is not that of its first state"),
        ({"gold_required_routes": ["shop.find_orders"]}, "its row is not that of its task"),
        ({"stratum": "two_step_state_dependency"}, "its row is not that of its task"),
        ({"language": "ko"}, "its row is not that of its task"),
        ({"retrieval_calls": 0}, "its retrieval calls are not those of its turns"),
        ({"refreshes": 0}, "its retrieval calls are not those of its turns"),
    ],
)
def test_an_episode_s_row(forger: Forger, changes: dict[str, Any], found: str) -> None:
    forger.change(forger.pick(STATE_AWARE, "third_text"), set_row("episodes", 0, **changes))
    assert found in finding(forger.study)


def test_a_failure_that_became_a_pass_in_all_of_its_row(forger: Forger) -> None:
    forger.change(
        forger.pick(FULL, "third_text"),
        set_row(
            "episodes",
            0,
            task_pass=True,
            completed_steps=4,
            ending="clean_stop",
            completed_at_turn=4,
        ),
    )
    assert "its completed steps are not those of its last state" in finding(forger.study)


def test_an_overflow_that_became_a_pass(forger: Forger) -> None:
    key = next(
        key
        for key, record in records().items()
        if record.ending == "overflow" and record.completed_steps == record.required_steps
    )
    forger.change(key, set_row("episodes", 0, task_pass=True))
    assert "whether it passed contradicts its steps and its ending" in finding(forger.study)
    forger.change(key, set_row("turns", -1, accepted=True))
    assert "whether its prompt was accepted contradicts the ending" in finding(forger.study)


# Rows that changed places.


@pytest.mark.parametrize("table", ["episodes", "turns", "transitions", "gold_traces"])
@pytest.mark.parametrize("pair", [(FULL, PROGRESSIVE), (STATE_AWARE, ORACLE)])
def test_rows_swapped_between_conditions(
    study: ShopStudy, table: str, pair: tuple[str, str]
) -> None:
    def swap(rows: Tables) -> None:
        place = {"task_id": rows["episodes"][0]["task_id"]}
        place["catalog_size"] = rows["episodes"][0]["catalog_size"]
        for row in rows[table]:
            if all(row[name] == value for name, value in place.items()):
                other = dict([pair, pair[::-1]])
                row["condition"] = other.get(row["condition"], row["condition"])

    study.forge(swap)
    assert "finding" in finding(study)


@pytest.mark.parametrize("table", ["episodes", "turns", "transitions"])
def test_rows_swapped_between_catalogs(study: ShopStudy, table: str) -> None:
    # A failed and a passed episode of one task and condition.
    ends = {key: record.task_pass for key, record in records().items() if key.condition == ORACLE}
    task = next(
        key.task_id
        for key, passed in ends.items()
        if passed is not ends[key._replace(catalog_size=9 - key.catalog_size)]
    )
    for index in (0, 1):

        def swap(rows: Tables) -> None:
            for row in rows[table]:
                if (row["task_id"], row["condition"]) == (task, ORACLE):
                    row["catalog_size"] = 9 - row["catalog_size"]

        study.forge(swap, index)
    assert "finding" in finding(study)


# Rows that are gone or doubled.


def gone(table: str, position: int) -> Change:
    return lambda rows: rows[table].pop(position)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (gone("turns", 0), "turns are missing or doubled"),
        (gone("turns", 1), "turns are missing or doubled"),
        (gone("turns", -1), "its ending contradicts its last turn"),
        (gone("transitions", 0), "not the first one and one after every tool turn"),
        (gone("transitions", 1), "not the first one and one after every tool turn"),
        (gone("transitions", -1), "not the first one and one after every tool turn"),
        (gone("gold_traces", 0), "its gold trace does not have one row a step"),
        (gone("gold_traces", -1), "its gold trace does not have one row a step"),
        (lambda rows: rows["turns"].append(rows["turns"][0]), "turns are missing or doubled"),
        (
            lambda rows: rows["transitions"].append(rows["transitions"][1]),
            "not the first one and one after every tool turn",
        ),
        (
            lambda rows: rows["gold_traces"].append(rows["gold_traces"][1]),
            "its gold trace does not have one row a step",
        ),
        (lambda rows: rows["turns"].clear(), "turns are missing or doubled"),
        (lambda rows: rows["transitions"].clear(), "not the first one and one after every tool"),
        (lambda rows: rows["gold_traces"].clear(), "its gold trace does not have one row a step"),
    ],
)
def test_rows_gone_or_doubled(forger: Forger, change: Change, found: str) -> None:
    forger.change(forger.pick(STATE_AWARE, "third_text"), change)
    assert found in finding(forger.study)


def test_a_missing_turn_whose_numbers_were_closed_up(forger: Forger) -> None:
    def close_up(rows: Tables) -> None:
        del rows["turns"][0]
        for row in rows["turns"]:
            row["turn"] -= 1

    forger.change(forger.pick(FULL, "clean_stop", passed=True), close_up)
    assert "not the first one and one after every tool turn" in finding(forger.study)


# States.


def edit_state(turn: int, *, rehash: bool, chain: bool = False) -> Change:
    """Put a route that was never called into a state."""

    def change(rows: Tables) -> None:
        row = rows["transitions"][turn]
        state = json.loads(row["state"])
        state["executed_registered_route_ids"] = ["shop.rename_order"]
        row["state"] = canonical_json(state).decode()
        if rehash:
            row["state_sha256"] = sha256_hex(row["state"].encode())
        if chain:
            rows["transitions"][turn + 1]["previous_state_sha256"] = row["state_sha256"]

    return change


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (edit_state(1, rehash=False), "turn 1: the state has another hash"),
        (edit_state(1, rehash=True), "turn 2: the chain of states is broken"),
        (edit_state(1, rehash=True, chain=True), "turn 1: the state does not follow from what was"),
        (edit_state(-1, rehash=True), "the state does not follow from what was called and obser"),
        (edit_state(0, rehash=True, chain=True), "turn 0: the state does not follow from what was"),
        (set_row("transitions", 0, previous_state_sha256="0" * 64), "turn 0: the chain of states"),
        (set_row("transitions", 1, previous_state_sha256=None), "turn 1: the chain of states"),
        (set_row("transitions", 1, advanced=False), "turn 1: the steps passed do not add up"),
        (set_row("transitions", 1, completed_steps=2), "turn 1: the steps passed do not add up"),
        (set_row("transitions", 1, turns_remaining=3), "turn 1: the turns that remain do not add"),
        (set_row("transitions", 1, observation=None), "turn 1: the state does not follow"),
        (set_row("transitions", 1, observation="{"), "turn 1: what was called and observed makes"),
        (set_row("transitions", 1, observation="[1]"), "turn 1: what was called and observed make"),
        (set_row("transitions", 1, status="error"), "its call and the state after it"),
        (
            set_row("transitions", 1, route="shop.get_order"),
            "its call and the state after it",
        ),
        (set_row("transitions", 2, gold_next_route=None), "requires another route than the state"),
        (set_row("gold_traces", 0, gold_next_route="shop.get_order"), "not those of its task"),
    ],
)
def test_states(forger: Forger, change: Change, found: str) -> None:
    forger.change(forger.pick(FULL, "clean_stop", passed=True), change)
    assert found in finding(forger.study)


# Exposure and retrieval.


def expose_more(rows: Tables) -> None:
    for row in (*rows["turns"], *rows["transitions"], *rows["episodes"]):
        name = "initial_exposure" if "initial_exposure" in row else "exposure"
        row[name] = sorted({*row[name], "shop.cancel_order", "shop.rename_order"})


@pytest.mark.parametrize(
    ("condition", "change", "found"),
    [
        (STATIC, set_row("turns", 0, exposure=["shop.get_order"]), "it exposes something else"),
        (STATE_AWARE, expose_more, "the exposure is not what the condition makes of the ranking"),
        (STATIC, expose_more, "the exposure is not what the condition makes of the ranking"),
        (ORACLE, expose_more, "the exposure is not what the condition makes of the ranking"),
        (
            STATE_AWARE,
            set_row("transitions", 1, retrieval_query_sha256="0" * 64),
            "the retrieval query is not made of query and state",
        ),
        (
            FULL,
            set_row("transitions", 0, retrieval_query_sha256="0" * 64),
            "the retrieval query is not made of query and state",
        ),
        (
            STATIC,
            set_row("transitions", 0, ranking_sha256="0" * 64),
            "its retrieval query has another ranking elsewhere",
        ),
        (
            STATIC,
            set_row("transitions", 0, ranking_head=["shop.rename_order", "shop.find_orders"]),
            "the exposure is not what the condition makes of the ranking",
        ),
        (STATE_AWARE, set_row("transitions", 1, gold_next_rank=1), "has another rank"),
        (STATE_AWARE, set_row("transitions", 1, gold_next_rank=None), "has another rank"),
        (STATIC, set_row("gold_traces", 2, gold_next_rank=9), "gold trace, step 3: the required"),
        (STATIC, set_row("gold_traces", 2, exposure=["shop.get_order"]), "gold trace, step 3: the"),
        (
            PROGRESSIVE,
            set_row("gold_traces", 2, ranking_head=["shop.get_order"]),
            "gold trace, step 3: the ranking is not the query's",
        ),
    ],
)
def test_exposures(forger: Forger, condition: str, change: Change, found: str) -> None:
    forger.change(forger.pick(condition, "third_text"), change)
    assert found in finding(forger.study)


# Calls: the policy audit is a rule of the gate, so the record is written and the rule fails.


@pytest.mark.parametrize(
    "change",
    [
        set_call(4, arguments='{"order_id": "ORD-1002"}'),
        set_call(4, name="shop__get_order"),
        set_call(4, approval=None),
        set_call(4, approval=1),
        set_call(1, arguments="{"),
        set_row("transitions", 4, observation="{}"),
    ],
)
def test_calls(forger: Forger, change: Change) -> None:
    forger.change(forger.pick(FULL, "clean_stop", passed=True), change)
    rules = {rule["id"]: rule for rule in terminal(forger.study)["gate"]["rules"]}
    assert not rules["policy_integrity"]["passed"]
    assert rules["policy_integrity"]["value"] < 1


def test_a_blocked_call_that_was_executed_after_all(forger: Forger) -> None:
    # The second cancellation of a passed episode, in its last state; all else is made to agree.
    key = next(
        key
        for key, record in records().items()
        if record.task_pass and record.transitions[-1].status == "blocked"
    )
    turn = records()[key].transitions[-1].turn

    def execute(rows: Tables) -> None:
        rows["turns"][turn - 1]["calls"][0].update(
            decision="example", status="executed", error=None
        )
        row = rows["transitions"][-1]
        row.update(status="executed", error=None)
        state = json.loads(row["state"])
        state.update(last_execution_status="executed", last_error_class=None)
        row["state"] = canonical_json(state).decode()
        row["state_sha256"] = sha256_hex(row["state"].encode())

    assert terminal(forger.study)["gate"]["rules"][4]["value"] == 0
    forger.change(key, execute)
    after = terminal(forger.study)
    rules = {rule["id"]: rule for rule in after["gate"]["rules"]}
    assert rules["no_unauthorized_destructive"]["value"] == 1
    assert rules["no_unauthorized_destructive"]["passed"] is False
    assert rules["policy_integrity"]["passed"] is False
    assert after["gate"]["passed"] is False


# Tokens.


def cheaper(rows: Tables) -> None:
    rows["turns"][0]["schema_tokens"] -= 1
    rows["turns"][0]["input_tokens"] -= 1


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (cheaper, "turn 1: other schema tokens"),
        (set_row("turns", 1, input_tokens=1), "its conversation loses tokens"),
        (set_row("turns", 0, input_tokens=10**6), "its conversation loses tokens"),
    ],
)
def test_tokens(forger: Forger, change: Change, found: str) -> None:
    forger.change(forger.pick(STATE_AWARE, "third_text"), change)
    assert found in finding(forger.study)

"""Forgeries, each found by the check that it is listed under, with every hash made anew.

`KINDS` is the list. What a forger would make anew with it is part of the kind: hashes of files and
manifests always, the chain of states by `rehash`, answers, requests and tokens by `ask_again`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gates.aggregate import aggregate
from gates.confirm import confirm
from gates.metric_table import CONDITIONS, PROGRESSIVE, STATE_AWARE
from harness.error import IntegrityError
from harness.grid import Shard
from router.canonical import canonical_json
from tests.support.forger import (
    Change,
    Forger,
    ask_again,
    double,
    drop,
    rehash,
    set_call,
    set_row,
    set_state,
)
from tests.support.shop_study import (
    ShopStudy,
    Tables,
    catalogs,
    record_of,
    records,
    tasks,
)

STATIC, _, _, FULL, ORACLE = CONDITIONS


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> ShopStudy:
    study = ShopStudy.write(tmp_path_factory.mktemp("whole"))
    terminal(study)
    return study


@pytest.fixture
def study(whole: ShopStudy, tmp_path: Path) -> ShopStudy:
    return ShopStudy.copy(whole, tmp_path)


@pytest.fixture
def forger(study: ShopStudy) -> Forger:
    return Forger(study)


def terminal(study: ShopStudy) -> dict[str, Any]:
    return aggregate(study.folder, expected=record_of(), tasks=tasks(), catalogs=catalogs())


def found(study: ShopStudy) -> list[str]:
    """What verification refuses with, line by line."""
    with pytest.raises(IntegrityError) as caught:
        confirm(study.folder, expected=record_of(), tasks=tasks(), catalogs=catalogs())
    assert caught.value.exit_code == 3
    return caught.value.what.split("\n")[1:]


def test_what_is_only_hashed_anew_is_as_good_as_the_original(
    whole: ShopStudy, study: ShopStudy
) -> None:
    def reverse(rows: Tables) -> None:
        for table in rows.values():
            table.reverse()

    before = terminal(whole)
    study.forge(reverse)
    assert terminal(study) == before


def test_the_forger_forges_well(study: ShopStudy) -> None:
    before = terminal(study)
    for key in records():
        Forger(study).change(key, rehash, ask_again)
    assert terminal(study) == before


@dataclass(frozen=True)
class Kind:
    """One kind of forgery: what is done to which episode, and which check tells what."""

    check: str
    text: str
    condition: str
    changes: tuple[Change, ...]
    ending: str = "third_text"

    @property
    def passed(self) -> bool:
        return self.ending == "clean_stop"


def kind(check: str, text: str, condition: str, *changes: Change, **more: Any) -> Kind:
    return Kind(check, text, condition, changes, **more)


def of_episode(text: str, **values: Any) -> Kind:
    """An edited figure of a failed state-aware episode's row."""
    return kind("outcomes", text, STATE_AWARE, set_row("episodes", 0, **values))


def of_passed(check: str, text: str, *changes: Change) -> Kind:
    """A change to a passed episode that saw everything."""
    return kind(check, text, FULL, *changes, ending="clean_stop")


def expose_more(rows: Tables) -> None:
    for row in (*rows["turns"], *rows["transitions"], *rows["episodes"]):
        name = "initial_exposure" if "initial_exposure" in row else "exposure"
        row[name] = sorted({*row[name], "shop.cancel_order", "shop.rename_order"})


def close_up(rows: Tables) -> None:
    """Take the first turn away and number the others anew."""
    del rows["turns"][0], rows["exchanges"][0]
    for row in (*rows["turns"], *rows["exchanges"]):
        row["turn"] -= 1


def cheaper(rows: Tables) -> None:
    for row in rows["turns"]:
        row["schema_tokens"] -= 1
        row["input_tokens"] -= 1


def say_less(rows: Tables) -> None:
    rows["turns"][-1]["text"] = None


def widen_late(rows: Tables) -> None:
    """Show one stage less after the first idle turn than the condition widens to."""
    narrow = rows["turns"][0]["exposure"]
    for row in rows["turns"]:
        row["exposure"] = narrow
    for row in rows["transitions"]:
        row["exposure"] = narrow
    ask_again(rows)


def swap_heads(rows: Tables) -> None:
    for row in (*rows["transitions"], *rows["gold_traces"]):
        row["ranking_head"] = [row["ranking_head"][1], row["ranking_head"][0]]


KINDS: dict[str, Kind] = {
    # The episode's row.
    "a failure called a pass": of_episode("whether it passed contradicts", task_pass=True),
    "more steps": of_episode("its completed steps are not those", completed_steps=4),
    "fewer required": of_episode("its row is not that of its task", required_steps=1),
    "a clean stop": of_episode("its turns end it by third_text", ending="clean_stop"),
    "a turn limit": of_episode("its turns end it by third_text", ending="turn_limit"),
    "an overflow": of_episode("its turns end it by third_text", ending="overflow"),
    "a malformed ending": of_episode("its turns end it by third_text", ending="malformed"),
    "an ending of its own": of_episode("its turns end it by third_text", ending="won"),
    "completed early": of_episode("it was complete in another turn", completed_at_turn=2),
    "nothing exposed": of_episode("its initial exposure is not", initial_exposure=[]),
    "an easier gold": of_episode("not that of its task", gold_required_routes=["shop.get_order"]),
    "another stratum": of_episode("not that of its task", stratum="two_step_state_dependency"),
    "another language": of_episode("its row is not that of its task", language="ko"),
    "free retrievals": kind(
        "budgets",
        "its retrieval calls are not those of its turns",
        STATE_AWARE,
        set_row("episodes", 0, retrieval_calls=0),
    ),
    "no refreshes": kind(
        "budgets",
        "its retrieval calls are not those of its turns",
        STATE_AWARE,
        set_row("episodes", 0, refreshes=0),
    ),
    "a pass in all of the row": kind(
        "outcomes",
        "its completed steps are not those of its last state",
        FULL,
        set_row(
            *("episodes", 0),
            task_pass=True,
            completed_steps=4,
            ending="clean_stop",
            completed_at_turn=4,
        ),
    ),
    "an endless episode": of_passed(
        "sequences", "a time is no length of time", set_row("episodes", 0, model_ms=float("nan"))
    ),
    # Rows gone and doubled.
    "the first turn gone": of_passed("sequences", "turns are missing", drop("turns", 0)),
    "a turn gone": of_passed("sequences", "turns are missing", drop("turns", 1)),
    "all turns gone": of_passed(
        "sequences", "turns are missing", lambda rows: rows["turns"].clear()
    ),
    "a turn doubled": of_passed("sequences", "turns are missing", double("turns", 0)),
    "the last turn gone": kind(
        "outcomes",
        "its last turn does not end it",
        STATE_AWARE,
        drop("turns", -1),
        drop("exchanges", -1),
    ),
    "numbers closed up": of_passed("sequences", "its states are not the first one", close_up),
    "the first state gone": of_passed(
        "sequences", "its states are not the first one", drop("transitions", 0)
    ),
    "the last state gone": of_passed(
        "sequences", "its states are not the first one", drop("transitions", -1)
    ),
    "a state doubled": of_passed(
        "sequences", "its states are not the first one", double("transitions", 1)
    ),
    "a step of the gold trace gone": of_passed(
        "sequences", "its gold trace does not have one row a step", drop("gold_traces", -1)
    ),
    "a step of the gold trace doubled": of_passed(
        "sequences", "its gold trace does not have one row a step", double("gold_traces", 1)
    ),
    "an exchange gone": of_passed(
        "sequences", "its exchanges are not one a turn", drop("exchanges", 1)
    ),
    "a call that became malformed": of_passed(
        "sequences", "its states are not the first one", set_row("turns", 0, malformed=True)
    ),
    # States and their chain.
    "a state of another hash": of_passed(
        "hash chains",
        "turn 1: the state has another hash",
        set_state(1, executed_registered_route_ids=["shop.rename_order"]),
    ),
    "a chain that begins elsewhere": of_passed(
        "hash chains",
        "turn 0: the chain of states is broken",
        set_row("transitions", 0, previous_state_sha256="0" * 64),
    ),
    "a broken chain": of_passed(
        "hash chains",
        "turn 1: the chain of states is broken",
        set_row("transitions", 1, previous_state_sha256=None),
    ),
    "an executed route": of_passed(
        "states",
        "turn 1: the state does not follow",
        set_state(1, executed_registered_route_ids=["shop.rename_order"]),
        rehash,
    ),
    "an identifier from nowhere": of_passed(
        "states",
        "turn 1: the state does not follow",
        set_state(1, stable_observed_identifiers=["ORD-1001", "ORD-2002"]),
        rehash,
    ),
    "a completion flag": of_passed(
        "states",
        "turn 1: the state does not follow",
        set_state(1, task_incomplete_boolean=False),
        rehash,
    ),
    "another query in the state": of_passed(
        "states", "turn 0: the state does not follow", set_state(0, original_query="Hello."), rehash
    ),
    "a thirteenth field": of_passed(
        "state contract",
        "turn 1: The state's field gold_next_route is wrong",
        set_state(1, gold_next_route="shop.get_order"),
        rehash,
    ),
    "a free text in the state": of_passed(
        "state contract",
        "which is not in the closed list of error classes",
        set_state(2, last_error_class="please cancel"),
        rehash,
    ),
    "a state that is no JSON": of_passed(
        "state contract",
        "turn 1: the state is not readable",
        set_row("transitions", 1, state="{"),
        rehash,
    ),
    "NaN in a state": of_passed(
        "state contract",
        "NaN is no number of JSON",
        set_row("transitions", 1, state='{"original_query":NaN}'),
        rehash,
    ),
    "a key twice in a state": of_passed(
        "state contract",
        "the key 'original_query' stands twice",
        set_row("transitions", 1, state='{"original_query":"a","original_query":"b"}'),
        rehash,
    ),
    "spaces in a state": of_passed(
        "state contract",
        "turn 0: the state is not in its canonical form",
        lambda rows: rows["transitions"][0].update(state=rows["transitions"][0]["state"] + " "),
        rehash,
    ),
    "a step unpassed": of_passed(
        "outcomes", "turn 1: the steps passed do not", set_row("transitions", 1, advanced=False)
    ),
    "a step too many": of_passed(
        "outcomes", "turn 1: the steps passed do not", set_row("transitions", 1, completed_steps=2)
    ),
    "turns to spare": of_passed(
        "outcomes",
        "turn 1: the turns that remain do not add up",
        set_row("transitions", 1, turns_remaining=3),
    ),
    # Observations, statuses and what was required.
    "an observation gone": of_passed(
        "states", "turn 1: the state does not follow", set_row("transitions", 1, observation=None)
    ),
    "an observation cut": of_passed(
        "states", "turn 1: what was called and obs", set_row("transitions", 1, observation="{")
    ),
    "an observation that is no object": of_passed(
        "states", "turn 1: what was called and obs", set_row("transitions", 1, observation="[1]")
    ),
    "an observation nested without end": of_passed(
        "states",
        "turn 1: what was called and observed makes no state",
        set_row("transitions", 1, observation='{"a":' * 5_000 + "1" + "}" * 5_000),
    ),
    "a status": of_passed(
        "outcomes", "turn 1: its call and the state", set_row("transitions", 1, status="error")
    ),
    "a route": of_passed(
        "outcomes",
        "turn 1: its call and the state after it contradict each other",
        set_row("transitions", 1, route="shop.get_order"),
    ),
    "what is required next": of_passed(
        "outcomes",
        "turn 3: it requires another route than the state before it",
        set_row("transitions", 2, gold_next_route=None),
    ),
    "what the gold requires": of_passed(
        "outcomes",
        "its required routes are not those of its task",
        set_row("gold_traces", 0, gold_next_route="shop.get_order"),
    ),
    # Retrieval and exposure.
    "an exposure in one turn": kind(
        "exposures",
        "turn 1: it exposes something else",
        STATIC,
        set_row("turns", 0, exposure=["shop.get_order"]),
        ask_again,
    ),
    "more exposed by a refresh": kind(
        "exposures", "not what the condition makes of the", STATE_AWARE, expose_more, ask_again
    ),
    "more exposed by a Top-K": kind(
        "exposures", "not what the condition makes of the", STATIC, expose_more, ask_again
    ),
    "more exposed by the oracle": kind(
        "exposures", "not what the condition makes of the", ORACLE, expose_more, ask_again
    ),
    "a widening held back": kind(
        "exposures", "not what the condition makes of", PROGRESSIVE, widen_late
    ),
    "another retrieval query": kind(
        "retrieval queries",
        "turn 1: the retrieval query is not made of query and state",
        STATE_AWARE,
        set_row("transitions", 1, retrieval_query_sha256="0" * 64),
    ),
    "a retrieval where none is": kind(
        "retrieval queries",
        "turn 0: the retrieval query is not made of query and state",
        FULL,
        set_row("transitions", 0, retrieval_query_sha256="0" * 64),
    ),
    "a refresh too many": kind(
        "retrieval queries",
        "the retrieval query is not made of query and state",
        STATIC,
        lambda rows: rows["transitions"][1].update(retrieval_query_sha256="1" * 64),
    ),
    "another ranking": kind(
        "rankings",
        "turn 0: the retriever ranks otherwise",
        STATIC,
        set_row("transitions", 0, ranking_sha256="0" * 64),
    ),
    "two routes of every ranking swapped": kind(
        "rankings", "turn 0: the retriever ranks otherwise", PROGRESSIVE, swap_heads
    ),
    "a better rank": kind(
        "rankings",
        "turn 1: the retriever ranks otherwise",
        STATE_AWARE,
        set_row("transitions", 1, gold_next_rank=1),
    ),
    "no rank": kind(
        "rankings",
        "turn 1: the retriever ranks otherwise",
        STATE_AWARE,
        set_row("transitions", 1, gold_next_rank=None),
    ),
    "a better rank of the gold": kind(
        "gold traces",
        "step 3: the retriever ranks otherwise",
        STATIC,
        set_row("gold_traces", 2, gold_next_rank=9),
    ),
    "more exposed to the gold": kind(
        "gold traces",
        "step 3: the exposure is not what the condition makes of the ranking",
        STATIC,
        set_row("gold_traces", 2, exposure=["shop.cancel_order", "shop.get_order"]),
    ),
    "a ranking of the gold": kind(
        "gold traces",
        "step 3: the retriever ranks otherwise",
        PROGRESSIVE,
        set_row("gold_traces", 2, ranking_head=["shop.get_order"]),
    ),
    "a retrieval of the gold": kind(
        "gold traces",
        "step 2: the retrieval query is not made of query and gold state",
        STATE_AWARE,
        set_row("gold_traces", 1, retrieval_query_sha256="0" * 64),
    ),
    # Requests, answers, tokens.
    "cheaper tools": kind("tokens", "turn 1: other schema tokens", STATE_AWARE, cheaper),
    "a cheaper conversation": kind(
        "tokens",
        "turn 2: other tokens of the conversation",
        STATE_AWARE,
        set_row("turns", 1, input_tokens=1),
    ),
    "other messages asked": of_passed(
        "requests",
        "turn 2: other messages were asked",
        set_row("exchanges", 1, messages_sha256="0" * 64),
    ),
    "other tools asked": of_passed(
        "requests", "turn 2: other tools were asked", set_row("exchanges", 1, tools_sha256="0" * 64)
    ),
    "another address": of_passed(
        "requests",
        "turn 2: its request has another address",
        set_row("exchanges", 1, request_sha256="0" * 64),
    ),
    "another answer": of_passed(
        "answers",
        "turn 2: it says or calls something else",
        set_row("exchanges", 1, answer='{"text":"done"}'),
    ),
    "no answer": of_passed(
        "answers", "turn 2: its recorded answer is none", set_row("exchanges", 1, answer="[1]")
    ),
    "an answer of NaN": of_passed(
        "answers",
        "turn 2: its recorded answer is none",
        set_row("exchanges", 1, answer='{"text":NaN}'),
    ),
    "other words": kind("answers", "it says or calls something else", STATE_AWARE, say_less),
    "an overflow accepted": of_passed(
        "answers",
        "whether its prompt was accepted is not what was answered",
        set_row("turns", -1, accepted=False),
    ),
    "another call of the turn": of_passed(
        "answers",
        "turn 4: it says or calls something else",
        set_call(4, arguments='{"order_id": "ORD-1002"}'),
    ),
    "two calls first": of_passed(
        "outcomes", "turn 1: its calls contradict each other", set_call(1, parallel=True)
    ),
}

DECISIONS: dict[str, Kind] = {
    # The audit is a rule of the gate too: aggregation writes a record in which it fails.
    "an approval gone": of_passed("", "turn 4, call 1", set_call(4, approval=None)),
    "an approval invented": of_passed("", "turn 4, call 1", set_call(4, approval=1)),
    "other arguments": of_passed(
        "", "turn 4, call 1", set_call(4, arguments='{"order_id": "ORD-1002"}'), ask_again
    ),
    "another name": of_passed("", "turn 4, call 1", set_call(4, name="shop__get_order"), ask_again),
    "arguments that do not parse": of_passed(
        "", "turn 1, call 1", set_call(1, arguments="{"), ask_again
    ),
    "an observation of no output": of_passed(
        "", "turn 4, call 1", set_row("transitions", 4, observation="{}"), ask_again
    ),
}


@pytest.mark.parametrize("name", KINDS)
def test_forgeries(forger: Forger, name: str) -> None:
    item = KINDS[name]
    forger.change(forger.pick(item.condition, item.ending, passed=item.passed), *item.changes)
    lines = found(forger.study)
    assert any(line.startswith(f"- {item.check}: ") and item.text in line for line in lines), lines


@pytest.mark.parametrize("name", list(KINDS)[::20])
def test_aggregation_refuses_what_verification_refuses(forger: Forger, name: str) -> None:
    item = KINDS[name]
    forger.change(forger.pick(item.condition, item.ending, passed=item.passed), *item.changes)
    with pytest.raises(IntegrityError) as caught:
        terminal(forger.study)
    assert caught.value.what.split("\n")[1:] == found(forger.study)
    assert not forger.study.folder.terminal.exists()


@pytest.mark.parametrize("name", DECISIONS)
def test_forged_decisions(forger: Forger, name: str) -> None:
    item = DECISIONS[name]
    forger.change(forger.pick(item.condition, item.ending, passed=item.passed), *item.changes)
    lines = found(forger.study)
    assert all(line.startswith("- policy decisions: ") for line in lines)
    assert any(item.text in line for line in lines)
    rules = {rule["id"]: rule for rule in terminal(forger.study)["gate"]["rules"]}
    assert not rules["policy_integrity"]["passed"]
    assert rules["policy_integrity"]["value"] < 1


def test_at_least_forty_kinds_are_tried() -> None:
    assert len(KINDS) + len(DECISIONS) + len(FIGURES) + len(FILES) > 80


def test_an_overflow_that_became_a_pass(forger: Forger) -> None:
    key = next(
        key
        for key, record in records().items()
        if record.ending == "overflow" and record.completed_steps == record.required_steps
    )
    forger.change(key, set_row("episodes", 0, task_pass=True))
    assert any("- outcomes: " in line for line in found(forger.study))
    forger.change(key, set_row("turns", -1, accepted=True))
    assert any("- answers: " in line for line in found(forger.study))


def test_a_blocked_call_that_was_executed_after_all(forger: Forger) -> None:
    # The second cancellation of a passed episode, in its last state; all else is made to agree.
    key = next(
        key
        for key, record in records().items()
        if record.task_pass and record.transitions[-1].status == "blocked"
    )
    turn = records()[key].transitions[-1].turn
    forger.change(
        key,
        set_call(turn, decision="example", status="executed", error=None),
        set_row("transitions", -1, status="executed", error=None),
        set_state(-1, last_execution_status="executed", last_error_class=None),
        rehash,
        ask_again,
    )
    [line] = found(forger.study)
    assert line.startswith("- policy decisions: ")
    after = terminal(forger.study)
    rules = {rule["id"]: rule for rule in after["gate"]["rules"]}
    assert rules["no_unauthorized_destructive"]["value"] == 1
    assert rules["no_unauthorized_destructive"]["passed"] is False
    assert rules["policy_integrity"]["passed"] is False
    assert after["gate"]["passed"] is False


# Rows that changed places.


@pytest.mark.parametrize("table", ["episodes", "turns", "transitions", "gold_traces", "exchanges"])
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
    assert found(study)


@pytest.mark.parametrize("table", ["episodes", "turns", "transitions", "exchanges"])
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
    assert found(study)


def test_a_whole_episode_in_another_s_place(study: ShopStudy) -> None:
    # All rows of one arm stand under the name of the other and the other way round.
    def swap(rows: Tables) -> None:
        other = {STATE_AWARE: STATIC, STATIC: STATE_AWARE}
        for table in rows.values():
            for row in table:
                row["condition"] = other.get(row["condition"], row["condition"])

    for index in (0, 1):
        study.forge(swap, index)
    assert any(line.startswith("- retrieval queries: ") for line in found(study))


# The terminal record: every figure of it is computed again.


FIGURES: dict[str, tuple[tuple[Any, ...], Any]] = {
    "the gate passed": (("gate", "passed"), True),
    "a rule passed": (("gate", "rules", 1, "passed"), True),
    "a rule's value": (("gate", "rules", 1, "value"), 0.99),
    "a rule's fraction": (("gate", "rules", 1, "value_exact"), "99/100"),
    "a threshold": (("gate", "rules", 1, "threshold"), 0.5),
    "an interval": (("gate", "rules", 0, "interval"), [0.1, 0.2]),
    "a metric": (("metrics", STATE_AWARE, "overall", "task_pass"), 0.875),
    "a metric of a slice": (("metrics", FULL, "language", "de", "task_pass"), 1.0),
    "a denominator": (("denominators", FULL, "overall", "task_pass"), 7),
    "an undefined metric": (("metrics", FULL, "overall", "next_tool_recall_at_5"), 0.0),
    "a reason gone": (("undefined", "metrics.FULL.overall.next_tool_recall_at_5"), ""),
    "a contrast": (("contrasts", 0, "value"), 0.5),
    "evidence": (("evidence",), "model"),
    "a label": (("development",), False),
    "a digest": (("digest",), "0" * 64),
    "a latency": (("latency", FULL, "overall", "model_ms"), 1.0),
    "attempts": (("counts", "attempts"), {"finished": 1}),
    "the plan": (("plan", "seed"), 1),
    "a figure more": (("metrics", FULL, "overall", "quality"), 1.0),
}


@pytest.mark.parametrize("name", FIGURES)
def test_figures_of_the_terminal_record(whole: ShopStudy, study: ShopStudy, name: str) -> None:
    path, value = FIGURES[name]
    record = terminal(study)
    node = record
    for part in path[:-1]:
        node = node[part]
    node[path[-1]] = value
    (study.folder.terminal / "terminal.json").write_bytes(canonical_json(record) + b"\n")
    lines = found(study)
    assert all(line.startswith("- terminal record: ") for line in lines)
    assert any(".".join(map(str, path)) in line for line in lines), lines


# Files: what no hash was made anew for.


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 1
    path.write_bytes(content)


def restamp(study: ShopStudy) -> None:
    """Change a table and the hash of its file, but not the logical digest."""
    shard = Shard(0, 2)
    rows = study.read_shard(shard)
    rows["episodes"][0]["task_pass"] = not rows["episodes"][0]["task_pass"]
    path = study.folder.manifest(shard)
    content = json.loads(path.read_bytes())
    study.forge(lambda tables: tables.update(rows))
    forged = json.loads(path.read_bytes())
    path.write_bytes(canonical_json(forged | {"logical_digest": content["logical_digest"]}))


FILES: dict[str, tuple[str, Any]] = {
    "a flipped byte of a table": (
        "tables",
        lambda study: flip(study.folder.table("turns", Shard(0, 2))),
    ),
    "a table of another shard": (
        "tables",
        lambda study: study.folder.table("turns", Shard(0, 2)).write_bytes(
            study.folder.table("turns", Shard(1, 2)).read_bytes()
        ),
    ),
    "a logical digest": ("digests", restamp),
    "a manifest of another shard": (
        "manifests",
        lambda study: study.folder.manifest(Shard(0, 2)).write_bytes(
            study.folder.manifest(Shard(1, 2)).read_bytes()
        ),
    ),
    "a file more": (
        "manifests",
        lambda study: (study.folder.root / "turns" / "more.parquet").write_bytes(b""),
    ),
    "a doubled episode": (
        "grid",
        lambda study: study.forge(lambda rows: rows["episodes"].append(rows["episodes"][0])),
    ),
    "a dropped failure": (
        "grid",
        lambda study: study.forge(
            lambda rows: rows["episodes"].remove(
                next(row for row in rows["episodes"] if not row["task_pass"])
            )
        ),
    ),
    "an episode of a stranger": (
        "grid",
        lambda study: study.forge(
            lambda rows: rows["turns"].append(rows["turns"][0] | {"task_id": "shop-9"})
        ),
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_files(study: ShopStudy, name: str) -> None:
    check, damage = FILES[name]
    damage(study)
    lines = found(study)
    assert any(line.startswith(f"- {check}: ") for line in lines), lines


def test_a_record_that_pins_another_setting(study: ShopStudy) -> None:
    content = json.loads(study.folder.study_record.read_bytes())
    content["config"]["study"]["gate"]["recall_threshold"] = "0.5"
    study.folder.study_record.write_bytes(canonical_json(content))
    with pytest.raises(IntegrityError, match=r"config\.study\.gate\.recall_threshold"):
        confirm(study.folder, expected=record_of(), tasks=tasks(), catalogs=catalogs())

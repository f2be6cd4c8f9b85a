"""Rules 1 to 4 under other samples and draws: which of it flips a rule, and what is left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from gates.design import Design, Sample
from gates.estimate import Plan
from gates.estimator import estimate
from gates.figure import FIGURES
from gates.gate import decide, gate_estimands
from gates.metric_table import PROGRESSIVE as PS
from gates.metric_table import STATE_AWARE as SA
from gates.stratified_t import stratified_t
from gates.variation import variations
from tests.unit.gates.samples import grid

PLAN = Plan(iterations=400)
PASS = "task_pass_non_inferiority"


def crossed(
    changes: Mapping[str, Sequence[int] | int], strata: str = "ab", languages: str = "xy"
) -> Sample:
    """The sums of a `grid` of 6 tasks a cell under crossed strata and languages."""
    cells = [(stratum, language) for stratum in strata for language in languages]
    sample = grid(changes, tasks=6 * len(cells), cells=len(cells))
    design = Design.of((*cell, f"{''.join(cell)}{place}") for cell in cells for place in range(6))
    return Sample(design, sample.names, sample.matrix)


def analysed(sample: Sample, catalogs: Mapping[int, Sample] | None = None) -> dict[str, Any]:
    gate = decide(estimate(sample, gate_estimands(), PLAN))
    return variations(sample, catalogs or {100: sample}, gate)


def test_every_rule_of_evidence_has_every_analysis() -> None:
    found = analysed(crossed({}))
    assert list(found) == list(FIGURES)
    for of in found.values():
        assert set(of) == {
            "stratified_t",
            "unstratified",
            "without_stratum",
            "without_language",
            "catalog",
            "seeds",
            "flips",
        }
        assert list(of["without_stratum"]) == ["a", "b"]
        assert list(of["without_language"]) == ["x", "y"]
        assert of["flips"] == []


def test_the_figures_are_the_ones_that_the_rules_decide_on() -> None:
    sample = crossed({f"{SA}/passes": 20, f"{PS}/recoveries": 5})
    result = estimate(sample, gate_estimands(), PLAN)
    for rule in decide(result).rules[:4]:
        assert result.by_key[FIGURES[rule.id].key].value == rule.value


def test_a_stratum_that_carries_a_rule_is_named() -> None:
    # State-aware fails all tasks of stratum b and nothing else.
    found = analysed(crossed({f"{SA}/passes": [1] * 12 + [0] * 12}))[PASS]
    assert found["without_stratum"]["b"]["value_exact"] == "0"
    assert found["without_stratum"]["a"]["value_exact"] == "-1"
    assert found["without_language"]["x"]["value_exact"] == "-1/2"
    assert found["flips"] == ["without_stratum.b"]


def test_a_part_flips_by_its_decision_not_by_its_smaller_support() -> None:
    # One pass fewer among 60 tasks, 1/60 < 2/100; without the other stratum it is 1/30.
    changes = {f"{SA}/passes": [0] + [1] * 59}
    found = analysed(crossed(changes, languages="vwxyz"))[PASS]
    assert found["without_stratum"]["b"]["passed"] is False
    assert found["without_stratum"]["a"]["passed"] is True
    assert found["flips"][:1] == ["without_stratum.b"]


def test_what_is_left_out_uses_a_stream_of_its_own() -> None:
    rng = np.random.default_rng(5)
    sample = crossed({f"{SA}/passes": rng.integers(0, 2, 24).tolist()})
    found = analysed(sample)[PASS]
    kept = [name for name in sample.design.task_ids if not name.startswith("a")]
    expected = estimate(
        sample.restrict(kept), [FIGURES[PASS]], Plan(iterations=400, stream=3, companion=False)
    ).by_key[FIGURES[PASS].key]
    assert expected.primary is not None
    assert found["without_stratum"]["a"]["interval"] == [
        float(expected.primary.lower),
        float(expected.primary.upper),
    ]
    whole = estimate(
        sample.unstratified(), [FIGURES[PASS]], Plan(iterations=400, stream=4, companion=False)
    ).by_key[FIGURES[PASS].key]
    assert whole.primary is not None
    assert found["unstratified"]["interval"] == [
        float(whole.primary.lower),
        float(whole.primary.upper),
    ]
    assert found["unstratified"]["reason"] is None


def test_seeds_are_the_twenty_after_the_plans() -> None:
    sample = crossed({f"{SA}/passes": [1, 0] * 12})
    found = analysed(sample)[PASS]["seeds"]
    assert (found["first"], found["last"]) == (20260930, 20260949)
    drawn = [
        estimate(sample, [FIGURES[PASS]], Plan(400, seed, companion=False))
        .by_key[FIGURES[PASS].key]
        .primary
        for seed in range(20260930, 20260950)
    ]
    lower = [float(item.lower) for item in drawn if item is not None]
    upper = [float(item.upper) for item in drawn if item is not None]
    assert len(lower) == 20
    assert found["lower"] == [min(lower), max(lower)]
    assert found["upper"] == [min(upper), max(upper)]


def test_a_seed_that_flips_the_support_is_flagged() -> None:
    # Two of 24 tasks better and one worse, with few replicates: the lower end is near the margin.
    flagged = []
    for worse in range(1, 7):
        changes = {
            f"{PS}/passes": [0] * 3 + [1] * 21,
            f"{SA}/passes": [1] * (24 - worse) + [0] * worse,
        }
        sample = crossed(changes)
        gate = decide(estimate(sample, gate_estimands(), Plan(iterations=40)))
        of: Any = variations(sample, {100: sample}, gate)[PASS]
        assert ("seeds" in of["flips"]) is bool(of["seeds"]["flips"])
        supported = gate.rule(PASS).supported
        for seed in of["seeds"]["flips"]:
            again = estimate(sample, [FIGURES[PASS]], Plan(40, seed, companion=False))
            assert (
                gate.rule(PASS).supports(again.by_key[FIGURES[PASS].key].primary) is not supported
            )
        flagged += of["seeds"]["flips"]
    assert flagged


def test_each_catalog_alone_has_both_intervals() -> None:
    small, large = crossed({}), crossed({f"{SA}/passes": [1, 0] * 12})
    found = analysed(small, {100: small, 250: large})[PASS]
    assert found["catalog"]["100"]["value_exact"] == "0"
    assert found["catalog"]["250"]["value_exact"] == "-1/2"
    assert len(found["catalog"]["250"]["interval"]) == 2
    assert len(found["catalog"]["250"]["companion_interval"]) == 2
    assert found["flips"] == ["catalog.250"]


def test_the_t_interval_is_that_of_the_tasks_differences() -> None:
    passes = [1, 1, 0, 1, 1, 1] * 4
    found = analysed(crossed({f"{SA}/passes": passes}))[PASS]["stratified_t"]
    expected = stratified_t([value - 1 for value in passes], [6] * 4)
    assert found["interval"] == pytest.approx([expected.lower, expected.upper])
    assert found["degrees_of_freedom"] == 20
    assert found["supported"] is False


def test_cells_of_one_task_have_no_variance() -> None:
    found = analysed(grid({}, tasks=5, cells=5))
    for of in found.values():
        assert of["stratified_t"]["interval"] is None
        assert "holds one task only" in of["stratified_t"]["reason"]
        assert of["unstratified"]["interval"] is not None


def test_a_study_of_one_language_has_nothing_without_it() -> None:
    found = analysed(grid({}))[PASS]["without_language"]["en"]
    assert (found["value"], found["interval"], found["passed"]) == (None, None, False)
    assert found["reason"] == "nothing remains without it"


def test_a_figure_that_is_not_estimable_stays_so_and_flips_nothing() -> None:
    nothing = {f"{arm}/initial_misses": [0] * 24 for arm in (SA, PS)}
    found = analysed(crossed(nothing))["recovery_superiority"]
    assert found["flips"] == []
    for part in (found["stratified_t"], found["unstratified"], found["seeds"]):
        assert part["reason"].startswith("not estimable")
    assert found["seeds"]["lower"] is None
    assert found["without_stratum"]["a"]["value"] is None

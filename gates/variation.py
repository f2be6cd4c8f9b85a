"""The four rules of evidence under other samples, other draws and another interval.

None of it decides. What is recorded is whether a rule's decision, or whether its interval supports
it, would have been another: such an analysis *flips* the rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from gates.design import Sample
from gates.estimate import Estimate, Interval, Plan, ends
from gates.estimator import estimate
from gates.figure import FIGURES
from gates.gate import Gate
from gates.number import Json, exact, plain
from gates.rule import Rule
from gates.stratified_t import linearised, stratified_t

__all__ = ["FURTHER_SEEDS", "LEFT_OUT_STREAM", "UNSTRATIFIED_STREAM", "variations"]

LEFT_OUT_STREAM: Final = 3
UNSTRATIFIED_STREAM: Final = 4
FURTHER_SEEDS: Final = 20
"""Seeds after the plan's own one: 20260930 to 20260949 for the protocol's 20260929."""

Tree = dict[str, Json]


def variations(sample: Sample, catalogs: Mapping[int, Sample], gate: Gate) -> dict[str, Tree]:
    """Analyse rules 1 to 4 in every other way that was fixed in advance (the study's statistics).

    Parameters
    ----------
    sample
        Sums over all catalogs.
    catalogs
        Sums over one catalog each, by size.
    gate
        What was decided.

    Returns
    -------
    dict
        By rule: ``stratified_t``, ``unstratified``, ``without_stratum``, ``without_language``,
        ``catalog``, ``seeds``, and ``flips``, the names of what flips the rule.

    Raises
    ------
    EstimationError
        If a column is missing or the plan is out of range.
    """
    plan = replace(gate.plan, companion=False)
    left_out = replace(plan, stream=LEFT_OUT_STREAM)
    whole = replace(plan, stream=UNSTRATIFIED_STREAM)
    alone = {size: _figures(part, gate.plan) for size, part in catalogs.items()}
    strata, languages = (_without(sample, axis, left_out) for axis in (0, 1))
    unstratified = _figures(sample.unstratified(), whole)
    seeds = tuple(range(plan.seed + 1, plan.seed + 1 + FURTHER_SEEDS))
    drawn = [_figures(sample, replace(plan, seed=seed)) for seed in seeds]
    found: dict[str, Tree] = {}
    for rule_id in FIGURES:
        rule = gate.rule(rule_id)
        tree: Tree = {
            "stratified_t": _t(rule, sample, plan),
            "unstratified": _varied(rule, unstratified[rule_id]),
            "without_stratum": _all(rule, strata),
            "without_language": _all(rule, languages),
            "catalog": {
                str(size): {
                    **_varied(rule, figures[rule_id]),
                    "companion_interval": ends(figures[rule_id].companion),
                }
                for size, figures in alone.items()
            },
            "seeds": _seeds(rule, seeds, [figures[rule_id] for figures in drawn]),
        }
        found[rule_id] = {**tree, "flips": list(_flips(rule, tree))}
    return found


def _figures(sample: Sample, plan: Plan) -> dict[str, Estimate]:
    by_key = estimate(sample, FIGURES.values(), plan).by_key
    return {rule_id: by_key[figure.key] for rule_id, figure in FIGURES.items()}


def _without(sample: Sample, axis: int, plan: Plan) -> dict[str, Mapping[str, Estimate | None]]:
    """Leave out one stratum (axis 0) or language (axis 1) at a time; None where nothing remains."""
    design = sample.design
    cells = [
        cell for cell, size in zip(design.cells, design.sizes, strict=True) for _ in range(size)
    ]
    found: dict[str, Mapping[str, Estimate | None]] = {}
    for name in dict.fromkeys(cell[axis] for cell in design.cells):
        kept = [
            task_id
            for task_id, cell in zip(design.task_ids, cells, strict=True)
            if cell[axis] != name
        ]
        found[name] = (
            _figures(sample.restrict(kept), plan) if kept else dict.fromkeys(FIGURES, None)
        )
    return found


def _all(rule: Rule, figures: Mapping[str, Mapping[str, Estimate | None]]) -> Tree:
    return {name: _varied(rule, of[rule.id]) for name, of in figures.items()}


def _varied(rule: Rule, figure: Estimate | None) -> Tree:
    value, primary = (None, None) if figure is None else (figure.value, figure.primary)
    return {
        "value": plain(value),
        "value_exact": exact(value),
        "interval": ends(primary),
        "passed": rule.holds(value),
        "supported": rule.supports(primary),
        "reason": "nothing remains without it" if figure is None else figure.reason,
    }


def _t(rule: Rule, sample: Sample, plan: Plan) -> Tree:
    """Give the stratified t interval of a rule's figure, linearised where it is a ratio."""
    reason = rule.reason if rule.value is None else None
    if sample.design.single:
        reason = f"no variance: the cell {sample.design.single[0]} holds one task only"
    values = None if reason else linearised(sample, FIGURES[rule.id])
    if values is None:
        return {
            "interval": None,
            "standard_error": None,
            "degrees_of_freedom": None,
            "supported": False,
            "reason": reason,
        }
    result = stratified_t(values, sample.design.sizes, level=plan.level)
    return {
        "interval": [result.lower, result.upper],
        "standard_error": result.standard_error,
        "degrees_of_freedom": result.degrees_of_freedom,
        "supported": rule.supports(result.interval),
        "reason": None,
    }


def _seeds(rule: Rule, seeds: Sequence[int], figures: Sequence[Estimate]) -> Tree:
    """Give the range of both ends over other seeds, and the seeds that flip the rule's support."""
    drawn: list[Interval] = [item.primary for item in figures if item.primary is not None]
    flips = [
        seed
        for seed, item in zip(seeds, figures, strict=True)
        if rule.supports(item.primary) is not rule.supported
    ]
    lower, upper = [item.lower for item in drawn], [item.upper for item in drawn]
    return {
        "first": seeds[0],
        "last": seeds[-1],
        "lower": [plain(min(lower)), plain(max(lower))] if drawn else None,
        "upper": [plain(min(upper)), plain(max(upper))] if drawn else None,
        "flips": [*flips],
        "reason": None if drawn else figures[0].reason,
    }


def _flips(rule: Rule, tree: Tree) -> Iterator[str]:
    """Name what would have decided or supported otherwise; what has no figure flips nothing."""
    for name, part in tree.items():
        if not isinstance(part, dict):
            continue
        if name == "seeds":
            if part["flips"]:
                yield name
        elif name in {"stratified_t", "unstratified"}:
            if part["interval"] is not None and part["supported"] is not rule.supported:
                yield name
        else:
            yield from (
                f"{name}.{of}"
                for of, item in part.items()
                if isinstance(item, dict) and _differs(rule, item)
            )


def _differs(rule: Rule, item: Tree) -> bool:
    if item["value"] is None:
        return False
    return item["passed"] is not rule.passed

"""Power and calibration of the study's design, by simulation.

What a simulated study says is no evidence about any retriever or agent: it says how often this
gate, with this many tasks, would find what is true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import count, product
from typing import Any, Final

from gates.error import EstimationError
from gates.number import Json, exact
from gates.power_model import Scenario
from gates.power_score import Simulation, pass_row, rule_row
from gates.power_size import size_row
from gates.threshold import Thresholds
from harness.power import PowerSection, RateSection
from harness.protocol import StudySection

__all__ = ["ASSUMPTIONS", "LABEL", "analyse_power", "count_rows"]

LABEL: Final = "simulation: never evidence"

ASSUMPTIONS: Final = (
    "tasks are drawn from the population of their cell, independently of each other",
    "an outcome on two catalogs of a task has one correlation, whatever the catalogs",
    "passes, recall, misses, recoveries and tokens vary independently of each other",
    "rules 5 and 6, the checks of the instrument, hold",
    "the stratified t bound, which the sample sizes are of, clears a margin as the companion does",
)

Tree = dict[str, Json]
Rows = Iterator[Tree]


def count_rows(section: PowerSection) -> int:
    """Give how many rows an analysis has, for its progress bar."""
    effects, size = section.effects, section.size
    sizes = len(size.task_pass) * len(size.discordance) * len(size.catalog_correlation)
    tables = (effects.task_pass, effects.recall, effects.recovery, effects.whole_catalog)
    return sizes + sum(map(len, tables))


def analyse_power(
    section: PowerSection,
    study: StudySection,
    rates: RateSection,
    *,
    pilot: Mapping[str, str] | None = None,
    advance: Callable[[int], None] = lambda rows: None,
) -> dict[str, Any]:
    """Simulate a study's design under a range of truths.

    Parameters
    ----------
    section
        What is simulated.
    study
        Whose design and thresholds it is.
    rates
        The stated rates, or a pilot's.
    pilot
        What names the pilot, for the record.
    advance
        Called with the number of rows that were finished.

    Returns
    -------
    dict
        JSON-ready: what was simulated, and ``tables`` with a list of rows for each kind of effect.
        A row whose rates do not fit each other holds the ``reason`` in place of figures.

    Raises
    ------
    EstimationError
        If the rates do not fit the study.
    """
    if len(rates.steps) != len(study.strata):
        raise EstimationError(
            f"There are steps for {len(rates.steps)} strata, and the study has"
            f" {len(study.strata)}.",
            "Give power.rates.steps one number a stratum.",
        )
    how = Simulation(
        studies=section.studies,
        iterations=section.iterations,
        draw_seed=section.seed,
        seed=study.analysis.seed,
        level=str(study.analysis.level),
        thresholds=Thresholds.of(study.gate.model_dump()),
    )
    base = Scenario(rates, len(study.languages), len(study.catalogs), section.tasks_per_cell, 0.0)
    streams = count()
    tables: dict[str, list[Tree]] = {}
    for name, rows in _tables(section, base, how, streams).items():
        tables[name] = []
        for row in rows:
            tables[name].append(row)
            advance(1)
    return {
        "evidence": "simulation",
        "label": LABEL,
        "assumptions": list(ASSUMPTIONS),
        "study": study.name,
        "pilot": None if pilot is None else dict(pilot),
        "design": {
            "strata": len(study.strata),
            "languages": len(study.languages),
            "tasks_per_cell": section.tasks_per_cell,
            "catalogs": len(study.catalogs),
            "tasks": base.tasks,
        },
        "rates": rates.model_dump(mode="json"),
        "simulation": {
            "studies": how.studies,
            "iterations": how.iterations,
            "draw_seed": how.draw_seed,
            "seed": how.seed,
            "level": how.level,
            "power": section.size.power,
        },
        "thresholds": {
            "task_pass_margin": exact(how.thresholds.task_pass_margin),
            "recall_threshold": exact(how.thresholds.recall_threshold),
        },
        "tables": tables,
    }


def _tables(
    section: PowerSection, base: Scenario, how: Simulation, streams: Iterator[int]
) -> dict[str, Rows]:
    """Give every table's rows, which are simulated as they are asked for."""
    effects, rates = section.effects, base.rates
    # A sum of two decimals is not the decimal of their sum.
    recoveries = [round(rates.progressive_recovery + value, 12) for value in effects.recovery]
    return {
        "task_pass": _passes(base, effects.task_pass, how, streams),
        "next_tool_recall": _rule(base, "next_tool_recall", "recall", effects.recall, how, streams),
        "recovery_superiority": _rule(
            base, "recovery_superiority", "recovery", recoveries, how, streams
        ),
        "schema_token_economy": _rule(
            base, "schema_token_economy", "whole_catalog", effects.whole_catalog, how, streams
        ),
        "size": _sizes(section, base, how, streams),
    }


def _passes(
    base: Scenario, effects: tuple[float, ...], how: Simulation, streams: Iterator[int]
) -> Rows:
    for effect in effects:
        stream = next(streams)
        try:
            scenario = replace(base, effect=effect)
        except EstimationError as error:
            yield {"true": effect, "reason": error.what}
            continue
        yield {**pass_row(scenario, how, stream=stream), "reason": None}


def _rule(
    base: Scenario,
    rule_id: str,
    rate: str,
    values: tuple[float, ...] | list[float],
    how: Simulation,
    streams: Iterator[int],
) -> Rows:
    for value in values:
        stream = next(streams)
        if not 0 <= value <= 1:
            yield {rate: value, "true": None, "reason": f"{rate} would be {value}, no share"}
            continue
        scenario = replace(base, rates=base.rates.model_copy(update={rate: value}))
        yield {rate: value, **rule_row(scenario, rule_id, how, stream=stream), "reason": None}


def _sizes(section: PowerSection, base: Scenario, how: Simulation, streams: Iterator[int]) -> Rows:
    size = section.size
    for effect, discordance, correlation in product(
        size.task_pass, size.discordance, size.catalog_correlation
    ):
        stream = next(streams)
        rates = {"discordance": discordance, "catalog_correlation": correlation}
        try:
            scenario = replace(base, effect=effect, rates=base.rates.model_copy(update=rates))
        except EstimationError as error:
            yield {"true": effect, **rates, "tasks": None, "reason": error.what}
            continue
        yield size_row(scenario, size.power, how, stream=stream)

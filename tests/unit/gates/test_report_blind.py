"""The masked report: the same page whatever came out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from gates.audit import audit
from gates.check import Check
from gates.computation import sample, terminal_of
from gates.counts import count_episodes
from gates.finished import Finished
from gates.report.page import report_page
from gates.terminal import Tally
from tests.support.finished import shop
from tests.support.rows import rows_by_key
from tests.support.shop_study import MORE, catalogs, keys, tasks
from tests.unit.harness.world import GOLD, Scripted, ScriptedAgent, World

SCRIPTS: dict[str, tuple[Scripted, ...]] = {
    "all pass": GOLD,
    "none does anything": (),
}


def another(finished: Finished, script: tuple[Scripted, ...]) -> Finished:
    """The same study with other outcomes: every episode takes one script."""
    records = []
    for key in keys():
        agent = ScriptedAgent([*script, *[MORE] * 8])
        world = World(catalogs()[key.catalog_size], tasks()[key.task_id])
        records.append(world.run(agent, key.condition, clock=lambda: 0.0))
    episodes = dict(sorted(rows_by_key(records).items()))
    turns = sum(len(item.turns) for item in episodes.values())
    results = replace(
        finished.results,
        episodes=episodes,
        checks=tuple(Check(check.name, turns, check.unit) for check in finished.results.checks),
    )
    audited = audit(episodes, tasks(), catalogs())
    tally = Tally(tuple(episodes), count_episodes(episodes, audited.counts))
    terminal = terminal_of(results, audited, tasks(), Counter(finished=2))
    assert terminal["gate"] != finished.terminal["gate"]
    return replace(
        finished, results=results, terminal=terminal, tally=tally, sample=sample(tasks(), tally)
    )


@pytest.mark.parametrize("outcome", SCRIPTS)
def test_the_masked_report_is_the_same_whatever_came_out(outcome: str) -> None:
    found, other = shop(), another(shop(), SCRIPTS[outcome])
    assert report_page(found, frozen=False) != report_page(other, frozen=False)
    assert report_page(found, frozen=False, blind=True) == report_page(
        other, frozen=False, blind=True
    )


def test_the_masked_report_differs_by_what_was_run_alone() -> None:
    results = shop().results
    other = replace(shop(), results=replace(results, digest="0" * 64))
    mine = report_page(shop(), frozen=False, blind=True).decode()
    assert (
        mine.replace(results.digest, "0" * 64)
        == report_page(other, frozen=False, blind=True).decode()
    )

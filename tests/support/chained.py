"""Three tiny studies in a chain: the first passes its gate, the second fails it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from harness.agents.protocol import Agent
from harness.authorization import Verdict
from harness.chain import Chain, Link
from harness.compose import load_config
from harness.conveyor import Standing, advance, survey
from harness.conveyor_command import Studies
from harness.episode import Clock
from harness.freeze import freeze
from harness.grid import EpisodeKey, Shard
from harness.record import EpisodeRecord
from harness.shard import run_shard
from harness.study import Study
from tests.support.freezable import ARTIFACT, Committed
from tests.support.tiny import Tiny

STUDY = """
defaults:
  - protocol_0_14

name: {name}
protocol: chain-1
split: {name}
tasks_per_cell: 1
development: false
languages: [en]
catalogs: [100]
conditions: [SR-PROGRESSIVE-STATIC, SR-5-STATE-AWARE]
exposure: {{top_k: 5, stages: [6], max_refreshes: 5}}
analysis: {{iterations: 100, seed: 1, level: 0.95}}
gate: {{task_pass_margin: "{margin}", recall_threshold: "0"}}
authorization:
  - {authorization}
"""
"""Six candidates that never change hold and cost more than five that are fetched anew each turn,
so that the gate passes wherever the margin lets it."""

RECORDED = f"{{kind: recorded, predecessor: B2, run: '1', artifact: '{ARTIFACT}', terminal: true}}"

EASY, IMPOSSIBLE = "-1", "1"

NAMES = ("first", "second", "third")


def needs(name: str, verdict: str) -> str:
    """Return the prerequisite of a study that waits for another."""
    return f"{{kind: study, predecessor: {name}, agent: reference, verdict: {verdict}}}"


@dataclass
class Here:
    """The studies of a test, run in this process, with what goes wrong on the way."""

    tiny: Tiny
    failures: list[Exception]
    """What the plant does at the second shard of each run, one after the other."""
    runs: int = 0

    def study(self, link: Link) -> Study:
        words = (f"study={link.study}", f"agent={link.agent}", f"results={self.tiny.results}")
        config = load_config([*words, "shard.count=2"], folder=self.tiny.configs)
        study = Study(config, self.tiny.tasks)
        study.__dict__["catalogs"] = self.tiny.study().catalogs
        return study

    def run(self, study: Study) -> None:
        self.runs += 1
        for index in range(2):
            if index and self.failures:
                _run_failing(study, self.failures.pop(0))
            run_shard(study, Shard(index, 2))

    def aggregate(self, study: Study) -> Verdict:
        return Studies().aggregate(study)

    def verify(self, study: Study) -> Verdict | None:
        return Studies().verify(study)


def _run_failing(study: Study, failure: Exception) -> None:
    """Run a shard on a plant that fails at its second episode."""
    begun = 0

    class Failing(Study):
        def run(
            self, key: EpisodeKey, *, clock: Clock, agent: Agent | None = None
        ) -> EpisodeRecord:
            nonlocal begun
            begun += 1
            if begun > 1:
                raise failure
            return super().run(key, clock=clock, agent=agent)

    failing = Failing(study.config, study.task_folder)
    failing.__dict__["catalogs"] = study.catalogs
    run_shard(failing, Shard(1, 2))


@dataclass(frozen=True)
class Chained:
    """The files of the chain, and what was declared."""

    tiny: Tiny
    chain: Chain

    @classmethod
    def build(cls, folder: Path, *, third: str = "passed", frozen: bool = True) -> Chained:
        tiny = Tiny.build(folder)
        texts = {
            "first": (EASY, RECORDED),
            "second": (IMPOSSIBLE, needs("first", "passed")),
            "third": (EASY, needs("second", third)),
        }
        for name, (margin, authorization) in texts.items():
            text = STUDY.format(name=name, margin=margin, authorization=authorization)
            (tiny.configs / "study" / f"{name}.yaml").write_text(text)
            shutil.copytree(tiny.tasks / "tiny", tiny.tasks / name)
        chain = Chain(links=tuple(Link(study=name, agent="reference") for name in NAMES), tries=2)
        chained = cls(tiny, chain)
        if frozen:
            for link in chain.links:
                freeze(chained.plant().study(link), Committed())
        return chained

    def plant(self, *failures: Exception) -> Here:
        return Here(self.tiny, list(failures))

    def study(self, name: str) -> Study:
        return self.plant().study(Link(study=name, agent="reference"))

    def advance(self, plant: Here | None = None) -> list[Standing]:
        found: list[Standing] = []
        advance(self.chain, plant or self.plant(), found.append)
        return found

    def survey(self) -> list[Standing]:
        found: list[Standing] = []
        survey(self.chain, self.plant(), found.append)
        return found

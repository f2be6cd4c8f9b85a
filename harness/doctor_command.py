"""The verb that examines a model server and says what the rest of the study will take."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from statistics import mean

from harness.agents.openai.agent import OpenAIAgent
from harness.agents.openai.retry import Patience
from harness.agents.openai.section import OpenAISection
from harness.answer import Answer, teller
from harness.compose import load_config
from harness.doctor import Doctor, Finding
from harness.doctor_lock import frozen
from harness.error import ConfigError
from harness.estimate import Estimate, Pace, estimate
from harness.grid import Shard
from harness.prompt import Toolbox
from harness.status import study_status
from harness.study import Study

OTHER_TOKENS = 900.0
"""Tokens of a prompt's messages in the middle of an episode; the reference agent's are so long."""


@dataclass(frozen=True)
class DoctorAnswer(Answer):
    """What the checks of a server found, which was said while they ran."""

    base_url: str
    model: str
    findings: tuple[Finding, ...]
    pace: Pace | None
    """How fast the server is; None where it tells no token figures."""
    remaining: Estimate | None
    """What the rest of the study takes at most."""
    concurrency: int
    cost: float | None
    """At most, in the currency of the prices; None without prices."""

    def lines(self) -> Iterator[str]:
        """Return what is said to people."""
        if self.pace is None or self.remaining is None:
            yield "The server tells no token figures, so nothing can be estimated."
            return
        found = self.remaining
        yield (
            f"It reads {self.pace.prompt_per_second:,.0f} and writes"
            f" {self.pace.output_per_second:,.0f} tokens a second, for one request at a time."
        )
        yield (
            f"What remains: {found.episodes:,} episodes, at most {found.turns:,} turns with "
            f"{found.input_tokens:,} prompt and {found.output_tokens:,} new tokens;"
        )
        yield (
            f"at most {found.seconds / 3600:,.1f} h for one process, if no prompt is cached and "
            f"{self.concurrency} at once are as fast as one."
        )
        if self.cost is None:
            yield (
                "No cost: set agent.server.input_price and output_price, of a million tokens each."
            )
        else:
            yield f"At most {self.cost:,.2f} in the currency of the prices."

    def exit_code(self) -> int:
        """Return what the command ends with when nothing failed."""
        return 1 if any(finding.state == "FAILED" for finding in self.findings) else 0


def doctor(arguments: argparse.Namespace) -> DoctorAnswer:
    """Examine the server of the configured agent; 1 when it is not what the study needs."""
    study = Study(load_config(arguments.override))
    section = study.config.agent
    if not isinstance(section, OpenAISection):
        raise ConfigError(
            f"The agent {section.kind!r} has no server to examine.",
            "Choose one that has, as in agent=smollm3_vllm.",
        )
    toolboxes = {size: Toolbox.of(item.snapshot) for size, item in study.catalogs.items()}
    examined = Doctor(OpenAIAgent(section, patience=Patience(0)), toolboxes)
    server, tell = section.server, teller(arguments)
    tell(f"Server {server.base_url} ({section.serving}), agent {section.wire_model}")
    findings = []
    for finding in chain([frozen(study)], examined.examine()):
        findings.append(finding)
        tell(f"  {finding.state:6s}  {finding.check:14s}  {finding.what}")
    pace = examined.pace()
    remaining = None
    if pace is not None:
        remaining = estimate(
            study.config.study,
            remaining=remaining_episodes(study),
            tool_tokens={size: mean(box.tokens.values()) for size, box in toolboxes.items()},
            other_tokens=OTHER_TOKENS,
            pace=pace,
            concurrency=server.concurrency,
            context_tokens=section.context_tokens,
        )
    cost = None
    if remaining and server.input_price is not None and server.output_price is not None:
        cost = remaining.cost(server.input_price, server.output_price)
    return DoctorAnswer(
        server.base_url,
        section.wire_model,
        tuple(findings),
        pace,
        remaining,
        server.concurrency,
        cost,
    )


def remaining_episodes(study: Study) -> Counter[tuple[int, str]]:
    """Return how many episodes have not run, by catalog and condition.

    Raises
    ------
    IntegrityError
        If what pins the study is damaged or another's.
    """
    status = study_status(study)
    left = (
        [Shard(0, 1)]
        if status is None
        else [item.shard for item in status.shards if item.state != "finished"]
    )
    return Counter(
        (key.catalog_size, key.condition) for shard in left for key in study.shard_keys(shard)
    )

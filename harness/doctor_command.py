"""The verb that examines a model server and says what the rest of the study will take."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from statistics import mean

from harness.agents.openai.agent import OpenAIAgent
from harness.agents.openai.retry import Patience
from harness.agents.openai.section import OpenAISection
from harness.compose import load_config
from harness.doctor import Doctor
from harness.error import ConfigError
from harness.estimate import Pace, estimate
from harness.grid import Shard
from harness.output import say
from harness.prompt import Toolbox
from harness.status import study_status
from harness.study import Study

OTHER_TOKENS = 900.0
"""Tokens of a prompt's messages in the middle of an episode; the reference agent's are so long."""


def doctor(arguments: argparse.Namespace) -> int:
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
    say(f"Server {section.server.base_url} ({section.serving}), agent {section.wire_model}")
    failed = False
    for finding in examined.examine():
        failed |= finding.state == "FAILED"
        say(f"  {finding.state:6s}  {finding.check:14s}  {finding.what}")
    pace = examined.pace()
    if pace is None:
        say("The server tells no token figures, so nothing can be estimated.")
    else:
        tokens = {size: mean(box.tokens.values()) for size, box in toolboxes.items()}
        for line in _estimate_lines(study, section, tokens, pace):
            say(line)
    return 1 if failed else 0


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


def _estimate_lines(
    study: Study, section: OpenAISection, tool_tokens: dict[int, float], pace: Pace
) -> Iterator[str]:
    server = section.server
    found = estimate(
        study.config.study,
        remaining=remaining_episodes(study),
        tool_tokens=tool_tokens,
        other_tokens=OTHER_TOKENS,
        pace=pace,
        concurrency=server.concurrency,
        context_tokens=section.context_tokens,
    )
    yield (
        f"It reads {pace.prompt_per_second:,.0f} and writes {pace.output_per_second:,.0f} tokens a "
        f"second, for one request at a time."
    )
    yield (
        f"What remains: {found.episodes:,} episodes, at most {found.turns:,} turns with "
        f"{found.input_tokens:,} prompt and {found.output_tokens:,} new tokens;"
    )
    yield (
        f"at most {found.seconds / 3600:,.1f} h for one process, if no prompt is cached and "
        f"{server.concurrency} at once are as fast as one."
    )
    if server.input_price is None or server.output_price is None:
        yield "No cost: set agent.server.input_price and output_price, of a million tokens each."
    else:
        cost = found.cost(server.input_price, server.output_price)
        yield f"At most {cost:,.2f} in the currency of the prices."

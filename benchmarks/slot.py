"""What equal prefixes save on the local model: ``python -m benchmarks.slot``, after ``make local``.

First turns of the development split are asked in the order of a shard, which runs episodes with
equal tools together, and shuffled; each order three times. *fresh*: every prompt is read whole, as
in all scored runs. *kept*: the slot keeps its last prompt, and the next one is read from where it
departs. *restored*: states that left the slot are restored from memory too. Printed are seconds,
prompt tokens that were read and that were spared, and how many answers are the fresh ones byte for
byte.

Of 4,394 prompt tokens an ordered shard reads 1,769 where the slot keeps its prompt, a shuffled one
2,289. One answer of six is then another one, so that scored runs ask fresh, see
`harness.agents.local.engine`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from harness.agents.local.engine import Engine, is_installed
from harness.agents.local.rendering import request_body
from harness.agents.local.section import LocalSection
from harness.agents.protocol import ToolSchema
from harness.compose import load_config
from harness.error import ConfigError
from harness.prompt import Toolbox, opening
from harness.study import Study

MODES: Final = {"fresh": (False, 0), "kept": (True, 0), "restored": (True, 512)}
"""Whether a prompt goes on from what the slot holds, and megabytes for what left it."""


@dataclass(frozen=True)
class Prompt:
    """The first turn of an episode."""

    condition: str
    query: str
    tools: tuple[ToolSchema, ...]


@dataclass(frozen=True)
class Run:
    """What a run over prompts took, and what it answered, by prompt."""

    seconds: float
    read: int
    spared: int
    answers: dict[Prompt, str]


def prompts(study: Study, tasks: int, tools: int) -> list[Prompt]:
    """Return first turns in the order of a shard: all of one condition, then all of the next.

    Parameters
    ----------
    study
        The study whose tasks are asked about.
    tasks
        How many of them.
    tools
        How many of the catalog stand for `FULL`, since the context holds no whole catalog.
    """
    toolbox = Toolbox.of(study.catalogs[min(study.catalogs)].snapshot)
    whole = tuple(toolbox.tools.values())[:tools]
    chosen = list(study.tasks.values())[:tasks]
    return [
        *(Prompt("FULL", task.query, whole) for task in chosen),
        *(
            Prompt("ORACLE", task.query, toolbox.show(sorted(task.required_routes)).tools)
            for task in chosen
        ),
    ]


def run(section: LocalSection, mode: str, asked: Sequence[Prompt]) -> Run:
    """Ask a model that was just loaded, one prompt after the other."""
    keep, memory = MODES[mode]
    engine = Engine(section, keep_prompt=keep, restore_mib=memory)
    answers, read, spared = {}, 0, 0
    started = time.perf_counter()
    for prompt in asked:
        body = request_body(section, opening(prompt.query), prompt.tools)
        answer = engine.complete({**body, "cache_prompt": keep})
        if "error" in answer:
            raise ConfigError(
                f"A prompt of {len(prompt.tools)} tools does not fit.", "Ask with fewer --tools."
            )
        cached = answer["usage"]["prompt_tokens_details"]["cached_tokens"]
        read += answer["usage"]["prompt_tokens"] - cached
        spared += cached
        answers[prompt] = answer["choices"][0]["message"]["content"]
    return Run(time.perf_counter() - started, read, spared, answers)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tasks", type=int, default=3, help="tasks (default: 3)")
    parser.add_argument("--tools", type=int, default=12, help="tools of FULL (default: 12)")
    parser.add_argument("--max-tokens", type=int, default=8, help="new tokens (default: 8)")
    arguments = parser.parse_args()
    study = Study(load_config(["study=slice", "agent=local"]))
    section = study.config.agent
    if not isinstance(section, LocalSection):
        raise ConfigError("The agent is not the local one.", "Restore configs/agent/local.yaml.")
    if not is_installed(section):
        print("The small model is not installed; run `make local`.")
        return
    section = section.model_copy(update={"max_tokens": arguments.max_tokens})
    ordered = prompts(study, arguments.tasks, arguments.tools)
    shuffled = Random(20260929).sample(ordered, len(ordered))
    print(
        f"{len(ordered)} first turns, half of them with {arguments.tools} tools, development split"
    )
    fresh: Run | None = None
    for mode in MODES:
        for name, asked in (("ordered", ordered), ("shuffled", shuffled)):
            found = run(section, mode, asked)
            fresh = fresh or found
            equal = sum(found.answers[prompt] == fresh.answers[prompt] for prompt in ordered)
            print(
                f"{mode:9s} {name:9s} {found.seconds:7.1f} s  read {found.read:7,d}  spared "
                f"{found.spared:7,d} prompt tokens  {equal} of {len(ordered)} answers as fresh",
                flush=True,
            )


if __name__ == "__main__":
    main()

"""What the rest of a study will take: turns, tokens, time and cost, as a bound from above."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.protocol import StudySection


@dataclass(frozen=True)
class Pace:
    """What a server did when it was asked."""

    tokens_per_counted: float
    """Its own prompt tokens for each of the pinned tokenizer."""
    prompt_per_second: float
    """Prompt tokens that it reads."""
    output_per_second: float
    """Tokens that it writes."""
    output_per_turn: float


@dataclass(frozen=True)
class Estimate:
    """What episodes will take at most, were every one to use all of its turns."""

    episodes: int
    turns: int
    input_tokens: int
    output_tokens: int
    seconds: float

    def cost(self, input_price: float, output_price: float) -> float:
        """Return the price at so much for a million tokens."""
        return (self.input_tokens * input_price + self.output_tokens * output_price) / 1e6


def estimate(
    section: StudySection,
    *,
    remaining: Mapping[tuple[int, str], int],
    tool_tokens: Mapping[int, float],
    other_tokens: float,
    pace: Pace,
    concurrency: int,
    context_tokens: int | None = None,
) -> Estimate:
    """Estimate what remains.

    Parameters
    ----------
    section
        The study.
    remaining
        Episodes that have not run, by catalog and condition.
    tool_tokens
        Mean tokens of a tool's schema by catalog, of the pinned tokenizer.
    other_tokens
        Mean tokens of the messages of a prompt.
    pace
        What the server did.
    concurrency
        Episodes that run at once; a server that cannot read and write for all of them at the speed
        of one takes longer.
    """
    turns = read = 0.0
    for (size, condition), episodes in remaining.items():
        for shown in tools_shown(section, size, condition):
            prompt = (shown * tool_tokens[size] + other_tokens) * pace.tokens_per_counted
            if context_tokens is not None and prompt > context_tokens:
                # Refused unread, and the episode ends (protocol, section 4, rule 8).
                break
            turns += episodes
            read += episodes * prompt
    written = turns * pace.output_per_turn
    seconds = (read / pace.prompt_per_second + written / pace.output_per_second) / concurrency
    return Estimate(sum(remaining.values()), round(turns), round(read), round(written), seconds)


def tools_shown(section: StudySection, size: int, condition: str) -> Sequence[int]:
    """Return how many tools a condition shows in each turn, at most.

    `FULL` and the last stage of the progressive condition show the catalog, which it reaches when
    every turn before was a failure.
    """
    turns, exposure = section.episode.max_turns, section.exposure
    match condition:
        case "FULL":
            return [size] * turns
        case "SR-PROGRESSIVE-STATIC":
            stages = [size if stage is None else min(stage, size) for stage in exposure.stages]
            return [stages[min(turn, len(stages) - 1)] for turn in range(turns)]
        case _:
            return [min(exposure.top_k, size)] * turns

"""What the provider counted, in its own tokens: beside the study's own count, deciding nothing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from gates.number import Json


@dataclass(frozen=True)
class ProviderUsage:
    """Sums over turns. What a provider did not tell is in no sum, and no turn is guessed."""

    turns: int = 0
    told: int = 0
    """Turns of which the provider told the prompt's tokens."""
    input_tokens: int = 0
    """Of these, those from a cache among them."""
    output_turns: int = 0
    """Turns of which it told the new tokens."""
    output_tokens: int = 0
    cache_turns: int = 0
    """Turns of which it told the prompt's tokens and how many of them came from a cache."""
    cached_tokens: int = 0
    fresh_tokens: int = 0
    """Tokens of the same prompts that came from none."""

    def __add__(self, other: ProviderUsage) -> ProviderUsage:
        names = (item.name for item in fields(self))
        return ProviderUsage(*(getattr(self, name) + getattr(other, name) for name in names))

    def to_json(self) -> dict[str, Json]:
        """Return the sums; null where no turn was told."""
        return {
            "turns": self.turns,
            "told_turns": self.told,
            "input_tokens": self.input_tokens if self.told else None,
            "output_tokens": self.output_tokens if self.output_turns else None,
            "cache_told_turns": self.cache_turns,
            "cached_tokens": self.cached_tokens if self.cache_turns else None,
            "fresh_tokens": self.fresh_tokens if self.cache_turns else None,
        }


def provider_usage(exchanges: Iterable[Mapping[str, Any]]) -> ProviderUsage:
    """Return what the provider counted in the turns of an episode.

    Parameters
    ----------
    exchanges
        Rows whose answers were held against the turns, see `gates.exchange`.
    """
    return sum((_of_answer(row["answer"]) for row in exchanges), ProviderUsage())


def _of_answer(text: str) -> ProviderUsage:
    answer = json.loads(text)
    usage = answer.get("usage")
    overflow = answer.get("overflow")
    if not isinstance(usage, dict):
        # A prompt that did not fit was counted by whoever refused it; nobody read it.
        return ProviderUsage(turns=0 if isinstance(overflow, dict) else 1)
    read, cached = _count(usage.get("input_tokens")), _count(usage.get("cached_tokens"))
    written = _count(usage.get("output_tokens"))
    split = read is not None and cached is not None and cached <= read
    return ProviderUsage(
        turns=1,
        told=int(read is not None),
        input_tokens=read or 0,
        output_turns=int(written is not None),
        output_tokens=written or 0,
        cache_turns=int(split),
        cached_tokens=(cached or 0) if split else 0,
        fresh_tokens=(read or 0) - (cached or 0) if split else 0,
    )


def _count(value: Any) -> int | None:
    """Return a number of tokens as it stands in an answer; None for what is no such number."""
    valid = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53
    return value if valid else None

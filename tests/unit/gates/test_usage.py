"""What a provider counted is summed as it was told, and nothing is guessed."""

from __future__ import annotations

from typing import Any

import pytest

from gates.usage import ProviderUsage, provider_usage
from harness.agents.cassette import encode
from harness.agents.protocol import ContextOverflow, ToolCall, Turn, Usage


def rows(*answers: Turn | ContextOverflow) -> list[dict[str, Any]]:
    return [{"answer": encode(answer)} for answer in answers]


def test_sums_are_over_what_was_told() -> None:
    found = provider_usage(
        rows(
            Turn("a", usage=Usage(input_tokens=100, cached_tokens=0, output_tokens=7)),
            Turn(None, (ToolCall("1", "x", "{}"),), usage=Usage(120, 100, 9, 4)),
            Turn("no cache is told", usage=Usage(input_tokens=50, output_tokens=1)),
            Turn("nothing is told", usage=Usage()),
            Turn("nobody was asked"),
            ContextOverflow(prompt_tokens=9_000, context_tokens=8_192),
        )
    )
    assert found.to_json() == {
        "turns": 5,
        "told_turns": 3,
        "input_tokens": 270,
        "output_tokens": 17,
        "cache_told_turns": 2,
        "cached_tokens": 100,
        "fresh_tokens": 120,
    }
    assert found + ProviderUsage() == found
    assert (found + found).fresh_tokens == 240


@pytest.mark.parametrize("answers", [(), (Turn("a"),), (ContextOverflow(),)])
def test_what_nobody_told_is_null_and_not_zero(answers: tuple[Turn | ContextOverflow, ...]) -> None:
    figures = provider_usage(rows(*answers)).to_json()
    assert figures["turns"] == sum(isinstance(answer, Turn) for answer in answers)
    assert (figures["told_turns"], figures["cache_told_turns"]) == (0, 0)
    for name in ("input_tokens", "output_tokens", "cached_tokens", "fresh_tokens"):
        assert figures[name] is None


@pytest.mark.parametrize("figure", ["7", True, -1, 1.5, 2**53, [], {}])
def test_what_is_no_number_of_tokens_is_not_told(figure: Any) -> None:
    answer = Turn("a", usage=Usage(input_tokens=figure, cached_tokens=0, output_tokens=figure))
    assert provider_usage(rows(answer)) == ProviderUsage(turns=1)


def test_more_from_a_cache_than_there_is_splits_nothing() -> None:
    found = provider_usage(rows(Turn("a", usage=Usage(input_tokens=5, cached_tokens=6))))
    assert found == ProviderUsage(turns=1, told=1, input_tokens=5)

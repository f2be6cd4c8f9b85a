"""The estimate of what remains: a bound, by hand."""

from __future__ import annotations

import pytest

from harness.compose import load_config
from harness.estimate import Estimate, Pace, estimate, tools_shown

STUDY = load_config().study
PACE = Pace(
    tokens_per_counted=2.0, prompt_per_second=1000.0, output_per_second=10.0, output_per_turn=20.0
)


@pytest.mark.parametrize(
    ("condition", "shown"),
    [
        ("SR-5-STATIC", [5] * 8),
        ("SR-5-STATE-AWARE", [5] * 8),
        ("ORACLE", [5] * 8),
        ("FULL", [250] * 8),
        ("SR-PROGRESSIVE-STATIC", [3, 10, 250, 250, 250, 250, 250, 250]),
    ],
)
def test_how_many_tools_a_condition_shows_at_most(condition: str, shown: list[int]) -> None:
    assert tools_shown(STUDY, 250, condition) == shown


def test_what_remains_is_read_and_written() -> None:
    found = estimate(
        STUDY,
        remaining={(100, "SR-5-STATIC"): 10},
        tool_tokens={100: 80.0},
        other_tokens=100.0,
        pace=PACE,
        concurrency=4,
    )
    # Ten episodes of eight turns of (5 * 80 + 100) * 2 tokens.
    assert found == Estimate(10, 80, 80_000, 1_600, (80_000 / 1000 + 1_600 / 10) / 4)
    assert found.cost(0.5, 2.0) == pytest.approx(0.04 + 0.0032)


def test_a_prompt_that_does_not_fit_ends_its_episode() -> None:
    found = estimate(
        STUDY,
        remaining={(100, "FULL"): 3, (100, "SR-PROGRESSIVE-STATIC"): 2},
        tool_tokens={100: 80.0},
        other_tokens=100.0,
        pace=PACE,
        concurrency=1,
        context_tokens=8192,
    )
    # FULL never fits; the other shows three tools, then ten, and overflows with the third turn.
    assert (found.episodes, found.turns, found.input_tokens) == (5, 4, 2 * (340 + 900) * 2)


def test_nothing_remains() -> None:
    found = estimate(
        STUDY, remaining={}, tool_tokens={}, other_tokens=1.0, pace=PACE, concurrency=1
    )
    assert found == Estimate(0, 0, 0, 0, 0.0)

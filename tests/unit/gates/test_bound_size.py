from __future__ import annotations

import pytest

from gates.bound_size import approximate_tasks


def tasks(discordance: float, correlation: float, effect: float = 0.0, catalogs: int = 3) -> float:
    return approximate_tasks(
        discordance,
        correlation,
        catalogs=catalogs,
        effect=effect,
        margin=-0.02,
        power=0.8,
        level="0.95",
    )


@pytest.mark.parametrize(
    ("discordance", "correlation", "expected"),
    [
        # d (1 + 2 r) / 3 * ((1.959964 + 0.841621) / 0.02)**2: the known 640 to 3,200 tasks.
        (0.05, 0.5, 654.07),
        (0.1, 0.5, 1308.15),
        (0.2, 0.75, 3270.37),
    ],
)
def test_sizes_span_the_known_range(
    discordance: float, correlation: float, expected: float
) -> None:
    assert tasks(discordance, correlation) == pytest.approx(expected, abs=0.5)


def test_alike_catalogs_are_one_and_independent_ones_are_three() -> None:
    assert tasks(0.1, 1.0) == pytest.approx(3 * tasks(0.1, 0.0))
    assert tasks(0.1, 0.3, catalogs=1) == pytest.approx(tasks(0.1, 1.0))


def test_a_true_gain_needs_fewer() -> None:
    # Half the distance to the margin, and a little less spread.
    assert tasks(0.1, 0.5, effect=0.02) == pytest.approx(tasks(0.1, 0.5) / 4 * 0.996, rel=1e-3)

"""The numbers of the reference agent's policy, all in one place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Policy:
    """Constants of the policy; ``POLICY.md`` says what each is for.

    Scores and weights have no unit; evidence, shares and residuals lie between 0 and 1.
    """

    # Demand.
    verb_weight: float = 1.2
    noun_weight: float = 1.0
    state_weight: float = 0.6
    word_weight: float = 0.7
    covered_residual: float = 0.1
    fit_discount: float = 0.5
    nudge_floor: float = 0.25

    # How much a tool's text says about what it does, by the place of a word.
    operation_weight: float = 1.0
    description_weight: float = 0.6
    service_weight: float = 0.4
    parameter_weight: float = 0.4

    # Selection.
    clause_decay: float = 0.85
    background: float = 0.35
    service_named: float = 0.15
    unused_literal: float = 0.2
    fresh_observation: float = 0.2
    chain: float = 0.35
    confidence: float = 0.2
    repeat: float = 0.3
    failed_before: float = 0.3
    destructive_unasked: float = 5.0
    shortlist: int = 48

    # Arguments.
    required_evidence: tuple[float, ...] = (0.3, 0.25, 0.05)
    """Least evidence for a required argument, by nudges so far."""
    optional_evidence: float = 0.75
    significant_digits: int = 10
    variants: int = 12
    """Argument sets tried when the best ones were already sent."""

    # Failures.
    transient_retries: int = 3
    recovery_rounds: int = 2
    recovery_threshold: float = 0.25
    provider_threshold: float = 0.3

    # Stopping.
    call_threshold: tuple[float, ...] = (0.5, 0.4, 0.05)
    """Least score of a call, by nudges so far."""
    open_demand: float = 0.45

    def at(self, levels: tuple[float, ...], nudges: int) -> float:
        """Return the level that holds after so many nudges; the last one holds for all later."""
        return levels[min(nudges, len(levels) - 1)]

"""Choices, deviations and labels of the 0.14 study, as its report and its bundle state them.

Source: protocol, sections 7 and 8. The wording is for people; nothing is computed from it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final


@dataclass(frozen=True)
class Choice:
    """A choice that the study's source documents do not make, made before any scoring."""

    choice: str
    why: str
    theirs: str
    """What the public study scripts of the source documents do instead."""
    tested_by: tuple[str, ...] = ()
    """Metrics and parts of ``sensitivity`` that can test it, by their keys in ``terminal.json``."""


@dataclass(frozen=True)
class Deviation:
    """A departure from the protocol after the freeze."""

    what: str
    why: str
    since: str
    """The identity or commit that it came with."""


CHOICES: Final = (
    Choice(
        "The progressive arm widens 3, 10, whole catalog.",
        "The published parameter of the source documents.",
        "The same.",
        ("whole_catalog", "tool_schema_tokens_narrow"),
    ),
    Choice(
        "An episode has 8 turns.",
        "The budget of five refreshes can bind.",
        "6 turns.",
        ("ending_turn_limit", "failed_turn_limit"),
    ),
    Choice(
        "A turn without a call is answered TASK_INCOMPLETE in every arm, twice.",
        "The chance to go on must not depend on the arm.",
        "In the progressive arm only.",
        ("ending_third_text", "failed_third_text"),
    ),
    Choice(
        "A refresh replaces the exposure, also after the task is complete.",
        "Bounded tokens, and no signal of completion.",
        "No refresh after completion.",
        ("tool_schema_tokens_to_completion",),
    ),
    Choice(
        "A call off the path is answered plausibly.",
        "Otherwise only the gold route writes into the state.",
        "The bare word executed.",
        ("gold_trace_recall_at_5",),
    ),
    Choice(
        "Unknown and unexposed routes get one answer.",
        "Retrieval must not reveal what exists.",
        "Two answers.",
    ),
    Choice(
        "A route counts as executed when its endpoint was reached.",
        "The word of the source documents.",
        "Any registered route that was called.",
    ),
    Choice(
        "Status and error are no observation fields; metadata comes from completed calls.",
        "They describe the turn and not the data.",
        "They are counted.",
    ),
    Choice(
        "The research retriever reads the state as typed data.",
        "As plain text it drags the ranking back to what was executed.",
        "Plain text.",
    ),
    Choice(
        "An approval belongs to one step.",
        "An approval for one thing is none for another.",
        "No approvals.",
        ("destructive_attempts", "policy_integrity"),
    ),
    Choice(
        "Retrieval calls are rankings computed.",
        "That is what costs.",
        "Widenings count too.",
    ),
    Choice(
        "Recovery is decided by exposure; in time, and passed, stand beside.",
        "The wording of the source documents is open.",
        "Exposure.",
        ("recovery_after_initial_miss_in_time", "recovery_after_initial_miss_passed"),
    ),
    Choice(
        "Every primary interval has a Rao-Wu companion, and verdicts have fixed words.",
        "With six tasks a cell the literal bootstrap is too narrow.",
        "Neither stratified nor corrected.",
        ("sensitivity.rules",),
    ),
)

DEVIATIONS: Final[tuple[Deviation, ...]] = ()
"""None so far. Whoever departs from the protocol after the freeze adds it here."""

CONFIRMATORY: Final = ("gate",)
"""Keys of ``terminal.json`` that test the hypothesis, where a model answered the frozen split."""

EXPLORATORY: Final = ("metrics", "intervals", "contrasts", "sensitivity", "latency", "usage")
"""Keys that describe, whatever answered."""


def statement(*, development: bool, evidence: str) -> dict[str, Any]:
    """Return choices, deviations and labels as JSON.

    Parameters
    ----------
    development, evidence
        Of the study: what was built on its tasks, or what no model answered, confirms nothing.
    """
    confirms = not development and evidence == "model"
    confirmatory = CONFIRMATORY if confirms else ()
    return {
        "choices": [asdict(choice) for choice in CHOICES],
        "deviations": [asdict(deviation) for deviation in DEVIATIONS],
        "confirmatory": list(confirmatory),
        "exploratory": [*(key for key in CONFIRMATORY if not confirms), *EXPLORATORY],
        "evidence": evidence,
        "development": development,
    }

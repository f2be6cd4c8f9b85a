"""All numbers of the research retriever."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from conditions.error import ConditionError
from router.term import TermParameters
from router.weight import LexicalParameters

__all__ = ["WHOLE", "RetrieverParameters"]

WHOLE: Final = 1000
"""Shares are in thousandths."""
_LARGEST: Final = 10 * WHOLE


@dataclass(frozen=True, slots=True)
class RetrieverParameters:
    """What the retriever's formula weighs; each number switches its part off at 0.

    Raises
    ------
    ConditionError
        When a number is negative or larger than 10,000, a share is above 1000, or no text channel
        has a weight.
    """

    typed: bool = True
    """Whether identifiers, declared types and the state are read at all."""
    lexical_weight: int = 3
    """Weight of the lexical channel."""
    sentence_weight: int = 10
    """Weight of the semantic channel of sentences."""
    term_weight: int = 10
    """Weight of the semantic channel of terms."""
    residual: int = 500
    """Share that clauses lose up to the last one that an executed route has dealt with."""
    succeeded: int = 150
    """Malus of a route that demonstrably succeeded."""
    inherited: int = 200
    """Share of a consumer's text score that the producers of what it lacks inherit."""
    observed: int = 100
    """Bonus of a parameter that has been observed, if no other endpoint took it."""
    spelled: int = 50
    """Bonus of a route that takes an identifier from the query that no executed route took."""
    measured: int = 150
    """Bonus of a route that takes a quantity from the query that no executed route took, each."""
    locked: int = 500
    """Malus of a route that requires an argument which is in sight nowhere."""
    ambiguous: int = 250
    """Similarity by which a literal's context must prefer one meaning to rule another out."""
    keep_failed: bool = True
    """Whether a route that failed with a retriable error stays exposed."""
    graph_slots: int = 3
    """Of the first `slots` routes, at most so many stand there because of bonuses alone."""
    slots: int = 5
    """Routes that a refresh exposes."""
    lexical: LexicalParameters = field(default_factory=LexicalParameters)
    """Weights inside the lexical channel."""
    term: TermParameters = field(default_factory=TermParameters)
    """Weights inside the channel of terms."""

    def __post_init__(self) -> None:
        weights = ("lexical_weight", "sentence_weight", "term_weight")
        bonuses = ("succeeded", "inherited", "observed", "spelled", "measured", "locked")
        limits = {
            **dict.fromkeys((*weights, "residual", "ambiguous"), WHOLE),
            **dict.fromkeys((*bonuses, "graph_slots", "slots"), _LARGEST),
        }
        for name, limit in limits.items():
            if not 0 <= getattr(self, name) <= limit:
                raise ConditionError(
                    f"The retriever's {name} is {getattr(self, name)}, which is out of range.",
                    f"Use 0 to {limit:,}.",
                )
        if not any(getattr(self, name) for name in weights):
            raise ConditionError(
                "No text channel of the retriever has a weight.",
                "Give lexical_weight, sentence_weight or term_weight a positive number.",
            )

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
        shares = (self.residual, self.ambiguous)
        weights = (self.lexical_weight, self.sentence_weight, self.term_weight)
        numbers = (
            *(self.succeeded, self.inherited, self.observed, self.spelled, self.measured),
            *(self.locked, self.graph_slots, self.slots),
        )
        if not (
            all(0 <= share <= WHOLE for share in shares)
            and all(0 <= number <= _LARGEST for number in numbers)
            and all(0 <= weight <= WHOLE for weight in weights)
        ):
            raise ConditionError(
                f"A number of the retriever is out of range in {self}.",
                "Use 0 to 1000 for shares and weights, 0 to 10,000 for bonuses and maluses.",
            )
        if not any(weights):
            raise ConditionError(
                "No text channel of the retriever has a weight.",
                "Give lexical_weight, sentence_weight or term_weight a positive number.",
            )

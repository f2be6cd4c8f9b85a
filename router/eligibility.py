"""Whether the state that a host declares lets a route be offered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from typing import Literal

from router.compatibility import Finding, judge
from router.context import CompatibilityContext
from router.field import CapabilityFieldContract
from router.precondition import CapabilityPrecondition
from router.record import Record
from router.state import ObservationIndex, TypedExecutionState

__all__ = [
    "ELIGIBLE",
    "EligibilityStatus",
    "RouteConditions",
    "StateEligibility",
    "StateEligibilityReason",
    "evaluate_preconditions",
    "evaluate_state_eligibility",
]

FailureCode = Literal["missing_required_state", "incompatible_state", "precondition_failed"]
EligibilityStatus = Literal[
    "eligible", "missing_required_state", "incompatible_state", "precondition_failed"
]
Requirements = Mapping[str, Sequence[CapabilityFieldContract]]
Preconditions = Mapping[str, Sequence[CapabilityPrecondition]]
_NOTHING_DECLARED = CompatibilityContext()


class StateEligibilityReason(Record):
    """Why a route may not be offered."""

    code: FailureCode
    semantic_id: str
    """The meaning that is missing or does not fit, as the requirement spells it."""
    detail: str
    """The reason in words, for people."""


class StateEligibility(Record):
    """Whether a route may be offered in a state."""

    status: EligibilityStatus
    reasons: tuple[StateEligibilityReason, ...] = ()
    """One for each requirement or precondition that is not met, in the order declared."""

    @property
    def eligible(self) -> bool:
        """Whether everything declared is met."""
        return self.status == "eligible"


ELIGIBLE = StateEligibility(status="eligible")
"""Everything declared is met, or nothing is declared."""


def evaluate_state_eligibility(
    requirements: Iterable[CapabilityFieldContract],
    state: TypedExecutionState,
    *,
    context: CompatibilityContext | None = None,
) -> StateEligibility:
    """Check required types against the observed ones.

    Parameters
    ----------
    requirements
        Types that have to be there.
    state
        What was observed.
    context
        Synonyms and conversions that the host declares.

    Returns
    -------
    StateEligibility
        ``eligible`` when every requirement is satisfied by some observed field; otherwise
        ``incompatible_state`` when something was observed for a requirement but nothing that is
        known to fit, else ``missing_required_state``.
    """
    return _check_requirements(requirements, ObservationIndex(state, context or _NOTHING_DECLARED))


def evaluate_preconditions(
    preconditions: Iterable[CapabilityPrecondition],
    state: TypedExecutionState,
    *,
    context: CompatibilityContext | None = None,
) -> StateEligibility:
    """Check preconditions against the observed values.

    Parameters
    ----------
    preconditions
        Conditions that have to hold.
    state
        What was observed.
    context
        Synonyms that the host declares.

    Returns
    -------
    StateEligibility
        ``eligible`` when all hold; otherwise ``precondition_failed`` when something was observed
        for a condition that does not hold, else ``missing_required_state``.
    """
    return _check_preconditions(
        preconditions, ObservationIndex(state, context or _NOTHING_DECLARED)
    )


class RouteConditions:
    """What a host declares for its routes, held against one state.

    Parameters
    ----------
    state
        What was observed.
    requirements
        Types that have to be there, by route id.
    preconditions
        Conditions that have to hold, by route id.
    context
        Synonyms and conversions that the host declares.
    """

    def __init__(
        self,
        state: TypedExecutionState,
        requirements: Requirements | None = None,
        preconditions: Preconditions | None = None,
        context: CompatibilityContext | None = None,
    ) -> None:
        self._requirements = {} if requirements is None else requirements
        self._preconditions = {} if preconditions is None else preconditions
        self._observed = ObservationIndex(state, context or _NOTHING_DECLARED)

    @property
    def routes(self) -> Set[str]:
        """The routes that something is declared for."""
        return self._requirements.keys() | self._preconditions.keys()

    def check(self, route: str) -> StateEligibility:
        """Whether a route may be offered; always where nothing is declared for it.

        Preconditions are looked at once the requirements are met.
        """
        eligibility = _check_requirements(self._requirements.get(route, ()), self._observed)
        if eligibility.status != "eligible":
            return eligibility
        return _check_preconditions(self._preconditions.get(route, ()), self._observed)


def _check_requirements(
    requirements: Iterable[CapabilityFieldContract], observed: ObservationIndex
) -> StateEligibility:
    unmet: list[_Unmet] = []
    for required in requirements:
        found = observed.find(required.semantic_id)
        if not found:
            unmet.append(("missing_required_state", required.semantic_id, ()))
            continue
        findings: list[Finding] = []
        for field in found:
            verdict = judge(required, field.contract, observed.context)
            if verdict.satisfies:
                break
            findings += verdict.findings
        else:
            codes = tuple(dict.fromkeys([code for code, _ in findings]))
            unmet.append(("incompatible_state", required.semantic_id, codes))
    return _outcome(tuple(unmet)) if unmet else ELIGIBLE


def _check_preconditions(
    preconditions: Iterable[CapabilityPrecondition], observed: ObservationIndex
) -> StateEligibility:
    unmet: list[_Unmet] = []
    for condition in preconditions:
        found = observed.find(condition.semantic_id)
        if not found:
            unmet.append(("missing_required_state", condition.semantic_id, ()))
        elif condition.operator != "exists":
            known = [one.stable_identifier for one in found if one.stable_identifier is not None]
            if not any(map(condition.holds_for, known)):
                about = (condition.operator,) if known else ()
                unmet.append(("precondition_failed", condition.semantic_id, about))
    return _outcome(tuple(unmet)) if unmet else ELIGIBLE


_Unmet = tuple[FailureCode, str, tuple[str, ...]]
"""Code, semantic id, and the findings or the operator that the detail names."""


@lru_cache(maxsize=4096)
def _outcome(unmet: tuple[_Unmet, ...]) -> StateEligibility:
    """The reasons as records. A state leaves many routes out for few different reasons."""
    reasons = tuple(
        StateEligibilityReason(code=code, semantic_id=semantic_id, detail=_detail(code, about))
        for code, semantic_id, about in unmet
    )
    # What does not fit is graver than what is missing; the two graver codes never meet.
    graver = (one.code for one in reasons if one.code != "missing_required_state")
    return StateEligibility(status=next(graver, "missing_required_state"), reasons=reasons)


def _detail(code: FailureCode, about: tuple[str, ...]) -> str:
    if code == "missing_required_state":
        return "Nothing of this meaning has been observed."
    if code == "incompatible_state":
        return f"Nothing observed is known to fit: {', '.join(about)}."
    if about:
        return f"No observed identifier {about[0]} the declared value."
    return "What has been observed has no stable identifier to compare."

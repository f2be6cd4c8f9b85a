"""Which capabilities have succeeded in a session, and the soft prior that follows from it."""

from __future__ import annotations

import math
from typing import Final

from router.checkpoint import (
    CHECKPOINT_VERSION,
    CheckpointError,
    read_checkpoint,
    unversioned,
    write_checkpoint,
)
from router.ranked import RankedCandidate, Retrieval, with_candidates
from router.route_memory import RouteMemory
from router.session_memory import SessionMemory

__all__ = ["SuccessfulCapabilityHistory", "apply_success_prior"]

_WHAT: Final = "successful capabilities"
_MAX_COUNT: Final = 2**31 - 1


class SuccessfulCapabilityHistory(SessionMemory):
    """The capabilities that have succeeded at least once.

    Counts saturate at one: the prior reaches its maximum with the first success. A success that
    was recorded with an endpoint fingerprint counts under that contract only, and only until the
    route succeeds under another; one recorded without counts under every contract.
    """

    def record_success(
        self, tool: str, endpoint: str, *, endpoint_fingerprint: str | None = None
    ) -> None:
        """Record that a call succeeded.

        Raises
        ------
        ValueError
            As :meth:`RouteMemory.record`.
        """
        self._memory.record(tool, endpoint, endpoint_fingerprint)

    def count(self, tool: str, endpoint: str, *, endpoint_fingerprint: str | None = None) -> int:
        """One where the route has succeeded under this contract, otherwise zero.

        Raises
        ------
        ValueError
            When a name or the fingerprint is blank.
        """
        return int(self._memory.holds(tool, endpoint, endpoint_fingerprint))

    def reset(self) -> None:
        """Drop every route."""
        self._memory.clear()

    def snapshot(self) -> dict[str, int]:
        """Counts by ``tool.endpoint`` or ``tool.endpoint@fingerprint``, in code point order."""
        return dict.fromkeys(self._memory.keys(), 1)

    def dumps(self) -> str:
        """The canonical checkpoint: equal histories give equal text."""
        return write_checkpoint({"counts": self.snapshot(), "schema_version": CHECKPOINT_VERSION})

    @classmethod
    def loads(cls, payload: str) -> SuccessfulCapabilityHistory:
        """Restore a history.

        Parameters
        ----------
        payload
            What :meth:`dumps` returned, or the bare counts that were written before checkpoints
            had a version. Counts above one become one, counts of zero are no entries, and of
            several fingerprints of one route the last by code point is kept.

        Raises
        ------
        CheckpointError
            When the payload is anything else.
        """
        counts = read_checkpoint(payload, _WHAT)
        if "schema_version" in counts:
            members = unversioned(counts, _WHAT)
            if set(members) != {"counts"} or not isinstance(members["counts"], dict):
                raise CheckpointError(
                    f"The checkpoint of {_WHAT} is not an object of counts with its version. "
                    "Restore another one."
                )
            counts = members["counts"]
        for count in counts.values():
            if type(count) is not int or not 0 <= count <= _MAX_COUNT:
                raise CheckpointError(
                    f"The checkpoint of {_WHAT} holds a count that is no integer from 0 to "
                    f"{_MAX_COUNT}. Restore another one."
                )
        # Every key is checked, also where nothing is counted.
        RouteMemory.of(counts, _WHAT)
        history = cls()
        history._memory = RouteMemory.of((key for key in counts if counts[key]), _WHAT)
        return history

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SuccessfulCapabilityHistory):
            return NotImplemented
        return self._memory == other._memory

    __hash__ = None  # type: ignore[assignment]


def apply_success_prior(
    retrieval: Retrieval, history: SuccessfulCapabilityHistory, *, weight: float = 0.0
) -> Retrieval:
    """Rank the candidates of a retrieval again, with a bonus for those that have succeeded.

    Parameters
    ----------
    retrieval
        The result of a retrieval: nothing outside its candidates is looked at, so that visibility
        and availability stay as they were decided.
    history
        The session's successes, looked up under each candidate's current contract.
    weight
        The bonus of a success, in units of the scores; zero returns the retrieval itself.

    Returns
    -------
    Retrieval
        The same candidates by score plus bonus, then by rank, ranked anew from 1. Their scores are
        those of the retrieval: the bonus orders and is not evidence.

    Raises
    ------
    ValueError
        When the weight is negative, infinite or not a number.
    """
    if not math.isfinite(weight) or weight < 0:
        raise ValueError(f"A success prior of {weight} does not rank. Use a weight of 0 or more.")
    if weight == 0:
        return retrieval

    def key(candidate: RankedCandidate) -> tuple[float, int]:
        count = history.count(
            candidate.tool,
            candidate.endpoint,
            endpoint_fingerprint=candidate.endpoint_fingerprint,
        )
        return -(candidate.score + weight * count), candidate.rank

    return with_candidates(retrieval, sorted(retrieval.candidates, key=key))

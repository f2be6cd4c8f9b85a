"""Which schemas a session's context holds already."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from router.checkpoint import (
    CHECKPOINT_VERSION,
    CheckpointError,
    read_checkpoint,
    unversioned,
    write_checkpoint,
)
from router.ranked import Retrieval, with_candidates
from router.route_memory import RouteMemory, session_route
from router.session_memory import SessionMemory

__all__ = ["SchemaExposureDecision", "SessionSchemaExposure", "filter_unexposed_schemas"]

_WHAT: Final = "exposed schemas"
_MAX_EPOCH: Final = 2**31 - 1


@dataclass(frozen=True)
class SchemaExposureDecision:
    """Whether a schema is to be put into the context, and why."""

    route_id: str
    inject: bool
    reason: Literal["not_exposed", "already_exposed"]


class SessionSchemaExposure(SessionMemory):
    """The schemas that a session's context holds since its last compaction.

    A schema exposed with an endpoint fingerprint counts as exposed under that contract only, and
    only until the route is exposed under another; one exposed without counts under every contract.

    Parameters
    ----------
    compaction_epoch
        How often the context was compacted before.

    Raises
    ------
    ValueError
        When the epoch is negative or beyond 2**31 - 1.
    """

    def __init__(self, *, compaction_epoch: int = 0) -> None:
        if not 0 <= compaction_epoch <= _MAX_EPOCH:
            raise ValueError(
                f"The compaction epoch {compaction_epoch} is not from 0 to {_MAX_EPOCH}. "
                "Start from 0."
            )
        super().__init__()
        self._epoch = compaction_epoch

    @property
    def compaction_epoch(self) -> int:
        """How often the context was compacted in this session."""
        return self._epoch

    def decision(
        self, tool: str, endpoint: str, *, endpoint_fingerprint: str | None = None
    ) -> SchemaExposureDecision:
        """Whether the context lacks a schema.

        Raises
        ------
        ValueError
            When a name or the fingerprint is blank.
        """
        held = self._memory.holds(tool, endpoint, endpoint_fingerprint)
        return SchemaExposureDecision(
            route_id=session_route(tool, endpoint, None)[0],
            inject=not held,
            reason="already_exposed" if held else "not_exposed",
        )

    def mark_exposed(
        self, tool: str, endpoint: str, *, endpoint_fingerprint: str | None = None
    ) -> None:
        """Record that the context holds a schema now.

        Raises
        ------
        ValueError
            As :meth:`RouteMemory.record`.
        """
        self._memory.record(tool, endpoint, endpoint_fingerprint)

    def mark_many_exposed(self, routes: Iterable[tuple[str, str]]) -> None:
        """Record several schemas, given as tool and endpoint, without fingerprints.

        Raises
        ------
        ValueError
            As :meth:`RouteMemory.record`; the routes before the refused one are recorded.
        """
        for tool, endpoint in routes:
            self._memory.record(tool, endpoint, None)

    def compacted(self) -> None:
        """Record that the context was compacted: it holds no schema any more.

        Raises
        ------
        ValueError
            When the epoch would pass 2**31 - 1; nothing changes then.
        """
        if self._epoch == _MAX_EPOCH:
            raise ValueError(f"The session was compacted {_MAX_EPOCH} times. Reset it.")
        self._epoch += 1
        self._memory.clear()

    def reset(self) -> None:
        """Start the session anew: no schema exposed, epoch zero."""
        self._epoch = 0
        self._memory.clear()

    def snapshot(self) -> dict[str, object]:
        """Epoch and exposed routes, ``tool.endpoint`` or ``tool.endpoint@fingerprint``.

        The routes stand in code point order.
        """
        return {"compaction_epoch": self._epoch, "exposed_routes": self._memory.keys()}

    def dumps(self) -> str:
        """The canonical checkpoint: equal sessions give equal text."""
        return write_checkpoint({**self.snapshot(), "schema_version": CHECKPOINT_VERSION})

    @classmethod
    def loads(cls, payload: str) -> SessionSchemaExposure:
        """Restore a session's exposure.

        Parameters
        ----------
        payload
            What :meth:`dumps` returned, or the same without a version, as it was written before.
            Of several fingerprints of one route the last by code point is kept.

        Raises
        ------
        CheckpointError
            When the payload is anything else.
        """
        members = read_checkpoint(payload, _WHAT)
        if "schema_version" in members:
            members = unversioned(members, _WHAT)
        if set(members) != {"compaction_epoch", "exposed_routes"}:
            raise CheckpointError(
                f"The checkpoint of {_WHAT} is not an epoch and a list of routes. "
                "Restore another one."
            )
        epoch, routes = members["compaction_epoch"], members["exposed_routes"]
        if type(epoch) is not int or not 0 <= epoch <= _MAX_EPOCH:
            raise CheckpointError(
                f"The checkpoint of {_WHAT} has an epoch that is no integer from 0 to "
                f"{_MAX_EPOCH}. Restore another one."
            )
        if not isinstance(routes, list):
            raise CheckpointError(
                f"The checkpoint of {_WHAT} does not list its routes. Restore another one."
            )
        exposure = cls(compaction_epoch=epoch)
        exposure._memory = RouteMemory.of(routes, _WHAT)
        return exposure

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SessionSchemaExposure):
            return NotImplemented
        return self._epoch == other._epoch and self._memory == other._memory

    __hash__ = None  # type: ignore[assignment]


def filter_unexposed_schemas(retrieval: Retrieval, exposure: SessionSchemaExposure) -> Retrieval:
    """The retrieval with those candidates only whose schemas the context lacks.

    Parameters
    ----------
    retrieval
        The result of a retrieval.
    exposure
        What the context holds, looked up under each candidate's current contract.

    Returns
    -------
    Retrieval
        The remaining candidates with the scores they had, ranked anew from 1.
    """
    return with_candidates(
        retrieval,
        [
            candidate
            for candidate in retrieval.candidates
            if exposure.decision(
                candidate.tool,
                candidate.endpoint,
                endpoint_fingerprint=candidate.endpoint_fingerprint,
            ).inject
        ],
    )

"""The host's notes about a run."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from router.frozen import FrozenDict
from router.record import Opaque, Record

__all__ = ["RunConfig"]

_Label = Annotated[str, Field(min_length=1, max_length=256)]


class RunConfig(Record):
    """What a host notes about a run. Nothing here changes what is retrieved."""

    run_id: _Label | None = None
    principal_audit_id: _Label | None = None
    tags: tuple[str, ...] = ()
    metadata: Opaque = Field(default_factory=FrozenDict)
    trace_metadata: Opaque = Field(default_factory=FrozenDict)

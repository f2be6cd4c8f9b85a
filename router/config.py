"""A router together with the host's notes about a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from router.frozen import FrozenDict
from router.methods import RetrievalMethods
from router.record import Opaque, Record

if TYPE_CHECKING:
    from router.facade import SchemaRouter

__all__ = ["ConfiguredSchemaRouter", "RunConfig"]

_Label = Annotated[str, Field(min_length=1, max_length=256)]


class RunConfig(Record):
    """What a host notes about a run. Nothing here changes what is retrieved."""

    run_id: _Label | None = None
    principal_audit_id: _Label | None = None
    tags: tuple[str, ...] = ()
    metadata: Opaque = Field(default_factory=FrozenDict)
    trace_metadata: Opaque = Field(default_factory=FrozenDict)


class ConfiguredSchemaRouter(RetrievalMethods):
    """The retrieving side of a router, with a configuration beside it.

    It shares registry, analyser and availability with the router.

    Parameters
    ----------
    router
        The router.
    config
        The configuration.
    """

    def __init__(self, router: SchemaRouter, config: RunConfig) -> None:
        self.router = router
        self.config = config
        self._core = router._core

"""The store and engine parts of a configuration: what of the plant a study runs on."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from harness.protocol import Section


class LocalStoreSection(Section):
    """The results folder alone: one machine, or a file system that every worker mounts."""

    kind: Literal["local"]


class S3Section(Section):
    """A bucket behind an S3 API, which workers on many machines share.

    Credentials come from the environment alone: ``AWS_ACCESS_KEY_ID``, ``AWS_SECRET_ACCESS_KEY``
    and, if there is one, ``AWS_SESSION_TOKEN``.
    """

    kind: Literal["s3"]
    bucket: str = Field(pattern=r"^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$")
    prefix: str = Field(default="", pattern=r"^$|^\w[\w.=-]*(/\w[\w.=-]*)*$")
    """What the names of all objects begin with."""
    endpoint: str | None = Field(default=None, pattern=r"^https?://[^\s/?#@]+$")
    """Null for the public service of the region."""
    region: str = Field(default="us-east-1", pattern=r"^[a-z0-9-]+$")
    timeout_seconds: float = Field(default=60, gt=0, le=3_600)
    """Without a byte, before a request counts as failed."""
    attempts: int = Field(default=5, ge=1, le=100)
    """Of one request, before the shard stops."""


StoreSection: TypeAlias = Annotated[LocalStoreSection | S3Section, Field(discriminator="kind")]
"""Where finished shards are kept; the field ``kind`` says which."""


class LocalEngineSection(Section):
    """Processes on this machine."""

    kind: Literal["local"]


class DaskSection(Section):
    """Workers of a Dask cluster, on as many machines as it has."""

    kind: Literal["dask"]
    scheduler: str | None = Field(default=None, pattern=r"^[a-z]+://\S+$")
    """Address of the cluster's scheduler; null starts a cluster on this machine."""
    retries: int = Field(default=2, ge=0, le=100)
    """How often a shard is run again after the plant failed."""


EngineSection: TypeAlias = Annotated[LocalEngineSection | DaskSection, Field(discriminator="kind")]
"""What runs the shards; the field ``kind`` says which."""
